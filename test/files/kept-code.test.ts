// The compiled code that the program keeps where Node does not. V8 looks only at the length of a source text, so a
// program that is replaced by one as long shows whether kept code was run.

import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadKept } from '../../src/kept-code.ts';
import { makeFolder } from '../support/workspace.ts';

const onDisk = createRequire(import.meta.url);
let home = '';
let compiled = '';
const entries = () => readdirSync(join(compiled, 'now')).map((name) => join(compiled, 'now', name));

beforeEach(() => {
  home = makeFolder().path;
  compiled = join(home, 'cache/almanac/compiled');
  vi.stubEnv('XDG_CACHE_HOME', join(home, 'cache'));
  vi.stubEnv('CI', '');
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** A program that says its word, with a function that is compiled when it is called. */
function write(word: string, name = 'program.cjs', time = new Date(2026, 0, 1)): string {
  const path = join(home, name);
  writeFileSync(path, `"use strict";function say(){return "${word}"}exports.say=say;`);
  utimesSync(path, time, time);
  return path;
}

/** A whole run in a Node that keeps no code itself; what the program said. `during`: before it ends. */
function run(path: string, { exitCode = 0, argv = ['plan'], during = () => {} } = {}): string {
  const atEnd: ((exitCode: number) => void)[] = [];
  vi.spyOn(process, 'once').mockImplementation((_, listener) => {
    atEnd.push(listener);
    return process;
  });
  vi.spyOn(process, 'argv', 'get').mockReturnValue(['node', 'almanac', ...argv]);
  const require = ((name: string) => (name === 'node:module' ? {} : onDisk(name))) as NodeJS.Require;
  const word = (loadKept(path, 'now', require) as { say(): string }).say();
  during();
  for (const listener of atEnd) listener(exitCode);
  return word;
}

test('the second run executes the code that the first one kept, which nobody else can read', () => {
  expect(run(write('one'))).toBe('one');
  expect(run(write('two'))).toBe('one');
  expect([join(compiled, 'now'), ...entries()].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600]);
});

test.each([
  ['was written since', () => write('two', 'program.cjs', new Date(2026, 0, 2))],
  ['is a copy in another place', () => write('two', 'copy.cjs')],
])('kept code is not run for a file that %s', (_, written) => {
  run(write('one'));
  expect(run(written())).toBe('two');
});

test('damage at any place of kept code makes it count as missing', () => {
  run(write('one'));
  const [path = ''] = entries();
  const whole = readFileSync(path);
  const damaged = [0, 31, 32, 39, 40, 60, whole.length >> 1, whole.length - 1].map((at) => {
    const bytes = Buffer.from(whole);
    bytes.writeUInt8(255 - bytes.readUInt8(at), at);
    return bytes;
  });
  const cut = [0, 1, 32, 40, whole.length - 1].map((length) => whole.subarray(0, length));
  // V8 remembers the texts that it compiled in this process, so each word is used once.
  for (const [index, bytes] of [...damaged, ...cut, Buffer.concat([whole, Buffer.from('x')])].entries()) {
    writeFileSync(path, bytes);
    const word = String(index).padStart(3, '0');
    expect(run(write(word), { exitCode: 1 })).toBe(word);
  }
});

test.each<[string, (path: string) => void]>([
  ['others may read', (path) => chmodSync(path, 0o644)],
  ['others may write', (path) => chmodSync(path, 0o602)],
  ['is a folder', (path) => [rmSync(path), mkdirSync(path, 0o700)]],
  ['is a link', (path) => [renameSync(path, join(home, 'else')), symlinkSync(join(home, 'else'), path)]],
])('kept code that %s is not run', (_, change) => {
  run(write('one'));
  change(entries()[0] ?? '');
  expect(run(write('two'))).toBe('two');
});

test('each command has kept code of its own, but not what is no command and may be a secret', () => {
  const program = write('one');
  for (const argv of [['plan'], ['plan', '--format', 'json'], ['apply']]) run(program, { argv });
  expect(entries()).toHaveLength(2);
  for (const word of ['a-path/of.yaml', 'SECRET', 'x'.repeat(30), '--token=abc', '']) run(program, { argv: [word] });
  expect(entries()).toHaveLength(3);
});

test.each([1, 130])('a run that ends with the exit code %i keeps no code', (exitCode) => {
  run(write('one'), { exitCode });
  expect(entries()).toEqual([]);
});

test('a folder that went away while the program ran is no problem', () => {
  expect(run(write('one'), { during: () => rmSync(compiled, { recursive: true }) })).toBe('one');
});

test('a Node that keeps code itself is told where, and loads the program', () => {
  const told: unknown[] = [];
  const own = { enableCompileCache: (path: string) => told.push(path) };
  const require = ((name: string) => (name === 'node:module' ? own : onDisk(name))) as NodeJS.Require;
  expect((loadKept(write('one'), 'now', require) as { say(): string }).say()).toBe('one');
  expect(told).toEqual([join(compiled, 'now')]);
  expect(entries()).toEqual([]);
});

/** With the folders of an earlier run; all but the last one are above the cache folder. */
const unusual: readonly [string, () => void][] = [
  ['others may enter the folder almanac', () => chmodSync(join(compiled, '..'), 0o711)],
  ['others may enter the folder compiled', () => chmodSync(compiled, 0o750)],
  ['others may enter the folder of the build', () => chmodSync(join(compiled, 'now'), 0o755)],
  [
    'a link takes the place of a folder',
    () => [renameSync(compiled, join(home, 'c')), symlinkSync(join(home, 'c'), compiled)],
  ],
  ['a commit could put code, in a repository', () => mkdirSync(join(home, '.git'))],
  ['the folder itself is a repository', () => mkdirSync(join(compiled, '..', '.git'))],
  ['the folder belongs to somebody else', () => vi.spyOn(process, 'geteuid').mockReturnValue(4711)],
  ['NODE_DISABLE_COMPILE_CACHE is set', () => vi.stubEnv('NODE_DISABLE_COMPILE_CACHE', '1')],
  ['a job of another branch may have put code, in CI', () => vi.stubEnv('CI', 'true')],
];

test.each(unusual)('nothing is kept, run or removed where %s', (_, change) => {
  run(write('one'));
  for (let index = 0; index < 6; index += 1) mkdirSync(join(compiled, `build-${index}`));
  change();
  expect(run(write('two'))).toBe('two');
  expect(readdirSync(compiled)).toHaveLength(7);
});

test.each<[string, () => void]>([
  ['a repository', () => mkdirSync(join(home, '.git'))],
  ['the home of somebody else, which sudo may leave in HOME', () => chownSync(home, 4711, 4711)],
])('no folder is made in %s', (what, change) => {
  if (what !== 'a repository' && process.geteuid?.() !== 0) vi.spyOn(process, 'geteuid').mockReturnValue(4711);
  else change();
  expect(run(write('one'))).toBe('one');
  expect(readdirSync(home)).not.toContain('cache');
});

test('what the programs before the last four kept is removed', () => {
  for (const [index, build] of ['a', 'b', 'c', 'd', 'e'].entries()) {
    mkdirSync(join(compiled, build), { recursive: true, mode: 0o700 });
    writeFileSync(join(compiled, build, 'program.bin'), '');
    utimesSync(join(compiled, build), index, index);
  }
  run(write('one'));
  expect(readdirSync(compiled).sort()).toEqual(['c', 'd', 'e', 'now']);
});
