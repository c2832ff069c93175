// A git server that fails: answers that are lost, refusals, pauses and hangs, each put into words or tried again.

import { randomBytes } from 'node:crypto';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../src/files/system.ts';
import type { State } from '../../src/model/plan/state.ts';
import { gitFailure } from '../../src/state/git/git-failure.ts';
import type { GitLogOptions } from '../../src/state/git/git-log.ts';
import { openStoreOver } from '../../src/state/log/log-store.ts';
import { makeInstantClock } from '../support/fake-clock.ts';
import { type GitStage, makeGitStage, statePlace, watch } from '../support/state/git-remote.ts';
import { type Fault, type GitServer, startGitServer } from '../support/state/git-server.ts';
import { newEntry } from '../support/state/state-log-conformance.ts';
import { manyCreates } from '../support/state/team-machine.ts';

const [user, password] = ['gitlab-ci-token', 'glcbt-64_Y5/7:q@x'];

let stage: GitStage;
let server: GitServer;
let clone: string;
beforeEach(async () => {
  stage = makeGitStage();
  stage.git(stage.remote, 'config', 'http.receivepack', 'true');
  const { folder: root, environment } = stage;
  server = await startGitServer({ root, repository: 'remote.git', user, password, isPublic: true, environment });
  // As a runner of GitLab clones.
  clone = stage.clone('clone', server.url.replace('://', `://${user}:${encodeURIComponent(password)}@`));
});
afterEach(async () => {
  await stage.close();
  await server.close();
});

const open = (options: Partial<GitLogOptions> = {}) => stage.open(clone, options);

/** The fault happens once, at the first request that fits, counted from 0. */
function once(fault: Fault, fits: (line: string) => boolean, skipped = 0): { happened: boolean } {
  const state = { happened: false };
  let left = skipped;
  server.fault = ({ line }) => {
    if (state.happened || !fits(line)) return undefined;
    left -= 1;
    if (left >= 0) return undefined;
    state.happened = true;
    return fault;
  };
  return state;
}

const always = (fault: Fault, fits: (line: string) => boolean) => {
  server.fault = ({ line }) => (fits(line) ? fault : undefined);
};
const ofPushes = (line: string) => line.includes('git-receive-pack');
const ofReads = (line: string) => line.includes('git-upload-pack');

const faults: readonly Fault[] = [
  { kind: 'status', status: 500 },
  { kind: 'status', status: 503 },
  { kind: 'status', status: 429 },
  { kind: 'lose-request' },
  { kind: 'lose-answer' },
  { kind: 'hang' },
];

test.each(faults)('an entry is written once when any one request of it meets the fault %j', async (fault) => {
  for (let at = 0; at < 6; at += 1) {
    const log = await open({ networkMs: fault.kind === 'hang' ? 1500 : 30_000 });
    const n = ((await log.read(0)).at(-1)?.n ?? 0) + 1;
    const { n: before = 0 } = (await log.read(0)).at(-1) ?? {};
    const state = once(fault, () => true, at);
    expect(await log.append(n, newEntry())).toBe('written');
    expect((await log.read(before)).map((entry) => entry.n)).toEqual([n]);
    if (!state.happened) return;
  }
});

test('a machine that lost its answer and was overtaken since still knows its entry', async () => {
  const log = await open();
  await log.append(1, newEntry('lock'));
  const [mine, theirs] = [newEntry(), newEntry('commit')];
  const other = await open();
  await other.read(0);
  server.fault = ({ isPush }) => {
    if (!isPush) return undefined;
    server.fault = () => undefined;
    return { kind: 'lose-answer' };
  };
  const pushed = log.append(2, mine);
  await expect
    .poll(() => stage.log('--format=%H').split('\n').length, { timeout: 20_000, interval: 5 })
    .toBeGreaterThan(1);
  await other.append(3, theirs);
  expect(await pushed).toBe('written');
});

test('a job that may only read is told which permission it needs, and the state stays as it was', async () => {
  always({ kind: 'status', status: 403, body: 'Permission to acme/bi.git denied to github-actions[bot].' }, ofPushes);
  const log = await open();
  expect(await log.read(0)).toEqual([]);
  const refusal = {
    code: 'state-unwritable',
    message: expect.stringContaining('git may read the repository, and may not push to it'),
    hint: expect.stringMatching(/`permissions: contents: write`.*"Allow Git push requests to the repository"/),
  };
  await expect(log.append(1, newEntry('lock'))).rejects.toMatchObject(refusal);
  await expect(log.probe()).rejects.toMatchObject(refusal);
  expect(server.seen.filter((line) => line.includes('git-receive-pack') && line.includes(' status'))).toHaveLength(2);
  expect(await (await open()).read(0)).toEqual([]);
});

test('a job that may not read is told so, and a server that fails is told apart from it', async () => {
  always({ kind: 'status', status: 403 }, ofReads);
  await expect((await open()).read(0)).rejects.toMatchObject({
    code: 'state-unreadable',
    message: expect.stringContaining('may not read the repository'),
    hint: expect.stringContaining('`permissions: contents: read`'),
  });
  always({ kind: 'status', status: 404 }, ofReads);
  await expect((await open()).read(0)).rejects.toMatchObject({
    message: expect.stringContaining('no such repository'),
  });
  always({ kind: 'status', status: 502 }, ofReads);
  await expect((await open()).read(0)).rejects.toMatchObject({ message: expect.stringContaining('cannot be reached') });
  always({ kind: 'hang' }, ofReads);
  await expect((await open({ networkMs: 400 })).read(0)).rejects.toMatchObject({
    message: expect.stringContaining('did not answer in time'),
  });
  await server.close();
  await expect((await open()).read(0)).rejects.toMatchObject({
    code: 'state-unreadable',
    message: expect.stringContaining('cannot be reached'),
    hint: expect.stringContaining('Check the network'),
  });
});

test('an entry that cannot be written is tried for half a minute, and then the run is told', async () => {
  const clock = makeInstantClock();
  const log = await open({ clock });
  await log.read(0);
  always({ kind: 'status', status: 503 }, ofPushes);
  await expect(log.append(1, newEntry('lock'))).rejects.toMatchObject({ code: 'state-unwritable' });
  expect(clock.slept).toEqual([1000, 2000, 4000, 8000, 16_000]);
  server.fault = () => undefined;
  expect(await log.append(1, newEntry('lock'))).toBe('written');
});

test.each([
  [
    'remote: error: GH006: Protected branch update failed for refs/heads/almanac-state.',
    'a rule of the repository protects the branch',
  ],
  [
    'GitLab: You are not allowed to push code to protected branches on this project.',
    'a rule of the repository protects the branch',
  ],
  ['Pushes are closed on Sundays.', 'a hook of the server refused the push'],
])('a push that the server refuses with "%s" is put into words', async (said, words) => {
  const hook = join(stage.remote, 'hooks', 'pre-receive');
  writeFileSync(hook, `#!/bin/sh\necho '${said}' >&2\nprintf '\\033[31m${password} ${server.url}\\n' >&2\nexit 1\n`);
  chmodSync(hook, 0o755);
  const clock = makeInstantClock();
  const failure = await (await open({ clock })).append(1, newEntry('lock')).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'state-unwritable', message: expect.stringContaining(words) });
  // The same push would be refused again.
  expect(clock.slept).toEqual([]);
  const { message } = failure as Error;
  expect(message).toContain(said.replace(/^remote: (?:error: )?/, ''));
  expect(message).not.toContain(password);
  expect(message).not.toContain('\u001b');
});

test('the password in the address of the clone is in no argument, no message and no file', async () => {
  const { run, programs, calls } = watch(stage.folder);
  const log = await open({ run });
  await log.append(1, newEntry('lock'));
  await log.append(2, newEntry('commit'));
  expect(await log.entry(1)).toBeDefined();
  const shown = programs() + JSON.stringify(calls);
  expect(shown).toContain('git-remote-http');
  for (const secret of [
    password,
    encodeURIComponent(password),
    Buffer.from(`${user}:${password}`).toString('base64'),
  ]) {
    expect(shown).not.toContain(secret);
  }
  expect(server.authorizations.size).toBe(1);
  stage.git(clone, 'remote', 'set-url', 'origin', server.url.replace('://', `://${user}:wr0ng-s3cret@`));
  const failure = await (await open()).append(1, newEntry('lock')).catch((error: unknown) => error);
  expect(failure).toBe('taken');
  const refused = await (await open()).append(3, newEntry('lock')).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'state-unwritable', message: expect.stringContaining('not logged in') });
  expect(String((refused as Error).message)).not.toContain('wr0ng-s3cret');
});

test.each(['insteadOf', 'pushInsteadOf'])(
  'the password in an address that %s writes is used, and is in no argument',
  async (rule) => {
    const address = stage.git(clone, 'remote', 'get-url', 'origin');
    stage.git(clone, 'remote', 'set-url', 'origin', server.url);
    stage.git(clone, 'config', `url.${address}.${rule}`, server.url);
    const { run, programs, calls } = watch(stage.folder);
    expect(await (await open({ run })).append(1, newEntry('lock'))).toBe('written');
    const shown = programs() + JSON.stringify(calls);
    expect(shown).toContain('git-remote-http');
    expect(shown).not.toContain(encodeURIComponent(password));
    expect(shown).not.toContain(password);
  },
);

test.each([
  ['in the clone, as actions/checkout writes it', 'local'],
  ['in a file that the clone includes by its folder', 'includeIf'],
  ['in the user\u2019s own file', 'global'],
  ['in the environment', 'environment'],
  ['from a helper of the clone', 'helper'],
])('credentials %s are used', async (_, where) => {
  stage.git(clone, 'remote', 'set-url', 'origin', server.url);
  const [key, value] = [
    `http.${server.origin}/.extraheader`,
    `AUTHORIZATION: basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
  ];
  let environment = stage.environment;
  if (where === 'local') stage.git(clone, 'config', key, value);
  if (where === 'global') stage.git(clone, 'config', '--global', key, value);
  if (where === 'includeIf') {
    const file = join(stage.folder, 'credentials.config');
    stage.git(clone, 'config', '--file', file, key, value);
    stage.git(clone, 'config', '--global', `includeIf.gitdir:${clone}/.git.path`, file);
  }
  if (where === 'environment') {
    environment = { ...environment, GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: key, GIT_CONFIG_VALUE_0: value };
  }
  if (where === 'helper') {
    const file = join(stage.folder, 'credentials');
    writeFileSync(file, `${server.origin.replace('://', `://${user}:${encodeURIComponent(password)}@`)}\n`);
    stage.git(clone, 'config', 'credential.helper', `store --file=${file}`);
  }
  const log = await open({ environment });
  expect(await log.append(1, newEntry('lock'))).toBe('written');
  expect([...server.authorizations].filter((each) => each.includes(','))).toEqual([]);
});

test('a push that was interrupted is asked about before the run ends', async () => {
  const log = await open();
  await log.append(1, newEntry('lock'));
  const interruption = new AbortController();
  server.fault = ({ isPush }) => {
    if (!isPush) return undefined;
    interruption.abort();
    server.fault = () => undefined;
    return { kind: 'lose-answer' };
  };
  expect(await log.append(2, newEntry(), interruption.signal)).toBe('written');
  await expect(log.append(3, newEntry(), interruption.signal)).rejects.toMatchObject({ code: 'interrupted' });
  expect(await log.read(2)).toEqual([]);
});

test('a temporary folder that cannot be written is named, and nothing is sent', async () => {
  vi.stubEnv('TMPDIR', join(stage.folder, 'not-there'));
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(open()).rejects.toMatchObject({
    code: 'state-unreadable',
    message: expect.stringContaining('not-there'),
    hint: expect.stringContaining('TMPDIR'),
  });
  expect(server.seen).toEqual([]);
});

describe('a server of git with a limit for the size of a push', () => {
  const statusFor = (most: number) => {
    const sizes: number[] = [];
    server.fault = ({ isPush, size }) => {
      if (isPush) sizes.push(size);
      return isPush && size > most
        ? { kind: 'status', status: 413, body: '<h1>Request Entity Too Large</h1>' }
        : undefined;
    };
    return sizes;
  };
  const openStore = async () =>
    openStoreOver(await open({ clock: systemClock }), {
      place: statePlace,
      clock: systemClock,
      environment: stage.environment,
    });

  test('a push that is too large is refused once, by name', async () => {
    const clock = makeInstantClock();
    const log = await open({ clock });
    const sizes = statusFor(20_000);
    const content = randomBytes(40_000).toString('base64');
    await expect(log.append(1, newEntry('lock', { content }))).rejects.toMatchObject({
      code: 'state-unwritable',
      message: expect.stringMatching(/the server takes no push of this size \(git says "RPC failed; HTTP 413/),
      hint: expect.stringContaining('`client_max_body_size` of nginx'),
    });
    expect([clock.slept, sizes.length]).toEqual([[], 1]);
    expect(await log.append(1, newEntry('lock'))).toBe('written');
  });

  test('a first apply, a larger one and one of a single change announce themselves with the size of their results', async () => {
    const store = await openStore();
    let before: State | undefined;
    for (const count of [100, 400, 1]) {
      const sizes = statusFor(Number.POSITIVE_INFINITY);
      const { header, intents, after } = manyCreates(count, before);
      const held = await store.lock('apply');
      await held.begin(header, () => intents);
      await held.append(intents);
      await held.commit(after, { release: true });
      const [, announced = 0, results = 0] = sizes;
      expect(announced / results).toBeGreaterThan(1);
      expect(announced / results).toBeLessThan(1.15);
      before = after;
    }
    expect((await store.read()).state).toEqual(before);
  });

  test.each([
    [100, 20_000],
    // As nginx comes.
    [6000, 1_048_576],
  ])(
    'a place that is too small for the results of %i creates refuses before anything is sent, and takes them once it is larger',
    async (count, most) => {
      const store = await openStore();
      const { header, intents, after } = manyCreates(count);
      statusFor(most);
      const held = await store.lock('apply');
      await held.begin(header, () => intents);
      await expect(held.append(intents.slice(0, 1))).rejects.toMatchObject({
        message: expect.stringContaining('takes no push of this size'),
      });
      await held.commit(undefined, { release: true });
      expect(stage.log('--format=%s').split('\n')).toEqual(['apply: unlocked [skip ci]', 'apply: locked [skip ci]']);
      statusFor(most * 5);
      const again = await store.lock('apply');
      await again.begin(header, () => intents);
      await again.append(intents);
      await again.commit(after, { release: true });
      expect((await store.read()).state).toEqual(after);
    },
  );
});

test('what a server says over ssh in capitals is quoted, and is no fault of the network', () => {
  const stderr =
    'FATAL: W refs/heads/almanac-state x ann DENIED by fallthru\nfatal: Could not read from remote repository.\n';
  const run = { code: 128, stdout: Buffer.of(), stderr };
  const { message, hint } = gitFailure('write', run, { name: 'the place', mask: (text) => text });
  expect(message).toContain('may not push to it (git says "W refs/heads/almanac-state x ann DENIED by fallthru"');
  expect(hint).not.toContain('network');
});
