// How the built program starts: in every place, and with what an earlier run compiled of it as without.

import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { version } from '../../src/version.ts';
import { daily } from '../support/cli/open-stage.ts';
import { startEmulator } from '../support/emulator/start-emulator.ts';
import { runProgram } from '../support/program.ts';
import { isWithoutPostgres } from '../support/state/postgres-server.ts';
import { openPostgresStage } from '../support/state/postgres-stage.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';

const config = 'sources: [a.yaml]\napi: { baseUrl: "https://acme.omniapp.co/api" }\n';
const parts = readdirSync('dist').filter((name) => name.endsWith('.cjs'));

// esbuild escapes what is not ASCII, but not in a regular expression.
test('the built program is ASCII, because V8 reads another text more slowly, and twice the memory is needed', () => {
  for (const name of parts) expect(/[^\0-\x7f]+/.exec(readFileSync(join('dist', name), 'utf8'))).toBeNull();
});

const files = { 'almanac.yaml': config, 'a.yaml': '{}\n' };
const inPostgres = { ...files, 'almanac.yaml': `${config}state: { backend: postgres }\n` };

/** What earlier runs compiled in the home folder of this name. */
function keptIn(home: string): readonly string[] {
  return readdirSync(join(home, '.cache/almanac/compiled'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

test.each(['--version', 'validate', 'plan'])(
  'an older Node is named before anything else happens: %s',
  async (command) => {
    const { path: cwd, write } = makeFolder(files);
    write({
      'older.cjs': `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.8' } });
      Object.defineProperty(process, 'version', { value: 'v18.20.8' });`,
    });
    const environment = { NODE_OPTIONS: `--require ${join(cwd, 'older.cjs')}` };
    expect(await runProgram([command], { cwd, environment })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'error: Almanac needs Node 20 or later, and this is v18.20.8.\n',
    });
    expect(JSON.parse(readFileSync('package.json', 'utf8')).engines.node).toBe('>=20');
  },
);

test('a part of another build is refused, because the program may be installed again while it runs', () => {
  const [, build = ''] = /\.modulesFor\("([^"]+)"\)/.exec(readFileSync('dist/others.cjs', 'utf8')) ?? [];
  const { path: cwd, write } = makeFolder(files);
  for (const name of parts) {
    const text = readFileSync(join('dist', name), 'utf8');
    write({ [`dist/${name}`]: name === 'others.cjs' ? text.replaceAll(build, 'another') : text });
  }
  const { status, stderr } = spawnSync(process.execPath, ['dist/cli.cjs', 'fmt'], { cwd, encoding: 'utf8' });
  expect(stderr).toContain('The files of Almanac are of two builds');
  expect(status).toBe(1);
});

test('the built program prints its version and help texts as its sources have them, however often', async () => {
  const { path: cwd } = makeFolder();
  const { run } = workspaceIn(makeFolder(), {});
  for (const argv of [['--help'], ['plan', '--help'], ['state', 'list', '--help']]) {
    const finished = { code: 0, signal: null, stdout: (await run(...argv)).stdout, stderr: '' };
    expect(await runProgram(argv, { cwd })).toEqual(finished);
    expect(await runProgram(argv, { cwd })).toEqual(finished);
  }
  for (const argv of [['--version'], ['-V'], ['plan', '--version']])
    expect(await runProgram(argv, { cwd })).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test.each([
  ['that does not exist', '/nonexistent/home'],
  // On Linux it answers "no such file" for each new name, as a folder does whose folders are mounted on demand.
  ['below which the system lets nobody make folders', '/proc'],
  ['that is a file', '/dev/null'],
  ['that has no name', ''],
])('a home folder %s stops no run', { timeout: 20_000 }, async (_, HOME) => {
  const { path: cwd } = makeFolder(files);
  for (const argv of [['--version'], ['--help'], ['plan']]) {
    let killing: NodeJS.Timeout | undefined;
    const finished = await runProgram(argv, {
      cwd,
      environment: { HOME },
      during: (child) => {
        killing = setTimeout(() => child.kill('SIGKILL'), 5000);
      },
    });
    clearTimeout(killing);
    expect(finished).toMatchObject({ code: 0, signal: null, stderr: '' });
  }
});

test('damage to what was compiled changes nothing in a plan, and the plan after it', async () => {
  const { path: cwd } = makeFolder(files);
  const plan = () => runProgram(['plan', '--format', 'json'], { cwd });
  const first = await plan();
  const kept = keptIn(cwd);
  expect(kept.length).toBeGreaterThan(0);
  for (const path of kept) {
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0, bytes.length >> 1));
  }
  expect(await plan()).toEqual(first);
  expect(await plan()).toEqual(first);
});

/** The built program in a folder that has no packages. */
function copyInto(folder: string): string {
  mkdirSync(join(folder, 'program'));
  for (const file of parts) copyFileSync(join('dist', file), join(folder, 'program', file));
  return join(folder, 'program/cli.cjs');
}

// A bundled package looks for it.
test('a package picomatch that is beside the program is not loaded', async () => {
  const { path: cwd } = makeFolder({
    ...files,
    'node_modules/picomatch/index.js': 'throw process.stderr.write("loaded");',
  });
  expect(await runProgram(['plan'], { cwd, program: copyInto(cwd) })).toMatchObject({ code: 0, stderr: '' });
});

test('without the package pg, the built program says how to install it, also where postgres is installed', async () => {
  const { path: cwd } = makeFolder({ ...inPostgres, 'node_modules/postgres/index.js': 'module.exports = () => 0;' });
  const program = copyInto(cwd);
  const environment = { ALMANAC_STATE_URL: 'postgres://u:secret@localhost/db' };
  const first = await runProgram(['plan'], { cwd, program, environment });
  expect(first.code).toBe(1);
  expect(first.stderr).toMatch(/needs the\spackage pg, which is not installed\./);
  expect(first.stderr).toContain('Run `npm install pg` where Almanac is installed');
  expect(await runProgram(['plan'], { cwd, program, environment })).toEqual(first);
});

test.skipIf(isWithoutPostgres())('the built program loads the package pg, however often', async () => {
  const { server, role } = await openPostgresStage();
  const { path: cwd } = makeFolder(inPostgres);
  const environment = { ALMANAC_STATE_URL: server.url(role) };
  const first = await runProgram(['plan'], { cwd, environment });
  expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining('note[state-absent]') });
  expect(await runProgram(['plan'], { cwd, environment })).toEqual(first);
});

test('a plan loads nothing that starts programs, where the folder is in no repository', async () => {
  const { path: cwd, write } = makeFolder(files);
  write({ 'loaded.cjs': "process.on('exit', () => console.error(process.moduleLoadList.join()));" });
  const environment = { NODE_OPTIONS: `--require ${join(cwd, 'loaded.cjs')}`, CI: '1' };
  const { code, stderr } = await runProgram(['plan'], { cwd, environment });
  expect(code).toBe(0);
  expect(stderr).toContain('NativeModule crypto');
  expect(stderr).not.toContain('NativeModule child_process');
});

/** The modules that a run initialised: the bundler calls the function that does it by the path of the source. */
function initialised(coverage: string): readonly string[] {
  const [file = ''] = readdirSync(coverage);
  const { result } = JSON.parse(readFileSync(join(coverage, file), 'utf8')) as {
    readonly result: readonly {
      readonly functions: readonly {
        readonly functionName: string;
        readonly ranges: readonly { readonly count: number }[];
      }[];
    }[];
  };
  const called = result.flatMap(({ functions }) => functions.filter(({ ranges: [whole] }) => (whole?.count ?? 0) > 0));
  return [...new Set(called.flatMap(({ functionName: name }) => (/^(?:src|node_modules)\//.test(name) ? name : [])))];
}

// Offline, neither the YAML parser nor the HTTP client is there, nor what shows findings. Whoever adds a module to one of these
// commands, or takes one away, writes its new number here. A step of a CI reads nothing that opens a workspace.
test.each([
  ['plan', [], ['cronstrue.cjs', 'plan.cjs'], 293],
  ['validate', [], ['plan.cjs'], 208],
  [
    'apply',
    ['--auto-approve'],
    ['apply.cjs', 'cronstrue.cjs', 'findings.cjs', 'plan.cjs', 'undici.cjs', 'yaml.cjs'],
    340,
  ],
  ['ci', ['rules'], ['ci.cjs'], 49],
])('%s of what is right reads no other part of the program, and initialises only what it needs', async (...run) => {
  const [command, options, more, modules] = run;
  const { baseUrl, organizationKey } = await startEmulator();
  const api = `sources: [a.yaml]\napi: { baseUrl: "${baseUrl}" }\n`;
  const { url: _, ...rest } = daily as Record<string, unknown>;
  const mail = { ...rest, format: 'pdf', destinationType: 'email', subject: 'Stock', recipients: ['ana@acme.com'] };
  const judged = 'safety: { internalDomains: [acme.com] }\nchecks: { recipient-not-inside: error }\n';
  const { path: cwd } = makeFolder({ 'almanac.yaml': api + judged, 'a.yaml': { schedules: { a: mail } } });
  const [{ path: dist }, { path: coverage }] = [makeFolder(), makeFolder()];
  for (const name of ['cli.cjs', 'program.cjs', ...more]) copyFileSync(join('dist', name), join(dist, name));
  const ran = await runProgram([command, ...options], {
    cwd,
    program: join(dist, 'cli.cjs'),
    environment: { OMNI_API_TOKEN: organizationKey, CI: '1', NODE_V8_COVERAGE: coverage },
  });
  expect(ran).toMatchObject({ code: 0 });
  expect(initialised(coverage).length).toBe(modules);
});
