// What git has not fetched is an error and never a removal. A submodule at another commit than the recorded one is
// applied only by somebody who agrees to that. Git is real and makes each clone.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ValidateDocument } from '../../src/commands/validate/validate-document.ts';
import { openWorkspace } from '../../src/files/fs-workspace.ts';
import type { Danger } from '../../src/model/plan/danger.ts';
import { openCheckout } from '../../src/state/git/checkout.ts';
import { commitAll, gitIn } from '../support/git.ts';
import { mail } from '../support/vocabulary.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';
import { openWorld, type WorldOptions } from '../support/world.ts';

const declaring = (key: string, more = {}) => ({ schedules: { [key]: mail({ name: key, ...more }) } });

type Files = Readonly<Record<string, unknown>>;

/** A repository with these files and submodules, by their place. */
function repositoryOf(files: Files, submodules: Readonly<Record<string, { readonly path: string }>> = {}) {
  const folder = makeFolder(files);
  const git = gitIn(folder.path);
  git('init', '-q');
  for (const [at, { path }] of Object.entries(submodules)) git('submodule', '--quiet', 'add', `file://${path}`, at);
  const commit = (changed: Files = {}) => {
    folder.write(changed);
    return commitAll(git);
  };
  commit();
  return { ...folder, git, commit };
}

function cloneOf({ path: from }: { readonly path: string }, at = '.', ...options: readonly string[]) {
  const folder = makeFolder();
  const git = gitIn(folder.path);
  git('clone', '-q', ...options, `file://${from}`, '.');
  const workspace = workspaceIn({ ...folder, path: join(folder.path, at) }, {});
  const found = async (...paths: readonly string[]) => {
    const { stdout } = await workspace.run('validate', '--format', 'json', ...paths);
    const { diagnostics } = JSON.parse(stdout) as ValidateDocument;
    return diagnostics.map(({ code, file = '', message, hint = '' }) => ({ code, file, message, hint }));
  };
  return { ...folder, git, run: workspace.run, found };
}

const team = () =>
  repositoryOf({ 'team.yaml': declaring('team'), 'rows.csv': 'code,name\nx,X\n', 'body.txt': 'Sales' });
const own = { 'almanac.yaml': '{}', 'schedules/own.yaml': declaring('own') };
const ofTable = { forEachRow: { file: '../vendor/rows.csv', key: 'code' }, name: '${each.name}' };

describe('what git has not fetched', () => {
  it('a submodule that a plain clone lacks is named by every command, and nothing is deleted for it', async () => {
    const world = await openWorld();
    const config = world.read('almanac.yaml');
    const { path } = repositoryOf({ ...own, 'almanac.yaml': config }, { 'schedules/team': team() });
    const whole = cloneOf({ path }, '.', '--recurse-submodules');
    const applied = workspaceIn(whole, world.environment);
    expect((await applied.run('apply', '--auto-approve')).code).toBe(0);
    const plain = cloneOf({ path });
    plain.write({ 'almanac.state.json': whole.read('almanac.state.json') });
    const workspace = workspaceIn(plain, world.environment);
    world.sent();
    for (const command of ['validate', 'plan', 'apply --auto-approve', 'drift', 'page --out -', 'doctor']) {
      const { code, stdout, stderr } = await workspace.run(...command.split(' '));
      expect([command, code]).toEqual([command, 1]);
      const said = `${stdout}${stderr}`.replaceAll(/\s+/g, ' ');
      if (command !== 'doctor') expect(said).toContain('git submodule update --init schedules/team');
    }
    expect(world.sent()).toEqual([]);
    plain.git('submodule', '--quiet', 'update', '--init', 'schedules/team');
    expect((await workspace.plan()).changes).toEqual([]);
  });

  const submodule = (at: string) => ({
    code: 'not-fetched',
    file: at,
    message: `${at} is a submodule that was not fetched, so Almanac cannot know what the commit declares there.`,
    hint: `Run \`git submodule update --init ${at}\`. In CI, let the checkout fetch submodules.`,
  });

  it('a submodule that was not fetched is named where it holds all sources, and where the command line names it', async () => {
    const clone = cloneOf(repositoryOf({ 'almanac.yaml': '{}' }, { schedules: team() }));
    expect(await clone.found()).toEqual([submodule('schedules')]);
    expect(await clone.found('schedules')).toEqual([submodule('schedules')]);
    expect(await clone.found('schedules/team.yaml')).toEqual([submodule('schedules')]);
    rmSync(join(clone.path, 'schedules'), { recursive: true });
    expect(await clone.found()).toEqual([submodule('schedules')]);
  });

  it('submodules that were not fetched are one error, also in a workspace below the root of the repository', async () => {
    const files = Object.fromEntries(Object.entries(own).map(([name, text]) => [`reports/${name}`, text]));
    const [one, two] = [team(), team()];
    const origin = repositoryOf(files, { 'reports/schedules/one': one, "reports/schedules/two's": two, other: team() });
    const clone = cloneOf(origin, 'reports');
    expect(await clone.found()).toMatchObject([
      {
        message: expect.stringContaining("schedules/one, schedules/two's are submodules that were not fetched"),
        hint: expect.stringContaining(
          "`git -C .. submodule update --init reports/schedules/one 'reports/schedules/two'\\''s'`",
        ),
      },
    ]);
  });

  it('a submodule in a submodule that was not fetched is named', async () => {
    const outer = repositoryOf({ 'outer.yaml': declaring('outer') }, { inner: team() });
    const clone = cloneOf(repositoryOf(own, { 'schedules/outer': outer }));
    clone.git('submodule', '--quiet', 'update', '--init');
    expect(await clone.found()).toMatchObject([
      {
        file: 'schedules/outer/inner',
        hint: expect.stringContaining('git -C schedules/outer submodule update --init inner'),
      },
    ]);
    clone.git('submodule', '--quiet', 'update', '--init', '--recursive');
    expect(await clone.found()).toMatchObject([]);
  });

  it('a submodule of which git lacks the recorded commit was not fetched', async () => {
    const origin = repositoryOf(own, { 'schedules/team': team() });
    origin.git('update-index', '--cacheinfo', `160000,${'1'.repeat(40)},schedules/team`);
    origin.git('commit', '-qm', 'a commit that nobody pushed');
    const clone = cloneOf(origin);
    expect(() => clone.git('submodule', '--quiet', 'update', '--init')).toThrow('not our ref');
    expect(await clone.found()).toEqual([submodule('schedules/team')]);
  });

  it('a repository inside another one that no .gitmodules names was not fetched', async () => {
    const origin = makeFolder(own);
    const git = gitIn(origin.path);
    git('init', '-q');
    git('clone', '-q', `file://${team().path}`, 'schedules/team');
    git('add', '-A');
    git('commit', '-qm', 'a commit');
    expect(await cloneOf(origin).found()).toMatchObject([
      {
        message: expect.stringContaining('no .gitmodules says'),
        hint: expect.stringContaining('git submodule add URL'),
      },
    ]);
  });

  it('a submodule without sources is named only where a declaration reads a file in it', async () => {
    const origin = repositoryOf(own, { vendor: team() });
    expect(await cloneOf(origin).found()).toEqual([]);
    const body = { schedules: { mail: mail({ textBody: '${file.../vendor/body.txt}' }) } };
    const rows = { schedules: { rows: mail(ofTable) } };
    const safety = { rows: { filters: ['a.b'], allow: 'vendor/rows.csv' }, internalDomains: ['example.com'] };
    origin.commit({ 'schedules/body.yaml': body, 'schedules/rows.yaml': rows, 'almanac.yaml': { safety } });
    const found = await cloneOf(origin).found();
    expect(found.map(({ code, file, message }) => [code, file, message])).toEqual([
      ['not-fetched', 'almanac.yaml', 'vendor/rows.csv cannot be read: vendor is a submodule that was not fetched.'],
      [
        'not-fetched',
        'schedules/body.yaml',
        'vendor/body.txt cannot be read: vendor is a submodule that was not fetched.',
      ],
      [
        'not-fetched',
        'schedules/rows.yaml',
        'vendor/rows.csv cannot be read: vendor is a submodule that was not fetched.',
      ],
    ]);
    for (const { hint } of found) expect(hint).toContain('`git submodule update --init vendor`');
  });

  const sparse = {
    ...own,
    'schedules/a/a.yaml': declaring('a', { textBody: '${file.../../texts/a.txt}' }),
    'schedules/b/b.yaml': declaring('b'),
    'schedules/b/c/c.yaml': declaring('c'),
    'schedules/a-b/d.yaml': declaring('d'),
    'texts/a.txt': 'Sales',
    'docs/other.md': '',
  };

  it('the state of a workspace beside, which a sparse checkout leaves out, is read from the commit', async () => {
    const clone = cloneOf(repositoryOf({ 'reports/almanac.yaml': '', 'customers/almanac.state.json': '{}' }));
    clone.git('sparse-checkout', 'set', '--cone', 'reports');
    const { committed } = openCheckout({ root: join(clone.path, 'reports'), environment: process.env });
    const there = '../customers/almanac.state.json';
    expect(await committed({ path: there })).toEqual(new Map([[there, '{}']]));
    for (const path of ['../customers/other.json', '../../other.json'])
      expect(await committed({ path })).toEqual(new Map());
    expect(await committed({ names: ['almanac.yaml'] })).toEqual(new Map([['almanac.yaml', '']]));
  });

  it.each([[[]], [['--sparse-index']]])(
    'a source and a text that a sparse checkout leaves out are named (set %j)',
    async (options) => {
      const clone = cloneOf(repositoryOf(sparse));
      clone.git('sparse-checkout', 'set', '--cone', ...options, 'schedules/a');
      expect(clone.git('status', '--short')).toBe('');
      expect(await clone.found()).toEqual(
        [
          {
            code: 'not-fetched',
            file: 'schedules/a/a.yaml',
            message: 'texts/a.txt cannot be read: it is left out by the sparse checkout.',
            hint: 'Run `git sparse-checkout add texts`.',
          },
          {
            code: 'not-fetched',
            file: 'schedules/a-b/d.yaml',
            message:
              'schedules/a-b/d.yaml, schedules/b/b.yaml, schedules/b/c/c.yaml are left out by the sparse checkout, so Almanac cannot know what the commit declares there.',
            hint: 'Run `git sparse-checkout add schedules/a-b schedules/b`.',
          },
        ].sort((x, y) => (x.file < y.file ? -1 : 1)),
      );
      const { stdout } = await clone.run('doctor');
      expect(stdout).not.toContain('differs from the commit');
      clone.git('sparse-checkout', 'add', 'texts', 'schedules/a-b', 'schedules/b');
      expect(await clone.found()).toEqual([]);
      expect(clone.git('ls-files', '-t', 'docs')).toMatch(/^S/);
    },
  );

  it('a file that a sparse checkout leaves out and that is there all the same is read', async () => {
    const clone = cloneOf(repositoryOf(sparse));
    clone.git('sparse-checkout', 'set', '--no-cone', '/*', '!/schedules/b/c');
    clone.write({ 'schedules/b/c/c.yaml': declaring('c') });
    clone.git('update-index', '--skip-worktree', 'schedules/b/c/c.yaml');
    expect(await clone.found()).toEqual([]);
  });

  it('what the patterns of a sparse checkout leave out is there after the command of the hint', async () => {
    const clone = cloneOf(repositoryOf(sparse));
    clone.git('sparse-checkout', 'set', '--no-cone', '/*', '!/schedules/b/b.yaml', '!/schedules/a-b/');
    expect(await clone.found()).toMatchObject([
      { hint: 'Run `git sparse-checkout add /schedules/a-b/d.yaml /schedules/b/b.yaml`.' },
    ]);
    clone.git('sparse-checkout', 'add', '/schedules/a-b/d.yaml', '/schedules/b/b.yaml');
    expect(await clone.found()).toEqual([]);
  });

  it('almanac.yaml is named where a sparse checkout leaves it out', async () => {
    const clone = cloneOf(repositoryOf(own));
    clone.git('sparse-checkout', 'set', '--no-cone', '/schedules');
    expect(await clone.found()).toMatchObject([
      { file: 'almanac.yaml', hint: 'Run `git sparse-checkout add /almanac.yaml`.' },
    ]);
  });

  it('a source that is gone and that git is told to skip is named, and one that somebody removed is not', async () => {
    const clone = cloneOf(repositoryOf(sparse));
    rmSync(join(clone.path, 'schedules/b/b.yaml'));
    expect(await clone.found()).toEqual([]);
    clone.git('update-index', '--skip-worktree', 'schedules/b/b.yaml');
    expect(await clone.found()).toMatchObject([
      {
        file: 'schedules/b/b.yaml',
        hint: 'Run `git update-index --no-skip-worktree schedules/b/b.yaml`, then `git restore schedules/b/b.yaml`.',
      },
    ]);
  });

  it.each([
    ['version 4', (git: ReturnType<typeof gitIn>) => git('update-index', '--index-version', '4')],
    ['a split one', (git: ReturnType<typeof gitIn>) => git('update-index', '--split-index')],
  ])('what git has not fetched is named with an index of another form: %s', async (_, change) => {
    const clone = cloneOf(repositoryOf({ ...sparse }, { 'schedules/team': team() }));
    clone.git('update-index', '--skip-worktree', 'schedules/b/b.yaml');
    rmSync(join(clone.path, 'schedules/b/b.yaml'));
    change(clone.git);
    expect((await clone.found()).map(({ file }) => file)).toEqual(['schedules/b/b.yaml', 'schedules/team']);
  });

  it('git is asked once in a run what it has not fetched, and ends with the run', async () => {
    const clone = cloneOf(repositoryOf(own, { 'schedules/team': team() }));
    const workspace = await openWorkspace({ cwd: clone.path });
    expect(await workspace.repository()?.parts()).toBe(await workspace.repository()?.parts());
    const ended = await openWorkspace({ cwd: clone.path, signal: AbortSignal.abort() });
    await expect(ended.repository()?.parts()).rejects.toMatchObject({ code: 'interrupted' });
  });

  it('without git nothing is said of submodules', async () => {
    const clone = cloneOf(repositoryOf(own, { 'schedules/team': team() }));
    const { path } = makeFolder();
    vi.stubEnv('PATH', path);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await clone.found()).toEqual([]);
  });
});

/** A workspace with a submodule that has moved on twice; the middle commit is recorded, and applied unless `isNew`. */
async function openMoved(options: WorldOptions & { readonly isNew?: boolean } = {}) {
  const world = await openWorld({}, options);
  const git = gitIn(world.path);
  const inner = team();
  const commits = [inner.git('rev-parse', 'HEAD')];
  for (const name of ['B', 'C']) commits.push(inner.commit({ 'team.yaml': declaring('team', { subject: name }) }));
  git('init', '-q');
  git('submodule', '--quiet', 'add', `file://${inner.path}`, 'schedules/team');
  const at = gitIn(join(world.path, 'schedules/team'));
  const [older = '', recorded = '', newer = ''] = commits;
  at('checkout', '-q', recorded);
  world.write({ '.gitignore': 'almanac.state.json*\n', 'schedules/own.yaml': declaring('own') });
  git('add', '-A');
  git('commit', '-qm', 'a commit');
  if (options.isNew !== true) expect((await world.run('apply', '--auto-approve')).code).toBe(0);
  world.sent();
  const dangers = async () => {
    const { stdout } = await world.run('plan', '--format', 'json');
    const found = (JSON.parse(stdout) as { dangers: readonly Danger[] }).dangers;
    return found.filter(({ code }) => code === 'submodule');
  };
  return { ...world, git, at, older, recorded, newer, dangers };
}

describe('a submodule at another commit than the recorded one', () => {
  it.each(['older', 'newer'] as const)(
    'a submodule at another commit is a danger, and no unattended apply takes it: %s',
    async (which) => {
      const world = await openMoved();
      world.at('checkout', '-q', world[which]);
      const [here, recorded] = [world[which], world.recorded].map((commit) => commit.slice(0, 12));
      expect(await world.dangers()).toEqual([
        {
          code: 'submodule',
          gravity: 'grave',
          title: '1 submodule is not at the commit that is recorded',
          items: [
            {
              subject: 'schedules/team',
              detail: `at commit ${here}, but the recorded commit is ${recorded}: apply --auto-approve refuses this plan without --allow behind`,
            },
          ],
        },
      ]);
      const doctor = await world.run('doctor');
      expect(doctor.stdout.replaceAll(/\s+/g, ' ')).toContain(
        'Run `git submodule update schedules/team` before you apply.',
      );
      const refused = await world.run('apply', '--auto-approve');
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      expect(refused.stderr.replaceAll(/\s+/g, ' ')).toBe(
        `error[blocked]: schedules/team is a submodule at commit ${here}, and the commit that is checked out records ${recorded}, so this plan is not what that commit declares. hint: Run \`git submodule update schedules/team\`, and plan again. To apply what is here, use --allow behind. `,
      );
      expect(world.sent()).toEqual([]);
      expect((await world.run('apply', '--auto-approve', '--allow', 'behind')).code).toBe(0);
      expect(world.sent()).toHaveLength(1);
      // What is done already is not refused.
      expect(await world.dangers()).toEqual([]);
      expect((await world.run('apply', '--auto-approve')).code).toBe(0);
    },
  );

  it('a submodule at another commit is applied by somebody who is asked', async () => {
    const asked: string[] = [];
    const asker = () => async (question: string) => {
      asked.push(question);
      return 'yes';
    };
    const world = await openMoved({ outside: { asker } });
    world.at('checkout', '-q', world.older);
    const { code, stdout } = await world.run('apply');
    expect([code, asked.length]).toEqual([0, 1]);
    expect(stdout).toContain('1 submodule is not at the commit that is recorded');
  });

  it('a submodule at another commit is a danger of a first apply, whatever .gitmodules says of changes in it', async () => {
    const world = await openMoved({ isNew: true });
    world.git('config', '-f', '.gitmodules', 'submodule.schedules/team.ignore', 'all');
    world.at('checkout', '-q', world.older);
    expect(await world.dangers()).toHaveLength(1);
    world.git('update-index', '--cacheinfo', `160000,${world.older},schedules/team`);
    world.git('commit', '-qm', 'Take the older one');
    expect(await world.dangers()).toEqual([]);
  });

  it('a submodule in a submodule at another commit is refused as well', async () => {
    const inner = team();
    const first = inner.git('rev-parse', 'HEAD');
    inner.commit({ 'team.yaml': declaring('team', { subject: 'B' }) });
    const outer = repositoryOf({ 'outer.yaml': declaring('outer') }, { inner });
    const world = await openWorld();
    const git = gitIn(world.path);
    git('init', '-q');
    git('submodule', '--quiet', 'add', `file://${outer.path}`, 'schedules/outer');
    git('submodule', '--quiet', 'update', '--init', '--recursive');
    git('add', '-A');
    git('commit', '-qm', 'a commit');
    gitIn(join(world.path, 'schedules/outer/inner'))('checkout', '-q', first);
    const { stderr } = await world.run('apply', '--auto-approve');
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain('Run `git -C schedules/outer submodule update inner`');
  });

  it('a submodule with edits, or without anything that is read, is no danger', async () => {
    const world = await openMoved();
    world.write({ 'schedules/team/team.yaml': declaring('team', { subject: 'An edit' }) });
    expect(await world.dangers()).toEqual([]);
    world.git('mv', 'schedules/team', 'vendor');
    world.git('commit', '-qam', 'Move it');
    gitIn(join(world.path, 'vendor'))('checkout', '-qf', world.older);
    expect(await world.dangers()).toEqual([]);
  });
});
