// The compiled code of the program that is kept between runs, where Node does not do it itself. V8 looks only at the length
// of a source text, so a program that is replaced by one as long shows whether kept code was run.

import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { codeFolder, loadKept } from '../../src/kept-code.ts';
import { makeFolder } from '../support/workspace.ts';

const onDisk = createRequire(import.meta.url);
const times = new Date(2026, 0, 1);
let home = '';
let folder = '';

beforeEach(() => {
  home = makeFolder().path;
  folder = join(home, 'kept');
  mkdirSync(folder, { mode: 0o700 });
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** A program that says its word, with a function that is compiled when it is called. */
function write(word: string, name = 'program.cjs', time = times): string {
  const path = join(home, name);
  writeFileSync(path, `"use strict";function say(){return "${word}"}exports.say=say;`);
  utimesSync(path, time, time);
  return path;
}

interface TestRun {
  /** What the program says. */
  say(path: string): string;
  end(exitCode?: number): void;
}

/** In a Node that keeps no code itself. */
function startRun(...argv: readonly string[]): TestRun {
  const atEnd: ((exitCode: number) => void)[] = [];
  vi.spyOn(process, 'once').mockImplementation((_, listener) => {
    atEnd.push(listener);
    return process;
  });
  vi.spyOn(process, 'argv', 'get').mockReturnValue(['node', 'almanac', ...argv]);
  const require = ((name: string) => (name === 'node:module' ? {} : onDisk(name))) as NodeJS.Require;
  return {
    say: (path) => (loadKept(path, folder, require) as { say(): string }).say(),
    end: (exitCode = 0) => {
      for (const listener of atEnd) listener(exitCode);
    },
  };
}

/** A whole run; what the file said. */
function runOnce(path: string, exitCode = 0): string {
  const run = startRun();
  const word = run.say(path);
  run.end(exitCode);
  return word;
}

const entries = () => readdirSync(folder).map((name) => join(folder, name));

test('the second run executes the code that the first one kept', () => {
  expect(runOnce(write('one'))).toBe('one');
  expect(runOnce(write('two'))).toBe('one');
});

test('kept code is not run for a file that was written since', () => {
  runOnce(write('one'));
  expect(runOnce(write('two', 'program.cjs', new Date(2026, 0, 2)))).toBe('two');
});

test('kept code is not run for a copy of the file in another place', () => {
  runOnce(write('one'));
  expect(runOnce(write('two', 'copy.cjs'))).toBe('two');
});

test('kept code is private', () => {
  runOnce(write('one'));
  expect(entries().map((path) => statSync(path).mode & 0o777)).toEqual([0o600]);
});

test('damage at any place of kept code makes it count as missing', () => {
  runOnce(write('one'));
  const [path = ''] = entries();
  const whole = readFileSync(path);
  const damaged = [0, 31, 32, 39, 40, 60, whole.length >> 1, whole.length - 1].map((at) => {
    const bytes = Buffer.from(whole);
    bytes.writeUInt8(255 - bytes.readUInt8(at), at);
    return bytes;
  });
  const cut = [0, 1, 32, 40, 41, whole.length - 1].map((length) => whole.subarray(0, length));
  const bad = [...damaged, ...cut, Buffer.concat([whole, Buffer.from('x')]), Buffer.from('foreign')];
  // V8 remembers the texts that it compiled in this process, so each word is used once.
  for (const [index, bytes] of bad.entries()) {
    writeFileSync(path, bytes);
    const word = String(index).padStart(3, '0');
    expect(startRun().say(write(word))).toBe(word);
  }
  writeFileSync(path, whole);
  expect(startRun().say(write('end'))).toBe('one');
});

test.each([0o620, 0o602, 0o644])('kept code that is not private is not run (mode %o)', (mode) => {
  runOnce(write('one'));
  const [path = ''] = entries();
  chmodSync(path, mode);
  expect(startRun().say(write('two'))).toBe('two');
});

test('kept code that belongs to somebody else is not run', () => {
  runOnce(write('one'));
  const owner = process.geteuid?.() ?? 0;
  vi.spyOn(process, 'geteuid').mockReturnValue(owner + 1);
  expect(startRun().say(write('two'))).toBe('two');
});

test('a link in the place of kept code is not followed', () => {
  runOnce(write('one'));
  const [path = ''] = entries();
  const elsewhere = join(home, 'elsewhere');
  writeFileSync(elsewhere, readFileSync(path), { mode: 0o600 });
  rmSync(path);
  symlinkSync(elsewhere, path);
  expect(startRun().say(write('two'))).toBe('two');
});

test('the first run of a command keeps code, and its later runs leave that alone', () => {
  const kept = () => new Map(entries().map((path) => [path, statSync(path).ino]));
  const run = (...argv: readonly string[]) => {
    const each = startRun(...argv);
    each.say(join(home, 'program.cjs'));
    each.end();
    return kept();
  };
  write('one');
  const first = run('plan');
  expect(first.size).toBe(1);
  expect(run('plan', '--format', 'json')).toEqual(first);
  expect(run('apply').size).toBe(2);
});

test('what is no command has no entry of its own, because it may be a secret and there may be many', () => {
  const program = write('one');
  for (const word of ['a-path/of.yaml', 'SECRET', 'x'.repeat(30), '--token=abc', '']) {
    const run = startRun(word);
    run.say(program);
    run.end();
  }
  expect(entries()).toHaveLength(1);
});

test('of many entries, only those that were written last stay', () => {
  for (let index = 0; index < 20; index += 1) {
    writeFileSync(join(folder, `${index}.bin`), '');
    utimesSync(join(folder, `${index}.bin`), index, index);
  }
  runOnce(write('one'));
  expect(entries()).toHaveLength(12);
  expect(startRun().say(write('two'))).toBe('one');
});

test('two runs at once leave whole code and nothing else', () => {
  const part = write('one');
  const runs = [startRun(), startRun()];
  for (const run of runs) run.say(part);
  for (const run of runs) run.end();
  expect(entries().filter((path) => !path.endsWith('.bin'))).toEqual([]);
  expect(startRun().say(write('two'))).toBe('one');
});

test('an interrupted run keeps no code', () => {
  runOnce(write('one'), 130);
  expect(entries()).toEqual([]);
});

test('a folder that went away while the program ran is no problem', () => {
  const run = startRun();
  run.say(write('one'));
  rmSync(folder, { recursive: true });
  expect(() => run.end()).not.toThrow();
});

test('a Node that keeps code itself is told where, and loads the program', () => {
  const told: unknown[] = [];
  const program = write('one');
  const require = ((name: string) =>
    name === 'node:module'
      ? { enableCompileCache: (path: string) => told.push(path) }
      : onDisk(name)) as NodeJS.Require;
  expect((loadKept(program, folder, require) as { say(): string }).say()).toBe('one');
  expect(told).toEqual([folder]);
  expect(entries()).toEqual([]);
});

const folderIn = (cache: string, environment: Record<string, string> = {}) => codeFolder(cache, 'now', environment);

test('compiled code is kept in a folder that only its owner can enter', () => {
  const cache = join(home, 'cache');
  expect(folderIn(cache)).toBe(join(cache, 'compiled', 'now'));
  expect(statSync(join(cache, 'compiled', 'now')).mode & 0o777).toBe(0o700);
});

test.each(['', 'compiled', 'compiled/now'])('nothing is kept where others may write to the folder cache/%s', (name) => {
  const cache = join(home, 'cache');
  mkdirSync(join(cache, 'compiled', 'now'), { recursive: true, mode: 0o700 });
  chmodSync(join(cache, name), 0o770);
  expect(folderIn(cache)).toBeUndefined();
});

test.each(['compiled', 'compiled/now'])('nothing is kept where others may enter the folder cache/%s', (name) => {
  const cache = join(home, 'cache');
  mkdirSync(join(cache, 'compiled', 'now'), { recursive: true, mode: 0o700 });
  chmodSync(join(cache, name), 0o755);
  expect(folderIn(cache)).toBeUndefined();
});

test('nothing is kept in a repository, where a commit could put code, and no folder is made there', () => {
  mkdirSync(join(home, '.git'));
  expect(folderIn(join(home, 'cache'))).toBeUndefined();
  expect(readdirSync(home)).not.toContain('cache');
});

test('no folder is made in the home of somebody else, which sudo may leave in HOME', () => {
  const user = process.geteuid?.() ?? 0;
  if (user === 0) chownSync(home, 4711, 4711);
  else vi.spyOn(process, 'geteuid').mockReturnValue(user + 1);
  expect(folderIn(join(home, '.cache', 'almanac'))).toBeUndefined();
  expect(readdirSync(home)).not.toContain('.cache');
});

test('nothing is kept, and nothing removed, where a link takes the place of the folder', () => {
  const cache = join(home, 'cache');
  const files = ['a', 'b', 'c', 'd', 'e', 'f'];
  for (const path of [cache, join(home, 'mine')]) mkdirSync(path, { mode: 0o700 });
  for (const file of files) writeFileSync(join(home, 'mine', file), '');
  symlinkSync(join(home, 'mine'), join(cache, 'compiled'));
  expect(folderIn(cache)).toBeUndefined();
  expect(readdirSync(join(home, 'mine'))).toEqual(expect.arrayContaining(files));
});

test('no code is kept where NODE_DISABLE_COMPILE_CACHE is set', () => {
  expect(folderIn(join(home, 'cache'), { NODE_DISABLE_COMPILE_CACHE: '1' })).toBeUndefined();
});

test('what the programs before the last four kept is removed', () => {
  const cache = join(home, 'cache');
  for (const [index, build] of ['a', 'b', 'c', 'd', 'e'].entries()) {
    const path = join(cache, 'compiled', build);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    writeFileSync(join(path, 'part.bin'), '');
    utimesSync(path, index, index);
  }
  folderIn(cache);
  expect(readdirSync(join(cache, 'compiled')).sort()).toEqual(['c', 'd', 'e', 'now']);
});
