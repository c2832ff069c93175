// A rotated secret goes without a review, alone with what applies have sent.

import { expect, it } from 'vitest';
import { inOneLine, sftp } from '../support/vocabulary.ts';
import { openWorld, type World } from '../support/world.ts';

const { passwordUnencrypted: _, ...withoutPassword } = sftp();
const address = 'schedules.feed';
/** A filter of its dashboard, with the value that it has there. */
const filterConfig = { order_status: { values: ['complete'] } };

/** One schedule was adopted as it was in Omni, and another one was made by an apply; then their password is rotated. */
async function rotated(more: object): Promise<World> {
  const world = await openWorld({}, { environment: { SFTP_PASSWORD: 'old-password-1' } });
  const id = world.makeByHand({ ...withoutPassword, name: 'Feed' }, { hasPassword: true });
  const declared = { feed: { ...sftp({ name: 'Feed' }), ...more }, own: sftp({ name: 'Own' }) };
  world.declare(declared, { adopt: [{ to: address, id }] });
  await world.apply();
  world.declare(declared);
  world.write({ 'reviewed.txt': '' });
  world.sent();
  return world;
}

const after = (world: World) => {
  const environment = { OMNI_API_TOKEN: world.organizationKey, SFTP_PASSWORD: 'new-password-2' };
  return world.beside({}, environment);
};

it.each<[string, object, string]>([
  ['filters that may be the dashboard’s', { filterConfig }, 'filterConfig.order_status'],
  ['nothing unread, of which nothing was sent since its adoption', {}, 'all of it, as nothing was sent since'],
])('the rotation of a report with %s is left, and the way on is said', async (...[, more, words]) => {
  const world = await rotated(more);
  const ran = await after(world).run('apply', '--auto-approve', '--expect-changes', 'reviewed.txt');
  expect(ran.code, ran.stderr).toBe(1);
  const said = inOneLine(ran.stdout + ran.stderr);
  expect(said).toContain('so no review is needed for schedules.own.');
  expect(said).toContain(`no apply has sent and nobody has reviewed: ${words}`);
  expect(said).toContain(`or run \`almanac apply --refresh --target ${address}\``);
  expect(world.sent()).toEqual([`PUT /api/v1/schedules/${world.idOf('schedules.own')}`]);
  const byHand = await after(world).run('apply', '--refresh', '--target', address, '--auto-approve');
  expect(byHand.code, byHand.stderr).toBe(0);
  expect(world.sent()).toEqual([`PUT /api/v1/schedules/${world.idOf(address)}`]);
});

it('a rotation is sent once an update of the report has been', async () => {
  const world = await rotated({ filterConfig });
  world.declare({ feed: { ...sftp({ name: 'Feed', path: '/other' }), filterConfig }, own: sftp({ name: 'Own' }) });
  await world.pass(1000);
  await world.apply();
  world.sent();
  const ran = await after(world).run('apply', '--auto-approve', '--expect-changes', 'reviewed.txt');
  expect(ran.code, ran.stderr).toBe(0);
  expect(inOneLine(ran.stdout + ran.stderr)).toContain('no review is needed for schedules.feed, schedules.own.');
  expect(world.sent()).toHaveLength(2);
});

/** What leaves the content of an adopted report unsent, by what else an apply does. */
const unsent: Readonly<Record<string, (world: World) => Promise<void>>> = {
  'it was paused': async (world) => {
    world.declare({ feed: { ...sftp({ name: 'Feed' }), paused: true }, own: sftp({ name: 'Own' }) });
    await world.apply();
  },
  'only a remark of it changed': async (world) => {
    world.declare({ feed: { ...sftp({ name: 'Feed' }), meta: { owner: 'ana' } }, own: sftp({ name: 'Own' }) });
    await world.apply();
  },
  'its address changed': async (world) => {
    const declared = { moved: sftp({ name: 'Feed' }), own: sftp({ name: 'Own' }) };
    world.declare(declared, { moved: [{ from: address, to: 'schedules.moved' }] });
    await world.apply();
    world.declare(declared);
  },
  'its owner changed': async (world) => {
    world.declare({ feed: { ...sftp({ name: 'Feed' }), owner: 'bo@example.com' }, own: sftp({ name: 'Own' }) });
    await world.apply();
  },
  'a refresh recorded its time': async (world) => {
    world.change('Feed', (fields) => void Object.assign(fields, { schedule: '0 7 ? * TUE *' }));
    await world.apply('--refresh-only');
    world.declare({ feed: sftp({ name: 'Feed', schedule: '0 7 ? * TUE *' }), own: sftp({ name: 'Own' }) });
  },
};

it.each(Object.keys(unsent))(
  'the rotation of an adopted report is left where nothing of its content was sent: %s',
  async (why) => {
    const world = await rotated({});
    await world.pass(1000);
    await unsent[why]?.(world);
    world.sent();
    const ran = await after(world).run('apply', '--auto-approve', '--expect-changes', 'reviewed.txt');
    expect(ran.code, ran.stdout + ran.stderr).toBe(1);
    expect(inOneLine(ran.stdout + ran.stderr)).toContain('as nothing was sent since');
    expect(world.sent()).toEqual([`PUT /api/v1/schedules/${world.idOf('schedules.own')}`]);
  },
);

it('the secret of a report that an import has tracked is not sent without a review', async () => {
  const world = await openWorld({});
  world.makeByHand({ ...withoutPassword, name: 'Feed' }, { hasPassword: true });
  await world.import('--identifier', '12db1a0a', '--write-state');
  world.write({ 'reviewed.txt': '' });
  world.sent();
  const environment = { OMNI_API_TOKEN: world.organizationKey, SFTP_EXAMPLE_COM_ALMANAC_PASSWORD: 'a-password-1' };
  const ran = await world.beside({}, environment).run('apply', '--auto-approve', '--expect-changes', 'reviewed.txt');
  expect(ran.code, ran.stdout + ran.stderr).toBe(1);
  expect(inOneLine(ran.stdout + ran.stderr)).toContain(
    'no apply has sent and nobody has reviewed: filterConfig.order_status',
  );
  expect(world.sent()).toEqual([]);
});
