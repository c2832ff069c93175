// The compiled code of the program's files that is kept between runs, by a loader that stands for that of Node. V8 looks
// only at the length of a source text, so a file that is replaced by one as long shows whether kept code was run.

import {
  chmodSync,
  chownSync,
  existsSync,
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
import { keepCompiled } from '../../src/adapters/compiled/keep-compiled.ts';
import { keepCode, type Require } from '../../src/adapters/compiled/kept-code.ts';
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

/** A file of the program that says its word, with a function that is compiled when it is called. */
function write(word: string, name = 'part.cjs', time = times): string {
  const path = join(home, name);
  writeFileSync(path, `"use strict";function say(){return "${word}"}exports.say=say;`);
  utimesSync(path, time, time);
  return path;
}

interface TestRun {
  /** What the file says; undefined if it was left to Node. */
  say(path: string): string | undefined;
  end(exitCode?: number): void;
}

function startRun(): TestRun {
  const atEnd: ((exitCode: number) => void)[] = [];
  vi.spyOn(process, 'once').mockImplementation((_, listener) => {
    atEnd.push(listener);
    return process;
  });
  const extensions: Require['extensions'] = {};
  const require: Require = Object.assign((name: string) => onDisk(name), { main: { filename: '' }, extensions });
  keepCode({ folder, user: process.geteuid?.() ?? 0, require });
  return {
    say: (path) => {
      const module = { exports: {} as { say?: () => string }, require: onDisk };
      extensions['.cjs']?.(module as unknown as NodeJS.Module, path);
      return module.exports.say?.();
    },
    end: (exitCode = 0) => {
      for (const listener of atEnd) listener(exitCode);
    },
  };
}

/** A whole run; what the file said. */
function runOnce(path: string, exitCode = 0): string | undefined {
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
  expect(runOnce(write('two', 'part.cjs', new Date(2026, 0, 2)))).toBe('two');
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

test('two runs write a file of the program, and later ones leave it alone until they load another one', () => {
  const bytes = () => new Map(entries().map((path) => [path, statSync(path).ino]));
  const part = write('one');
  runOnce(part);
  const first = bytes();
  runOnce(part);
  const second = bytes();
  expect(second).not.toEqual(first);
  runOnce(part);
  expect(bytes()).toEqual(second);

  const run = startRun();
  run.say(part);
  run.say(write('new', 'other.cjs'));
  run.end();
  expect(bytes().size).toBe(2);
  expect([...bytes()]).not.toContainEqual([...second][0]);
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

test('a file that imports packages is left to Node', () => {
  const path = join(home, 'part.cjs');
  writeFileSync(path, 'exports.say=()=>"one";exports.load=()=>import("postgres");');
  expect(runOnce(path)).toBeUndefined();
  expect(entries()).toEqual([]);
});

const extensionsAfter = (cache: string, environment: Record<string, string> = {}) => {
  const extensions: Require['extensions'] = {};
  vi.spyOn(process, 'once').mockReturnValue(process);
  const require: Require = Object.assign((name: string) => (name === 'node:module' ? {} : onDisk(name)), {
    main: { filename: '' },
    extensions,
  });
  keepCompiled({ cache, environment, build: 'now', require });
  return Object.keys(extensions);
};

test('compiled code is kept in a folder that only its owner can enter', () => {
  const cache = join(home, 'cache');
  expect(extensionsAfter(cache)).toEqual(['.cjs']);
  expect(statSync(join(cache, 'compiled', 'now')).mode & 0o777).toBe(0o700);
});

test.each(['', 'compiled', 'compiled/now'])('nothing is kept where others may write to the folder cache/%s', (name) => {
  const cache = join(home, 'cache');
  mkdirSync(join(cache, 'compiled', 'now'), { recursive: true, mode: 0o700 });
  chmodSync(join(cache, name), 0o770);
  expect(extensionsAfter(cache)).toEqual([]);
});

test.each(['compiled', 'compiled/now'])('nothing is kept where others may enter the folder cache/%s', (name) => {
  const cache = join(home, 'cache');
  mkdirSync(join(cache, 'compiled', 'now'), { recursive: true, mode: 0o700 });
  chmodSync(join(cache, name), 0o755);
  expect(extensionsAfter(cache)).toEqual([]);
});

test('a run with the rights of another user makes no folder in the home of its caller', () => {
  const owner = process.geteuid?.() ?? 0;
  if (owner === 0) chownSync(home, 4711, 4711);
  else vi.spyOn(process, 'geteuid').mockReturnValue(owner + 1);
  const cache = join(home, 'cache');
  expect(extensionsAfter(cache)).toEqual([]);
  expect(existsSync(cache)).toBe(false);
});

test('nothing is kept in a repository, where a commit could put code', () => {
  mkdirSync(join(home, '.git'));
  expect(extensionsAfter(join(home, 'cache'))).toEqual([]);
});

test('nothing is kept, and nothing removed, where a link takes the place of the folder', () => {
  const cache = join(home, 'cache');
  const files = ['a', 'b', 'c', 'd', 'e', 'f'];
  for (const path of [cache, join(home, 'mine')]) mkdirSync(path, { mode: 0o700 });
  for (const file of files) writeFileSync(join(home, 'mine', file), '');
  symlinkSync(join(home, 'mine'), join(cache, 'compiled'));
  expect(extensionsAfter(cache)).toEqual([]);
  expect(readdirSync(join(home, 'mine'))).toEqual(expect.arrayContaining(files));
});

test('NODE_DISABLE_COMPILE_CACHE turns it off', () => {
  expect(extensionsAfter(join(home, 'cache'), { NODE_DISABLE_COMPILE_CACHE: '1' })).toEqual([]);
});

test('what the programs before the last four kept is removed', () => {
  const cache = join(home, 'cache');
  for (const [index, build] of ['a', 'b', 'c', 'd', 'e'].entries()) {
    const path = join(cache, 'compiled', build);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    writeFileSync(join(path, 'part.bin'), '');
    utimesSync(path, index, index);
  }
  extensionsAfter(cache);
  expect(readdirSync(join(cache, 'compiled')).sort()).toEqual(['c', 'd', 'e', 'now']);
});
