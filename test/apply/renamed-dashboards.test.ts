// What the state has on a dashboard that somebody renamed in Omni: it is deleted there, and only what is surely that dashboard's id
// is recorded.

import { describe, expect, it } from 'vitest';
import { stateOf } from '../support/apply/declared.ts';
import { outcomesOf, stage } from '../support/apply/stage.ts';
import { refusal, renameDashboard } from '../support/emulator/service.ts';
import { mail, sales } from '../support/vocabulary.ts';
import { openApplied, type WorldOptions } from '../support/world.ts';

const address = 'schedules.a';

describe('a schedule that is replaced on a dashboard that was renamed', () => {
  const hand = mail({ name: 'A', identifier: '12db1a0a', recipients: ['ana@example.com'], subject: 'One' });
  const renamed = async (options: WorldOptions = {}, declared: object = hand) => {
    const world = await openApplied({ schedules: { a: declared } }, options);
    world.rename('12db1a0a', 'sales');
    return world;
  };

  it('a schedule that is replaced on a renamed dashboard is deleted where its declaration has the new name', async () => {
    const world = await renamed();
    world.declare({ a: { ...hand, name: 'B', identifier: 'sales' } });
    const { code, stdout, stderr } = await world.run('apply', '--auto-approve', '--replace', address);
    expect(code, stdout + stderr).toBe(0);
    expect(world.sent().map((line) => line.split(' ')[0])).toEqual(['POST', 'DELETE']);
    await world.expectQuiet();
  });

  it('a schedule that is replaced on a renamed dashboard is deleted by the next apply where the id of what replaced it was lost', async () => {
    const world = await renamed({ faults: [{ fault: 'drop-after', on: 'POST /v1/schedules', at: 2 }] });
    world.declare({ a: { ...hand, name: 'B', identifier: 'sales' } });
    expect((await world.run('apply', '--auto-approve', '--replace', address)).code).toBe(1);
    world.sent();
    const { code, stdout, stderr } = await world.run('apply', '--auto-approve');
    expect(code, stdout + stderr).toBe(0);
    expect(world.sent().map((line) => line.split(' ')[0])).toEqual(['DELETE']);
    await world.expectQuiet();
  });

  it('what a replacement left on a renamed dashboard is deleted by a later apply as well, where what replaced it is on another dashboard', async () => {
    const world = await openApplied({ schedules: { a: { ...hand, identifier: '3f9c2b71', name: 'B' } } });
    const id = world.makeByHand({ ...hand });
    const state = JSON.parse(world.read('almanac.state.json'));
    const orphan = {
      id,
      address,
      identifier: '12db1a0a',
      name: 'A',
      since: '2026-03-01T00:00:00.000Z',
      replaced: true,
    };
    world.write({ 'almanac.state.json': JSON.stringify({ ...state, orphans: [orphan], serial: state.serial + 1 }) });
    world.rename('12db1a0a', 'sales');
    world.declare({ a: { ...hand, identifier: '3f9c2b71', name: 'B', subject: 'Two' } });
    const { code, stdout, stderr } = await world.run('apply', '--auto-approve');
    expect(code, stdout + stderr).toBe(0);
    expect(
      world
        .sent()
        .map((line) => line.split(' ')[0])
        .sort(),
    ).toEqual(['DELETE', 'PUT']);
    await world.expectQuiet();
  });
});

it('a schedule on a dashboard that was renamed is deleted where nobody can read who receives it', async () => {
  const id = '2abba91d-9bec-41a0-8a8d-6f133b4ff0b5';
  const { userGroups: _, ...fields } = mail({ userGroups: ['Board'] });
  const state = stateOf({ 'schedules.a': { id, attributes: { ...fields, userGroups: ['Board'] } } });
  const made = stage({}, { state });
  made.service.add(id, fields);
  renameDashboard(made.service.data, sales, 'sales');
  made.service.instead = () => ({ getRecipients: () => Promise.reject(refusal(403, 'api-unauthorized')) });
  expect(outcomesOf(await made.apply({ force: true, allow: { empty: true } }))).toEqual({ 'schedules.a': 'applied' });
  expect(made.service.schedules().size).toBe(0);
});

it('the id of a dashboard is not recorded of a schedule that no list shows there', async () => {
  const id = '2abba91d-9bec-41a0-8a8d-6f133b4ff0b5';
  const fields = mail({ identifier: '12db1a0a' });
  const state = stateOf({ 'schedules.a': { id, attributes: fields } });
  const made = stage({ schedules: { a: { ...fields, subject: 'Two' } } }, { state });
  made.service.add(id, { ...fields, identifier: '3f9c2b71' });
  made.service.instead = () => ({ listSchedules: async () => [] });
  const applied = await made.apply({ refresh: { depth: 'deep', only: false } });
  expect(outcomesOf(applied)).toEqual({ 'schedules.a': 'applied' });
  expect(made.service.schedules().get(id)?.fields['identifier']).toBe('12db1a0a');
  expect(applied.state?.resources['schedules.a']?.entityId).toBeUndefined();
});
