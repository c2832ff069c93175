// Attacks on git through the remote, the clone or the environment. Others could make git run a program, show a secret
// or take a state for another.

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { GitLogOptions } from '../../src/state/git/git-log.ts';
import type { StateLog } from '../../src/state/state-log.ts';
import { type GitStage, makeGitStage, snapshotOf, stateBranch } from '../support/state/git-remote.ts';
import { newEntry } from '../support/state/state-log-conformance.ts';

let stage: GitStage;
/** A file that an attack makes. */
let mark: string;
beforeEach(() => {
  stage = makeGitStage();
  mark = join(stage.folder, 'attacked');
});
afterEach(() => stage.close());

const open = (root: string, options: Partial<GitLogOptions> = {}) => stage.open(root, options);

test.each([
  'ext::sh -c "touch% MARK"',
  'ext::touch MARK',
  '-oProxyCommand=touch MARK',
  'http://git.example.com/bi.git',
  'git://git.example.com/x',
  'file://host/bi.git',
  'ssh://-oProxyCommand=touch MARK/y',
  'git@-oProxyCommand=x:y',
])('the address %j in the configuration of a clone runs nothing, and is refused', async (url) => {
  const clone = stage.clone('clone');
  stage.git(clone, 'config', 'remote.origin.url', url.replace('MARK', mark));
  stage.git(clone, 'config', 'protocol.ext.allow', 'always');
  await expect(open(clone).then((log) => log.read(0))).rejects.toMatchObject({ code: 'state-backend-unfit' });
  expect(existsSync(mark)).toBe(false);
});

/** A tree in the format of `git mktree`, of objects that are there. */
function commitTree(
  lines: (blob: string, tree: (lines: string) => string) => string,
  parents: readonly string[] = [],
): string {
  const options = { env: stage.environment, encoding: 'utf8' } as const;
  const make = (args: readonly string[], input: string) =>
    execFileSync('git', ['-C', stage.remote, ...args], { ...options, input }).trim();
  const blob = make(['hash-object', '-w', '--stdin'], '{"v":1,"id":"x","kind":"lock"}');
  const tree = (text: string) => make(['mktree', '--missing'], text);
  const commit = make(
    [
      '-c',
      'user.name=Eve',
      '-c',
      'user.email=eve@example.com',
      'commit-tree',
      tree(lines(blob, tree)),
      ...parents.flatMap((id) => ['-p', id]),
    ],
    'By hand',
  );
  stage.git(stage.remote, 'update-ref', `refs/heads/${stateBranch}`, commit);
  return commit;
}

const one = '000000000001.json';
const two = '000000000002.json';
/** `BLOB` stands for the object of a file. */
const inRoot = (lines: string) => (blob: string) => lines.replaceAll('BLOB', blob);
const inLog = (lines: string, beside: string) => (blob: string, tree: (lines: string) => string) =>
  inRoot(`${beside}040000 tree ${tree(inRoot(lines)(blob))}\tlog\n`)(blob);
const plain = (name: string) => `100644 blob BLOB\t${name}\n`;
const commitOfNone = `160000 commit ${'1'.repeat(40)}`;
test.each<[name: string, lines: string, log?: string]>([
  ['ordinary files', plain('almanac.yaml')],
  ['nothing', ''],
  ['a link as the log', '120000 blob BLOB\tlog\n'],
  ['a submodule as the log', `${commitOfNone}\tlog\n`],
  ['a stray file beside the log', plain('README.md'), plain(one)],
  ['a link as the state', '120000 blob BLOB\talmanac.state.json\n', plain(one)],
  ['a link as an entry', '', `120000 blob BLOB\t${one}\n`],
  ['a submodule as an entry', '', `${commitOfNone}\t${one}\n`],
  ['a program as an entry', '', `100755 blob BLOB\t${one}\n`],
  ['another name in the log', '', plain('..json')],
  ['a number of another length', '', plain('1.json')],
  ['a gap in the log', '', plain(one) + plain('000000000003.json')],
  ['an entry 0', '', plain('000000000000.json')],
  ['a later entry without a history', '', plain(two)],
])(
  'a branch whose newest commit holds %s was not written by Almanac, and nothing is added to it',
  async (_, lines, log) => {
    const commit = commitTree(log === undefined ? inRoot(lines) : inLog(log, lines));
    const opened = await open(stage.clone('clone'));
    await expect(opened.read(0)).rejects.toMatchObject({
      code: 'state-unreadable',
      message: expect.stringContaining('not written by Almanac'),
    });
    for (const n of [1, 2, 3]) await expect(opened.append(n, newEntry('lock'))).rejects.toThrow();
    await expect(opened.probe()).rejects.toThrow();
    expect(stage.git(stage.remote, 'rev-parse', stateBranch)).toBe(commit);
  },
);

test('a commit with two parents was not written by Almanac, whose commits are in a line', async () => {
  const log = await open(stage.clone('clone'));
  await log.append(1, newEntry('lock'));
  const parents = [stateBranch, 'main'].map((branch) => stage.git(stage.remote, 'rev-parse', branch));
  const named = (blob: string, name: string) => `100644 blob ${blob}\t${name}\n`;
  commitTree((blob, tree) => `040000 tree ${tree(named(blob, one) + named(blob, two))}\tlog\n`, parents);
  await expect(log.read(1)).rejects.toThrow('its history does not fit its entries');
});

test('a branch with a log of far too many entries is refused in little time', async () => {
  commitTree(
    (blob, tree) => {
      const files = Array.from(
        { length: 100_001 },
        (_, index) => `100644 blob ${blob}\t${String(index + 1).padStart(12, '0')}.json\n`,
      );
      return `040000 tree ${tree(files.join(''))}\tlog\n`;
    },
    [stage.git(stage.remote, 'rev-parse', 'main')],
  );
  await expect((await open(stage.clone('clone'))).read(0)).rejects.toMatchObject({
    code: 'state-unreadable',
    message: expect.stringContaining('more than 100000 entries'),
  });
});

test('a commit by hand on top of the log is noticed also by a run that knows the log', async () => {
  const log = await open(stage.clone('clone'));
  await log.append(1, newEntry('lock'));
  const tip = stage.git(stage.remote, 'rev-parse', stateBranch);
  const commit = commitTree((blob) => `100644 blob ${blob}\tREADME.md\n`, [tip]);
  await expect(log.append(2, newEntry())).rejects.toMatchObject({ code: 'state-unreadable' });
  expect(stage.git(stage.remote, 'rev-parse', stateBranch)).toBe(commit);
});

test('the configuration, the hooks and the attributes of a clone run no program', async () => {
  const clone = stage.clone('clone');
  const attack = join(stage.folder, 'attack.sh');
  writeFileSync(attack, `#!/bin/sh\ntouch ${mark}\nexit 1\n`, { mode: 0o755 });
  for (const hook of [
    'pre-push',
    'post-checkout',
    'reference-transaction',
    'post-index-change',
    'fsmonitor-watchman',
    'pre-auto-gc',
  ]) {
    writeFileSync(join(clone, '.git', 'hooks', hook), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
  }
  for (const key of [
    'core.fsmonitor',
    'core.pager',
    'core.editor',
    'core.alternateRefsCommand',
    'core.gitProxy',
    'diff.external',
    'gpg.program',
    'uploadpack.packObjectsHook',
    'remote.origin.uploadpack',
    'remote.origin.receivepack',
    'remote.almanac-state-place.uploadpack',
    'remote.almanac-state-place.receivepack',
    'alias.push',
    'alias.config',
    'sequence.editor',
    'filter.x.clean',
  ])
    stage.git(clone, 'config', key, key.startsWith('alias') ? `!${attack}` : attack);
  for (const [key, value] of [
    ['push.gpgSign', 'true'],
    ['commit.gpgSign', 'true'],
    ['remote.origin.vcs', 'ext'],
    ['remote.origin.mirror', 'true'],
    ['remote.origin.push', '+refs/heads/*:refs/heads/*'],
    ['core.hooksPath', join(clone, '.git', 'hooks')],
    ['protocol.ext.allow', 'always'],
    ['init.templateDir', join(clone, '.git')],
    ['extensions.partialClone', 'origin'],
  ] as const)
    stage.git(clone, 'config', key, value);
  const log = await open(clone);
  await log.probe();
  expect(await log.append(1, newEntry('lock'))).toBe('written');
  expect(await log.append(2, newEntry('commit'))).toBe('written');
  expect(await (await open(clone)).entry(1)).toBeDefined();
  expect(existsSync(mark)).toBe(false);
  expect(stage.git(stage.remote, 'for-each-ref', '--format=%(refname)').split('\n')).toEqual([
    `refs/heads/${stateBranch}`,
    'refs/heads/main',
  ]);
});

test('an insteadOf that leads to a program is not followed', async () => {
  const clone = stage.clone('clone');
  stage.git(clone, 'config', `url.ext::sh -c touch% ${mark}% .insteadOf`, stage.remote);
  stage.git(clone, 'config', 'protocol.ext.allow', 'always');
  await expect(open(clone)).rejects.toMatchObject({
    code: 'state-backend-unfit',
    message: expect.stringContaining('would not take for a place'),
  });
  expect(existsSync(mark)).toBe(false);
});

test('a pull request that holds a repository of its own in the folder of the workspace is not asked', async () => {
  const clone = stage.clone('clone');
  const trap = join(clone, 'workspace');
  cpSync(stage.remote, trap, { recursive: true });
  stage.git(trap, 'config', 'core.fsmonitor', `touch ${mark}`);
  stage.git(trap, 'config', 'remote.origin.url', '/elsewhere.git');
  expect(await (await open(trap)).append(1, newEntry('lock'))).toBe('written');
  expect(existsSync(mark)).toBe(false);
});

test('variables of git that a hook or a shell has set change neither the place nor the clone', async () => {
  const clone = stage.clone('clone');
  const victim = stage.clone('victim');
  const before = [snapshotOf(clone), snapshotOf(victim)];
  mkdirSync(join(stage.folder, 'objects'));
  const log = await open(clone, {
    environment: {
      ...stage.environment,
      GIT_DIR: join(victim, '.git'),
      GIT_WORK_TREE: victim,
      GIT_INDEX_FILE: join(victim, '.git', 'index'),
      GIT_OBJECT_DIRECTORY: join(stage.folder, 'objects'),
      GIT_ALTERNATE_OBJECT_DIRECTORIES: join(victim, '.git', 'objects'),
      GIT_COMMON_DIR: join(victim, '.git'),
      GIT_NAMESPACE: 'elsewhere',
      GIT_CONFIG: join(victim, '.git', 'config'),
      GIT_CONFIG_PARAMETERS: `'remote.origin.url'='/elsewhere.git'`,
      GIT_CONFIG_COUNT: 'many',
      GIT_SHALLOW_FILE: join(stage.folder, 'shallow'),
      GIT_TRACE: join(stage.folder, 'trace'),
      GIT_TRACE_CURL: '1',
      GIT_EXTERNAL_DIFF: `touch ${mark}`,
      GIT_PROXY_COMMAND: `touch ${mark}`,
      GIT_TEMPLATE_DIR: join(victim, '.git'),
      GIT_AUTHOR_NAME: '',
      GIT_COMMITTER_DATE: 'never',
      GIT_ALLOW_PROTOCOL: 'ext',
      LANG: 'de_DE.UTF-8',
      LANGUAGE: 'de',
    },
  }).catch((error: unknown) => error);
  // Git itself refuses a count that is not a number, so it is not handed on.
  expect(log).not.toBeInstanceOf(Error);
  const opened = log as StateLog;
  expect(await opened.append(1, newEntry('lock'))).toBe('written');
  expect(await opened.append(2, newEntry('commit'))).toBe('written');
  expect([snapshotOf(clone), snapshotOf(victim)]).toEqual(before);
  expect(existsSync(mark)).toBe(false);
  expect(existsSync(join(stage.folder, 'trace'))).toBe(false);
});

test('git and what it starts see no secret of the job, and what they sign in with', async () => {
  const clone = stage.clone('clone');
  const hook = join(stage.remote, 'hooks', 'pre-receive');
  writeFileSync(hook, `#!/bin/sh\nenv > ${mark}\n`, { mode: 0o755 });
  const named = (names: readonly string[], value: string) => Object.fromEntries(names.map((name) => [name, value]));
  const ofAlmanac = ['OMNI_API_TOKEN', 'omni_staging_token', 'ALMANAC_STATE_URL'];
  const secrets = [...ofAlmanac, 'SFTP_PASSWORD', 'CRM_URL_END', 'AWS_SECRET_ACCESS_KEY', 'SSH_PRIVATE_KEY'];
  const tokens = ['GITHUB_TOKEN', 'GH_ENTERPRISE_TOKEN', 'CI_JOB_TOKEN', 'TOKEN_FOR_STATE'];
  const needed = [...tokens, 'GIT_SSH_COMMAND', 'SSH_AUTH_SOCK', 'VSCODE_GIT_ASKPASS_NODE', 'https_proxy'];
  const log = await open(clone, {
    environment: { ...stage.environment, ...named(secrets, 'hidden'), ...named(needed, 'kept') },
  });
  expect(await log.append(1, newEntry('lock'))).toBe('written');
  const seen = readFileSync(mark, 'utf8');
  for (const name of needed) expect(seen).toContain(`${name}=kept`);
  expect(seen).not.toContain('hidden');
});
