// User groups that receive a schedule, over real HTTP: what is sent for them and in which order, which ids are used, and what
// is left when answers are lost.

import { describe, expect, it, test } from 'vitest';
import { parseFault } from '../../src/emulator/faults.ts';
import { ids } from '../support/emulator/start-emulator.ts';
import { openApplied, openWorld, type World } from '../support/world.ts';

const mail = {
  identifier: '12db1a0a',
  name: 'Daily',
  schedule: '0 9 * * ? *',
  timezone: 'UTC',
  format: 'pdf',
  destinationType: 'email',
  recipients: ['ana@example.com'],
  subject: 'Daily',
};
const board = { ...mail, userGroups: ['Board'] };

const path = (stage: World, action = '') => `PUT /api/v1/schedules/${stage.idOf('schedules.a')}${action}`;
const groupsOf = (stage: World) =>
  stage.emulator.data().schedules.find(({ id }) => id === stage.idOf('schedules.a'))?.userGroupIds ?? [];
const setGroups = (stage: World, ...groups: readonly string[]) =>
  stage.emulator.edit(({ schedules }) => {
    for (const schedule of schedules) schedule.userGroupIds = [...groups];
  });
const stateOf = (stage: World) => stage.state().resources['schedules.a'];

const uuidOf = (index: number) => `00000000-0000-4000-9000-${String(index).padStart(12, '0')}`;
const twin = uuidOf(999);

/** Sales team may view the dashboard as well. */
function share(stage: World): void {
  stage.emulator.edit(({ documents }) => {
    for (const document of documents) document.sharedWithGroups = [ids.board, ids.salesTeam];
  });
}

describe('the user groups of a schedule', () => {
  it('a group is added after the POST, by the id that the access list of the dashboard has', async () => {
    const stage = await openWorld({ schedules: { a: { ...board, paused: true } } });
    expect((await stage.plan()).changes).toMatchObject([{ action: 'create', requests: 3 }]);
    await stage.apply();
    const [id, schedules] = [stage.idOf('schedules.a'), '/v1/schedules'];
    expect(stage.asked().slice(1)).toEqual([
      'GET /v1/documents/12db1a0a/access-list',
      `POST ${schedules}`,
      `PUT ${schedules}/${id}/pause`,
      `PUT ${schedules}/${id}/add-recipients`,
    ]);
    expect(groupsOf(stage)).toEqual([ids.board]);
    expect(stateOf(stage)).toMatchObject({ groups: [{ name: 'Board', id: ids.board }] });
    await stage.expectQuiet();
  });
  it('a change of groups alone sends no PUT, and takes away before it adds', async () => {
    const stage = await openApplied({ schedules: { a: board } });
    share(stage);
    stage.declare({ a: { ...mail, userGroups: ['Sales team'] } });
    expect((await stage.plan()).changes).toMatchObject([{ action: 'update', requests: 2 }]);
    stage.sent();
    await stage.apply();
    expect(stage.sent()).toEqual([path(stage, '/remove-recipients'), path(stage, '/add-recipients')]);
    expect(groupsOf(stage)).toEqual([ids.salesTeam]);
    await stage.expectQuiet();
  });
  it.each(['keeps', 'drops'])('an update reads the groups after a PUT that %s them', async (how) => {
    const faults = how === 'drops' ? [parseFault('drop-groups,on=PUT /v1/schedules')] : [];
    const stage = await openApplied({ schedules: { a: board } }, { faults });
    stage.declare({ a: { ...board, subject: 'Other' } });
    expect((await stage.plan()).changes).toMatchObject([{ requests: 2 }]);
    stage.asked();
    await stage.apply();
    expect(groupsOf(stage)).toEqual([ids.board]);
    await stage.expectQuiet();
  });

  it('an update takes a group away before the new content goes out, and resumes last', async () => {
    const stage = await openApplied({ schedules: { a: { ...board, paused: true } } });
    share(stage);
    stage.declare({ a: { ...mail, userGroups: ['Sales team'], subject: 'Other' } });
    expect((await stage.plan()).changes).toMatchObject([{ requests: 5 }]);
    await stage.apply();
    const sent = stage.asked().filter((line) => line.includes(`${stage.idOf('schedules.a')}`));
    expect(sent.map((line) => line.replace(/.*[0-9a-f-]{36}/, ''))).toEqual([
      '/remove-recipients',
      '',
      '/recipients',
      '/add-recipients',
      '/resume',
    ]);
    expect(groupsOf(stage)).toEqual([ids.salesTeam]);
    await stage.expectQuiet();
  });

  it('a replacement gets its groups before the old schedule is deleted', async () => {
    const stage = await openApplied({ schedules: { a: board } });
    await stage.apply('--replace', 'schedules.a');
    expect(stage.sent().map((line) => line.replace(/[0-9a-f-]{36}/, 'ID'))).toEqual([
      'POST /api/v1/schedules',
      'PUT /api/v1/schedules/ID/add-recipients',
      'DELETE /api/v1/schedules/ID',
    ]);
    expect(groupsOf(stage)).toEqual([ids.board]);
    await stage.expectQuiet();
  });

  it('a schedule whose groups are known to be none is updated by one request, and any other is read', async () => {
    const stage = await openApplied({ schedules: { a: mail } });
    stage.declare({ a: { ...mail, subject: 'Other' } });
    expect((await stage.plan()).changes).toMatchObject([{ requests: 1 }]);
    const state = stage.state();
    stage.write({
      'almanac.state.json': { ...state, resources: { 'schedules.a': { ...stateOf(stage), unread: undefined } } },
    });
    setGroups(stage, ids.board);
    expect((await stage.plan()).changes).toMatchObject([{ requests: 3 }]);
    // A state from before says nothing about groups: what no plan has named is left alone, and named.
    const { stderr } = await stage.run('apply', '--auto-approve');
    expect(stderr).toContain('also goes to Board');
    expect(groupsOf(stage)).toEqual([ids.board]);
  });

  it.each(['keeps', 'drops'])('a group that no plan named survives a PUT that %s groups, and is named', async (how) => {
    const faults = how === 'drops' ? [parseFault('drop-groups,on=PUT /v1/schedules')] : [];
    const stage = await openWorld({}, { faults });
    const id = stage.makeByHand(mail);
    stage.write({ 'schedules/all.yaml': { schedules: { a: mail }, adopt: [{ to: 'schedules.a', id }] } });
    await stage.apply();
    setGroups(stage, ids.board);
    stage.declare({ a: { ...mail, subject: 'Other' } });
    const [{ requests } = { requests: 0 }] = (await stage.plan()).changes;
    stage.asked();
    const { stderr } = await stage.run('apply', '--auto-approve');
    expect(stderr).toContain('also goes to Board');
    expect(stage.asked().filter((line) => line.includes(id))).toHaveLength(requests + (how === 'drops' ? 1 : 0));
    expect(groupsOf(stage)).toEqual([ids.board]);
    // It stays unread until a plan has named it.
    expect(stateOf(stage)?.unread).not.toEqual([]);
  });

  it('a group that no plan named and a PUT dropped is not forgotten by a run that ends there', async () => {
    const faults = [
      parseFault('drop-groups,on=PUT /v1/schedules'),
      parseFault('drop-before,on=PUT /v1/schedules,at=2'),
    ];
    const stage = await openWorld({}, { faults });
    const id = stage.makeByHand(mail);
    stage.write({ 'schedules/all.yaml': { schedules: { a: mail }, adopt: [{ to: 'schedules.a', id }] } });
    await stage.apply();
    setGroups(stage, ids.board);
    stage.declare({ a: { ...mail, subject: 'Other' } });
    await stage.run('apply', '--auto-approve', '--max-attempts', '1');
    expect(groupsOf(stage)).toEqual([]);
    await stage.run('apply', '--auto-approve', '--max-attempts', '1');
    expect(groupsOf(stage)).toEqual([ids.board]);
  });

  it('a group that somebody added in Omni to a schedule that is known is taken away with the next update, and named', async () => {
    const stage = await openApplied({ schedules: { a: board } });
    setGroups(stage, ids.board, ids.salesTeam);
    stage.declare({ a: { ...board, subject: 'Other' } });
    const { stderr } = await stage.run('apply', '--auto-approve');
    expect(stderr).toContain('no longer goes to Sales team');
    expect(groupsOf(stage)).toEqual([ids.board]);
    await stage.expectQuiet();
  });

  it.each(['keeps', 'drops'])('with ignoreChanges, the groups of Omni survive a PUT that %s them', async (how) => {
    const faults = how === 'drops' ? [parseFault('drop-groups,on=PUT /v1/schedules')] : [];
    const ignoring = { ...board, lifecycle: { ignoreChanges: ['userGroups'] } };
    const stage = await openApplied({ schedules: { a: ignoring } }, { faults });
    setGroups(stage, ids.salesTeam);
    stage.declare({ a: { ...ignoring, subject: 'Other' } });
    expect((await stage.plan()).changes).toMatchObject([{ requests: 3 }]);
    await stage.apply();
    expect(groupsOf(stage)).toEqual([ids.salesTeam]);
  });
});

describe('which group a name means', () => {
  const refused = async (stage: World, ...words: readonly string[]) => {
    const { code, stderr } = await stage.run('apply', '--auto-approve');
    expect(code).toBe(1);
    for (const word of ['unknown-group', 'schedules/all.yaml', ...words]) expect(stderr).toContain(word);
    expect(stage.sent()).toEqual([]);
  };

  it.each([
    ['an unknown one', 'Bord'],
    ['one in another case', 'board'],
    ['one without access to the dashboard', 'Sales team'],
  ])('%s is refused before anything is sent', async (_, name) => {
    await refused(await openWorld({ schedules: { b: mail, a: { ...mail, name: 'A', userGroups: [name] } } }), name);
  });

  it('two of one name are refused with both ids, and one of the ids is taken', async () => {
    const stage = await openWorld({ schedules: { a: board } });
    stage.emulator.edit(({ userGroups = [], documents }) => {
      userGroups.push({ id: twin, name: 'Board', memberIds: [] });
      for (const document of documents) document.sharedWithGroups = [ids.board, twin];
    });
    await refused(stage, ids.board, twin);
    stage.declare({ a: { ...mail, userGroups: [twin.toUpperCase()] } });
    await stage.apply();
    expect(groupsOf(stage)).toEqual([twin]);
    await stage.expectQuiet();
  });

  it('an id in the access list that is no UUID is refused', async () => {
    const stage = await openWorld({ schedules: { a: { ...mail, userGroups: ['Short'] } } });
    stage.emulator.edit(({ userGroups = [], documents }) => {
      userGroups.push({ id: 'mEhXj6ZI', name: 'Short', memberIds: [] });
      for (const document of documents) document.sharedWithGroups = ['mEhXj6ZI'];
    });
    await refused(stage, 'mEhXj6ZI');
  });

  it('the id of a name that was applied counts: a group that was renamed stays, and one of its name does not take its place', async () => {
    const stage = await openApplied({ schedules: { a: board } });
    stage.emulator.edit(({ userGroups = [], documents }) => {
      for (const group of userGroups) if (group.id === ids.board) group.name = 'Directors';
      userGroups.push({ id: twin, name: 'Board', memberIds: [] });
      for (const document of documents) document.sharedWithGroups = [ids.board, twin];
    });
    setGroups(stage, twin);
    stage.declare({ a: { ...board, subject: 'Other' } });
    const { stderr } = await stage.run('apply', '--auto-approve');
    expect(stderr).toContain(`no longer goes to another group called Board (${twin})`);
    expect(groupsOf(stage)).toEqual([ids.board]);
    // The new name of the same group takes nothing away.
    stage.declare({ a: { ...mail, subject: 'Other', userGroups: ['Directors'] } });
    stage.sent();
    await stage.apply();
    expect(stage.sent()).toEqual([]);
    expect(groupsOf(stage)).toEqual([ids.board]);
  });

  it('130 groups of a dashboard are read from two pages, once for two schedules', async () => {
    const stage = await openWorld({
      schedules: {
        a: { ...mail, userGroups: ['Team 7', 'Team 129'] },
        b: { ...mail, name: 'B', userGroups: ['Team 8'] },
      },
    });
    stage.emulator.edit(({ userGroups = [], documents }) => {
      const groups = Array.from({ length: 130 }, (_, index) => ({
        id: uuidOf(index),
        name: `Team ${index}`,
        memberIds: [],
      }));
      userGroups.push(...groups);
      for (const document of documents) document.sharedWithGroups = groups.map(({ id }) => id);
    });
    await stage.apply();
    expect(stage.asked().filter((line) => line.includes('access-list'))).toHaveLength(2);
    expect(groupsOf(stage)).toEqual([uuidOf(7), uuidOf(129)]);
  });
});

describe('a run whose answers are lost', () => {
  const puts = ['keeps', 'drops'] as const;
  /** A lost answer, or a request that never arrived, at each request that writes: take away, PUT, add, resume. */
  const places = puts.flatMap((put) =>
    (['drop-before', 'drop-after'] as const).flatMap((lost) => [1, 2, 3, 4].map((at) => [put, lost, at] as const)),
  );

  it.each(places)(
    'with a PUT that %s groups and %s at write %i, the next apply ends as declared',
    async (put, lost, at) => {
      const drops = put === 'drops' ? [parseFault('drop-groups,on=PUT /v1/schedules')] : [];
      const made = 2;
      const faults = [...drops, parseFault(`${lost},on=PUT /v1/schedules,at=${made + at}`)];
      const stage = await openApplied({ schedules: { a: { ...board, paused: true } } }, { faults });
      share(stage);
      const other = { ...mail, userGroups: ['Sales team'], subject: 'Other' };
      stage.declare({ a: other });
      await stage.run('apply', '--auto-approve', '--max-attempts', '1');
      await stage.run('apply', '--auto-approve', '--max-attempts', '1');
      expect(groupsOf(stage)).toEqual([ids.salesTeam]);
      expect(stage.emulator.data().schedules).toMatchObject([{ fields: { subject: 'Other' } }]);
      await stage.expectQuiet();
    },
  );

  it.each(['changed', 'removed'])(
    'after a lost addition, a declaration that is %s leaves no group behind',
    async (how) => {
      const faults = [parseFault('drop-after,on=PUT /v1/schedules,at=1')];
      const stage = await openWorld({ schedules: { a: board, b: { ...mail, name: 'B' } } }, { faults });
      await stage.run('apply', '--auto-approve', '--max-attempts', '1');
      expect(groupsOf(stage)).toEqual([ids.board]);
      expect(stage.state()).toMatchObject({ version: 3, unresolved: [{ groups: [{ id: ids.board }] }] });
      stage.declare(
        how === 'changed'
          ? { a: { ...mail, subject: 'Other' }, b: { ...mail, name: 'B' } }
          : { b: { ...mail, name: 'B' } },
      );
      await stage.apply();
      expect(stage.emulator.data().schedules.flatMap(({ userGroupIds = [] }) => userGroupIds)).toEqual([]);
      await stage.expectQuiet();
    },
  );

  it('what a person says was carried out keeps the ids of its groups, and the next update reads them', async () => {
    const faults = [parseFault('drop-after,on=PUT /v1/schedules,at=1')];
    const stage = await openApplied({ schedules: { a: mail } }, { faults });
    stage.declare({ a: board });
    await stage.run('apply', '--auto-approve', '--max-attempts', '1');
    await stage.run('state resolve schedules.a --done');
    expect(stateOf(stage)).toMatchObject({ groups: [{ id: ids.board }], unread: ['userGroups'] });
    stage.declare({ a: { ...mail, subject: 'Other' } });
    await stage.apply();
    expect(groupsOf(stage)).toEqual([]);
    expect(stage.state().version).toBe(2);
  });

  it('a POST whose answer was lost is found, and gets its groups then', async () => {
    const faults = [parseFault('drop-after,on=POST /v1/schedules,at=1')];
    const stage = await openWorld({ schedules: { a: board } }, { faults });
    await stage.run('apply', '--auto-approve', '--max-attempts', '1');
    await stage.apply();
    await stage.apply();
    expect(stage.emulator.data().schedules).toMatchObject([{ userGroupIds: [ids.board] }]);
    await stage.expectQuiet();
  });
});

describe('the version of a state', () => {
  it('a state is version 3 while it holds ids of groups, and version 2 before and after', async () => {
    const stage = await openApplied({ schedules: { a: mail } });
    expect(stage.state().version).toBe(2);
    stage.declare({ a: board });
    await stage.apply();
    expect(stage.state().version).toBe(3);
    stage.declare({ a: mail });
    await stage.apply();
    expect(stage.state().version).toBe(2);
  });
});

it.each([
  ['alone', mail, []],
  ['beside one that is declared by its name', board, [ids.board]],
])('a group that an adopted schedule has undeclared is taken away by the next apply: %s', async (_, declared, left) => {
  const stage = await openWorld({});
  const id = stage.makeByHand(mail, { userGroupIds: [...left, ids.salesTeam] });
  stage.write({ 'schedules/all.yaml': { schedules: { a: declared }, adopt: [{ to: 'schedules.a', id }] } });
  await stage.apply();
  expect(stateOf(stage)).toMatchObject({ groups: [{ name: 'Sales team', id: ids.salesTeam }] });
  expect((await stage.plan()).dangers).toMatchObject([{ code: 'recipient-removed' }]);
  await stage.apply();
  expect(groupsOf(stage)).toEqual(left);
});

describe('an environment with a sink', () => {
  it('what is adopted there delivers to no group, whoever added it', async () => {
    const config = { environments: { staging: { deliver: { email: ['qa@example.com'] } } } };
    const stage = await openWorld({}, { config });
    const id = stage.makeByHand(mail, { userGroupIds: [ids.board] });
    stage.write({ 'schedules/all.yaml': { schedules: { a: board }, adopt: [{ to: 'schedules.a', id }] } });
    await stage.apply('--env', 'staging');
    expect(stage.emulator.data().schedules).toMatchObject([
      { fields: { recipients: ['qa@example.com'] }, userGroupIds: [] },
    ]);
    // Somebody adds it again, and the sink takes it away with each update.
    setGroups(stage, ids.board);
    stage.write({ 'schedules/all.yaml': { schedules: { a: { ...board, subject: 'Other' } } } });
    await stage.apply('--env', 'staging');
    expect(stage.emulator.data().schedules).toMatchObject([{ userGroupIds: [] }]);
  });
});

test('a plan of 300 schedules, of which a third has groups, counts what an apply then sends', async () => {
  const keys = Array.from({ length: 300 }, (_, index) => index);
  const declared = (subject: string) =>
    Object.fromEntries(
      keys.map((key) => [`s${key}`, { ...(key % 3 === 0 ? board : mail), name: `Report ${key}`, subject }]),
    );
  const stage = await openWorld({ schedules: declared('One') });
  const counted = async () => {
    const { changes, lists = 0 } = await stage.plan();
    return changes.reduce((sum, { requests }) => sum + requests, lists);
  };
  // Each POST, each addition, the list of the dashboard and its access list.
  expect(await counted()).toBe(300 + 100 + 2);
  await stage.apply();
  expect(stage.asked()).toHaveLength(300 + 100 + 2);
  stage.declare(declared('Two'));
  // Each PUT, a read of each that has groups, and the list of the dashboard.
  expect(await counted()).toBe(300 + 100 + 1);
  await stage.apply();
  // The list has three pages.
  expect(stage.asked()).toHaveLength(300 + 100 + 3);
});

test('a test delivery goes to no group, and says so', async () => {
  const stage = await openWorld({ schedules: { a: board } });
  const { stdout, stderr } = await stage.run('test schedules.a --auto-approve');
  expect(stdout + stderr).toContain('goes to no user group: Board');
  expect(
    stage.emulator
      .requests()
      .map(({ body }) => JSON.stringify(body ?? null))
      .join(),
  ).not.toContain('Board');
});
