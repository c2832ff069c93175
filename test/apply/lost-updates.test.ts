// What an update may have done whose answer was lost: the next apply takes the schedule for what the state has and for what was
// sent, and sends again what it cannot tell.

import { expect, it } from 'vitest';
import { mail, region } from '../support/vocabulary.ts';
import { type Fields, openApplied, type World } from '../support/world.ts';

const address = 'schedules.a';
const people = ['ana@example.com', 'cfo@northpine.example'];
const hand = mail({ name: 'A', identifier: '12db1a0a', recipients: ['ana@example.com'], subject: 'One' });
const filters = (value: string) => ({
  dashboards: { sales: { identifier: '12db1a0a', filters: region(value) } },
});

/** As if updates had been sent whose answers were lost, one after the other; `arrives`: what they have done. */
async function lost(world: World, sent: readonly Fields[], arrives: Fields): Promise<void> {
  world.change('A', (fields) => void Object.assign(fields, arrives));
  const state = JSON.parse(world.read('almanac.state.json'));
  const { attributes } = state.resources[address];
  const all = sent.map((each) => ({ ...attributes, ...each }));
  const [last = attributes, ...earlier] = [...all].reverse();
  const open = { address, action: 'update', since: '2026-03-01T00:00:00.000Z', attributes: last };
  state.unresolved.push({ ...open, ...(earlier[0] && { earlier }) });
  world.write({ 'almanac.state.json': JSON.stringify({ ...state, serial: state.serial + 1 }) });
}

const kinds = (world: World) => world.sent().map((line) => line.split(' ')[0]);

it.each([
  ['', {}],
  [', and pauses the report alone,', { paused: true }],
])('a lost update that put back what somebody had changed%s is not closed unseen', async (_, declared) => {
  const own = { ...hand, filterConfig: region('North') };
  const world = await openApplied({ schedules: { a: own } });
  await lost(world, [{}], { filterConfig: region('South') });
  world.declare({ a: { ...own, ...declared } });
  await world.run('apply', '--auto-approve');
  const drift = await world.drift('--deep');
  const { unresolved } = world.state();
  expect(kinds(world).includes('PUT') || unresolved.length > 0).toBe(true);
  expect(unresolved.length > 0 || drift.code === 0).toBe(true);
});

it('a filter that changes waits for a report that was perhaps moved onto its dashboard, where that leaves it again', async () => {
  const away = { ...hand, identifier: '3f9c2b71' };
  const world = await openApplied({ schedules: { a: away }, ...filters('North') });
  await lost(world, [{ identifier: '12db1a0a' }], { identifier: '12db1a0a', recipients: people });
  world.declare({ a: { ...away, subject: 'Two' } }, filters('South'));
  const { code, stderr } = await world.run('apply', '--auto-approve', '--refresh=deep');
  expect(code, stderr).toBe(0);
  expect(kinds(world)).toEqual(['PUT', 'PATCH']);
  await world.expectQuiet();
});

it('a filter that changes waits for the deletion of a report whose own filter was perhaps taken out', async () => {
  const world = await openApplied({
    schedules: { a: { ...hand, filterConfig: region('North') } },
    ...filters('North'),
  });
  await lost(world, [{ filterConfig: undefined }], { filterConfig: {}, recipients: people });
  world.declare({}, filters('South'));
  const { code, stderr } = await world.run('apply', '--auto-approve', '--refresh=deep');
  expect(code, stderr).toBe(0);
  expect(kinds(world)).toEqual(['DELETE', 'PATCH']);
  await world.expectQuiet();
});

it('a filter that was perhaps taken out with a move to another dashboard is sent again where it is declared', async () => {
  const own = { ...hand, filterConfig: region('North') };
  const world = await openApplied({ schedules: { a: own } });
  await lost(world, [{ identifier: '3f9c2b71', filterConfig: undefined }], {
    identifier: '3f9c2b71',
    filterConfig: {},
  });
  world.declare({ a: { ...own, subject: 'Two' } });
  const { code, stdout } = await world.run('apply', '--auto-approve', '--refresh=deep');
  expect(code, stdout).toBe(0);
  expect(kinds(world)).toEqual(['PUT']);
  await world.expectQuiet();
});

it('content that an earlier request has perhaps sent is sent again where the last one held other groups alone', async () => {
  const world = await openApplied({ schedules: { a: { ...hand, userGroups: ['Board'] } } });
  await lost(world, [{ subject: 'Two' }, { userGroups: undefined }], { subject: 'Two' });
  const { code, stdout } = await world.run('apply', '--auto-approve');
  expect(code, stdout).toBe(0);
  expect(world.emulator.data().schedules[0]?.fields).toMatchObject({ subject: 'One' });
  await world.expectQuiet();
});

it('a report that was perhaps updated under the new name of its dashboard is known there by its former name', async () => {
  const world = await openApplied({ schedules: { a: hand } });
  world.rename('12db1a0a', 'sales');
  await lost(world, [{ identifier: 'sales', name: 'B' }], {});
  world.declare({ a: { ...hand, identifier: 'sales', subject: 'Two' } });
  const { code, stdout, stderr } = await world.run('apply', '--auto-approve');
  expect(code, stdout + stderr).toBe(0);
  expect(kinds(world)).toEqual(['PUT']);
  await world.expectQuiet();
});

it('a report that was perhaps updated under the new name of its dashboard is known there by what was sent as well', async () => {
  const world = await openApplied({ schedules: { a: hand } });
  world.rename('12db1a0a', 'sales');
  await lost(world, [{ identifier: 'sales', name: 'B' }], { name: 'B' });
  world.declare({ a: { ...hand, identifier: 'sales', subject: 'Two' } });
  const { code, stdout, stderr } = await world.run('apply', '--auto-approve');
  expect(code, stdout + stderr).toBe(0);
  expect(kinds(world)).toEqual(['PUT']);
  await world.expectQuiet();
});

it('a report that was perhaps moved to a dashboard is known there after that was renamed', async () => {
  const world = await openApplied({ schedules: { a: { ...hand, identifier: '3f9c2b71', name: 'A' } } });
  await lost(world, [{ identifier: '12db1a0a', name: 'B' }], { identifier: '12db1a0a', name: 'B' });
  world.rename('12db1a0a', 'sales');
  world.declare({ a: { ...hand, identifier: 'sales', name: 'B', subject: 'Two' } });
  const { code, stdout, stderr } = await world.run('apply', '--auto-approve');
  expect(code, stdout + stderr).toBe(0);
  expect(kinds(world)).toEqual(['PUT']);
  await world.expectQuiet();
});

it('a report that was perhaps moved to another dashboard is deleted there by an apply that looks', async () => {
  const world = await openApplied({ schedules: { a: hand } });
  await lost(world, [{ identifier: '3f9c2b71' }], { identifier: '3f9c2b71' });
  world.declare({});
  const { code, stderr } = await world.run('apply', '--auto-approve', '--allow', 'empty', '--force', '--refresh=deep');
  expect(code, stderr).toBe(0);
  expect(kinds(world)).toEqual(['DELETE']);
});

it('a run that was killed between taking a group off and sending the content is finished by an unattended apply', async () => {
  const world = await openApplied({ schedules: { a: { ...hand, userGroups: ['Board'] } } });
  world.change('A', (_, schedule) => void Object.assign(schedule, { userGroupIds: [] }));
  await lost(world, [{ subject: 'Two', userGroups: undefined }], {});
  world.declare({ a: { ...hand, subject: 'Two' } });
  const { code, stdout, stderr } = await world.run('apply', '--auto-approve');
  expect(code, stdout + stderr).toBe(0);
  expect(kinds(world)).toEqual(['PUT']);
  await world.expectQuiet();
});

it('a lost transfer of an adopted report is sent again without its content, so its unread filters stay unread', async () => {
  const own = { ...hand, filterConfig: region('North') };
  const world = await openApplied({ schedules: { a: own } });
  const state = JSON.parse(world.read('almanac.state.json'));
  state.resources[address].unread = ['/filterConfig/region'];
  world.write({ 'almanac.state.json': JSON.stringify(state) });
  await lost(world, [{ owner: 'bo@example.com' }], {});
  world.declare({ a: { ...own, owner: 'bo@example.com' } });
  const { code, stdout, stderr } = await world.run('apply', '--auto-approve');
  expect(code, stdout + stderr).toBe(0);
  expect(world.sent()).toEqual([expect.stringMatching(/^PUT .*transfer-ownership$/)]);
  expect(world.state().resources[address]).toMatchObject({ unread: ['/filterConfig/region'] });
  expect(world.state().unresolved).toEqual([]);
});

/** The deletion was lost as well, and was not carried out. */
function loseDeletion(world: World): void {
  const state = JSON.parse(world.read('almanac.state.json'));
  const [{ attributes, earlier = [], ...open }] = state.unresolved;
  state.unresolved = [{ ...open, action: 'delete', earlier: [attributes, ...earlier] }];
  world.write({ 'almanac.state.json': JSON.stringify(state) });
  world.declare({});
}

it.each([
  ['a report with the name that the update sent is deleted', 'B', ['DELETE'], 0],
  ['a report with a name that nothing has sent is not deleted', 'C', [], 1],
])('after a lost update and a lost deletion, %s', async (_, name, sent, exit) => {
  const world = await openApplied({ schedules: { a: hand } });
  await lost(world, [{ identifier: '3f9c2b71', name: 'B' }], { identifier: '3f9c2b71', name });
  loseDeletion(world);
  const { code, stdout, stderr } = await world.run('apply', '--auto-approve', '--allow', 'empty', '--force');
  expect(code, stdout + stderr).toBe(exit);
  expect(kinds(world)).toEqual(sent);
});

it('an update of which only what takes away is sent stays open, and the next apply with a look finishes it', async () => {
  const world = await openApplied({ schedules: { a: { ...hand, recipients: people } } });
  world.change('A', (fields) => void Object.assign(fields, { timezone: 'Europe/Berlin' }));
  world.declare({ a: { ...hand, subject: 'Two' } });
  expect((await world.run('apply', '--auto-approve')).code).toBe(1);
  expect(world.sent()).toEqual([expect.stringMatching(/^PUT .*remove-recipients$/)]);
  expect(world.state().unresolved).toMatchObject([{ address, action: 'update' }]);
  const { code, stdout } = await world.run('apply', '--auto-approve', '--refresh=deep');
  expect(code, stdout).toBe(0);
  expect(world.state().unresolved).toEqual([]);
  await world.expectQuiet();
});

it('state resolve --retry of an update changes nothing and says that an apply settles it', async () => {
  const world = await openApplied({ schedules: { a: hand } });
  await lost(world, [{ identifier: '3f9c2b71' }], {});
  const before = world.read('almanac.state.json');
  const { code, stderr } = await world.run('state', 'resolve', address, '--retry');
  expect([code, stderr]).toEqual([1, expect.stringContaining(`An apply settles the update of ${address}`)]);
  expect(JSON.parse(world.read('almanac.state.json'))).toEqual(JSON.parse(before));
});

it('what an open update and those before it have sent is shown without fingerprints of its secrets', async () => {
  const world = await openApplied({ schedules: { a: hand } });
  const secret = { $secret: 'a-fingerprint', text: 'https://hooks.example.com/***' };
  await lost(world, [{ url: secret }, { url: secret, subject: 'Two' }], {});
  const { stdout } = await world.run('state', 'show', '--format', 'json');
  expect(JSON.parse(stdout).unresolved).toMatchObject([
    { attributes: { subject: 'Two' }, earlier: [{ subject: 'One' }] },
  ]);
  expect(stdout).not.toContain('a-fingerprint');
});
