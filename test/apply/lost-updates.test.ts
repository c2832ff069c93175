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
