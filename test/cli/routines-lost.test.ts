// Lost requests and answers about routines of two owners. Nothing is made twice, and nothing goes on unseen.

import { describe, expect, it } from 'vitest';
import type { Fault } from '../../src/emulator/faults.ts';
import { ids, routineBody } from '../support/emulator/start-emulator.ts';
import { says } from '../support/vocabulary.ts';
import { openWorld, type World } from '../support/world.ts';

const ofBo = routineBody({ owner: 'bo@example.com' });
const ofAna = routineBody({ owner: 'ana@example.com' });
const declareRoutines = (world: World, routines: object) => world.write({ 'schedules/all.yaml': { routines } });
const owners = ({ emulator }: World) => (emulator.data().routines ?? []).map(({ ownerId }) => ownerId);
const recorded = (world: World) => {
  const { resources, orphans, unresolved } = world.state();
  return { madeBy: resources['routines.monday']?.madeBy, orphans: orphans.length, unresolved: unresolved.length };
};
const settled = (madeBy: string) => ({ madeBy, orphans: 0, unresolved: 0 });
const open = (fault: Fault['fault'], on: string) =>
  openWorld({ routines: { monday: ofBo } }, { faults: [{ fault, on: `${on} /v1/ai/routines`, at: 1 }] });

describe.each(['drop-after', 'drop-before'] as const)('after an answer that is lost (%s)', (fault) => {
  it('a create is looked for in the list of its owner', async () => {
    const world = await open(fault, 'POST');
    expect((await world.run('apply --auto-approve')).code).toBe(1);
    expect(world.state().unresolved).toMatchObject([{ madeBy: ids.bo, existing: [] }]);
    await world.apply();
    expect([owners(world), recorded(world)]).toEqual([[ids.bo], settled(ids.bo)]);
    await world.expectQuiet();
  });

  it('a create whose owner is edited before the next apply is found, and then replaced', async () => {
    const world = await open(fault, 'POST');
    expect((await world.run('apply --auto-approve')).code).toBe(1);
    declareRoutines(world, { monday: ofAna });
    await world.apply();
    expect([owners(world), recorded(world)]).toEqual([[ids.ana], settled(ids.ana)]);
    await world.expectQuiet();
  });

  it('the POST of a replacement is looked for in the list of the new owner', async () => {
    const world = await openWorld(
      { routines: { monday: ofBo } },
      { faults: [{ fault, on: 'POST /v1/ai/routines', at: 2 }] },
    );
    await world.apply();
    declareRoutines(world, { monday: ofAna });
    expect((await world.run('apply --auto-approve')).code).toBe(1);
    await world.apply();
    if (fault === 'drop-after') await world.apply();
    expect([owners(world), recorded(world)]).toEqual([[ids.ana], settled(ids.ana)]);
    await world.expectQuiet();
  });

  it('the DELETE of what was replaced is sent again for the old owner', async () => {
    const world = await open(fault, 'DELETE');
    await world.apply();
    declareRoutines(world, { monday: ofAna });
    await world.run('apply --auto-approve');
    await world.apply();
    expect([owners(world), recorded(world)]).toEqual([[ids.ana], settled(ids.ana)]);
    await world.expectQuiet();
  });
});

it('several routines of one owner that are listed half a minute later are not taken for deleted', async () => {
  const routines = { monday: ofBo, tuesday: { ...ofBo, name: 'Tuesday summary' } };
  const world = await openWorld({ routines }, { eventualConsistencyMs: 20_000 });
  await world.apply();
  await world.apply('--refresh');
  expect(world.emulator.data().routines).toHaveLength(2);
});

it('what a former member had is not taken for deleted', async () => {
  const world = await openWorld({ routines: { monday: ofBo } });
  await world.apply();
  world.emulator.edit((data) => {
    data.members = data.members.filter(({ id }) => id !== ids.bo);
  });
  declareRoutines(world, {});
  const { code, stdout, stderr } = await world.run('apply --auto-approve --allow empty');
  expect(code).toBe(1);
  expect(stdout + stderr).toEqual(says('no longer a member; it may be gone with the account'));
  expect(world.state().resources['routines.monday']).toMatchObject({ madeBy: ids.bo });
});

it('a routine is not taken for deleted where the state was edited to name another member', async () => {
  const world = await openWorld({ routines: { monday: ofBo } });
  await world.apply();
  world.write({ 'almanac.state.json': world.read('almanac.state.json').replaceAll(ids.bo, ids.ana) });
  declareRoutines(world, {});
  const { code, stderr } = await world.run('apply --auto-approve --allow empty');
  expect([code, owners(world)]).toEqual([1, [ids.bo]]);
  expect(stderr).toEqual(says('is a different member'));
  expect(world.state().resources['routines.monday']).toBeDefined();
});
