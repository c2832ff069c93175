// What takes away goes alone where the rest of its change is left: by the kind of what is taken away, and by the trouble that
// leaves the rest. A name that means no group takes nobody off.

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { pairsOf } from '../support/runs/runs.ts';
import { dashboard, inOneLine, mail, region, sales, slack } from '../support/vocabulary.ts';
import { openWorld, type World } from '../support/world.ts';

const address = 'schedules.a';
const [board, team] = ['a1f0c6d2-7b34-4e59-8c1d-52e6f90b7a31', 'b27d5e80-1c49-4f6a-9d3b-84a0c1e2f567'];
const [ana, eve] = ['ana@example.com', 'eve@northpine.example'];

const report = mail({
  name: 'A',
  recipients: [ana, eve],
  userGroups: ['Board', 'Sales team'],
  filterConfig: region('North'),
});
const other = mail({ name: 'B' });

/** What the files take away, with the request and the words for it. */
const takings = {
  receiver: { to: { recipients: [ana] }, sent: 'remove-recipients', words: `taken off: ${eve}` },
  group: { to: { userGroups: ['Board'] }, sent: 'remove-recipients', words: 'taken off: Sales team' },
  pause: { to: { paused: true }, sent: 'pause', words: 'paused' },
};
type Taking = keyof typeof takings;

/** Both groups have access to the dashboard. */
async function openApplied(schedules: object): Promise<World> {
  const world = await openWorld({ schedules });
  world.emulator.edit(({ documents }) => {
    const found = documents.find(({ identifier }) => identifier === sales);
    Object.assign(found ?? {}, { sharedWithGroups: [board, team] });
  });
  await world.apply();
  world.sent();
  return world;
}

/** Answers GET requests whose path ends so before the service sees them. */
function refusing({ emulator }: World, path: string, status: number, body: string): void {
  const server = emulator.server as Server;
  const [listener] = server.listeners('request') as ((req: IncomingMessage, res: ServerResponse) => void)[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== 'GET' || !request.url?.endsWith(path)) return listener?.(request, response);
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
}

/** What leaves the rest of the change, by what it changes too, what happened in Omni, and what the result says. */
const troubles: Readonly<
  Record<string, { readonly and?: object; readonly happens?: (world: World) => void; readonly says: string }>
> = {
  'a time that somebody changed': {
    happens: (world) => world.change('A', (fields) => void Object.assign(fields, { schedule: '0 7 ? * TUE *' })),
    says: 'this change would undo what somebody changed',
  },
  'an owner whom nobody knows': {
    and: { owner: 'nobody@example.com' },
    says: 'nobody in the organization has the address',
  },
  'a filter that is gone from its dashboard': {
    happens: (world) =>
      world.emulator.edit(({ documents }) => {
        const found = documents.find(({ identifier }) => identifier === sales);
        const filters: Record<string, unknown> = found?.dashboard?.filters ?? {};
        delete filters['region'];
      }),
    says: 'its dashboard no longer has the filter `region`',
  },
  'a page of details that is nonsense': {
    happens: (world) => refusing(world, `/v1/schedules/${world.idOf(address)}`, 200, '<html>'),
    says: 'Almanac cannot tell what became of',
  },
  'a page of details that answers 403': {
    happens: (world) => refusing(world, `/v1/schedules/${world.idOf(address)}`, 403, '{"detail":"no"}'),
    says: 'Almanac cannot tell what became of',
  },
};

it.each(pairsOf(Object.keys(takings) as Taking[], Object.keys(troubles)))(
  'a %s that the files take away goes alone where the rest is left because of %s',
  async (taking, trouble) => {
    const { to, sent, words } = takings[taking];
    const { and = {}, happens, says } = troubles[trouble] ?? { says: '' };
    const world = await openApplied({ a: report, b: other });
    happens?.(world);
    world.declare({ a: { ...report, subject: 'Two', ...and, ...to }, b: { ...other, subject: 'Two' } });
    const { code, stdout } = await world.run('apply', '--auto-approve');
    expect(code).toBe(1);
    const said = inOneLine(stdout);
    expect(said).toContain(`Sent in part: ${words}; the rest is left, because ${says}`);
    expect(said).not.toContain('Not sent');
    const ofA = world.sent().filter((line) => line.includes(world.idOf(address)));
    expect(ofA.map((line) => line.split('/').at(-1))).toEqual([sent]);
  },
);

const groupsIn = ({ emulator }: World) =>
  emulator.data().schedules.find(({ fields }) => fields['name'] === 'A')?.userGroupIds;
const peopleIn = ({ emulator }: World) =>
  emulator.data().schedules.find(({ fields }) => fields['name'] === 'A')?.fields['recipients'];

it('a misspelled group takes nobody off, and holds back nobody who is taken off the recipients', async () => {
  const world = await openApplied({ a: report });
  world.declare({ a: { ...report, userGroups: ['Bord'], recipients: [ana] } });
  const { code, stdout } = await world.run('apply', '--auto-approve');
  expect(code).toBe(1);
  expect(groupsIn(world)).toEqual([board, team]);
  expect(peopleIn(world)).toEqual([ana]);
  expect(inOneLine(stdout)).toContain(
    `Sent in part: taken off: ${eve}; the rest is left, because no user group called \`Bord\` has access to the dashboard 12db1a0a.`,
  );
});

it('a change of nothing but a misspelled group sends nothing, and is called not sent', async () => {
  const world = await openApplied({ a: report });
  world.declare({ a: { ...report, userGroups: ['Bord'] } });
  const { code, stdout } = await world.run('apply', '--auto-approve');
  expect(code).toBe(1);
  expect(world.sent()).toEqual([]);
  expect(inOneLine(stdout)).toContain('Not sent: No user group called `Bord` has access');
  world.declare({ a: { ...report, userGroups: ['Board'] } });
  expect(await world.run('apply', '--auto-approve')).toMatchObject({ code: 0 });
  expect(groupsIn(world)).toEqual([board]);
  await world.expectQuiet();
});

it.each(Object.keys(troubles))('a deletion goes whatever the schedule has of its own: %s', async (trouble) => {
  const world = await openApplied({ a: report, b: other });
  const id = world.idOf(address);
  troubles[trouble]?.happens?.(world);
  world.declare({ b: other });
  expect(await world.run('apply', '--auto-approve')).toMatchObject({ code: 0 });
  expect(world.sent()).toEqual([`DELETE /api/v1/schedules/${id}`]);
});

it('a pause waits for nothing: it is sent where the filters of its dashboard could not be set', async () => {
  const world = await openWorld({ schedules: { a: report } }, { faults: [{ fault: '500', on: 'PATCH' }] });
  world.declare({ a: { ...report, userGroups: undefined } });
  await world.apply();
  world.sent();
  const paused = { ...report, userGroups: undefined, subject: 'Two', paused: true };
  world.declare({ a: paused }, { dashboards: { d: dashboard({ filters: region('Asia') }) } });
  const { code, stdout } = await world.run('apply', '--auto-approve');
  expect(code).toBe(1);
  expect(world.sent().filter((line) => !line.startsWith('PATCH'))).toEqual([expect.stringMatching(/\/pause$/)]);
  expect(inOneLine(stdout)).toContain(
    `Sent in part: paused; the rest is left, because the filters of its dashboard ${sales} could not be set.`,
  );
});

it('a channel in Slack stays until the rest is sent, because only that takes it off', async () => {
  const world = await openApplied({ a: slack({ name: 'A' }) });
  world.change('A', (fields) => void Object.assign(fields, { schedule: '0 7 ? * TUE *' }));
  world.declare({ a: slack({ name: 'A', recipients: 'C9876543210' }) });
  const { code, stdout } = await world.run('apply', '--auto-approve');
  expect(code).toBe(1);
  expect(world.sent()).toEqual([]);
  expect(inOneLine(stdout)).toContain('Not sent: This change would undo what somebody changed');
});

it('nothing is taken away where the id is not proven, whatever else leaves the change', async () => {
  const world = await openApplied({ a: report });
  world.change('A', (fields) => void Object.assign(fields, { name: 'Payroll' }));
  world.declare({
    a: { ...report, recipients: [ana], userGroups: ['Bord'], owner: 'nobody@example.com', paused: true },
  });
  const { code, stdout } = await world.run('apply', '--auto-approve');
  expect(code).toBe(1);
  expect(world.sent()).toEqual([]);
  expect(inOneLine(stdout)).toContain('Not sent: The state and Omni disagree about an id.');
});

it('JSON says what is sent of a change that is left, and why the rest is not', async () => {
  const world = await openApplied({ a: report });
  world.change('A', (fields) => void Object.assign(fields, { schedule: '0 7 ? * TUE *' }));
  world.declare({ a: { ...report, recipients: [ana], paused: true } });
  const { stdout } = await world.run('apply', '--auto-approve', '--format', 'json');
  const said = `Sent in part: paused; taken off: ${eve}; the rest is left, because this change would undo`;
  expect(JSON.parse(stdout)).toMatchObject({
    results: [{ address, status: 'failed', error: { code: 'refused', message: expect.stringContaining(said) } }],
  });
});
