// What was merged and never applied: git is real, and says how old the files are in the branch.

import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { gitIn } from '../support/git.ts';
import { hook, mail } from '../support/vocabulary.ts';
import { makeFolder, start, workspaceIn } from '../support/workspace.ts';
import { openWorld } from '../support/world.ts';

const long = { GIT_AUTHOR_DATE: '2020-01-01T00:00:00Z', GIT_COMMITTER_DATE: '2020-01-01T00:00:00Z' };
const now = { GIT_AUTHOR_DATE: '2090-01-01T00:00:00Z', GIT_COMMITTER_DATE: '2090-01-01T00:00:00Z' };
const both = { recipients: ['ana@example.com', 'kim@partner.example'] };
const file = (name: string, more: object = {}) => ({
  [`schedules/${name}.yaml`]: { schedules: { [name]: mail({ name, ...more }) } },
});

async function openRepository(files: object) {
  const path = `${process.env['PATH']}`;
  const world = await openWorld({}, { environment: { PATH: path, HOME: makeFolder().path } });
  const git = (argv: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
    gitIn(world.path, environment)(...argv);
  git(['init', '-q']);
  const commit = (changed: object, when: Readonly<Record<string, string>> = long, message = 'A change [skip ci]') => {
    world.write(changed as Readonly<Record<string, unknown>>);
    git(['add', '-A']);
    git(['commit', '-qm', message], when);
  };
  commit(files);
  await world.run('apply', '--auto-approve');
  return { ...world, git, commit };
}

it('the nightly look, status and doctor count what was merged a day ago and never applied, and whom it takes away', async () => {
  const { run, commit } = await openRepository({ ...file('a', both), ...file('b'), ...file('c') });
  expect((await run('drift', '--unapplied')).code).toBe(0);
  commit({ ...file('a', { recipients: ['ana@example.com'] }), ...file('b', { subject: 'Other' }) });
  const words = /2 changes were merged and never applied; one takes away a recipient:\s+schedules\.a, schedules\.b\./;
  const drift = await run('drift', '--deep', '--unapplied');
  expect(drift.code).toBe(2);
  expect(drift.stdout).toMatch(words);
  expect((await run('drift', '--deep')).code).toBe(0);
  const { unapplied } = JSON.parse((await run('drift', '--unapplied', '--format', 'json')).stdout);
  expect(unapplied).toEqual({ merged: ['schedules.a', 'schedules.b'], takingAway: 1, recent: 0, left: [] });
  const markdown = await run('drift', '--unapplied', '--format', 'markdown');
  expect(markdown.stdout).toContain('## Almanac drift: none, 2 changes never applied');
  for (const command of ['status', 'doctor']) {
    const { code, stdout } = await run(command);
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(words);
    expect(code).toBe(0);
  }
  expect((await run('drift', '--unapplied', '--target', 'schedules.c')).code).toBe(0);
  await run('apply', '--auto-approve');
  expect((await run('drift', '--unapplied')).code).toBe(0);
});

it('what a file was changed for within a day, or is in no commit, is not counted yet', async () => {
  const { run, commit, write } = await openRepository({ ...file('a', both), ...file('b') });
  commit(file('a', { recipients: ['ana@example.com'] }), now);
  const recent = async (words: string) => {
    const { code, stdout } = await run('drift', '--unapplied');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(words);
    expect(code).toBe(0);
  };
  await recent('1 change is not applied yet: it was made within a day.');
  write(file('b', { subject: 'Edited' }));
  write(file('new'));
  await recent('3 changes are not applied yet: they were made within a day.');
});

it('a branch that was written long ago and merged today is recent', async () => {
  const { run, commit, git } = await openRepository({ ...file('a', both), ...file('b') });
  git(['checkout', '-qb', 'work']);
  commit(file('a', { recipients: ['ana@example.com'] }));
  git(['checkout', '-q', 'main']);
  git(['merge', '-q', '--no-ff', '-m', 'Merge', 'work'], now);
  expect((await run('drift', '--unapplied')).code).toBe(0);
});

it('a deletion that was merged and never applied is counted, and takes away its receivers', async () => {
  const { run, git } = await openRepository({ ...file('a', both), ...file('b') });
  git(['rm', '-q', 'schedules/b.yaml']);
  git(['commit', '-qm', 'Gone'], long);
  const { code, stdout } = await run('drift', '--unapplied');
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    '1 change was merged and never applied; one takes away a recipient: schedules.b.',
  );
  expect(code).toBe(2);
});

it('what runs once and what needs a variable that is not set is not counted, and what is blocked is said apart', async () => {
  const { run, commit } = await openRepository({
    ...file('a'),
    ...file('kept', { lifecycle: { preventDestroy: true } }),
  });
  commit({
    'schedules/once.yaml': { schedules: { test: mail({ name: 'Test', testNow: true }) } },
    'schedules/hook.yaml': {
      schedules: { hook: hook({ name: 'Hook', url: 'https://hooks.example.com/${env.NOT_SET}' }) },
    },
    'schedules/kept.yaml': { schedules: {} },
  });
  const { code, stdout } = await run('drift', '--unapplied');
  expect(stdout).not.toContain('never applied');
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain('schedules.kept is not applied: ');
  expect(code).toBe(0);
});

it('without git and in a shallow clone nobody can tell how old a change is, and the look says so', async () => {
  const { run, commit, git, path, environment } = await openRepository(file('a'));
  commit(file('a', { subject: 'Other' }));
  const cloned = makeFolder();
  git(['clone', '-q', '--depth', '1', `file://${path}`, cloned.path]);
  const shallow = await workspaceIn(cloned, environment).run('drift', '--unapplied');
  expect(shallow.stdout.replaceAll(/\s+/g, ' ')).toContain(
    '1 change is not applied, and it is not known since when: the clone is shallow',
  );
  expect(shallow.code).toBe(1);
  rmSync(join(path, '.git'), { recursive: true });
  const without = await run('drift', '--unapplied');
  expect(without.stdout.replaceAll(/\s+/g, ' ')).toContain('it is not known since when: git does not answer here.');
  expect(without.code).toBe(1);
});

/** So many days before the clock of the program. */
const ago = (days: number) => {
  const at = new Date(start - days * 86_400_000).toISOString();
  return { GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at };
};

type Repository = Awaited<ReturnType<typeof openRepository>>;

const one = { recipients: ['ana@example.com'] };
const gone = file('a', one);
const table = (kim: string, other: string) => `code,to\nkim,${kim}\nlee,${other}\n`;
const loop = {
  'schedules/loop.yaml': {
    schedules: {
      loop: {
        ...mail({ name: 'Loop ${each.key}', recipients: ['ana@example.com'] }),
        forEachRow: { file: 'to.csv', key: 'code' },
        subject: '${each.to}',
      },
    },
  },
};

interface Play {
  readonly before?: object;
  readonly play: (repository: Repository) => unknown;
  readonly merged?: readonly string[];
  readonly recent?: number;
  readonly notTold?: string;
}

it.each<[string, Play]>([
  [
    'a squash of three days ago, below a commit of today',
    {
      play: ({ git, commit }) => {
        git(['checkout', '-qb', 'work']);
        commit(gone, ago(20));
        git(['checkout', '-q', 'main']);
        git(['merge', '-q', '--squash', 'work']);
        git(['commit', '-qm', 'Squashed'], ago(3));
        commit({ 'README.md': 'Reports' }, ago(0));
      },
      merged: ['schedules.a'],
    },
  ],
  [
    'a squash of today of what was written long ago',
    {
      play: ({ git, commit }) => {
        git(['checkout', '-qb', 'work']);
        commit(gone, ago(20));
        git(['checkout', '-q', 'main']);
        git(['merge', '-q', '--squash', 'work']);
        git(['commit', '-qm', 'Squashed'], ago(0));
      },
      recent: 1,
    },
  ],
  [
    'a rebase with the dates of its author onto a commit of today',
    {
      play: ({ commit }) => {
        commit({ 'README.md': 'Reports' }, ago(0));
        commit(gone, ago(20));
      },
      recent: 1,
    },
  ],
  [
    'an older date on top of a change of today',
    {
      play: ({ commit }) => {
        commit(gone, ago(0));
        commit({ 'README.md': 'Reports' }, ago(3));
      },
      recent: 1,
    },
  ],
  [
    'a revert of a revert of what was never applied',
    {
      play: ({ commit }) => {
        commit(gone, ago(10));
        commit(file('a', both), ago(5));
        commit(gone, ago(0));
      },
      recent: 1,
    },
  ],
  [
    'a revert that was taken back before anybody applied it',
    {
      play: ({ commit }) => {
        commit(gone, ago(10));
        commit(file('a', both), ago(0));
      },
    },
  ],
  [
    'a row that is edited each day, and a comment',
    {
      before: { ...loop, 'schedules/to.csv': table('Kim', 'Lee') },
      play: ({ commit }) => {
        for (const days of [9, 5, 3, 0]) commit({ 'schedules/to.csv': table(`Kim ${days}`, 'Lee') }, ago(days));
        commit({ 'schedules/to.csv': table('Kim 0', 'Lee 0') }, ago(0));
      },
      merged: ['schedules.loop.kim'],
      recent: 1,
    },
  ],
  [
    'a newest commit older than a day whose files have errors',
    {
      play: ({ commit }) => {
        commit(gone, ago(10));
        commit({ 'schedules/wrong.yaml': 'schedules: [' }, ago(3));
        commit({ 'schedules/wrong.yaml': {} }, ago(0));
      },
      merged: ['schedules.a'],
    },
  ],
  [
    'files that had errors in every commit older than a day',
    {
      play: ({ git, commit }) => {
        git(['checkout', '-q', '--orphan', 'other']);
        commit({ 'schedules/wrong.yaml': 'schedules: [' }, ago(10));
        commit({ ...gone, 'schedules/wrong.yaml': {} }, ago(0));
      },
      recent: 1,
      notTold: 'errors',
    },
  ],
  [
    'a table in Git LFS whose object of then the clone does not have',
    {
      before: { ...loop, 'schedules/to.csv': table('Kim', 'Lee') },
      play: ({ commit }) => {
        commit({ 'schedules/to.csv': pointer(table('Kim 3', 'Lee')).text }, ago(3));
        commit({ 'schedules/to.csv': table('Kim 0', 'Lee') }, ago(0));
      },
      recent: 1,
      notTold: 'lfs',
    },
  ],
  [
    'a table in Git LFS whose object of then the clone has',
    {
      before: { ...loop, 'schedules/to.csv': table('Kim', 'Lee') },
      play: ({ commit, write }) => {
        const { text, oid } = pointer(table('Kim 3', 'Lee'));
        write({ [`.git/lfs/objects/${oid.slice(0, 2)}/${oid.slice(2, 4)}/${oid}`]: table('Kim 3', 'Lee') });
        commit({ 'schedules/to.csv': text }, ago(3));
        commit({ 'schedules/to.csv': table('Kim 0', 'Lee') }, ago(0));
      },
      merged: ['schedules.loop.kim'],
    },
  ],
  [
    'a commit up to which all is applied',
    {
      play: async ({ commit, git, environment, run, change }) => {
        commit(gone, ago(10));
        environment['GITHUB_SHA'] = git(['rev-parse', 'HEAD']).trim();
        await run('apply', '--auto-approve');
        change('a', (fields) => Object.assign(fields, { recipients: both.recipients }));
        await run('apply', '--refresh-only', '--auto-approve');
        commit({ 'README.md': 'Reports' }, ago(0));
      },
      recent: 1,
    },
  ],
])('what was merged a day ago and never applied is found in the files of then: %s', async (_, expected) => {
  const repository = await openRepository({ ...file('a', both), ...expected.before });
  const { run, expectQuiet } = repository;
  await expectQuiet();
  await expected.play(repository);
  const { code, stdout } = await run('drift', '--unapplied', '--format', 'json');
  const { merged = [], recent = 0, notTold } = expected;
  const { unapplied } = JSON.parse(stdout);
  expect(unapplied).toEqual(
    merged.length + recent === 0
      ? undefined
      : { merged, takingAway: merged.includes('schedules.a') ? 1 : 0, recent, left: [], ...(notTold && { notTold }) },
  );
  expect(code).toBe(merged.length > 0 ? 2 : notTold === undefined ? 0 : 1);
});

/** The text that Git LFS commits in place of a file. */
function pointer(content: string) {
  const oid = createHash('sha256').update(content).digest('hex');
  return { oid, text: `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${content.length}\n` };
}

it.each([['--filter=blob:none'], ['--filter=tree:0']])(
  'a clone with %s fetches what it lacks of then, and says where it cannot',
  async (filter) => {
    const { git, commit, path, environment, read } = await openRepository({ ...file('a', both), ...file('b') });
    commit(gone, ago(3));
    commit(file('b', { subject: 'New' }), ago(0));
    commit(file('a', { recipients: ['ana@example.com', 'new@example.com'] }), ago(0));
    git(['config', 'uploadpack.allowFilter', 'true']);
    const looked = async (isReachable: boolean) => {
      const folder = makeFolder();
      git(['clone', '-q', filter, `file://${path}`, folder.path]);
      if (!isReachable) git(['-C', folder.path, 'remote', 'set-url', 'origin', 'file:///nowhere']);
      folder.write({ 'almanac.state.json': read('almanac.state.json') });
      const { code, stdout } = await workspaceIn(folder, environment).run('drift', '--unapplied', '--format', 'json');
      return { code, unapplied: JSON.parse(stdout).unapplied };
    };
    expect(await looked(true)).toMatchObject({ code: 2, unapplied: { merged: ['schedules.a'], recent: 1 } });
    expect(await looked(false)).toMatchObject({ code: 1, unapplied: { merged: [], recent: 2, notTold: 'unread' } });
  },
);
