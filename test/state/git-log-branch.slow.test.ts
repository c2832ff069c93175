// What the log makes of a state branch: its commits and files, and the branches and histories that it refuses.

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type RunGit, runGit } from '../../src/files/git.ts';
import { thisHost } from '../../src/state/file/file-lock.ts';
import type { GitLogOptions } from '../../src/state/git/git-log.ts';
import { makeInstantClock } from '../support/fake-clock.ts';
import { type GitStage, makeGitStage, snapshotOf, stateBranch, watch } from '../support/state/git-remote.ts';
import { placeOf } from '../support/state/place-of.ts';
import { newEntry } from '../support/state/state-log-conformance.ts';
import { makeFolder } from '../support/workspace.ts';

let stage: GitStage;
beforeEach(() => {
  stage = makeGitStage();
});
afterEach(() => stage.close());

const open = (root: string, options: Partial<GitLogOptions> = {}) => stage.open(root, options);

test('the branch is a line of commits, of which the log of the state file shows one for each state', async () => {
  const log = await open(stage.clone('clone'));
  const kinds = ['lock', 'commit', 'lock', 'lines', 'commit', 'lock', 'lines'] as const;
  for (const [index, kind] of kinds.entries()) {
    const entry = { ...newEntry(kind), title: `Entry ${index + 1}` };
    const snapshot = { snapshot: `{ "serial": ${index + 1} }\n` };
    expect(await log.append(index + 1, kind === 'commit' ? { ...entry, ...snapshot } : entry)).toBe('written');
  }
  expect(stage.git(stage.remote, 'ls-tree', '-r', '--name-only', stateBranch).split('\n')).toEqual([
    'almanac.state.json',
    'log/000000000005.json',
    'log/000000000006.json',
    'log/000000000007.json',
  ]);
  expect(stage.git(stage.remote, 'show', `${stateBranch}:almanac.state.json`)).toBe('{ "serial": 5 }');
  expect(stage.log('--format=%s').split('\n')).toHaveLength(7);
  expect(stage.log('--min-parents=2')).toBe('');
  expect(stage.log('--format=%s', '--', 'almanac.state.json').split('\n')).toEqual([
    'Entry 5 [skip ci]',
    'Entry 2 [skip ci]',
  ]);
  expect(stage.log('-1', '--format=%an <%ae>, %cn')).toBe('Almanac <almanac@localhost>, Almanac');
  expect(stage.git(stage.remote, 'fsck', '--strict')).toBe('');
});

test('an entry with a title of several lines is one line of history', async () => {
  const log = await open(stage.clone('clone'));
  await log.append(1, { ...newEntry('lock'), title: 'Apply:\n\u001b[31mfrom here\n\nSigned-off-by: x' });
  expect(stage.log('--format=%B')).toBe('Apply: [31mfrom here Signed-off-by: x [skip ci]');
});

test('the folders of runs that were killed are removed by the next one, and no others', async () => {
  const folder = makeFolder().path;
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  const space = /\d+/.exec((await thisHost.pidSpace()) ?? '')?.[0] ?? '0';
  const { pid: ended } = spawnSync('true');
  const kept = [
    `almanac-git-${space}-${process.pid}-abcdef`,
    `almanac-git-1-${ended}-abcdef`,
    'almanac-git-test-1',
    'x',
  ];
  const removed = [`almanac-git-${space}-${ended}-abcdef`, `almanac-git-2-${process.pid}-abcdef`, 'almanac-git-abcdef'];
  for (const name of [...kept, ...removed]) mkdirSync(join(folder, name));
  for (const name of removed.slice(1)) utimesSync(join(folder, name), 0, 0);
  const log = await open(stage.clone('clone'));
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(kept));
  expect(readdirSync(folder)).not.toEqual(expect.arrayContaining([expect.stringMatching(removed.join('|'))]));
  await log.close();
  expect(readdirSync(folder).sort()).toEqual(kept.sort());
});

test('the clone of the job, its configuration and its references stay byte for byte as they were', async () => {
  const clone = stage.clone('clone');
  const before = snapshotOf(clone);
  const log = await open(clone);
  await log.probe();
  for (const n of [1, 2, 3]) await log.append(n, newEntry(n === 2 ? 'commit' : 'lock'));
  await (await open(clone)).entry(1);
  expect(snapshotOf(clone)).toEqual(before);
  expect(stage.git(clone, 'rev-parse', '--is-shallow-repository')).toBe('false');
});

test('nothing is left in the temporary folder when a log is closed or cannot be opened', async () => {
  const { run, folders } = watch(stage.folder);
  const log = await open(stage.clone('clone'), { run });
  await log.append(1, newEntry('lock'));
  expect([...folders].map((folder) => existsSync(folder))).toEqual([true]);
  await log.close();
  await expect(open(stage.folder, { run })).rejects.toMatchObject({ code: 'state-unreadable' });
  expect([...folders].map((folder) => existsSync(folder))).toEqual([false, false]);
});

test('an append takes two runs of git, and a read of what did not change takes one', async () => {
  const { run, calls } = watch(stage.folder);
  const log = await open(stage.clone('clone'), { run });
  await log.read(0);
  calls.length = 0;
  await log.append(1, newEntry('lock'));
  expect(calls.map((args) => args.find((arg) => /^[a-z]+-?[a-z]+$/.test(arg)))).toEqual(['fast-import', 'push']);
  calls.length = 0;
  expect(await log.read(1)).toEqual([]);
  expect(calls.map((args) => args[2])).toEqual(['ls-remote']);
});

test('an old entry is found in the history, also from a machine that has only the newest commit', async () => {
  const log = await open(stage.clone('clone'));
  const entries = Array.from({ length: 30 }, (_, index) => newEntry(index % 5 === 4 ? 'commit' : 'lines'));
  for (const [index, entry] of entries.entries()) await log.append(index + 1, entry);
  const { run, calls } = watch(stage.folder);
  const other = await open(stage.clone('other'), { run });
  await other.read(0);
  expect(calls.filter((args) => args.includes('fetch')).map((args) => args.includes('--depth=1'))).toEqual([true]);
  for (const n of [30, 25, 1, 13, 5, 29, 6, 16]) {
    expect(Buffer.from((await other.entry(n))?.bytes ?? []).toString()).toBe(
      Buffer.from(entries[n - 1]?.bytes ?? []).toString(),
    );
  }
  expect(await other.entry(31)).toBeUndefined();
  expect(await other.entry(0)).toBeUndefined();
});

test('a branch that was deleted is never an empty state', async () => {
  const log = await open(stage.clone('clone'));
  await log.append(1, newEntry('lock'));
  stage.git(stage.remote, 'update-ref', '-d', `refs/heads/${stateBranch}`);
  await expect(log.read(0)).rejects.toMatchObject({
    code: 'state-conflict',
    message: expect.stringContaining('was set back'),
  });
});

test.each([0, 3])('a branch that was set back and then got %i other entries is refused', async (added) => {
  const log = await open(stage.clone('clone'));
  for (const n of [1, 2, 3]) await log.append(n, newEntry());
  stage.git(stage.remote, 'update-ref', `refs/heads/${stateBranch}`, `${stateBranch}~1`);
  const other = await open(stage.clone('other'));
  for (let n = 3; n < 3 + added; n += 1) expect(await other.append(n, newEntry())).toBe('written');
  await expect(log.read(3)).rejects.toMatchObject({ code: 'state-conflict' });
});

/** The folder of the stage stands for a server, for the runs of git outside of the clone. */
function servedBy(server: string): RunGit {
  return (args, options) => {
    if (args[0] === '-C') return runGit(args, options);
    const count = options.environment['GIT_CONFIG_COUNT'] ?? '0';
    const environment = {
      ...options.environment,
      GIT_CONFIG_COUNT: String(Number(count) + 1),
      [`GIT_CONFIG_KEY_${count}`]: `url.file://${stage.folder}/.insteadOf`,
      [`GIT_CONFIG_VALUE_${count}`]: server,
    };
    return runGit(args, { ...options, environment });
  };
}

test('pushes to GitHub go six at once and then one in ten seconds', async () => {
  const clock = makeInstantClock();
  const run = servedBy('https://github.com/acme/');
  const log = await open(stage.clone('clone', 'https://github.com/acme/remote.git'), { clock, run });
  expect(log.paceMs).toBe(10_000);
  for (let n = 1; n < 10; n += 1) await log.append(n, newEntry());
  expect(clock.slept).toEqual([10_000, 10_000, 10_000]);
});

test.each([
  ['https://github.com/acme/bi.git', 10_000],
  ['https://acme.ghe.com/acme/bi', 10_000],
  ['ssh://git@github.acme.com/acme/bi', 10_000],
  ['https://gitlab.com/acme/bi', 1000],
  ['https://git.example.com/bi', 1000],
  ['file:///srv/bi.git', 0],
  ['http://127.0.0.1:8080/bi.git', 0],
])('the pace for %s is %i milliseconds', async (remote, paceMs) => {
  expect((await open(stage.clone('clone', remote))).paceMs).toBe(paceMs);
});

test('an empty repository of its own keeps the state, also once its branch is the default one', async () => {
  const empty = join(stage.folder, 'empty.git');
  stage.git(stage.folder, 'init', '--quiet', '--bare', `--initial-branch=${stateBranch}`, 'empty.git');
  expect(await (await open(stage.clone('clone', empty))).append(1, newEntry('lock'))).toBe('written');
  const other = await open(stage.clone('other', empty));
  expect(await other.read(0)).toHaveLength(1);
  expect(await other.append(2, newEntry('commit'))).toBe('written');
});

test.each([
  ['main', 'state-unreadable'],
  ['work', 'state-backend-unfit'],
])('the branch %s, which people use, cannot keep the state', async (branch, code) => {
  const clone = stage.clone('clone');
  stage.git(clone, 'switch', '--quiet', '--create', 'work');
  const log = async () => open(clone, { place: placeOf({ backend: 'git', branch }) });
  const before = stage.git(stage.remote, 'show-ref');
  for (const attempt of [async () => (await log()).read(0), async () => (await log()).append(1, newEntry('lock'))])
    await expect(attempt()).rejects.toMatchObject({
      code,
      hint: expect.stringContaining('to a branch that only Almanac writes'),
    });
  expect(stage.git(stage.remote, 'show-ref')).toBe(before);
});

test('the remote of the clone may be a path from its root, a path, or an address with an insteadOf', async () => {
  const clone = stage.clone('clone');
  const log = await open(clone);
  await log.append(1, newEntry('lock'));
  stage.git(clone, 'config', `url.file://${stage.folder}/.insteadOf`, 'acme:');
  mkdirSync(join(clone, 'below'));
  for (const url of ['../remote.git', stage.remote, 'acme:remote.git']) {
    stage.git(clone, 'remote', 'set-url', 'origin', url);
    expect(await (await open(join(clone, 'below'))).read(0)).toHaveLength(1);
  }
});

test('a repository with SHA-256 ids keeps the state as well', async () => {
  const other = makeGitStage(['--object-format=sha256']);
  try {
    const log = await other.open(other.clone('clone'));
    expect(await log.append(1, newEntry('lock'))).toBe('written');
    expect(await log.append(2, newEntry('commit'))).toBe('written');
    expect(await (await other.open(other.clone('other'))).read(0)).toHaveLength(1);
  } finally {
    await other.close();
  }
});

const formats = ['sha1', 'sha256'] as const;
const otherFormat = 'another object format (SHA-1 or SHA-256) than this clone';

/** A bare repository without a commit, or with one on a branch that its HEAD does not name; and a clone with it as its remote. */
function cloneOfFormat(clone: string, remote: string, { begun = false } = {}): string {
  const [path, root] = [join(stage.folder, 'other.git'), join(stage.folder, 'formats')];
  stage.git(stage.folder, 'init', '--quiet', '--bare', `--object-format=${remote}`, path);
  if (begun) {
    stage.git(stage.folder, 'init', '--quiet', `--object-format=${remote}`, 'begun');
    const begin = join(stage.folder, 'begun');
    stage.git(begin, 'commit', '--quiet', '--allow-empty', '--message', 'Begin');
    stage.git(begin, 'push', '--quiet', path, 'HEAD:release');
  }
  stage.git(stage.folder, 'init', '--quiet', `--object-format=${clone}`, root);
  stage.git(root, 'remote', 'add', 'origin', `file://${path}`);
  return root;
}

test.each(formats.flatMap((format) => [false, true].map((begun) => [format, begun] as const)))(
  'a %s repository that shows no id keeps the state, also with another branch: %s',
  async (format, begun) => {
    const root = cloneOfFormat(format, format, { begun });
    const [log, early] = [await open(root), await open(root)];
    expect(await early.read(0)).toEqual([]);
    await log.probe();
    expect(await log.append(1, newEntry('lock'))).toBe('written');
    expect(await log.append(2, newEntry('commit'))).toBe('written');
    expect(await early.read(0)).toHaveLength(1);
    expect(await (await open(root)).append(2, newEntry('lines'))).toBe('taken');
    expect(stage.git(join(stage.folder, 'other.git'), 'rev-parse', stateBranch)).toHaveLength(
      format === 'sha1' ? 40 : 64,
    );
  },
);

test('a repository of another format than the clone is named as the cause, and nothing is written', async () => {
  const log = await open(cloneOfFormat('sha1', 'sha256'));
  await expect(log.probe()).rejects.toMatchObject({ message: expect.stringContaining(otherFormat) });
  await expect(log.append(1, newEntry('lock'))).rejects.toMatchObject({ code: 'state-unwritable' });
  expect(stage.git(join(stage.folder, 'other.git'), 'for-each-ref')).toBe('');
});

test('a repository that is replaced by one of the other format is named as the cause', async () => {
  const root = cloneOfFormat('sha1', 'sha1');
  const log = await open(root);
  await log.append(1, newEntry('lock'));
  const [path, sha256] = [join(stage.folder, 'other.git'), makeGitStage(['--object-format=sha256'])];
  onTestFinished(() => sha256.close());
  await (await sha256.open(sha256.clone('clone'))).append(1, newEntry('lock'));
  rmSync(path, { recursive: true });
  cpSync(sha256.remote, path, { recursive: true });
  const differs = { message: expect.stringContaining(otherFormat) };
  await expect(log.append(2, newEntry('lock'))).rejects.toMatchObject({ ...differs, code: 'state-unwritable' });
  await expect(log.read(0)).rejects.toMatchObject({ ...differs, code: 'state-unreadable' });
});

test('a remote that is reached by ssh uses the command that the clone configures', async () => {
  const clone = stage.clone('clone', 'git@git.example.com:remote.git');
  const script = join(stage.folder, 'ssh.sh');
  writeFileSync(
    script,
    `#!/bin/sh\nwhile [ "$1" != git@git.example.com ]; do shift; done\ncd ${stage.folder} && eval "$2"\n`,
    { mode: 0o755 },
  );
  stage.git(clone, 'config', 'core.sshCommand', script);
  const log = await open(clone);
  expect(log.paceMs).toBe(1000);
  expect(await log.append(1, newEntry('lock'))).toBe('written');
  expect(await (await open(clone)).read(0)).toHaveLength(1);
});

test('a machine without git, or with an old one, says what is missing', async () => {
  const clone = stage.clone('clone');
  await expect(open(clone, { environment: { ...stage.environment, PATH: stage.folder } })).rejects.toMatchObject({
    code: 'state-backend-missing',
    hint: expect.stringContaining('2.32'),
  });
  const bin = join(stage.folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'git'), '#!/bin/sh\necho git version 2.31.9\n', { mode: 0o755 });
  const old = open(clone, { environment: { ...stage.environment, PATH: `${bin}:${stage.environment['PATH']}` } });
  await expect(old).rejects.toMatchObject({
    code: 'state-backend-missing',
    message: expect.stringContaining('this is 2.31'),
  });
});

test('a folder without a clone, and a clone without the remote, say so', async () => {
  await expect(open(stage.folder)).rejects.toMatchObject({
    code: 'state-unreadable',
    message: expect.stringContaining('not in a clone'),
  });
  const upstream = placeOf({ backend: 'git', remote: 'upstream' });
  await expect(open(stage.clone('clone'), { place: upstream })).rejects.toMatchObject({
    code: 'state-unreadable',
    message: expect.stringContaining('has no remote upstream'),
  });
});

test('a remote with two addresses is refused, and one with an address for pushes is read from there', async () => {
  const clone = stage.clone('clone');
  stage.git(clone, 'remote', 'set-url', '--add', 'origin', '/elsewhere.git');
  await expect(open(clone)).rejects.toMatchObject({
    code: 'state-backend-unfit',
    message: expect.stringContaining('2 addresses'),
  });
  stage.git(clone, 'config', 'remote.origin.pushurl', stage.remote);
  expect(await (await open(clone)).append(1, newEntry('lock'))).toBe('written');
  expect(await (await open(clone)).read(0)).toHaveLength(1);
});
