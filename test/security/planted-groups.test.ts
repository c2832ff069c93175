// False ids of user groups in the state. The threat: somebody who may write the state gives a declared group the id of
// other people. A change that a review shows for the declared group would go to the other people.

import { expect, it } from 'vitest';
import type { State } from '../../src/model/plan/state.ts';
import { mail, says } from '../support/vocabulary.ts';
import { openApplied, type World } from '../support/world.ts';

const address = 'schedules.report';
const evil = 'c37d5e80-1c49-4f6a-9d3b-84a0c1e2f568';
const report = mail({ userGroups: ['Board'] });

/** The schedule is applied for Board, and goes to Evil in Omni as well as, or instead of, to Board. */
async function planted(userGroupIds: (board: string) => readonly string[], edit: (state: State) => object) {
  const world = await openApplied({ schedules: { report } });
  world.emulator.edit(({ userGroups = [], schedules }) => {
    const board = userGroups.find(({ name }) => name === 'Board')?.id ?? '';
    userGroups.push({ id: evil, name: 'Evil', memberIds: [] });
    for (const schedule of schedules) Object.assign(schedule, { userGroupIds: userGroupIds(board) });
  });
  const state = world.state();
  world.write({ 'almanac.state.json': { ...state, serial: state.serial + 1, ...edit(state) } });
  world.declare({ report: { ...report, subject: 'Another' } });
  return world;
}

const groupsOf = ({ emulator }: Pick<World, 'emulator'>) => emulator.data().schedules[0]?.userGroupIds;

it.each([
  ['that Omni has', 'Evil'],
  ['that Omni does not have', 'Supervisors'],
])('the id of other people with a name %s is in no plan that does not say so, and gets nothing', async (_, name) => {
  const world = await planted(
    () => [evil],
    ({ resources }) => ({
      resources: { ...resources, [address]: { ...resources[address], groups: [{ text: 'Board', id: evil, name }] } },
    }),
  );
  const shown = await world.run('plan');
  expect(shown.stdout + shown.stderr).toEqual(says(`is called \`${name}\` in Omni, according to the state`));
  world.sent();
  expect(await world.run('apply --auto-approve')).toMatchObject({ code: 1 });
  expect(world.sent()).toEqual([]);
});

it('an open change that names a group only in its attributes lets nothing go to it', async () => {
  const world = await planted(
    (board) => [board, evil],
    ({ resources }) => {
      const attributes = { ...resources[address]?.attributes, userGroups: ['Board', evil] };
      return { unresolved: [{ address, action: 'update', since: '2026-03-01T00:00:00.000Z', attributes }] };
    },
  );
  const { code, stdout, stderr } = await world.run('apply --auto-approve');
  expect([code, stdout + stderr]).toEqual([1, says('no plan has shown that: + userGroups "Evil"')]);
  expect(world.sent()).toEqual([]);
});

it('an open change that names a group with its id takes it off again, and lets nothing else go out', async () => {
  const world = await planted(
    (board) => [board, evil],
    ({ resources }) => {
      const { attributes, groups = [] } = resources[address] ?? {};
      const open = { attributes, groups: [...groups, { text: 'Evil', id: evil }] };
      return { unresolved: [{ address, action: 'update', since: '2026-03-01T00:00:00.000Z', ...open }] };
    },
  );
  expect(await world.run('apply --auto-approve')).toMatchObject({ code: 1 });
  expect(world.sent()).toEqual([expect.stringContaining('remove-recipients')]);
  expect(groupsOf(world)).not.toContain(evil);
});
