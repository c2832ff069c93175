// User groups that somebody adds to a schedule in Omni, takes away, renames or makes anew: what a look sees of it, what it
// costs, and what --write keeps.

import { describe, expect, it } from 'vitest';
import type { EmulatorData } from '../../src/emulator/store.ts';
import type { RecordedGroup, StateResource } from '../../src/model/plan/state.ts';
import { ids } from '../support/emulator/start-emulator.ts';
import { inBrief, openApplied, type World, type WorldOptions } from '../support/world.ts';

const report = {
  identifier: '12db1a0a',
  name: 'Weekly',
  schedule: '0 9 ? * MON *',
  timezone: 'Europe/London',
  format: 'pdf',
  destinationType: 'email',
  recipients: ['ana@example.com'],
  subject: 'Weekly',
};
const withBoard = { ...report, userGroups: ['Board'] };
const board: RecordedGroup = { name: 'Board', id: ids.board };
const other = '9d3f1c52-5b0e-4c2f-8a37-6f1f3a2d9b10';

/** Schedules that go to `has` in Omni, and of which the state knows what `recorded` says. */
async function stage(
  declared: object,
  has: readonly string[],
  recorded: Pick<StateResource, 'groups' | 'unread'> = { unread: [] },
  options: WorldOptions = {},
): Promise<World> {
  const world = await openApplied({ schedules: { a: declared } }, options);
  record(world, recorded);
  goesTo(world, ...has);
  world.asked();
  return world;
}

function record(world: World, { groups, unread }: Pick<StateResource, 'groups' | 'unread'>): void {
  const state = world.state();
  for (const resource of Object.values(state.resources)) Object.assign(resource, { groups, unread });
  world.write({ 'almanac.state.json': state });
}

function goesTo(world: World, ...groups: readonly string[]): void {
  world.change('Weekly', (_, schedule) => {
    schedule.userGroupIds = [...groups];
  });
}

function groupsIn(world: World, edit: (groups: NonNullable<EmulatorData['userGroups']>) => void): void {
  world.emulator.edit(({ userGroups = [] }) => edit(userGroups));
}

describe('what a deep look sees of user groups', () => {
  it('a group that somebody added in Omni is drift, and the plan removes it by name', async () => {
    const world = await stage(report, [ids.board]);
    const { code, document } = await world.drift('--deep');
    expect(code).toBe(2);
    expect(document.drift).toMatchObject([
      { address: 'schedules.a', diff: [{ path: '/userGroups/0', op: 'add', after: 'Board' }] },
    ]);
    const { stdout } = await world.run('drift --deep');
    expect(stdout).toContain('Board');
    const plan = await world.plan('--refresh=deep');
    expect(plan.changes).toMatchObject([{ address: 'schedules.a', before: { userGroups: ['Board'] } }]);
  });
  it('an apply with the look takes away what was added, names it, and adds what was removed', async () => {
    const world = await openApplied({ schedules: { a: withBoard } });
    goesTo(world, ids.salesTeam);
    world.asked();
    const plan = await world.plan('--refresh=deep');
    expect(plan.dangers).toMatchObject([
      { code: 'recipient-added', items: [{ subject: 'Board (a group)' }] },
      { code: 'recipient-removed', items: [{ subject: 'Sales team (a group)' }] },
    ]);
    await world.apply('--refresh=deep');
    expect(world.emulator.data().schedules.map(({ userGroupIds }) => userGroupIds)).toEqual([[ids.board]]);
    expect(world.sent().map((line) => line.split('/').at(-1))).toEqual(['remove-recipients', 'add-recipients']);
    expect((await world.drift('--deep')).code).toBe(0);
    await world.expectQuiet();
  });
  it('an apply does not take another group of the name for the declared one', async () => {
    const world = await openApplied({ schedules: { a: withBoard } });
    groupsIn(world, (groups) => void groups.push({ id: other, name: 'Board', memberIds: [] }));
    goesTo(world, other);
    await world.apply('--refresh=deep');
    expect(world.emulator.data().schedules.map(({ userGroupIds }) => userGroupIds)).toEqual([[ids.board]]);
    expect((await world.drift('--deep')).code).toBe(0);
  });
  it('a declared group that somebody removed is drift', async () => {
    const world = await stage(withBoard, [], { groups: [board] });
    const { document } = await world.drift('--deep');
    expect(document.drift).toMatchObject([{ diff: [{ path: '/userGroups/0', op: 'remove' }] }]);
  });
  it('a group that is declared by its name and by its id is no drift after an apply', async () => {
    const world = await openApplied({
      schedules: { a: { ...report, userGroups: ['Board', ids.board.toUpperCase()] } },
    });
    groupsIn(world, (groups) => void groups.push({ id: other, name: 'Board', memberIds: [] }));
    expect((await world.drift('--deep')).code).toBe(0);
    expect(world.state().resources['schedules.a']?.groups).toMatchObject([board]);
  });
  it('a group with other members is no drift', async () => {
    const world = await stage(withBoard, [ids.board], { groups: [{ ...board, people: 9 }] });
    groupsIn(world, (groups) => {
      for (const group of groups) group.memberIds = [];
    });
    expect((await world.drift('--deep')).code).toBe(0);
  });
  it('a group that was renamed is a note and no drift', async () => {
    const world = await stage(withBoard, [ids.board], { groups: [board] });
    groupsIn(world, (groups) => {
      for (const group of groups) if (group.id === ids.board) group.name = 'Supervisors';
    });
    const { code, document } = await world.drift('--deep');
    expect(code).toBe(0);
    expect(document.diagnostics).toMatchObject([
      { code: 'group-name', message: expect.stringContaining('`Board` of `schedules.a` is called `Supervisors`') },
    ]);
  });
  it('another group called as the declared one is drift, by its id', async () => {
    const world = await stage(withBoard, [other], { groups: [board] });
    groupsIn(world, (groups) => void groups.push({ id: other, name: 'Board', memberIds: [] }));
    const { code, document } = await world.drift('--deep');
    expect(code).toBe(2);
    expect(JSON.stringify(document.drift)).toContain(other);
    expect(document.diagnostics).toMatchObject([
      { code: 'group-name', message: expect.stringContaining('another user group called `Board`') },
    ]);
  });
  it('a deep look says of a state from before that nobody has read its groups', async () => {
    const world = await stage(report, [ids.board], {});
    const { stdout } = await world.run('drift --deep');
    expect(stdout).toContain('Nobody has read the user groups of 1 schedule before');
  });
});

describe('declared names without an id, where what exists is looked at', () => {
  it('one that is no group is a warning of drift, and an error of the plan that would send to it', async () => {
    const world = await stage(report, []);
    world.write({ 'schedules/all.yaml': { schedules: { a: { ...report, userGroups: ['Bord'] } } } });
    const { document } = await world.drift();
    expect(document.diagnostics).toMatchObject([{ code: 'unknown-group', severity: 'warning', line: 15 }]);
    expect(inBrief(world.asked()).filter((line) => line.includes('access-list'))).toHaveLength(1);
    const { code, stdout, stderr } = await world.run('plan --refresh');
    expect([code, stdout + stderr]).toEqual([1, expect.stringContaining('No user group called `Bord`')]);
    expect((await world.run('plan')).code).toBe(0);
  });
  it('a name with an id in the state is not looked up', async () => {
    const world = await stage(withBoard, [ids.board], { groups: [board] });
    await world.plan('--refresh');
    expect(inBrief(world.asked()).filter((line) => line.includes('access-list'))).toEqual([]);
  });
});

describe('members outside, where recipient-not-inside is on', () => {
  const guarded = {
    config: { checks: { 'recipient-not-inside': 'error' }, safety: { internalDomains: ['example.com'] } },
  };
  const joined = async (declared: object, options: WorldOptions = guarded) => {
    const world = await stage(declared, [ids.board], { groups: [board] }, options);
    world.emulator.edit(({ members, userGroups = [] }) => {
      members.push({ id: other, name: 'Bo', email: 'bo@partner.example' });
      for (const { memberIds } of userGroups) memberIds.push(other);
    });
    return world;
  };
  const found = ({ diagnostics }: { readonly diagnostics: readonly { readonly code: string }[] }) =>
    diagnostics.filter(({ code }) => code === 'recipient-not-inside');
  it('a deep look warns once for a group and its schedule, and an apply goes on', async () => {
    const world = await joined(withBoard);
    const { code, document } = await world.drift('--deep');
    expect([code, found(document)]).toMatchObject([
      0,
      [
        {
          severity: 'warning',
          address: 'schedules.a',
          message: expect.stringMatching(/`Board`.*`bo@partner\.example`\./),
        },
      ],
    ]);
    expect(document.diagnostics[0]?.line).toBeGreaterThan(1);
    expect(found(await world.plan('--refresh=deep'))).toHaveLength(1);
    expect(found((await world.drift()).document)).toEqual([]);
    await world.apply('--refresh=deep');
  });
  it('the waiver of the schedule covers them', async () => {
    const accept = { 'recipient-not-inside': { reason: 'a partner', until: '2099-06-30' } };
    const { document } = await (await joined({ ...withBoard, accept })).drift('--deep');
    expect(found(document)).toMatchObject([{ accepted: 'a partner' }]);
  });
  it('without the check nobody is judged', async () => {
    expect(found((await (await joined(withBoard, {})).drift('--deep')).document)).toEqual([]);
  });
});

describe('what a look at the list asks', () => {
  const details = (world: World) => inBrief(world.asked()).filter((line) => line.includes('ID'));
  it('the count is not compared where groups are declared', async () => {
    const world = await stage(withBoard, [ids.board], { groups: [board] }, { recipientCount: 'people' });
    expect((await world.drift()).code).toBe(0);
    expect(details(world)).toEqual([]);
  });
  it('another count than that of the addresses is a suspicion where none is declared', async () => {
    const world = await stage(report, [ids.board], { unread: [] }, { recipientCount: 'people' });
    expect((await world.drift()).code).toBe(2);
    expect(details(world)).toHaveLength(2);
  });
});

describe('drift --write of user groups', () => {
  it('drift --write of user groups keeps what somebody added', async () => {
    const world = await stage(withBoard, [ids.board, ids.salesTeam], { groups: [board] });
    expect((await world.run('drift --deep --write')).code).toBe(0);
    expect(world.read('schedules/all.yaml')).toMatch(/Board.*Sales team/s);
    expect((await world.drift('--deep')).document).toMatchObject({ drift: [], asDeclared: ['schedules.a'] });
  });
  it('drift --write of user groups keeps what somebody removed', async () => {
    const world = await stage(withBoard, [], { groups: [board] });
    expect((await world.run('drift --deep --write')).code).toBe(0);
    expect(world.read('schedules/all.yaml')).not.toContain('Board');
  });
  it('drift --write of user groups writes the id where two groups have the name', async () => {
    const world = await stage(withBoard, [ids.board, other], { groups: [board] });
    groupsIn(world, (groups) => void groups.push({ id: other, name: 'Board', memberIds: [] }));
    expect((await world.run('drift --deep --write')).code).toBe(0);
    expect(world.read('schedules/all.yaml')).toContain(other);
  });
});
