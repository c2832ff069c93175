// What the checks of `almanac doctor` conclude from what they are given.

import { expect, it } from 'vitest';
import { checkClock, maxClockDifference } from '../../src/commands/doctor/check-service.ts';
import { checkGit, checkLock, checkState } from '../../src/commands/doctor/check-state.ts';
import { checkApplyJob, checkNightlyJob, checkVersions } from '../../src/commands/doctor/check-workspace.ts';
import type { Verdict } from '../../src/commands/doctor/verdict.ts';
import type { FileStatus, Repository } from '../../src/declare/workspace.ts';
import type { LastApplied } from '../../src/model/plan/checkout-position.ts';
import { withoutMarks } from '../../src/model/values/command.ts';
import { readState } from '../../src/state/current-state.ts';
import type { HeldLock } from '../../src/state/state-store.ts';
import { at, lostCreate, orphanOf, schedule, stateOf } from '../support/apply/declared.ts';

/** As a document holds it: commands have no marks. */
const plainly = (verdict: Verdict): Verdict => ({ ...verdict, hint: verdict.hint && withoutMarks(verdict.hint) });

it.each([
  ['20.0.0', '0.2.0', 'ok'],
  ['22.3.1', '0.2.1', 'warning'],
  ['22.3.1', '0.10.0', 'warning'],
  ['22.3.1', '0.1.9', 'ok'],
  ['18.20.4', '0.1.0', 'failed'],
  ['20.0.0-nightly', '0.2.0-rc.1', 'ok'],
])('Node %s and a state of almanac %s make the versions %s', (node, toolVersion, status) => {
  const state = stateOf({}, { toolVersion });
  const run = { version: '0.2.0', node, runtime: { name: 'Node', version: node }, zoneRelease: undefined };
  expect(checkVersions(run, state, [])).toMatchObject({ status });
});

it('a program that behaves like Node is called by its own name and version', () => {
  const run = { version: '0.2.0', node: '26.3.0', runtime: { name: 'Bun', version: '1.4.5' }, zoneRelease: undefined };
  expect(checkVersions(run, undefined, [])).toEqual({ status: 'ok', message: 'almanac 0.2.0 on Bun 1.4.5.' });
});

it.each([
  [0, 'ok', 'Within'],
  [maxClockDifference * 1000, 'ok', 'Within'],
  [-maxClockDifference * 1000, 'ok', 'Within'],
  [maxClockDifference * 1000 + 1000, 'warning', '31 s behind'],
  [-90_000, 'warning', '90 s ahead of'],
  [undefined, 'skipped', 'no answer with a time'],
])('a clock of the service that is %s ms ahead is %s: %s', (clockDifference, status, words) => {
  const verdict = checkClock({ clockDifference, failure: undefined, holder: undefined, foundNone: false });
  expect(verdict).toMatchObject({ status, message: expect.stringContaining(words) });
});

it.each([
  [300, 30, 'ok'],
  [1500, 60, 'ok'],
  [1500, 30, 'warning'],
])('for %s schedules to a channel, a nightly job of %s minutes is %s', (count, minutes, status) => {
  const slack = { identifier: '12db1a0a', destinationType: 'slack' };
  const resources = Array.from({ length: count }, (_, index) => [
    `schedules.s${index}`,
    { id: `${index}`, attributes: slack },
  ]);
  const workspace = { exists: () => true, read: () => ({ text: `    timeout-minutes: ${minutes}\n` }) } as never;
  const config = { api: { rateLimit: 60, operations: 'full' }, safety: {} } as never;
  const verdicts = checkNightlyJob(workspace, config, stateOf(Object.fromEntries(resources)), []);
  expect(verdicts.map((each) => each.status)).toEqual(status === 'ok' ? [] : [status]);
});

it('a state names what earlier applies left to do, each with its command', async () => {
  const state = stateOf(
    { 'schedules.a': {} },
    { orphans: [orphanOf('x', schedule('B'))], unresolved: [lostCreate('schedules.c', schedule('C'))] },
  );
  const now = await readState({ name: 's.json', read: async () => ({ state, journal: undefined }) });
  const { status, message, hint } = plainly(checkState(now, { baseUrl: state.baseUrl, isShared: false }));
  expect(status).toBe('warning');
  expect(message).toContain('serial 7, 1 resource, written by almanac 0.0.9.');
  expect(message).toContain('1 orphan: It keeps running in Omni, untracked.');
  expect(message).toContain('The outcome of a change is not known: schedules.c.');
  expect(hint).toContain('`almanac state orphans`');
  expect(hint).toContain('`almanac state resolve`');
});

it('the journal of a run that broke off is a warning, unless that run is still under way', async () => {
  const before = stateOf({});
  const { lineage, serial, baseUrl, salt, toolVersion } = before;
  const header = { type: 'header', version: 2, lineage, serial, baseUrl, salt, toolVersion } as const;
  const intent = {
    type: 'intent',
    seq: 1,
    kind: 'request',
    address: 'schedules.a',
    action: 'create',
    at,
    attributes: {},
  } as const;
  const stored = { state: before, journal: { header, lines: [intent] } };
  const read = (lockHolder?: HeldLock) => readState({ name: 's.json', read: async () => ({ ...stored, lockHolder }) });
  expect(plainly(checkState(await read(), { baseUrl, isShared: false }))).toMatchObject({
    status: 'warning',
    message: expect.stringContaining('Replayed the journal of s.json: 1 entry of a run that broke off.'),
    hint: expect.stringContaining('The next almanac apply folds it into the state.'),
  });
  const running = await read({ holder: undefined, isDead: false });
  expect(checkState(running, { baseUrl, isShared: false })).toMatchObject({ status: 'ok' });
});

it('a lock that is held fails with its holder, and one of a dead process is taken over', () => {
  const holder = { who: 'bo', host: 'laptop', pid: 42, command: 'apply', since: at, runUrl: 'https://ci.example/1' };
  const held = checkLock({ holder, isDead: false }, 's.json', undefined);
  expect(held).toMatchObject({ status: 'failed', hint: expect.stringContaining('almanac state unlock') });
  expect(held.message).toBe(
    `s.json is locked by apply of bo on laptop (process 42) since ${at}. Its run: https://ci.example/1`,
  );
  expect(checkLock({ isDead: false }, 's.json', undefined).message).toContain('does not say by whom');
  expect(checkLock({ holder, isDead: true }, 's.json', undefined)).toMatchObject({
    status: 'ok',
    message: expect.stringContaining('takes the lock over'),
  });
});

const place = { name: 's.json', path: '/w/s.json' };
const files = { standing: {} };
const repositoryOf = (statuses: Readonly<Record<string, FileStatus>>, more: Partial<Repository> = {}): Repository => ({
  branch: 'main',
  statusOf: async (path) => statuses[path] ?? 'untracked',
  trackedStates: async () => [],
  mayHaveOther: () => false,
  parts: async () => ({ submodules: [], unfetched: [] }),
  ...more,
});

it.each<[string, FileStatus, string]>([
  ['unchanged', 'unchanged', 'ok'],
  ['with changes', 'changed', 'warning'],
  ['untracked', 'untracked', 'warning'],
  ['in conflict', 'unmerged', 'failed'],
  ['outside of the repository', 'outside', 'ok'],
])('a state that is %s in git makes the check %s: %s', async (_, fileStatus, status) => {
  const repository = repositoryOf({ '/w/s.json': fileStatus });
  expect(await checkGit({ repository, state: place, files, exists: (path) => path === '/w/s.json' })).toMatchObject({
    status,
  });
});

it.each<[LastApplied['relation'], string, string, string | undefined]>([
  ['behind', 'warning', 'behind commit ffffffffffff, which', '`git pull`'],
  ['diverged', 'warning', 'diverged from commit ffffffffffff of 2026-11-27, which', 'Merge that commit or rebase'],
  ['unknown', 'warning', 'this clone does not have', '`git fetch origin`'],
  ['shallow', 'ok', 'git cannot compare it with commit ffffffffffff', undefined],
])(
  'the check of git tells how the last apply stands to what is checked out: %s',
  async (relation, status, message, hint) => {
    const date = relation === 'diverged' ? '2026-11-27' : undefined;
    const standing = { last: { relation, commit: 'f'.repeat(40), date } };
    const facts = { repository: repositoryOf({}), state: undefined, exists: () => false };
    expect(plainly(await checkGit({ ...facts, files: { standing } }))).toEqual({
      status,
      message: expect.stringContaining(message),
      hint: hint === undefined ? undefined : expect.stringContaining(hint),
    });
  },
);

it('a checkout without a branch is normal, an unfinished rebase is not, and no repository is skipped', async () => {
  const exists = () => false;
  const { branch: _, ...detached } = repositoryOf({}, { commit: 'f'.repeat(40) });
  expect(await checkGit({ repository: detached, state: place, files, exists })).toEqual({
    status: 'ok',
    message: 'At commit ffffffffffff, on no branch.',
  });
  expect(
    await checkGit({ repository: repositoryOf({}, { unfinished: 'rebase' }), state: place, files, exists }),
  ).toMatchObject({
    status: 'warning',
    hint: expect.stringContaining('git rebase --abort'),
  });
  expect(await checkGit({ repository: undefined, state: place, files, exists })).toMatchObject({ status: 'skipped' });
});

it.each([
  ['main', '[main]', undefined],
  ['trunk', '[main, "trunk"]', undefined],
  ['trunk', "['release/*', main]", undefined],
  [undefined, '[main]', undefined],
  ['trunk', '[main, "next"]', /almanac-apply\.yml starts for pushes to main, next, and the default branch is trunk: a/],
])('with the default branch %s, the job that applies for pushes to %s is named or fits', async (branch, list, said) => {
  const text = `on:\n  push:\n    branches: ${list}\n`;
  const workspace = { exists: () => true, read: (path: string) => ({ path, text }) };
  const found = await checkApplyJob(workspace as never, async () => branch);
  expect(found.map(({ message }) => message)).toEqual(said === undefined ? [] : [expect.stringMatching(said)]);
  expect(found.map(({ hint }) => hint)).toEqual(said === undefined ? [] : ['Write `trunk` into its `branches`.']);
});

it('a workspace without the job that applies is asked for no default branch', async () => {
  const workspace = { exists: () => false, read: () => ({ path: '', text: '' }) };
  const asked = () => Promise.reject(new Error('asked'));
  expect(await checkApplyJob(workspace as never, asked)).toEqual([]);
});
