// The name on npm is in package.json alone: what `almanac init` writes follows it, and a page that names another is found.
// Whoever runs the program through npx must not be given a stranger's package of that name.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageName } from '../../src/version.ts';

const filesIn = (folder: string, ending: RegExp) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => ending.test(path))
    .map((path) => join(folder, path));

const pages = ['README.md', 'SECURITY.md', ...filesIn('docs', /\.md$/)];
const written = [...pages, ...filesIn('src', /\.ts$/), ...filesIn('.github', /\.(?:md|mjs|yml)$/)];
const found = (files: readonly string[], pattern: RegExp) =>
  files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, name]) => ({ file, name })));

describe('the name of the package', () => {
  test('the pages name the package as package.json does', () => {
    const named = found(pages, /(?<=node_modules\/|from ')((?:@[\w.-]+\/)?almanac)(?=\/\.github|')/g);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter(({ name }) => name !== packageName)).toEqual([]);
  });

  test('no source file holds the name of the package', () => {
    expect(found(filesIn('src', /\.ts$/), /(node_modules\/[a-z@][^'"`\s]*)/g)).toEqual([]);
  });
});

test('npx never downloads almanac, wherever it is written', () => {
  expect(found(written, /(npx(?: (?!--no -- )\S+)? almanac\b.*)/g)).toEqual([]);
  expect(found(written, /(npx --no -- almanac)/g).length).toBeGreaterThan(10);
});
