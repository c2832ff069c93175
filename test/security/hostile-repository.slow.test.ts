// Git asked about a checkout whose files or configuration are hostile. Nothing written there may run, and nobody else's
// repository may answer. Where git cannot be asked, what a commit may have brought is not used.

import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { isTracked } from '../../src/files/repository.ts';
import { openCheckout } from '../../src/state/git/checkout.ts';
import { git } from '../support/action/repository.ts';
import { weekly } from '../support/cli/open-stage.ts';
import { expectRefused } from '../support/security/refused.ts';
import { makeFolder, type WorkspaceFolder } from '../support/workspace.ts';
import { openWorld } from '../support/world.ts';

afterEach(() => vi.unstubAllEnvs());

/** A program that leaves a mark. */
function program({ path, write }: WorkspaceFolder, name: string, then = 'exit 1'): string {
  write({ [name]: `#!/bin/sh\ntouch '${path}/ran'\n${then}\n` });
  chmodSync(join(path, name), 0o755);
  return join(path, name);
}

const hasRun = ({ path }: WorkspaceFolder) => existsSync(join(path, 'ran'));

it('no program that the configuration of a repository names is run to find out what git tracks', async () => {
  const folder = makeFolder({ journal: '', '.gitattributes': '* filter=x diff=x\n' });
  git(folder.path, 'init', '-q');
  git(folder.path, 'add', '-A');
  git(folder.path, 'commit', '-qm', 'start');
  const first = git(folder.path, 'rev-parse', 'HEAD');
  // Two lines, of which one is signed.
  const committed = (content: string, more = '') => {
    folder.write({ other: content });
    git(folder.path, 'add', 'other');
    const who = 'a <a@example.com> 1700000000 +0000';
    const head = `tree ${git(folder.path, 'write-tree')}\nparent ${first}\nauthor ${who}\ncommitter ${who}\n`;
    folder.write({ commit: `${head}${more}\nx\n` });
    return git(folder.path, 'hash-object', '-t', 'commit', '-w', 'commit');
  };
  const applied = committed('applied');
  const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n x\n -----END PGP SIGNATURE-----\n';
  git(folder.path, 'update-ref', 'HEAD', committed('here', signature));
  const evil = program(folder, 'evil', "printf 'token\\0/\\0'");
  git(folder.path, 'config', 'core.fsmonitor', evil);
  git(folder.path, 'update-index', '--fsmonitor');
  git(folder.path, 'ls-files', '--stage');
  expect(hasRun(folder)).toBe(true);
  git(folder.path, '-c', 'core.fsmonitor=false', 'clean', '-qf', 'ran');
  folder.write({ 'hooks/post-index-change': readFileSync(evil, 'utf8') });
  chmodSync(join(folder.path, 'hooks/post-index-change'), 0o755);
  const settings = [
    'core.hooksPath',
    'core.pager',
    'pager.ls-files',
    'alias.ls-files',
    'core.sshCommand',
    'core.editor',
    'gpg.program',
  ];
  for (const key of [...settings, 'diff.external', 'diff.x.textconv', 'filter.x.clean', 'filter.x.process'])
    git(folder.path, '-c', 'core.fsmonitor=false', 'config', key, key === 'core.hooksPath' ? 'hooks' : evil);
  expect(await isTracked(join(folder.path, 'journal'))).toBe(true);
  expect(await isTracked(join(folder.path, 'evil'))).toBe(false);
  git(folder.path, '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=', 'config', 'log.showSignature', 'true');
  const checkout = openCheckout({ root: folder.path, environment: process.env });
  folder.write({ journal: 'x' });
  await checkout.standing('0'.repeat(40));
  expect(hasRun(folder)).toBe(false);
  expect(await checkout.standing(applied)).toEqual({ relation: 'diverged', parted: first, date: '2023-11-14' });
  expect((await checkout.filesAt(applied, async () => ['other']))?.texts).toEqual(new Map([['other', 'applied']]));
  await checkout.moved([{ path: 'journal/', repository: '', name: 'journal' }]);
  expect(hasRun(folder)).toBe(false);
});

it('what a partial clone lacks is not fetched to find out how it stands to an apply', async () => {
  const folder = makeFolder({ a: '' });
  git(folder.path, 'init', '-q');
  git(folder.path, 'add', '-A');
  git(folder.path, 'commit', '-qm', 'start');
  const evil = program(folder, 'evil');
  git(folder.path, 'config', 'core.repositoryFormatVersion', '1');
  git(folder.path, 'config', 'extensions.partialClone', 'origin');
  git(folder.path, 'config', 'remote.origin.promisor', 'true');
  git(folder.path, 'config', 'remote.origin.url', 'ssh://git.example.com/bi.git');
  git(folder.path, 'config', 'core.sshCommand', evil);
  const missing = 'f'.repeat(40);
  expect(() => git(folder.path, 'cat-file', '-e', missing)).toThrow();
  expect(hasRun(folder)).toBe(true);
  git(folder.path, 'clean', '-qf', 'ran');
  await openCheckout({ root: folder.path, environment: process.env }).standing(missing);
  expect(hasRun(folder)).toBe(false);
});

it('no program that the configuration of a repository names for a remote is run to find out its default branch', async () => {
  const folder = makeFolder();
  git(folder.path, 'init', '-q');
  git(folder.path, 'init', '-q', '--bare', 'bare.git');
  const evil = program(folder, 'evil');
  git(folder.path, 'config', 'remote.origin.url', `file://${join(folder.path, 'bare.git')}`);
  git(folder.path, 'config', 'remote.origin.uploadpack', evil);
  git(folder.path, 'config', 'remote.other.url', `ext::${evil}`);
  expect(() => git(folder.path, 'ls-remote', 'origin')).toThrow();
  expect(hasRun(folder)).toBe(true);
  git(folder.path, 'clean', '-qf', 'ran');
  const { defaultBranch } = openCheckout({ root: folder.path, environment: process.env });
  expect(await defaultBranch('origin')).toBeUndefined();
  expect(await defaultBranch('other')).toBeUndefined();
  expect(hasRun(folder)).toBe(false);
});

it('a program called git in the checkout is not taken for git, also where the PATH leads there', async () => {
  const folder = makeFolder({ journal: '' });
  git(folder.path, 'init', '-q');
  git(folder.path, 'add', 'journal');
  program(folder, 'git');
  vi.stubEnv('PATH', `.:${process.env['PATH']}`);
  expect(await isTracked(join(folder.path, 'journal'))).toBe(true);
  expect(await openCheckout({ root: folder.path, environment: process.env }).head()).toBeUndefined();
  expect(hasRun(folder)).toBe(false);
});

it('the variables of git that name another repository, as in a hook, change nothing', async () => {
  const folder = makeFolder({ journal: '', 'other/a': '' });
  git(folder.path, 'init', '-q');
  git(folder.path, 'add', 'journal');
  git(join(folder.path, 'other'), 'init', '-q');
  const other = join(folder.path, 'other/.git');
  for (const [name, value] of Object.entries({
    GIT_DIR: other,
    GIT_WORK_TREE: join(folder.path, 'other'),
    GIT_INDEX_FILE: join(other, 'index'),
    GIT_LITERAL_PATHSPECS: '1',
    GIT_CONFIG_PARAMETERS: `'core.worktree=${other}'`,
  }))
    vi.stubEnv(name, value);
  expect(await isTracked(join(folder.path, 'journal'))).toBe(true);
});

async function appliedInGit() {
  const stage = await openWorld({ schedules: { weekly } });
  git(stage.path, 'init', '-q');
  await stage.apply();
  git(stage.path, 'add', '-A');
  git(stage.path, 'commit', '-qm', 'applied');
  return stage;
}

/** Writes down with which words it was called. */
const scribe = (log: string) =>
  `echo "$@" >> '${log}'\nexec ${execFileSync('which', ['git'], { encoding: 'utf8' }).trim()} "$@"`;

it('where no such file is there, git is not asked what it tracks', async () => {
  const stage = await appliedInGit();
  const bin = makeFolder({});
  program(bin, 'git', scribe(join(bin.path, 'log')));
  vi.stubEnv('PATH', `${bin.path}:${process.env['PATH']}`);
  stage.declare({ weekly: { ...weekly, subject: 'Changed' } });
  for (const command of ['plan', 'apply --auto-approve', 'state list', 'show', 'next'])
    expect((await stage.run(...command.split(' '))).code).toBe(0);
  const asked = hasRun(bin) ? readFileSync(join(bin.path, 'log'), 'utf8') : '';
  expect(asked).not.toContain('ls-files');
  stage.write({ 'almanac.state.json.journal': '' });
  expect((await stage.run('plan')).code).toBe(0);
  expect(readFileSync(join(bin.path, 'log'), 'utf8')).toContain('ls-files');
});

it('on a machine without git, a checkout is planned and applied as long as no such file is there', async () => {
  const stage = await appliedInGit();
  vi.stubEnv('PATH', makeFolder({}).path);
  stage.declare({ weekly: { ...weekly, subject: 'Changed' } });
  expect((await stage.run('plan', '--out', 'almanac.plan.json')).code).toBe(0);
  await expectRefused(
    stage,
    'apply --auto-approve almanac.plan.json',
    'Git cannot be asked about almanac.plan.json: there is no git on this machine.',
    'Install git, then run the command again.',
  );
  expect((await stage.run('apply', '--auto-approve')).code).toBe(0);
  const state = stage.read('almanac.state.json');
  stage.write({ 'almanac.state.json.journal': '{"type":"header",' });
  for (const command of ['plan', 'apply --auto-approve', 'state list'])
    await expectRefused(stage, command, 'Git cannot be asked about almanac.state.json.journal');
  expect(stage.read('almanac.state.json')).toBe(state);
  vi.unstubAllEnvs();
  expect((await stage.run('apply', '--auto-approve')).code).toBe(0);
});

it('on a machine without git, a lock counts as that of a run', async () => {
  const stage = await appliedInGit();
  vi.stubEnv('PATH', makeFolder({}).path);
  const since = '2026-01-01T00:00:00Z';
  stage.write({ 'almanac.state.json.lock': { who: 'ana', host: 'elsewhere', pid: 1, command: 'apply', since } });
  await expectRefused(stage, 'apply --auto-approve', 'almanac.state.json is locked by ana on elsewhere');
});

it('a repository that git refuses to read, because it belongs to another user, is not trusted', async () => {
  const stage = await appliedInGit();
  const bin = makeFolder({});
  program(bin, 'git', `echo "fatal: detected dubious ownership in repository at '${stage.path}'" >&2\nexit 128`);
  vi.stubEnv('PATH', `${bin.path}:${process.env['PATH']}`);
  stage.write({ 'almanac.state.json.journal': '' });
  await expectRefused(
    stage,
    'plan',
    'belongs to another user',
    `git config --global --add safe.directory ${stage.path}`,
  );
});
