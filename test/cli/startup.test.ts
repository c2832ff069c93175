// Which files the built program loads when it starts: what is loaded without need costs every run.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

/** The files that one file loads at once, itself included; those that it loads later are left out. */
function loadedWith(file: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(file)) return found;
  found.add(file);
  const text = readFileSync(file, 'utf8').replaceAll(/=>\s*require\("[^"]+"\)/g, '');
  for (const [, path = ''] of text.matchAll(/\brequire\("(\.[^"]+)"\)/g)) loadedWith(join(dirname(file), path), found);
  return found;
}

/** What a file loads later, by the name of its module. */
function loadedLater(file: string, name: string): string {
  const [, path] =
    new RegExp(String.raw`=>\s*require\("([^"]*/${name}-[^"]+)"\)`).exec(readFileSync(file, 'utf8')) ?? [];
  if (path === undefined) throw new Error(`${file} does not load ${name}.`);
  return join(dirname(file), path);
}

const textOf = (files: ReadonlySet<string>) => [...files].map((file) => readFileSync(file, 'utf8')).join('\n');

const start = loadedWith('dist/cli.cjs');

test('the version and the help need two files, without the packages that read YAML or send requests', () => {
  expect(start.size).toBe(2);
  const text = textOf(start);
  expect(text.length).toBeLessThan(100_000);
  const heavy = ['YAMLParseError', 'undici:request:create', 'picomatch', 'node:crypto', 'node:child_process'];
  expect(heavy.filter((part) => text.includes(part))).toEqual([]);
});

test('a plan of files needs few files, and nothing that parses, checks, sends requests, describes or draws', () => {
  const files = new Set(start);
  for (const name of ['fs-workspace', 'file-state']) loadedWith(loadedLater('dist/cli.cjs', name), files);
  const [program = ''] = [...start].filter((file) => file !== 'dist/cli.cjs');
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
  const found = paths.find((path) => /require\("\.\/plan-/.test(readFileSync(path, 'utf8')));
  if (found === undefined) throw new Error('The options of plan are not found.');
  return found;
}
