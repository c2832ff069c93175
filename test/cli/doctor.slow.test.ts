// `almanac doctor` as users and their CI run it: what it says, what it sends, and that it leaves everything as it was.

import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { EmulatorOptions } from '../../src/emulator/emulator.ts';
import { systemClock } from '../../src/files/system.ts';
import type { DoctorDocument } from '../../src/model/documents.ts';
import { hook, weekly } from '../support/cli/open-stage.ts';
import { stateOf } from '../support/plan/planning.ts';
import { runProgram } from '../support/program.ts';
import { expectDocument } from '../support/schemas.ts';
import { answer, hang, startServer } from '../support/state/scripted-server.ts';
import { makeFolder } from '../support/workspace.ts';
import { openWorld } from '../support/world.ts';

const secretText = 'a-secret-that-nobody-may-see';
const secretHook = { ...hook, url: 'https://hooks.example.com/in?key=${env.HOOK_KEY}' };

async function stage(files: Readonly<Record<string, unknown>> = {}, options: EmulatorOptions = {}) {
  const world = await openWorld(
    { 'almanac.yaml': { api: { operations: 'full' } }, schedules: { weekly, hook: secretHook }, ...files },
    // The check of the clock compares it with that of the service.
    { now: Date.now, environment: { HOOK_KEY: secretText }, outside: { clock: systemClock }, ...options },
  );
  const { emulator, organizationKey, personalToken, path, run } = world;
  const doctor = async (...argv: readonly string[]) => {
    const before = contentOf(path);
    const sent = emulator.requests().length;
    const { code, stdout, stderr } = await run('doctor', '--format', 'json', ...argv);
    expect(contentOf(path)).toEqual(before);
    const requests = emulator.requests().slice(sent);
    expect(requests.length).toBeLessThanOrEqual(2);
    expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    for (const secret of [organizationKey, personalToken, secretText]) expect(stdout + stderr).not.toContain(secret);
    const document = expectDocument<DoctorDocument>('doctor', stdout);
    expect(code).toBe(document.ok ? 0 : 1);
    expect(document.ok).toBe(document.checks.every(({ status }) => status !== 'failed'));
    const checks = Object.fromEntries(document.checks.map(({ name, ...check }) => [name, check]));
    return { code, checks, requests: requests.length };
  };
  const git = (...argv: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...argv], {
      cwd: path,
      stdio: 'pipe',
    });
  return { ...world, doctor, git };
}

/** Every file with its content and the time of its last change. */
function contentOf(folder: string): readonly unknown[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const path = join(folder, name);
      const stats = lstatSync(path);
      return [name, stats.mtimeMs, stats.isFile() ? readFileSync(path, 'utf8') : ''];
    });
}

const statusesOf = (checks: Readonly<Record<string, { readonly status: string }>>) =>
  Object.fromEntries(Object.entries(checks).map(([name, { status }]) => [name, status]));
const inOneLine = (text: string) => text.replace(/\s+/g, ' ');

describe('all is well', () => {
  it('doctor finds nothing to do before the first apply and after it, with one request', async () => {
    const { run, doctor, git } = await stage();
    const first = await doctor();
    expect(first).toMatchObject({ code: 0, requests: 1 });
    expect(statusesOf(first.checks)).toEqual({
      versions: 'ok',
      configuration: 'ok',
      'base-url': 'ok',
      token: 'ok',
      rights: 'ok',
      clock: 'ok',
      state: 'ok',
      lock: 'ok',
      'state-branch': 'skipped',
      secrets: 'ok',
      git: 'skipped',
    });
    expect(first.checks['state']?.message).toContain('the first apply creates almanac.state.json');
    expect((await run('apply', '--auto-approve')).code).toBe(0);
    git('init', '-q', '-b', 'main');
    git('add', '-A');
    const { checks } = await doctor();
    expect(checks).toMatchObject({
      configuration: { message: 'almanac.yaml; 1 source file, 2 resources.' },
      'base-url': { message: expect.stringContaining('the organization of the state, from OMNI_BASE_URL.') },
      token: { message: 'OMNI_API_TOKEN holds an organization key.' },
      rights: { message: 'The token may list schedules (operations full).' },
      state: { status: 'ok', message: expect.stringContaining('serial 1, 2 resources') },
      secrets: { message: '1 variable is set.' },
      git: { status: 'ok', message: 'On branch main. git has almanac.state.json as it is here.' },
    });
  });

  it('doctor prints a line for each check, at most 80 columns wide, and how it ended', async () => {
    const { run, environment } = await stage();
    const { code, stdout } = await run('doctor');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^✓ versions {7}almanac /);
    expect(stdout).toContain('\n- git            This folder is not in a git repository.\n');
    expect(stdout.endsWith('\n\nEverything is in place for an apply.\n')).toBe(true);
    delete environment['HOOK_KEY'];
    environment['FORCE_COLOR'] = '1';
    const failing = await run('doctor');
    expect(failing).toMatchObject({ code: 1, stdout: expect.stringContaining('\u001b[1;31m✗\u001b[0m secrets') });
    environment['NO_COLOR'] = '1';
    const plain = await run('doctor');
    expect(plain.stdout).not.toContain('\u001b');
    expect(plain.stdout).toContain('hint: Set it where almanac apply runs.\n');
    expect(plain.stdout.endsWith('\n\n1 check failed.\n')).toBe(true);
    for (const line of plain.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('with operations core doctor reads a document instead of a schedule', async () => {
    const { doctor, emulator } = await stage({ 'almanac.yaml': {} }, { operations: 'core' });
    const { checks, requests } = await doctor();
    expect({ requests, rights: checks['rights'] }).toMatchObject({ requests: 1, rights: { status: 'ok' } });
    expect(emulator.requests()).toMatchObject([{ method: 'GET', path: expect.stringMatching(/\/v1\/documents/) }]);
  });

  it('doctor asks nobody who may write the branch of the state, and names the page about it', async () => {
    const { doctor } = await stage({ 'almanac.yaml': { api: { operations: 'full' }, state: { backend: 'git' } } });
    expect((await doctor()).checks['state-branch']).toEqual({
      status: 'skipped',
      message: expect.stringContaining('docs/state-backends.md shows how to let only a deploy key write it.'),
    });
  });
});

describe('the workspace', () => {
  it('without a workspace the configuration fails and the rest is skipped', async () => {
    const folder = makeFolder();
    const { code, stdout } = await runProgram(['doctor', '--format', 'json'], { cwd: folder.path });
    expect(code).toBe(1);
    const { checks } = expectDocument<DoctorDocument>('doctor', stdout);
    expect(checks.filter(({ status }) => status === 'failed')).toMatchObject([
      { name: 'configuration', message: 'There is no workspace here or above.' },
    ]);
    expect(checks.filter(({ status }) => status === 'ok').map(({ name }) => name)).toEqual(['versions']);
  });

  it.each([
    ['a folder that does not exist', ['--chdir', 'nowhere'], 'does not exist'],
    ['a configuration that does not exist', ['--config', 'nowhere.yaml'], 'names a file that does not exist'],
    ['an environment that does not exist', ['--env', 'nowhere'], 'No environment `nowhere` is declared'],
  ])('%s fails the configuration', async (_, argv, words) => {
    const { doctor } = await stage();
    const { checks, requests } = await doctor(...argv);
    expect(checks['configuration']).toMatchObject({ status: 'failed', message: expect.stringContaining(words) });
    expect({ requests, rights: checks['rights']?.status }).toEqual({ requests: 0, rights: 'skipped' });
  });

  it('an error in a declaration fails the configuration, and everything else is checked', async () => {
    const { doctor, write } = await stage();
    write({ 'schedules/bad.yaml': { schedules: { bad: { ...weekly, name: 'Bad', subjekt: 'x', formatt: 'y' } } } });
    const { checks } = await doctor();
    expect(checks['configuration']).toMatchObject({
      status: 'failed',
      message: expect.stringMatching(/^schedules\/bad\.yaml: .* There is 1 more\.$/),
      hint: expect.stringMatching(/^Did you mean `\w+`\? almanac validate shows every error/),
    });
    expect(statusesOf(checks)).toMatchObject({ rights: 'ok', state: 'ok', lock: 'ok', secrets: 'skipped' });
  });
});

describe('the base URL and the token', () => {
  it('a base URL that only the file names is a warning', async () => {
    const { doctor, write, environment, baseUrl } = await stage();
    write({ 'almanac.yaml': { api: { operations: 'full', baseUrl } } });
    expect((await doctor()).checks['base-url']).toMatchObject({
      status: 'ok',
      message: `${baseUrl}, from almanac.yaml, pinned by OMNI_BASE_URL.`,
    });
    delete environment['OMNI_BASE_URL'];
    const { code, checks } = await doctor();
    expect({ code, base: checks['base-url'] }).toMatchObject({
      code: 0,
      base: { status: 'warning', message: expect.stringContaining('Nothing pins it') },
    });
    write({ 'almanac.yaml': { api: { operations: 'full' }, environments: { prod: { api: { baseUrl } } } } });
    expect((await doctor('--env', 'prod')).checks['base-url']?.message).toContain('almanac.yaml (environment prod)');
  });

  it.each([
    ['another one', { api: { operations: 'full', baseUrl: 'https://other.omniapp.co/api' } }, {}, 'wrong organization'],
    ['none', { api: { operations: 'full' } }, { OMNI_BASE_URL: '' }, 'says which organization'],
  ])('a base URL of which there is %s fails, and nothing is sent', async (_, almanac, given, words) => {
    const { doctor, environment, write } = await stage();
    write({ 'almanac.yaml': almanac });
    Object.assign(environment, given);
    const { checks, requests } = await doctor();
    expect(checks['base-url']).toMatchObject({ status: 'failed', message: expect.stringContaining(words) });
    expect(requests).toBe(0);
    expect(statusesOf(checks)).toMatchObject({ configuration: 'ok', token: 'ok', rights: 'skipped', state: 'ok' });
  });

  it('a state of another organization fails, and its token is not sent to this one', async () => {
    const { doctor } = await stage({ 'almanac.state.json': stateOf({}, { baseUrl: 'https://other.omniapp.co/api' }) });
    const { checks, requests } = await doctor();
    expect(statusesOf(checks)).toMatchObject({ 'base-url': 'failed', rights: 'skipped', state: 'failed' });
    expect(requests).toBe(0);
  });

  it('a missing token fails with the names of its variables', async () => {
    const { doctor, environment, write } = await stage();
    delete environment['OMNI_API_TOKEN'];
    expect((await doctor()).checks['token']).toMatchObject({
      status: 'failed',
      message: 'No API token: OMNI_API_TOKEN and OMNI_API_KEY are not set.',
    });
    write({ 'almanac.yaml': { api: { operations: 'full', tokenEnv: 'OMNI_PROD_TOKEN' } } });
    const { checks, requests } = await doctor();
    expect(checks['token']?.message).toContain('OMNI_PROD_TOKEN is not set');
    expect({ requests, rights: checks['rights']?.status }).toEqual({ requests: 0, rights: 'skipped' });
  });

  it('several tokens are refused before anything is asked, and none of them is shown', async () => {
    const { doctor, environment, organizationKey } = await stage();
    environment['OMNI_API_TOKEN'] = `${organizationKey},omni_osk_other`;
    const { checks, requests } = await doctor();
    expect(requests).toBe(0);
    expect(checks['token']).toMatchObject({ status: 'failed', message: expect.stringContaining('comma') });
    expect(checks['rights']?.status).toBe('skipped');
    expect(JSON.stringify(checks)).not.toContain('omni_osk_other');
  });
});

describe('the service', () => {
  async function against(...acts: Parameters<typeof startServer>[0]) {
    const server = await startServer(acts);
    onTestFinished(() => server.close());
    const { doctor, environment } = await stage();
    environment['OMNI_BASE_URL'] = server.baseUrl;
    return { server, doctor, environment };
  }

  it.each([
    [401, 'failed', 'OMNI_API_TOKEN'],
    [403, 'failed', 'permissions'],
    [404, 'failed', 'Check the base URL'],
    [405, 'failed', 'operations: core'],
  ])('an answer %i makes the rights %s, with what to check', async (status, expected, hint) => {
    const { server, doctor } = await against(answer(status, { detail: 'No.' }));
    const { checks } = await doctor();
    expect(checks['rights']).toMatchObject({ status: expected, hint: expect.stringContaining(hint) });
    expect(server.seen).toHaveLength(1);
    expect(checks['clock']?.status).toBe('ok');
  });

  it('a token at its rate limit is a warning, without a wait of a minute', async () => {
    const { server, doctor } = await against(answer(429, {}, { 'retry-after': '60' }));
    const { code, checks } = await doctor();
    expect({ code, rights: checks['rights']?.status }).toEqual({ code: 0, rights: 'warning' });
    expect(server.seen).toHaveLength(1);
  });

  it('a service that fails is asked once more, and then the rights fail', async () => {
    const { server, doctor } = await against(answer(502, 'Bad gateway'));
    expect((await doctor()).checks['rights']).toMatchObject({ status: 'failed' });
    expect(server.seen).toHaveLength(2);
  });

  it('a service that nothing reaches fails the rights, and the files are checked all the same', async () => {
    const { server, doctor } = await against();
    await server.close();
    const { checks } = await doctor();
    expect(checks['rights']).toMatchObject({ status: 'failed', message: expect.stringContaining('ECONNREFUSED') });
    expect(statusesOf(checks)).toMatchObject({ clock: 'skipped', state: 'ok', secrets: 'ok' });
  });

  it('plain HTTP to another machine is refused before the token is sent', async () => {
    const { doctor, environment } = await stage();
    environment['OMNI_BASE_URL'] = 'http://omni.example.com/api';
    const { checks } = await doctor();
    expect(checks['rights']).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('is not HTTPS'),
      hint: expect.stringContaining('`almanac apply --allow-http`'),
    });
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('a doctor that gets %s while it waits for an answer exits with %i at once', async (signal, code) => {
    let arrived = () => {};
    const first = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const server = await startServer([
      (response, request) => {
        arrived();
        hang(response, request);
      },
    ]);
    onTestFinished(() => server.close());
    const { path, environment } = await stage();
    environment['OMNI_BASE_URL'] = server.baseUrl;
    const finished = await runProgram(['doctor'], {
      cwd: path,
      environment,
      during: (child) => void first.then(() => child.kill(signal)),
    });
    expect(finished).toMatchObject({ code, stdout: '', stderr: expect.stringContaining('Interrupted') });
    expect(server.seen).toHaveLength(1);
  });
});

describe('the state, its lock and git', () => {
  it.each([
    ['cut short', '{"version": 2, "line', 'failed'],
    ['of a later version', '{"version": 99}', 'failed'],
    ['with conflict markers', '<<<<<<< ours\n{}\n=======\n{}\n>>>>>>> theirs\n', 'failed'],
  ])('a state that is %s fails', async (_, text, status) => {
    const { doctor } = await stage({ 'almanac.state.json': text });
    expect((await doctor()).checks['state']).toMatchObject({ status, hint: expect.any(String) });
  });

  it('a journal, a lock or an unmerged state in git fails where an apply would refuse it', async () => {
    const { doctor, write, git } = await stage();
    git('init', '-q', '-b', 'main');
    write({ 'almanac.state.json.lock': '{}' });
    git('add', '-A');
    const locked = (await doctor()).checks;
    expect(statusesOf(locked)).toMatchObject({ state: 'skipped', lock: 'failed', git: 'failed' });
    expect(locked['lock']?.hint).toContain('git rm -f almanac.state.json.lock');
    git('rm', '-q', '-f', 'almanac.state.json.lock');
    write({ 'almanac.state.json.journal': '{}\n' });
    git('add', '-A');
    const journal = (await doctor()).checks;
    expect(statusesOf(journal)).toMatchObject({ state: 'failed', lock: 'ok', git: 'failed' });
    expect(journal['git']?.message).toContain('git tracks almanac.state.json.journal.');
  });
});

describe('the secrets', () => {
  it('a secret that is not set fails with its variable and the number of resources', async () => {
    const { doctor, environment } = await stage();
    delete environment['HOOK_KEY'];
    const { code, checks } = await doctor();
    expect(code).toBe(1);
    expect(checks['secrets']).toEqual({
      status: 'failed',
      message: 'Not set, or empty: HOOK_KEY (1 resource).',
      hint: 'Set it where almanac apply runs.',
    });
    expect(checks['configuration']?.message).not.toContain('warning');
  });

  it('a key of the state that is not the one of the fingerprints is a warning', async () => {
    const { doctor, run, environment } = await stage();
    environment['ALMANAC_STATE_KEY'] = 'the key of the state';
    expect((await run('apply', '--auto-approve')).code).toBe(0);
    expect((await doctor()).checks['secrets']?.status).toBe('ok');
    environment['ALMANAC_STATE_KEY'] = 'another key';
    const { checks } = await doctor();
    expect(checks['secrets']).toMatchObject({
      status: 'warning',
      message: expect.stringContaining('with another ALMANAC_STATE_KEY'),
    });
    expect(inOneLine(JSON.stringify(checks))).not.toContain('another key"');
  });
});
