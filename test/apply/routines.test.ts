// What an apply asks about routines before sending and after lost answers. Only the list of its owner shows a routine.

import { describe, expect, it } from 'vitest';
import type { Unresolved } from '../../src/model/plan/state.ts';
import { ids, routineBody } from '../support/emulator/start-emulator.ts';
import { openApplied, openWorld, type World } from '../support/world.ts';

const r = 'routines.monday';
const monday = routineBody({ owner: 'ana@example.com' });
const ofBo = { ...monday, owner: 'bo@example.com' };
const plain = routineBody();

const declareRoutines = (world: World, routines: object, rest: object = {}) =>
  world.write({ 'schedules/all.yaml': { routines, ...rest } });
const routinesIn = ({ emulator }: World) => emulator.data().routines ?? [];
/** What a command that fails prints, as one line. */
async function said(world: World, line: string, expected = 1): Promise<string> {
  const { code, stdout, stderr } = await world.run(line);
  expect(code).toBe(expected);
  return (stdout + stderr).replace(/\s+/g, ' ');
}
/** Somebody makes one in Omni; its id. */
const make = async (world: World, owner: string, fields: object = {}) =>
  (await world.send('POST', `/v1/ai/routines?userId=${owner}`, { ...plain, ...fields })).body.id;
const changeMember = ({ emulator }: World, member: string, fields: object) =>
  emulator.edit(({ members }) => Object.assign(members.find(({ id }) => id === member) ?? {}, fields));
const editState = (world: World, edit: (state: ReturnType<World['state']>) => object) =>
  world.write({ 'almanac.state.json': { ...world.state(), ...edit(world.state()) } });

describe('the guard against copies', () => {
  it('the guard against copies refuses a routine with the name and the model of one that its owner has', async () => {
    const world = await openWorld({ routines: { monday } });
    await make(world, ids.ana);
    expect(await said(world, 'apply --auto-approve')).toContain(
      'A routine that would be created has the name of one on the same model',
    );
    expect(routinesIn(world)).toHaveLength(1);
    await world.apply('--allow', 'duplicates');
    expect(routinesIn(world)).toHaveLength(2);
  });

  it('the guard against copies lets one be made that somebody else has', async () => {
    const world = await openWorld({ routines: { monday } });
    await make(world, ids.bo);
    await world.apply();
    expect(routinesIn(world).map(({ ownerId }) => ownerId)).toEqual([ids.bo, ids.ana]);
  });

  it('the guard against copies refuses by name what would be made for a member whose list Omni refuses', async () => {
    const world = await openWorld({ routines: { monday, other: ofBo } });
    changeMember(world, ids.bo, { canUseAi: false });
    expect(await said(world, 'apply --auto-approve')).toContain(`Omni does not list the routines of ${ids.bo}`);
    await world.apply('--target', r);
    expect(routinesIn(world)).toHaveLength(1);
  });
});

it('an id in the state that is another routine of its owner is refused before it is changed or deleted', async () => {
  const world = await openApplied({ routines: { monday } });
  const other = await make(world, ids.ana, { name: 'Another one' });
  editState(world, ({ resources }) => ({ resources: { [r]: { ...resources[r], id: other } } }));
  declareRoutines(world, { monday: { ...monday, prompt: 'What is new?' } });
  expect(await said(world, 'apply --auto-approve')).toContain('Omni lists "Another one" on the model');
  declareRoutines(world, {});
  expect(await said(world, 'apply --auto-approve --allow empty')).toContain(other);
  expect(routinesIn(world)).toHaveLength(2);
});

describe('an entry of adopt', () => {
  const adopting = async (owner: string, fields: object = {}) => {
    const world = await openWorld({});
    const id = await make(world, owner, fields);
    declareRoutines(world, { monday }, { adopt: [{ id, to: r }] });
    return { world, id };
  };

  it('an entry of adopt takes a routine over for its owner as it is in Omni, and the next plan shows the difference', async () => {
    const { world, id } = await adopting(ids.ana, { prompt: 'As it is in Omni' });
    await world.apply();
    expect(world.state().resources[r]).toMatchObject({
      id,
      madeBy: ids.ana,
      attributes: { prompt: 'As it is in Omni', owner: 'ana@example.com' },
    });
    const { changes } = await world.plan();
    expect(changes).toMatchObject([{ address: r, action: 'update', diff: [{ path: '/prompt' }] }]);
  });

  it('an entry of adopt is an error in a look where the declared owner has no such routine', async () => {
    const { world, id } = await adopting(ids.bo);
    const { code, stderr, stdout } = await world.run('plan --refresh');
    expect([code, stdout + stderr]).toMatchObject([1, expect.stringContaining(`no routine with the id ${id}`)]);
  });

  it.each(['plan --refresh', 'apply --auto-approve'])(
    'an entry of adopt on another model than declared is told with its line by %s',
    async (line) => {
      const { world, id } = await adopting(ids.ana);
      declareRoutines(world, { monday: { ...monday, modelId: ids.branch } }, { adopt: [{ id, to: r }] });
      const output = await said(world, line);
      expect(output).toMatch(/schedules\/all\.yaml:\d+:\d+: (?:error|warning)\[invalid-adopt\]/);
      expect(output).toContain('is declared on a different model than the routine');
    },
  );
});

describe('after a lost answer', () => {
  const since = '2026-02-28T23:59:00.000Z';
  const lostCreate = (existing: readonly string[] = []): Unresolved => ({
    address: r,
    action: 'create',
    identifier: ids.model,
    name: 'Monday summary',
    since,
    existing: [...existing],
    attributes: monday as Unresolved['attributes'],
    madeBy: ids.ana,
  });
  const losing = async (open: (world: World) => Promise<Unresolved>) => {
    const world = await openApplied({ routines: { other: { ...ofBo, name: 'Other' } } });
    const unresolved = [await open(world)];
    editState(world, () => ({ unresolved }));
    declareRoutines(world, { monday, other: { ...ofBo, name: 'Other' } });
    return world;
  };

  it('the one routine of its owner that was not there before is tracked', async () => {
    let made = '';
    const world = await losing(async (opened) => {
      const before = await make(opened, ids.ana);
      made = await make(opened, ids.ana);
      await make(opened, ids.bo);
      return lostCreate([before]);
    });
    await world.apply();
    expect(world.state().resources[r]).toMatchObject({ id: made, madeBy: ids.ana });
    expect(world.state().unresolved).toEqual([]);
    expect(routinesIn(world)).toHaveLength(4);
  });

  it('what only another member has was not made by it, so it is made', async () => {
    const world = await losing(async (opened) => {
      await make(opened, ids.bo);
      return lostCreate();
    });
    await world.apply();
    expect(routinesIn(world).map(({ ownerId }) => ownerId)).toEqual([ids.bo, ids.bo, ids.ana]);
  });

  it('nothing is guessed where the list of its owner cannot be read', async () => {
    const world = await losing(async () => lostCreate());
    changeMember(world, ids.ana, { active: false });
    expect(await said(world, 'apply --auto-approve')).toContain(`almanac state resolve ${r}`);
    expect(routinesIn(world)).toHaveLength(1);
  });

  it('a deletion is done where its owner is there and does not have it', async () => {
    const world = await openApplied({ routines: { monday } });
    const id = world.idOf(r);
    await world.send('DELETE', `/v1/ai/routines/${id}?userId=${ids.ana}`);
    editState(world, () => ({ unresolved: [{ address: r, action: 'delete', since, madeBy: ids.ana }] }));
    declareRoutines(world, {});
    await world.apply('--allow', 'empty');
    expect(world.state()).toMatchObject({ resources: {}, unresolved: [] });
  });

  it('a deletion is not known to be done after its owner left', async () => {
    const world = await openApplied({ routines: { monday } });
    changeMember(world, ids.ana, { active: false });
    editState(world, () => ({ unresolved: [{ address: r, action: 'delete', since, madeBy: ids.ana }] }));
    declareRoutines(world, {});
    const { code, stdout } = await world.run('apply --auto-approve --allow empty');
    expect([code, stdout]).toMatchObject([1, expect.stringContaining(`cannot tell whether ${r}`)]);
    expect(world.state().resources[r]).toBeDefined();
  });
});

describe('a change of a routine', () => {
  it('a change of a routine is left in a look where its owner is no longer a member', async () => {
    const world = await openApplied({ routines: { monday } });
    changeMember(world, ids.ana, { active: false });
    declareRoutines(world, { monday: { ...monday, prompt: 'What is new?' } });
    const { changes } = await world.plan('--refresh');
    expect(changes).toMatchObject([
      { address: r, left: expect.stringContaining('the routine may be gone with the account') },
    ]);
  });

  it('a change of a routine is not planned for one that its owner deleted before it is created again', async () => {
    const world = await openApplied({ routines: { monday } });
    await world.send('DELETE', `/v1/ai/routines/${world.idOf(r)}?userId=${ids.ana}`);
    const { changes } = await world.plan('--refresh');
    expect(changes).toMatchObject([{ address: r, action: 'create', reason: 'missing' }]);
  });
});

describe('trigger', () => {
  it('trigger delivers a routine for its owner', async () => {
    const world = await openApplied({ routines: { monday } });
    const { code, stderr } = await world.run(`trigger ${r} --auto-approve`);
    expect([code, stderr]).toMatchObject([0, expect.anything()]);
    expect(world.emulator.data().deliveries).toMatchObject([{ name: 'Monday summary', ownerId: ids.ana }]);
  });

  it('trigger says that a run is under way, and that it is paused', async () => {
    const world = await openApplied({ routines: { monday } });
    const set = (fields: object) =>
      world.emulator.edit(({ routines = [] }) => Object.assign(routines[0] ?? {}, fields));
    set({ run: { until: '2027-01-01T00:00:00.000Z', status: 'COMPLETE' } });
    expect(await said(world, `trigger ${r} --auto-approve`)).toContain('A run of it is under way');
    set({ run: undefined, disabled: true });
    expect(await said(world, `trigger ${r} --auto-approve`)).toContain('its owner paused it there');
    expect(world.emulator.data().deliveries).toEqual([]);
  });
});

describe('drift', () => {
  it('drift does not count a routine that its owner paused, and says so', async () => {
    const world = await openApplied({ routines: { monday } });
    world.emulator.edit(({ routines = [] }) => Object.assign(routines[0] ?? {}, { disabled: true }));
    const { code, document } = await world.drift();
    expect(document).toMatchObject({ drift: [], diagnostics: [{ code: 'paused-by-owner', address: r }] });
    expect(code).toBe(0);
    expect((await world.plan('--refresh')).changes).toEqual([]);
  });

  it('the drift of a routine whose owner left is unknown', async () => {
    const world = await openApplied({ routines: { monday, other: ofBo } });
    changeMember(world, ids.ana, { active: false });
    expect(await said(world, 'drift', 0)).toContain('the routine may be gone with the account');
    changeMember(world, ids.ana, { active: true });
    expect((await world.drift()).code).toBe(0);
  });

  it('of an address that is no longer found as a member is one line', async () => {
    const world = await openApplied({ routines: { monday } });
    changeMember(world, ids.bo, { email: 'bo.new@example.com' });
    const { code, document } = await world.drift();
    expect([code, document]).toMatchObject([0, { drift: [], diagnostics: [{ code: 'not-a-member' }] }]);
  });

  it('of a routine is undone by the next apply after a look', async () => {
    const world = await openApplied({ routines: { monday } });
    await world.send('PATCH', `/v1/ai/routines/${world.idOf(r)}?userId=${ids.ana}`, { prompt: 'Somebody else' });
    const { code, document } = await world.drift();
    expect([code, document.drift]).toMatchObject([2, [{ address: r, diff: [{ path: '/prompt' }] }]]);
    await world.apply('--refresh');
    expect(routinesIn(world)).toMatchObject([{ fields: { prompt: monday['prompt'] } }]);
    await world.expectQuiet();
  });
});
