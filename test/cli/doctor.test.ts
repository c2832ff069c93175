// `almanac doctor`: what it says, what it sends, and that it leaves everything as it was.

import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { DoctorDocument } from '../../src/commands/doctor/doctor-document.ts';
import { systemClock } from '../../src/files/system.ts';
import { hook, weekly } from '../support/cli/open-stage.ts';
import { stateOf } from '../support/plan/planning.ts';
import { expectDocument } from '../support/schemas.ts';
import { answer, startServer } from '../support/state/scripted-server.ts';
import { openWorld, type World, type WorldOptions } from '../support/world.ts';

const secretText = 'a-secret-that-nobody-may-see';
const secretHook = { ...hook, url: 'https://hooks.example.com/in?key=${env.HOOK_KEY}' };
const full = { api: { operations: 'full' } };

interface Stage extends World {
  doctor(
    ...argv: readonly string[]
  ): Promise<{ checks: Readonly<Record<string, DoctorDocument['checks'][number]>>; requests: number }>;
}

async function stage(files: Readonly<Record<string, unknown>> = {}, options: WorldOptions = {}): Promise<Stage> {
  const world = await openWorld(
    { 'almanac.yaml': full, schedules: { weekly, hook: secretHook }, ...files },
    // The check of the clock compares it with that of the service.
    { now: Date.now, environment: { HOOK_KEY: secretText }, outside: { clock: systemClock }, ...options },
  );
  const { emulator, organizationKey, personalToken, path, run } = world;
  const doctor: Stage['doctor'] = async (...argv) => {
    const before = contentOf(path);
    const sent = emulator.requests().length;
    const { code, stdout, stderr } = await run('doctor', '--format', 'json', ...argv);
    expect(contentOf(path)).toEqual(before);
    const requests = emulator.requests().slice(sent);
    expect(requests.length).toBeLessThanOrEqual(3);
    expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    for (const secret of [organizationKey, personalToken, secretText]) expect(stdout + stderr).not.toContain(secret);
    const { ok, checks } = expectDocument<DoctorDocument>('doctor', stdout);
    expect([code, ok]).toEqual(checks.every(({ status }) => status !== 'failed') ? [0, true] : [1, false]);
    return { checks: Object.fromEntries(checks.map((check) => [check.name, check])), requests: requests.length };
  };
  return { ...world, doctor };
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

it('doctor finds nothing to do before the first apply and after it, with two requests', async () => {
  const { run, doctor } = await stage();
  const first = await doctor();
  expect(first.requests).toBe(2);
  expect(statusesOf(first.checks)).toEqual({
    versions: 'ok',
    configuration: 'ok',
    'base-url': 'ok',
    token: 'ok',
    rights: 'ok',
    permissions: 'ok',
    clock: 'ok',
    state: 'ok',
    lock: 'ok',
    'state-branch': 'skipped',
    secrets: 'ok',
    git: 'skipped',
  });
  expect(first.checks['state']?.message).toContain('the first apply creates almanac.state.json');
  expect((await run('apply', '--auto-approve')).code).toBe(0);
  expect((await doctor()).checks).toMatchObject({
    configuration: { message: 'almanac.yaml; 1 source file, 2 resources.' },
    'base-url': { message: expect.stringContaining('the organization of the state, from OMNI_BASE_URL.') },
    token: { message: 'OMNI_API_TOKEN holds an organization key.' },
    rights: { message: 'The token may list schedules (operations full).' },
    state: { status: 'ok', message: expect.stringContaining('serial 1, 2 resources') },
    secrets: { message: '1 variable is set.' },
  });
});

it('doctor prints a line for each check, at most 80 columns wide, and how it ended', async () => {
  const { run, environment } = await stage();
  expect((await run('doctor')).stdout.endsWith('\n\nEverything is in place for an apply.\n')).toBe(true);
  delete environment['HOOK_KEY'];
  const { stdout } = await run('doctor');
  expect(stdout).toContain('hint: Set it where almanac apply runs.\n');
  expect(stdout.endsWith('\n\n1 check failed.\n')).toBe(true);
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
});

/** The checks that differ from a workspace in order: the status of each, and words of its message or hint. */
type Found = Readonly<Record<string, string | readonly [status: string, words: string]>>;

const bad = { bad: { ...weekly, name: 'Bad', subjekt: 'x', formatt: 'y' } };
const elsewhere = 'https://other.omniapp.co/api';
const unasked = { rights: 'skipped', permissions: 'skipped', clock: 'skipped' };
const configuration = (words: string): Found => ({ configuration: ['failed', words], ...unasked });
const ofState = (words: string): Found => ({ state: ['failed', words], lock: 'ok' });

it.each<[what: string, change: (stage: Stage) => unknown, found: Found, argv?: readonly string[]]>([
  [
    'operations core',
    ({ write }) => write({ 'almanac.yaml': { api: { operations: 'core' } } }),
    { rights: ['ok', 'list documents (operations core)'], permissions: ['skipped', 'Omni is not asked'] },
  ],
  ['an environment that does not exist', () => {}, configuration('No environment `x` is declared'), ['--env', 'x']],
  [
    'an error in a declaration',
    ({ write }) => write({ 'schedules/bad.yaml': { schedules: bad } }),
    {
      configuration: ['failed', 'There is 1 more. Did you mean `subject`? almanac validate shows every error'],
      secrets: 'skipped',
      rights: 'ok',
    },
  ],
  [
    'a base URL that the file names and the environment pins',
    ({ write, baseUrl }) => write({ 'almanac.yaml': { api: { operations: 'full', baseUrl } } }),
    { 'base-url': ['ok', 'from almanac.yaml, pinned by OMNI_BASE_URL.'] },
  ],
  [
    'a base URL that only the file names',
    ({ write, baseUrl, environment }) => {
      write({ 'almanac.yaml': { ...full, environments: { prod: { api: { baseUrl } } } } });
      delete environment['OMNI_BASE_URL'];
    },
    { 'base-url': ['warning', 'almanac.yaml (environment prod). Nothing pins it'] },
    ['--env', 'prod'],
  ],
  [
    'another base URL than the one that is pinned',
    ({ write, environment }) => {
      write({ 'almanac.yaml': { api: { operations: 'full', baseUrl: elsewhere } } });
      environment['OMNI_API_TOKEN'] = 'omni_osk_of_omni';
    },
    { 'base-url': ['failed', 'which is this machine'], ...unasked },
  ],
  [
    'no base URL',
    ({ environment }) => delete environment['OMNI_BASE_URL'],
    { 'base-url': ['failed', 'names the organization'], ...unasked },
  ],
  [
    'plain HTTP to another machine',
    ({ environment }) => Object.assign(environment, { OMNI_BASE_URL: 'http://omni.example.com/api' }),
    { rights: ['failed', 'is not HTTPS'], clock: 'skipped' },
  ],
  [
    'a state of another organization',
    ({ write }) => write({ 'almanac.state.json': stateOf({}, { baseUrl: elsewhere }) }),
    { 'base-url': ['failed', elsewhere], state: ['failed', 'another organization'], ...unasked },
  ],
  [
    'no token',
    ({ environment }) => delete environment['OMNI_API_TOKEN'],
    { token: ['failed', 'No API token: OMNI_API_TOKEN and OMNI_API_KEY are not set.'], ...unasked },
  ],
  [
    'several tokens',
    ({ environment }) => Object.assign(environment, { OMNI_API_TOKEN: 'omni_osk_a,omni_osk_b' }),
    { token: ['failed', 'comma'], ...unasked },
  ],
  [
    'a personal token beside a userId',
    ({ environment, personalToken, write }) => {
      environment['OMNI_API_TOKEN'] = personalToken;
      write({
        'schedules/all.yaml': { schedules: { weekly: { ...weekly, userId: '987fcdeb-51a2-43d7-9b56-254415f67890' } } },
      });
    },
    { token: ['warning', 'holds a token, but not an organization key. 1 resource names a userId'] },
  ],
  [
    'a permission that the key has on no model',
    ({ emulator }) =>
      emulator.edit((data) => {
        for (const each of data.tokens) each.permissions = ['USE_AI', 'QUERY_TOPICS'];
      }),
    {
      permissions: [
        'warning',
        'with QUERY_TOPICS, USE_AI. By their names, these are missing: SCHEDULE (`almanac apply`, `almanac trigger`, `almanac status --retry` and `almanac test`), DOWNLOAD_CONTENT_QUERY (`almanac preview` and `almanac prove`).',
      ],
    },
  ],
  [
    'a permission that nothing declared needs',
    ({ emulator }) =>
      emulator.edit((data) => {
        for (const each of data.tokens) each.permissions = ['SCHEDULE', 'DOWNLOAD_CONTENT_QUERY'];
      }),
    { permissions: ['ok', 'with DOWNLOAD_CONTENT_QUERY, SCHEDULE.'] },
  ],
  [
    'a service that does not say whose the token is',
    async ({ environment }) => {
      const schedule = answer(200, { records: [], pageInfo: { hasNextPage: false } });
      const server = await startServer([schedule, answer(404, { detail: 'No.' })]);
      onTestFinished(() => server.close());
      environment['OMNI_BASE_URL'] = server.baseUrl;
    },
    { rights: 'ok', permissions: ['skipped', 'does not say'] },
  ],
  [
    'a secret that is not set',
    ({ environment }) => delete environment['HOOK_KEY'],
    { secrets: ['failed', 'Not set, or empty: HOOK_KEY (1 resource). Set it where almanac apply runs.'] },
  ],
  [
    'another key of the fingerprints',
    async ({ environment, run }) => {
      environment['ALMANAC_STATE_KEY'] = 'the key of the state';
      await run('apply', '--auto-approve');
      environment['ALMANAC_STATE_KEY'] = 'another key';
    },
    { secrets: ['warning', 'with another ALMANAC_STATE_KEY'] },
  ],
  [
    'a state that is cut short',
    ({ write }) => write({ 'almanac.state.json': '{"version": 2, "line' }),
    ofState('Unterminated string'),
  ],
])('doctor tells of %s', async (_, change, found, argv = []) => {
  const made = await stage();
  await change(made);
  const { checks, requests } = await made.doctor(...argv);
  for (const [name, expected] of Object.entries(found)) {
    const { status, message, hint = '' } = checks[name] ?? { status: 'missing', message: '' };
    const [wanted, words = ''] = [expected].flat();
    expect([name, status]).toEqual([name, wanted]);
    expect(`${message} ${hint}`).toContain(words);
  }
  if (found['rights'] === 'skipped') expect(requests).toBe(0);
  expect(JSON.stringify(checks)).not.toMatch(/omni_osk_[ab]|another key"/);
});

it.each([
  [401, 'failed', 'OMNI_API_TOKEN', 1],
  [403, 'failed', 'permissions', 1],
  [404, 'failed', 'Check the base URL', 1],
  [405, 'failed', 'operations: core', 1],
  // Without a wait of a minute.
  [429, 'warning', 'Run it again later.', 1],
  [502, 'failed', '', 2],
])('an answer %i makes the rights %s, with what to do', async (status, expected, hint, requests) => {
  const server = await startServer([answer(status, { detail: 'No.' }, status === 429 ? { 'retry-after': '60' } : {})]);
  onTestFinished(() => server.close());
  const { doctor, environment } = await stage();
  environment['OMNI_BASE_URL'] = server.baseUrl;
  const { checks } = await doctor();
  expect(checks['rights']?.status).toBe(expected);
  expect(checks['rights']?.hint ?? '').toContain(hint);
  expect(server.seen).toHaveLength(requests);
});

it('a service that nothing reaches fails the rights, and the files are checked all the same', async () => {
  const { doctor, emulator } = await stage();
  await emulator.close();
  const { checks } = await doctor();
  expect(checks['rights']).toMatchObject({ status: 'failed', message: expect.stringContaining('it is refused') });
  expect(statusesOf(checks)).toMatchObject({ clock: 'skipped', state: 'ok', secrets: 'ok' });
});

it('doctor names a schema of editors that is of another version, and the command that it prints writes the present one', async () => {
  const file = '.almanac/resources.schema.json';
  const { doctor, run, read } = await stage({ [file]: '{"title":"of an earlier version"}' });
  const { versions } = (await doctor()).checks;
  expect(versions).toMatchObject({ status: 'warning', message: expect.stringContaining(file) });
  const [, command = ''] = /`almanac ([^`]+)`/.exec(versions?.hint ?? '') ?? [];
  expect((await run(command)).code).toBe(0);
  expect(read(file)).toContain('schedules');
  expect((await doctor()).checks['versions']).toMatchObject({ status: 'ok' });
});
