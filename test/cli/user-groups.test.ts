// User groups that receive a schedule: what is left where answers are lost, which ids the state keeps, and how many requests
// many groups take. What each change sends and says, the transcript omni/user-groups shows.

import { describe, expect, it, test } from 'vitest';
import { parseFault } from '../../src/emulator/faults.ts';
import { ids } from '../support/emulator/start-emulator.ts';
import { atFullSize } from '../support/runs/runs.ts';
import { inOneLine, mail } from '../support/vocabulary.ts';
import { openApplied, openWorld, type World } from '../support/world.ts';

const alone = mail();
const board = mail({ userGroups: ['Board'] });

const groupsIn = ({ emulator }: World) => emulator.data().schedules.map(({ userGroupIds = [] }) => userGroupIds);
const recorded = (stage: World) => stage.state().resources['schedules.a'];
const byHand = (stage: World) => stage.makeByHand(board, { userGroupIds: [ids.board] });
const renameBoard = ({ emulator }: World) =>
  emulator.edit(({ userGroups = [] }) => {
    for (const group of userGroups) if (group.id === ids.board) group.name = 'Board 2026';
  });
const once = (stage: World) => stage.run('apply --auto-approve --max-attempts 1');

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
      const stage = await openApplied({ schedules: { a: mail({ userGroups: ['Board'], paused: true }) } }, { faults });
      stage.emulator.edit(({ documents }) => {
        for (const document of documents) document.sharedWithGroups = [ids.board, ids.salesTeam];
      });
      stage.declare({ a: mail({ userGroups: ['Sales team'], subject: 'Other' }) });
      await once(stage);
      await once(stage);
      expect(groupsIn(stage)).toEqual([[ids.salesTeam]]);
      expect(stage.emulator.data().schedules).toMatchObject([{ fields: { subject: 'Other' } }]);
      await stage.expectQuiet();
    },
  );

  it.each(['changed', 'removed'])(
    'after a lost addition, a declaration that is %s leaves no group behind',
    async (how) => {
      const faults = [parseFault('drop-after,on=PUT /v1/schedules,at=1')];
      const stage = await openWorld({ schedules: { a: board, b: mail({ name: 'B' }) } }, { faults });
      await once(stage);
      expect(groupsIn(stage)).toContainEqual([ids.board]);
      expect(stage.state()).toMatchObject({ unresolved: [{ groups: [{ id: ids.board }] }] });
      stage.declare(
        how === 'changed' ? { a: mail({ subject: 'Other' }), b: mail({ name: 'B' }) } : { b: mail({ name: 'B' }) },
      );
      await stage.apply();
      expect(groupsIn(stage).flat()).toEqual([]);
      await stage.expectQuiet();
    },
  );

  it('what a person says was carried out keeps the ids of its groups, and the next update reads them', async () => {
    const faults = [parseFault('drop-after,on=PUT /v1/schedules,at=1')];
    const stage = await openApplied({ schedules: { a: alone } }, { faults });
    stage.declare({ a: board });
    await once(stage);
    await stage.run('state resolve schedules.a --done');
    expect(recorded(stage)).toMatchObject({ groups: [{ id: ids.board }] });
    stage.declare({ a: mail({ subject: 'Other' }) });
    await stage.apply();
    expect(groupsIn(stage)).toEqual([[]]);
  });

  it('a POST whose answer was lost is found, and gets its groups then', async () => {
    const faults = [parseFault('drop-after,on=POST /v1/schedules,at=1')];
    const stage = await openWorld({ schedules: { a: board } }, { faults });
    await once(stage);
    await stage.apply();
    await stage.apply();
    expect(groupsIn(stage)).toEqual([[ids.board]]);
    await stage.expectQuiet();
  });
});

test('an access list that Omni does not show says nothing about a group: its report waits, and another goes', async () => {
  const faults = [parseFault('500,on=GET /v1/documents')];
  const stage = await openWorld({ schedules: { a: board, b: mail({ name: 'B' }) } }, { faults });
  const { code, stdout, stderr } = await once(stage);
  expect(code).toBe(1);
  const said = inOneLine(stdout + stderr);
  expect(said).toContain('does not show who has access to the dashboard');
  expect(said).not.toContain('No user group called');
  expect(Object.keys(stage.state().resources)).toEqual(['schedules.b']);
});

test('a group is recorded as declared, with its id and the name that Omni has for it', async () => {
  const stage = await openApplied({ schedules: { a: board } });
  expect(recorded(stage)).toMatchObject({ groups: [{ text: 'Board', id: ids.board, name: 'Board' }] });
});

test('130 groups of a dashboard are read from two pages, once for two schedules', async () => {
  const uuidOf = (index: number) => `00000000-0000-4000-9000-${String(index).padStart(12, '0')}`;
  const a = mail({ userGroups: ['Team 7', 'Team 129'] });
  const stage = await openWorld({ schedules: { a, b: mail({ name: 'B', userGroups: ['Team 8'] }) } });
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
  expect(groupsIn(stage)).toContainEqual([uuidOf(7), uuidOf(129)]);
});

atFullSize('a plan of 300 schedules, of which a third has groups, counts what an apply then sends', async () => {
  const keys = Array.from({ length: 300 }, (_, index) => index);
  const declared = (subject: string) =>
    Object.fromEntries(
      keys.map((key) => [`s${key}`, { ...(key % 3 === 0 ? board : alone), name: `Report ${key}`, subject }]),
    );
  const stage = await openWorld({ schedules: declared('One') });
  const counted = async () => (await stage.plan()).requests;
  // Each POST, each addition, the list of the dashboard, and its access list for the name.
  expect(await counted()).toBe(300 + 100 + 2);
  await stage.apply();
  expect(stage.asked()).toHaveLength(300 + 100 + 2);
  stage.declare(declared('Two'));
  // A read of each, its PUT, of each that has groups a read of its receivers before and after, three pages of the list, and
  // the dashboard's filters.
  expect(await counted()).toBe(300 + 300 + 100 + 100 + 3 + 1);
  await stage.apply();
  expect(stage.asked()).toHaveLength(300 + 300 + 100 + 100 + 3 + 1);
});

it.each<[string, readonly string[]]>([
  ['apply', ['Board']],
  ['apply --refresh=deep', ['Board']],
  ['apply', [ids.board]],
])('by %s a group that an adopted schedule has leaves once %j is not declared', async (line, userGroups) => {
  const stage = await openWorld();
  const { id } = (await stage.send('POST', '/v1/schedules', alone)).body;
  stage.emulator.edit(({ schedules }) => {
    for (const schedule of schedules) schedule.userGroupIds = [ids.board];
  });
  stage.declare({ a: mail({ userGroups }) }, { adopt: [{ to: 'schedules.a', id }] });
  await stage.apply();
  stage.declare({ a: mail({ subject: 'Other' }) });
  expect((await stage.run(`${line} --auto-approve`)).code).toBe(0);
  expect(groupsIn(stage)).toEqual([[]]);
  await stage.expectQuiet();
});

test('a group that an adopted schedule declares by its id is recorded so, and another name is no news', async () => {
  const stage = await openWorld();
  stage.declare({ a: mail({ userGroups: [ids.board] }) }, { adopt: [{ to: 'schedules.a', id: byHand(stage) }] });
  await stage.apply();
  await stage.run('fmt --prune');
  expect(recorded(stage)).toMatchObject({ groups: [{ text: ids.board, id: ids.board, name: 'Board' }] });
  renameBoard(stage);
  expect(await stage.drift('--deep')).toMatchObject({ code: 0, document: { diagnostics: [] } });
});

const owned = { ...board, owner: 'ana@example.com' };
const imported = 'schedules/sales/sales-overview.yaml';
const another = '00000000-0000-4000-9000-000000000001';

describe.each<[string, string, (stage: World) => Promise<unknown>]>([
  [
    'an apply adopted',
    'schedules/all.yaml',
    (stage) => {
      stage.declare({ a: owned }, { adopt: [{ to: 'schedules.a', id: byHand(stage) }] });
      return stage.apply();
    },
  ],
  [
    'an import tracked as it was declared',
    'schedules/all.yaml',
    (stage) => {
      byHand(stage);
      stage.declare({ a: owned });
      return stage.import('--write-state');
    },
  ],
  [
    'an import declared and an apply adopted',
    imported,
    async (stage) => {
      byHand(stage);
      await stage.import();
      await stage.apply();
    },
  ],
  [
    'an import declared and tracked',
    imported,
    (stage) => {
      byHand(stage);
      return stage.import('--write-state');
    },
  ],
])('a schedule that %s', (_, path, track) => {
  const openTracked = async () => {
    const stage = await openWorld();
    await track(stage);
    await stage.run('fmt --prune');
    stage.sent();
    return stage;
  };
  const edit = (stage: World, from: string, to: string) => stage.write({ [path]: stage.read(path).replace(from, to) });

  it('has the ids of its group, its owner and its dashboard in the state', async () => {
    const { resources, owners } = (await openTracked()).state();
    expect(Object.values(resources)).toMatchObject([
      { groups: [{ text: 'Board', id: ids.board, name: 'Board' }], entityId: expect.any(String) },
    ]);
    expect(owners).toEqual(path === imported ? undefined : { 'ana@example.com': ids.ana });
  });

  it('keeps its group where that gets another name, which is a note', async () => {
    const stage = await openTracked();
    renameBoard(stage);
    const { code, document } = await stage.drift('--deep');
    expect([code, document.diagnostics]).toMatchObject([
      0,
      [{ code: 'group-name', message: expect.stringMatching(/`Board` of .* is now called `Board 2026` in Omni/) }],
    ]);
    expect((await stage.run('validate --online')).code).toBe(0);
    for (const name of ['Board', 'Board 2026']) {
      edit(stage, 'Board', name);
      await stage.expectQuiet();
      await stage.apply('--refresh=deep');
      expect((await stage.plan()).changes).toEqual([]);
    }
    expect(stage.sent()).toEqual([]);
    expect(groupsIn(stage)).toEqual([[ids.board]]);
  });

  it('is not sent to another group that gets the name', async () => {
    const stage = await openTracked();
    renameBoard(stage);
    stage.emulator.edit(({ userGroups = [], documents }) => {
      userGroups.push({ id: another, name: 'Board', memberIds: [] });
      for (const { sharedWithGroups = [] } of documents) sharedWithGroups.push(another);
    });
    const { code, document } = await stage.drift('--deep');
    expect([code, document.diagnostics]).toMatchObject([
      2,
      [{ code: 'group-name', severity: 'error', message: expect.stringContaining(`its id is ${another}`) }],
    ]);
    edit(stage, 'Europe/London', 'Europe/Paris');
    const { code: applied, stdout } = await stage.run('apply --auto-approve');
    expect([applied, stdout]).toEqual([1, expect.stringContaining('A different user group is now called `Board`')]);
    expect(stage.sent()).toEqual([]);
    expect(groupsIn(stage)).toEqual([[ids.board]]);
  });
});
