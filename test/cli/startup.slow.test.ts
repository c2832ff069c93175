// What the built program loads when it starts, because what is loaded without need costs every run, and what it keeps
// compiled.

import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { version } from '../../src/version.ts';
import { runProgram } from '../support/program.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';

/** The files that one file loads at once, itself included; those that it loads later are left out. */
function loadedWith(file: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(file)) return found;
  found.add(file);
  const text = readFileSync(file, 'utf8').replaceAll(/=>\s*require\("[^"]+"\)/g, '');
  for (const [, path = ''] of text.matchAll(/\brequire\("(\.[^"]+)"\)/g)) loadedWith(join(dirname(file), path), found);
  return found;
}

/** The file that gives a name, among those that a file loads later; undefined if none does. */
function givenLater(file: string, name: string): string | undefined {
  const later = readFileSync(file, 'utf8').matchAll(
    /=>\s*require\("(\.[^"]+)"\)\)(?:\.then\(given=>\(\{([^}]*)\}\)\))?/g,
  );
  for (const [, path = '', names] of later) {
    const found = join(dirname(file), path);
    const given = names ?? /\bmodule\.exports=\{([^}]*)\}/.exec(readFileSync(found, 'utf8'))?.[1] ?? '';
    if (given.split(',').some((each) => each.split(':')[0] === name)) return found;
  }
  return undefined;
}

function loadedLater(file: string, name: string): string {
  const found = givenLater(file, name);
  if (found === undefined) throw new Error(`${file} does not load what gives ${name}.`);
  return found;
}

const textOf = (files: ReadonlySet<string>) => [...files].map((file) => readFileSync(file, 'utf8')).join('\n');

const start = loadedWith(loadedLater('dist/cli.cjs', 'runProcess'));

test('the version and every help text are printed without the rest of the program', async () => {
  const { path: cwd } = makeFolder();
  for (const file of ['cli.cjs', 'answers.json']) copyFileSync(join('dist', file), join(cwd, file));
  const answers: Readonly<Record<string, string>> = JSON.parse(readFileSync('dist/answers.json', 'utf8'));
  const said = (argv: string) => runProgram(JSON.parse(argv), { cwd, program: join(cwd, 'cli.cjs') });
  for (const argv of ['["--version"]', '["--help"]', '["state","list","--help"]'])
    expect(await said(argv)).toEqual({ code: 0, signal: null, stdout: answers[argv], stderr: '' });
  expect((await said('["state list","--help"]')).stderr).toContain('Cannot find module');
});

test('the texts that are printed so are those of the program itself', async () => {
  const answers: Readonly<Record<string, string>> = JSON.parse(readFileSync('dist/answers.json', 'utf8'));
  const { run } = workspaceIn(makeFolder(), {});
  const printed: Record<string, string> = {};
  for (const argv of Object.keys(answers)) printed[argv] = (await run(...JSON.parse(argv))).stdout;
  expect(answers).toEqual({ ...printed, '["--version"]': `${version}\n` });
  expect(Object.keys(answers)).toEqual(expect.arrayContaining(['["--help"]', '["plan","--help"]']));
});

test('a usage error needs three files, without the packages that read YAML or send requests', () => {
  expect(start.size).toBeLessThanOrEqual(3);
  const text = textOf(start);
  expect(text.length).toBeLessThan(100_000);
  const heavy = ['YAMLParseError', 'undici:request:create', 'picomatch', 'node:crypto', 'node:child_process'];
  expect(heavy.filter((part) => text.includes(part))).toEqual([]);
});

test('damage to what was compiled changes nothing in a plan, and the plan after it', async () => {
  const { path: cwd } = makeFolder({ 'almanac.yaml': 'sources: [a.yaml]\n', 'a.yaml': '{}\n' });
  const plan = () => runProgram(['plan', '--format', 'json'], { cwd });
  const first = await plan();
  const kept = readdirSync(join(cwd, '.cache/almanac/compiled'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  expect(kept.length).toBeGreaterThan(3);
  for (const path of kept) {
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0, bytes.length >> 1));
  }
  expect(await plan()).toEqual(first);
  expect(await plan()).toEqual(first);
});

test('a home folder below which the system lets nobody make folders stops no plan', { timeout: 10_000 }, async () => {
  const { path: cwd } = makeFolder({ 'almanac.yaml': 'sources: [a.yaml]\n', 'a.yaml': '{}\n' });
  let killing: NodeJS.Timeout | undefined;
  const planned = await runProgram(['plan'], {
    cwd,
    // On Linux it answers "no such file" for each new name, as a folder does whose folders are mounted on demand.
    environment: { HOME: '/proc' },
    during: (child) => {
      killing = setTimeout(() => child.kill('SIGKILL'), 5000);
    },
  });
  clearTimeout(killing);
  expect(planned).toMatchObject({ code: 0, signal: null });
});

test('a plan of files needs few files, and nothing that parses, checks, sends requests, describes or draws', () => {
  const files = new Set(start);
  const program = [...start].find((file) => readFileSync(file, 'utf8').includes('/command-')) ?? '';
  for (const name of ['openWorkspace', 'openFileState']) loadedWith(loadedLater(program, name), files);
  const options = optionsOfPlan(program);
  loadedWith(options, files);
  loadedWith(loadedLater(options, 'plan'), files);
  expect(files.size).toBeLessThanOrEqual(10);
  const text = textOf(files);
  const heavy = [
    'YAMLParseError',
    'validateSource=validate',
    'undici:request:create',
    'ExpressionDescriptor',
    '<!doctype html>',
    'node:child_process',
  ];
  expect(heavy.filter((part) => text.includes(part))).toEqual([]);
});

/** All commands have a module of this name: the one of plan is the one that loads plan.ts. */
function optionsOfPlan(program: string): string {
  const all = readFileSync(program, 'utf8').matchAll(/=>\s*require\("([^"]*\/command-[^"]+)"\)/g);
  const paths = [...all].map(([, path = '']) => join(dirname(program), path));
  const found = paths.find((path) => givenLater(path, 'plan') !== undefined);
  if (found === undefined) throw new Error('The options of plan are not found.');
  return found;
}
