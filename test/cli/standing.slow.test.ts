// How the files of a run stand to what was applied last: a checkout that lacks that takes nothing back unless somebody says so.
// Clones of a team share a state; git is real.

import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Danger } from '../../src/model/plan/danger.ts';
import type { PlanDocument } from '../../src/model/plan/plan.ts';
import type { State } from '../../src/model/plan/state.ts';
import { commitAll, gitIn, makeRemote } from '../support/git.ts';
import { isWithoutPostgres } from '../support/state/postgres-server.ts';
import { openPostgresStage } from '../support/state/postgres-stage.ts';
import { startS3Double } from '../support/state/s3-double.ts';
import { mail } from '../support/vocabulary.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';
import { openWorld } from '../support/world.ts';

const times = { nine: '0 9 ? * MON *', ten: '0 10 ? * MON *', eleven: '0 11 ? * MON *' };
const a = (schedule: string, more = {}) => ({ schedules: { a: mail({ schedule, ...more }), b: mail({ name: 'B' }) } });
const file = 'schedules/all.yaml';
const source = (schedule: string, more = {}) => ({ [file]: a(schedule, more) });

/** Some days before the clock of the program. */
const committed = { GIT_AUTHOR_DATE: '2026-02-20T09:00:00Z', GIT_COMMITTER_DATE: '2026-02-20T09:00:00Z' };

/** Undefined removes a file. */
function writeOrRemove({ path, write }: { path: string; write: (files: Files) => void }, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    if (content === undefined) rmSync(join(path, name));
    else write({ [name]: content });
  }
}

type Place = { readonly state: object; readonly environment?: Readonly<Record<string, string>> };

async function inBucket(): Promise<Place> {
  const { bucket, endpoint, keys, close } = await startS3Double();
  onTestFinished(() => close());
  return { state: { backend: 's3', bucket, endpoint, region: 'eu-central-1' }, environment: keys };
}

async function inPostgres(): Promise<Place> {
  const { server, role, place } = await openPostgresStage();
  return {
    state: { backend: 'postgres', table: place.table },
    environment: { ALMANAC_STATE_URL: server.url(role) },
  };
}

const inBranch = { state: { backend: 'git' } };
const shared = { 'a branch': async () => inBranch, ...(isWithoutPostgres() ? {} : { PostgreSQL: inPostgres }) };

/** Ana's clone, and what others clone, with the state in a bucket unless told otherwise. The first commit is applied. */
async function openTeam(place?: Place) {
  const { state, environment = {} } = place ?? (await inBucket());
  const path = `${process.env['PATH']}`;
  const world = await openWorld(a(times.nine), {
    config: { state },
    environment: { PATH: path, HOME: makeFolder().path, ...environment },
  });
  const server = makeRemote();
  gitIn(world.path)('init', '-q');
  gitIn(world.path)('remote', 'add', 'origin', `file://${server}`);
  const clone = (folder: { readonly path: string }, workspace: Pick<typeof world, 'run' | 'write' | 'environment'>) => {
    const git = gitIn(folder.path, committed);
    return {
      ...workspace,
      path: folder.path,
      git,
      commit: (files: Readonly<Record<string, unknown>>) => {
        writeOrRemove({ path: folder.path, write: workspace.write }, files);
        return commitAll(git);
      },
      push: () => git('push', '-q', 'origin', 'HEAD:main'),
      pull: () => git('pull', '-q', '--ff-only', 'origin', 'main'),
      apply: (...options: readonly string[]) => workspace.run('apply', '--auto-approve', ...options),
      plan: async (...options: readonly string[]) => {
        const { code, stdout, stderr } = await workspace.run('plan', '--format', 'json', ...options);
        const { dangers, changes } = JSON.parse(stdout) as { dangers: readonly Danger[]; changes: readonly unknown[] };
        const found = dangers.filter((danger) => danger.code === 'behind');
        return { code, stderr, changes: changes.length, found };
      },
      workspacePlan: async () => JSON.parse((await workspace.run('plan', '--format', 'json')).stdout) as PlanDocument,
      state: async () => JSON.parse((await workspace.run('state', 'pull')).stdout) as State,
    };
  };
  const ana = clone(world, world);
  const first = ana.commit({ '.gitignore': 'ignored.csv\n*.lock\n*.journal\n' });
  ana.push();
  expect((await ana.apply()).code).toBe(0);
  world.sent();
  return {
    ana,
    first,
    sent: world.sent,
    join: (...options: readonly string[]) => {
      const folder = makeFolder();
      gitIn(folder.path)('clone', '-q', ...options, `file://${server}`, '.');
      return clone(folder, workspaceIn(folder, world.environment));
    },
    /** Ana's commit, pushed and applied. */
    advance: async (schedule: string) => {
      const commit = ana.commit(source(schedule));
      ana.push();
      expect((await ana.apply()).code).toBe(0);
      world.sent();
      return commit;
    },
  };
}

const short = (commit: string) => commit.slice(0, 12);
const behind = (commit: string, words = '1 change takes back what was applied') => [
  {
    code: 'behind',
    gravity: 'grave',
    title: `${words}: this checkout is behind the commit that was applied last`,
    items: [
      {
        subject: short(commit),
        detail: 'applied last, but not in this checkout: apply refuses this plan without --allow behind',
      },
    ],
  },
];

describe('a checkout that is behind', () => {
  it('takes nothing back without --allow behind, in CI as well, and is fine after a pull', async () => {
    const team = await openTeam();
    const bo = team.join();
    const second = await team.advance(times.ten);
    bo.git('fetch', '-q');
    expect(await bo.plan()).toMatchObject({ code: 0, stderr: '', changes: 1, found: behind(second) });
    for (const CI of ['', 'true']) {
      Object.assign(bo.environment, { CI });
      const refused = await bo.apply();
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      expect(refused.stderr.replaceAll(/\s+/g, ' ')).toBe(
        `error[blocked]: This checkout is behind commit ${short(second)}, which was applied last, so the change of this plan takes back what was applied. hint: Run \`git pull\`, and plan again. To take that back on purpose, use --allow behind. `,
      );
    }
    expect(team.sent()).toEqual([]);
    bo.pull();
    expect(await bo.plan()).toMatchObject({ changes: 0, found: [] });
  });

  it('goes back on purpose, and what is newer is then applied as usual', async () => {
    const team = await openTeam();
    const bo = team.join();
    await team.advance(times.ten);
    bo.git('fetch', '-q');
    expect((await bo.apply('--allow', 'behind')).code).toBe(0);
    expect(team.sent()).toHaveLength(1);
    expect(await bo.state()).toMatchObject({ checkout: team.first });
    expect(await team.ana.plan()).toMatchObject({ changes: 1, found: [] });
    expect((await team.ana.apply()).code).toBe(0);
  });

  it('may do what takes nothing back, and stays behind unless somebody allows it', async () => {
    const team = await openTeam();
    const bo = team.join();
    const second = await team.advance(times.ten);
    bo.git('fetch', '-q');
    expect((await bo.apply('--target', 'schedules.b')).stdout).toContain('No changes');
    // A move changes only the state, here as in a refresh.
    bo.write({ 'schedules/moved.yaml': { moved: [{ from: 'schedules.b', to: 'schedules.c' }] } });
    bo.write({ [file]: { schedules: { a: a(times.ten).schedules.a, c: a('').schedules.b } } });
    expect(await bo.plan()).toMatchObject({ changes: 1, found: [] });
    expect((await bo.apply()).code).toBe(0);
    expect(team.sent()).toEqual([]);
    expect(await bo.state()).toMatchObject({ checkout: second });
    bo.write({ [file]: { schedules: { a: a(times.nine).schedules.a, c: a('').schedules.b } } });
    expect((await bo.plan()).found).toMatchObject(behind(second));
    expect((await bo.apply('--allow', 'behind', '--target', 'schedules.a')).code).toBe(0);
    expect(await bo.state()).toMatchObject({ checkout: team.first });
  });

  it.each(Object.entries(shared))('is one where the state is in %s', async (_, open) => {
    const team = await openTeam(await open());
    const bo = team.join();
    const second = await team.advance(times.ten);
    bo.git('fetch', '-q');
    expect((await bo.plan()).found).toEqual(behind(second));
    expect((await bo.apply()).code).toBe(1);
  });

  it('is a job of CI that runs again, or late, unless all of it is done already', async () => {
    const team = await openTeam();
    const second = await team.advance(times.ten);
    const again = team.join();
    const late = team.join();
    const third = await team.advance(times.eleven);
    for (const job of [again, late]) {
      job.environment['CI'] = 'true';
      job.git('fetch', '-q');
    }
    again.git('checkout', '-q', team.first);
    late.git('checkout', '-q', second);
    for (const job of [again, late]) expect(await job.apply()).toMatchObject({ code: 1, stdout: '' });
    expect((await late.plan()).found).toEqual(behind(third));
    // A commit that changes nothing in Omni is applied after the one of the late job.
    team.ana.commit({ 'README.md': 'Reports' });
    await team.advance(times.ten);
    late.git('fetch', '-q');
    expect(await late.apply()).toMatchObject({ code: 0, stdout: expect.stringContaining('No changes') });
    expect(team.sent()).toEqual([]);
  });

  it('is found in a shallow clone that has both commits, and only there', async () => {
    const team = await openTeam();
    const bo = team.join('--depth', '1');
    const second = await team.advance(times.ten);
    expect((await bo.plan()).found).toEqual([]);
    bo.git('fetch', '-q', '--depth', '1', 'origin', 'main');
    expect((await bo.plan()).found).toEqual([]);
    bo.git('fetch', '-q', '--depth', '2', 'origin', 'main');
    expect((await bo.plan()).found).toEqual(behind(second));
  });

  it('names the commit that it has not fetched, in CI as well', async () => {
    const team = await openTeam();
    const bo = team.join();
    const second = await team.advance(times.ten);
    const words = `The last apply was made at commit ${short(second)}, which this clone does not have: git fetch.`;
    for (const CI of ['', 'true']) {
      bo.environment['CI'] = CI;
      expect(await bo.plan()).toMatchObject({ stderr: `warning: ${words}\n`, found: [] });
    }
    expect(await bo.apply()).toMatchObject({ code: 0, stderr: expect.stringContaining(words) });
  });

  type Clone = ReturnType<Awaited<ReturnType<typeof openTeam>>['join']>;
  it.each<[string, (clone: Clone, first: string) => void]>([
    ['nothing is a repository', ({ path }) => rmSync(join(path, '.git'), { recursive: true })],
    [
      'the machine has no git',
      ({ git, environment }, first) => {
        git('checkout', '-q', first);
        environment['PATH'] = '/nowhere';
      },
    ],
  ])('is none where nobody can tell: %s', async (_, change) => {
    const team = await openTeam({ state: { backend: 'local' } });
    await team.advance(times.ten);
    const bo = team.join();
    change(bo, team.first);
    bo.write({ 'almanac.state.json': readFileSync(join(team.ana.path, 'almanac.state.json'), 'utf8') });
    expect(await bo.plan()).toMatchObject({ code: 0, stderr: '', found: [] });
    expect((await bo.apply()).code).toBe(0);
  });
});

/** Two lines in one clone, and the state beside them. Everything but the program that is tested is git. */
async function openLines() {
  const asked: string[] = [];
  const asker = () => async (question: string) => {
    asked.push(question);
    return 'no';
  };
  const world = await openWorld({}, { environment: { PATH: `${process.env['PATH']}` }, outside: { asker } });
  const git = gitIn(world.path, committed);
  git('init', '-q');
  const commit = (files: Files) => {
    writeOrRemove(world, files);
    return commitAll(git);
  };
  const apply = async () => expect((await world.run('apply', '--auto-approve')).code).toBe(0);
  const first = commit({ '.gitignore': 'almanac.state.json*\n', ...report('a'), ...report('b') });
  await apply();
  /** A line from the first commit, which is checked out then. */
  const line = (name: string, ...all: readonly Files[]) => {
    git('checkout', '-q', '-b', name, first);
    return all.map(commit).at(-1) ?? first;
  };
  const applied = async (...all: readonly Files[]) => {
    const last = line('applied', ...all);
    await apply();
    return last;
  };
  return { world, asked, git, commit, apply, first, line, applied };
}

type Files = Readonly<Record<string, unknown>>;
type Lines = Awaited<ReturnType<typeof openLines>>;

const report = (key: string, more = {}) => ({
  [`schedules/${key}.yaml`]: { schedules: { [key]: mail({ name: key, ...more }) } },
});
const without = (key: string) => ({ [`schedules/${key}.yaml`]: undefined });
const later = { schedule: times.ten };
const mine = report('b', { subject: 'Mine' });

/** Another clone of what was committed, with the state. */
async function cloned(
  { world, git }: Lines,
  options: readonly string[],
  fetch: (git: Lines['git']) => void = () => {},
) {
  const folder = makeFolder();
  const there = gitIn(folder.path);
  there('clone', '-q', ...options, `file://${world.path}`, '.');
  fetch(there);
  folder.write({ 'almanac.state.json': world.read('almanac.state.json') });
  expect(git('status', '--porcelain')).toBe('');
  return folder.path;
}

interface Row {
  /** Returns the folder of another clone. */
  readonly made: (lines: Lines) => Promise<unknown>;
  readonly danger?: 'behind' | 'diverged' | 'unknown-commit';
  /** Of the danger, beside the commit. */
  readonly taken?: readonly string[];
  /** What an apply that asks does, and one that does not. */
  readonly byHand?: 'refused';
  readonly unattended?: 'refused';
}

const refused = { byHand: 'refused', unattended: 'refused' } as const;

describe('two lines of commits', () => {
  it.each<[string, Row]>([
    ['the same commit, with an edit', { made: async ({ world }) => world.write(mine) }],
    ['a commit that holds the one of the last apply', { made: async ({ commit }) => void commit(mine) }],
    [
      'one that is behind',
      {
        made: async ({ applied, git, first }) => {
          await applied(report('a', later));
          git('checkout', '-q', first);
        },
        danger: 'behind',
        ...refused,
      },
    ],
    [
      'a line that lacks what the other one has made',
      {
        made: async ({ applied, line }) => {
          await applied(report('c'));
          line('branch', mine);
        },
        danger: 'diverged',
        taken: ['schedules.c (deleted)'],
        ...refused,
      },
    ],
    [
      'a line that lacks what the other one has changed',
      {
        made: async ({ applied, line }) => {
          await applied(report('a', later));
          line('branch', mine);
        },
        danger: 'diverged',
        taken: ['schedules.a (schedule)'],
        ...refused,
      },
    ],
    [
      'both, and what the other one has deleted, in several commits',
      {
        made: async ({ applied, line }) => {
          await applied(report('a', later), { ...report('c'), ...without('b') });
          line('branch', report('a', { subject: 'Mine' }));
        },
        danger: 'diverged',
        taken: ['schedules.a (schedule)', 'schedules.b (created again)', 'schedules.c (deleted)'],
        ...refused,
      },
    ],
    [
      'a field that both have changed',
      {
        made: async ({ applied, line }) => {
          await applied(report('a', later));
          line('branch', report('a', { schedule: times.eleven }));
        },
        danger: 'diverged',
        taken: ['schedules.a (schedule)'],
        ...refused,
      },
    ],
    [
      'a default that the other one has changed, in almanac.yaml',
      {
        made: async ({ world, applied, line }) => {
          const config = JSON.parse(world.read('almanac.yaml')) as object;
          const defaults = { schedules: { recipients: ['later@example.com'] } };
          const { recipients: _, ...rest } = mail({ name: 'a' }) as Record<string, unknown>;
          const inherited = { 'schedules/a.yaml': { schedules: { a: rest } } };
          await applied({ 'almanac.yaml': { ...config, defaults }, ...inherited });
          line('branch', mine);
        },
        danger: 'diverged',
        taken: ['schedules.a (recipients)'],
        ...refused,
      },
    ],
    [
      'a line that deletes what was there before both: nobody can tell whether that was agreed',
      {
        made: async ({ applied, line }) => {
          await applied(report('a', later));
          line('branch', { 'schedules/a.yaml': `# Later\n${asText('a', later)}`, ...without('b') });
        },
        danger: 'diverged',
        taken: ['schedules.b (deleted)'],
        ...refused,
      },
    ],
    [
      'a line that has the same changes in other words takes nothing away',
      {
        made: async ({ applied, line }) => {
          await applied(report('a', later));
          line('branch', { 'schedules/a.yaml': `# Later\n${asText('a', later)}`, ...mine });
        },
        danger: 'diverged',
        taken: [],
      },
    ],
    [
      'a line without a commit in common, where nobody can tell what the other one has brought',
      {
        made: async ({ applied, git, commit }) => {
          await applied(report('a', later));
          git('checkout', '-q', '--orphan', 'alone');
          commit({ ...report('a'), ...mine });
        },
        danger: 'diverged',
        taken: ['schedules.a (schedule)', 'schedules.b (subject)'],
        ...refused,
      },
    ],
    [
      'a squash onto a main that has moved on, and a commit after it',
      {
        made: async ({ applied, line, git, commit }) => {
          await applied(report('c'), report('a', later));
          line('trunk', { 'README.md': 'Reports' });
          git('merge', '-q', '--squash', 'applied');
          git('commit', '-qm', 'Squashed');
          commit({ ...report('a', { schedule: times.eleven }), ...without('b') });
        },
      },
    ],
    [
      'a rebase',
      {
        made: async ({ applied, line, git }) => {
          await applied(report('c'), report('a', later));
          line('trunk', mine);
          git('cherry-pick', 'applied~1', 'applied');
        },
      },
    ],
    [
      'half of a squash',
      {
        made: async ({ applied, line, git }) => {
          await applied(report('c'), report('a', later));
          line('trunk', mine);
          git('cherry-pick', 'applied~1');
        },
        danger: 'diverged',
        taken: ['schedules.a (schedule)'],
        ...refused,
      },
    ],
    [
      'a merge commit',
      {
        made: async ({ applied, line, git }) => {
          await applied(report('c'));
          line('trunk', mine);
          git('merge', '-q', '--no-ff', '--no-edit', 'applied');
        },
      },
    ],
    [
      'a squash that came in by a merge commit',
      {
        made: async ({ applied, line, git }) => {
          await applied(report('c'));
          line('squashed');
          git('merge', '-q', '--squash', 'applied');
          git('commit', '-qm', 'Squashed');
          line('trunk', mine);
          git('merge', '-q', '--no-ff', '--no-edit', 'squashed');
        },
      },
    ],
    [
      'a shallow clone, in which git calls an ancestor none',
      {
        made: async (lines) => {
          const ancestor = await lines.applied(report('c'));
          lines.commit({ ...mine, ...without('c') });
          return cloned(lines, ['--depth', '1'], (git) => void git('fetch', '-q', '--depth', '1', 'origin', ancestor));
        },
      },
    ],
    [
      'a whole clone without the commit, and a plan that deletes',
      {
        made: async (lines) => {
          await lines.applied(report('c'));
          lines.line('trunk', mine);
          return cloned(lines, ['--single-branch']);
        },
        danger: 'unknown-commit',
        taken: [],
        unattended: 'refused',
      },
    ],
    [
      'a whole clone without the commit, and a plan that deletes nothing',
      {
        made: async (lines) => {
          await lines.applied(report('a', later));
          lines.line('trunk', mine);
          return cloned(lines, ['--single-branch']);
        },
      },
    ],
    [
      'a machine without git',
      {
        made: async ({ applied, line, world }) => {
          await applied(report('c'));
          line('branch', mine);
          world.environment['PATH'] = '/nowhere';
        },
      },
    ],
  ])('what is applied stays unless somebody says so: %s', async (_, { made, danger, taken = [], ...ends }) => {
    const lines = await openLines();
    const other = await made(lines);
    const { world, asked } = lines;
    const { checkout: recorded = '' } = JSON.parse(world.read('almanac.state.json')) as State;
    const config = world.environment;
    const here =
      typeof other !== 'string'
        ? world
        : workspaceIn({ ...makeFolder(), path: other }, config, {
            asker: () => async (question) => {
              asked.push(question);
              return 'no';
            },
          });
    world.sent();
    const codes = ['behind', 'diverged', 'unknown-commit'];
    const { dangers } = await here.plan();
    const found = dangers.filter(({ code }) => codes.includes(code));
    expect(found.map(({ code }) => code)).toEqual(danger === undefined ? [] : [danger]);
    const [ofCommit, ...others] = found[0]?.items ?? [];
    expect(ofCommit?.subject).toBe(danger && short(recorded));
    expect(others.map(({ subject, detail }) => `${subject} (${detail})`)).toEqual(taken);
    const isTaking = ends.unattended === 'refused';
    expect(found.map(({ gravity }) => gravity)).toEqual(danger ? [isTaking ? 'grave' : 'caution'] : []);

    const byHand = await here.run('apply');
    expect([byHand.code, asked.length]).toEqual(ends.byHand === 'refused' ? [1, 0] : [1, 1]);
    if (isTaking) {
      const unattended = await here.run('apply', '--auto-approve');
      expect(unattended).toMatchObject({ code: 1, stdout: '' });
      const words = unattended.stderr.replaceAll(/\s+/g, ' ');
      for (const part of [short(recorded), '--allow behind', ...taken]) expect(words).toContain(part);
      if (danger === 'unknown-commit')
        for (const part of ['--unshallow', 'fetch-depth: 0']) expect(words).toContain(part);
      expect(world.sent()).toEqual([]);
    }
    expect((await here.run('apply', '--auto-approve', ...(isTaking ? ['--allow', 'behind'] : []))).code).toBe(0);
    expect(world.sent()).not.toEqual([]);
    const { changes, dangers: left } = await here.plan();
    expect([changes, left]).toEqual([[], []]);
  });

  it('a part of a line that has diverged is applied, and the state goes on naming the other one', async () => {
    const { world, applied, line } = await openLines();
    const last = await applied(report('c'));
    line('branch', mine);
    expect((await world.run('apply', '--auto-approve', '--target', 'schedules.b')).code).toBe(0);
    expect(world.state()).toMatchObject({ checkout: last });
    expect((await world.run('apply', '--auto-approve')).code).toBe(1);
  });
});

it('over three days, two people with a clone each and one state in a branch take nothing of each other back', async () => {
  const { ana, join: joined, sent } = await openTeam(inBranch);
  const bo = joined();
  const flat = (words: string) => words.replaceAll(/\s+/g, ' ');

  // Monday. Bo begins a branch; Ana's second report is merged and applied.
  bo.git('checkout', '-q', '-b', 'later');
  bo.commit(source(times.ten));
  const merged = ana.commit(report('second'));
  ana.push();
  expect((await ana.apply()).code).toBe(0);
  sent();

  // Bo has not fetched that, and is told so; nobody who is not asked deletes anything.
  const unfetched = await bo.apply();
  expect(unfetched.code).toBe(1);
  expect(flat(unfetched.stderr)).toContain(`This clone does not have commit ${short(merged)}`);
  expect(flat(unfetched.stderr)).toContain('schedules.second (deleted)');

  // Tuesday. After a fetch git proves it: plan, doctor and apply name the commit, and the branch keeps its own change.
  bo.git('fetch', '-q');
  const planned = await bo.workspacePlan();
  expect(planned.dangers[0]?.items.map(({ subject }) => subject)).toEqual([short(merged), 'schedules.second']);
  expect(planned.changes.map(({ address, action }) => `${action} ${address}`)).toEqual([
    'update schedules.a',
    'delete schedules.second',
  ]);
  expect(flat((await bo.run('doctor')).stdout)).toContain(`This checkout has diverged from commit ${short(merged)}`);
  expect((await bo.apply()).code).toBe(1);
  expect(sent()).toEqual([]);

  // Bo merges and applies the branch before it is merged.
  bo.git('merge', '-q', '--no-edit', 'origin/main');
  expect((await bo.apply()).stdout).toContain('Applied 1 change.');
  expect(await ana.state()).toMatchObject({ checkout: bo.git('rev-parse', 'HEAD') });
  bo.git('push', '-q', 'origin', 'later');
  sent();

  // Ana's main moves on, and lacks that as long as nobody has merged it.
  ana.git('fetch', '-q');
  ana.commit({ 'README.md': 'Reports' });
  expect(flat((await ana.apply()).stderr)).toContain('takes back what is applied: schedules.a (schedule).');

  // Wednesday. The branch is squashed into main: the recorded commit is not in that line, and its content is.
  ana.git('merge', '-q', '--squash', 'origin/later');
  ana.git('commit', '-qm', 'Send the reports later (#7)');
  ana.push();
  expect(await ana.plan()).toMatchObject({ changes: 0 });
  ana.commit({ ...source(times.eleven), ...without('second') });
  ana.push();
  expect((await ana.workspacePlan()).dangers.map(({ code }) => code)).toEqual(['deleted']);
  expect((await ana.apply()).stdout).toContain('Applied 2 changes.');
  bo.git('checkout', '-q', 'main');
  bo.pull();
  expect(await bo.plan()).toMatchObject({ changes: 0, found: [] });

  // What Bo merges after that and nobody applies, the looks at night say once it is a day old.
  bo.commit(source(times.ten));
  bo.git('push', '-q', 'origin', 'main');
  ana.pull();
  const night = await ana.run('drift', '--unapplied');
  expect(night.code).toBe(2);
  expect(flat(night.stdout)).toContain('1 change was merged and never applied: schedules.a.');
  expect((await ana.apply()).stdout).toContain('Applied 1 change.');
  expect((await ana.run('drift', '--unapplied')).code).toBe(0);
});

/** A git that is first in a PATH, and writes down each command before it runs it. */
function countingGit() {
  const folder = makeFolder();
  const log = join(folder.path, 'log');
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  folder.write({ log: '', git: `#!/bin/sh\necho run >> '${log}'\nexec '${real}' "$@"\n` });
  chmodSync(join(folder.path, 'git'), 0o755);
  return {
    path: `${folder.path}:${process.env['PATH']}`,
    runs: () => {
      const runs = readFileSync(log, 'utf8').split('\n').length - 1;
      folder.write({ log: '' });
      return runs;
    },
  };
}

it('how two lines stand takes a handful of git processes, also with 3,000 files', async () => {
  const { world, applied, line } = await openLines();
  const { path, runs } = countingGit();
  const many = Array.from({ length: 3_000 }, (_, index) => [`code/${index % 100}/${index}.ts`, `${index}`] as const);
  await applied(Object.fromEntries(many), report('c'));
  world.environment['PATH'] = path;
  await world.plan();
  const asBefore = runs();
  line('branch', Object.fromEntries(many.map(([name]) => [name, 'another'])), mine);
  expect((await world.plan()).dangers[0]).toMatchObject({ code: 'diverged' });
  expect(runs() - asBefore).toBeLessThanOrEqual(9);
});

function asText(key: string, more: object): string {
  return JSON.stringify(report(key, more)[`schedules/${key}.yaml`]);
}
