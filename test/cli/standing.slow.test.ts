// How the files of a run stand to what was applied last: a checkout that is behind takes nothing back unless somebody says so.
// Clones of a team share a state; git is real.

import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Danger } from '../../src/model/plan/danger.ts';
import type { State } from '../../src/model/plan/state.ts';
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

function gitIn(path: string, environment: Readonly<Record<string, string>> = {}) {
  return (...argv: readonly string[]) =>
    execFileSync(
      'git',
      ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'protocol.file.allow=always', ...argv],
      {
        cwd: path,
        stdio: 'pipe',
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], HOME: path, GIT_CONFIG_NOSYSTEM: '1', ...environment },
      },
    ).trim();
}

type Place = { readonly state?: object; readonly environment?: Readonly<Record<string, string>> };

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

const shared = { 'a bucket': inBucket, ...(isWithoutPostgres() ? {} : { PostgreSQL: inPostgres }) };

/** Ana's clone, and what others clone. The first commit is applied. */
async function openTeam({ state = { backend: 'git' }, environment = {} }: Place = {}) {
  const path = `${process.env['PATH']}`;
  const world = await openWorld(a(times.nine), {
    config: { state },
    environment: { PATH: path, HOME: makeFolder().path, ...environment },
  });
  const { path: server } = makeFolder();
  gitIn(server)('init', '-q', '--bare', '-b', 'main');
  gitIn(world.path)('init', '-q', '-b', 'main');
  gitIn(world.path)('remote', 'add', 'origin', `file://${server}`);
  const clone = (folder: { readonly path: string }, workspace: Pick<typeof world, 'run' | 'write' | 'environment'>) => {
    const git = gitIn(folder.path);
    return {
      ...workspace,
      path: folder.path,
      git,
      commit: (files: Readonly<Record<string, unknown>>) => {
        workspace.write(files);
        git('add', '-A');
        git('commit', '-qm', 'a commit');
        return git('rev-parse', 'HEAD');
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
const behind = (commit: string, words = '1 change goes back') => [
  {
    code: 'behind',
    gravity: 'grave',
    title: `${words}: this checkout is behind the commit that was applied last`,
    items: [
      { subject: short(commit), detail: 'applied last, and not here: apply refuses this plan without --allow-behind' },
    ],
  },
];

describe('a checkout that is behind', () => {
  it('takes nothing back without --allow-behind, in CI as well, and is fine after a pull', async () => {
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
        `error[blocked]: This checkout is behind commit ${short(second)}, which was applied last, so the change of this plan goes back. hint: Run \`git pull\`, and plan again. To go back on purpose, use --allow-behind. `,
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
    expect((await bo.apply('--allow-behind')).code).toBe(0);
    expect(team.sent()).toHaveLength(1);
    expect(await bo.state()).toMatchObject({ checkout: team.first });
    expect(await team.ana.plan()).toMatchObject({ changes: 1, found: [] });
    expect((await team.ana.apply()).code).toBe(0);
  });

  it('may do what takes nothing back, and stays behind', async () => {
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
    expect((await bo.apply('--allow-behind', '--target', 'schedules.a')).code).toBe(0);
    expect(await bo.state()).toMatchObject({ checkout: second });
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

  it('names the commit that it has not fetched, but not in CI', async () => {
    const team = await openTeam();
    const bo = team.join();
    const second = await team.advance(times.ten);
    const words = `warning: The last apply was made at commit ${short(second)}, which this checkout has not fetched: git fetch.\n`;
    expect(await bo.plan()).toMatchObject({ stderr: words, found: [] });
    bo.environment['CI'] = 'true';
    expect(await bo.plan()).toMatchObject({ stderr: '', found: [] });
    bo.environment['CI'] = '';
    expect(await bo.apply()).toMatchObject({ code: 0, stderr: expect.stringContaining(words) });
  });

  type Clone = ReturnType<Awaited<ReturnType<typeof openTeam>>['join']>;
  it.each<[string, (clone: Clone, first: string) => void]>([
    [
      'the commit is on another line, as after a squash',
      ({ git, commit }, first) => {
        git('checkout', '-q', first);
        commit(source(times.eleven));
      },
    ],
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
