// Where the files of the tests are: tests in the folders named after src, and everything that they share in test/support.

import { readdirSync } from 'node:fs';
import { dirname } from 'node:path/posix';
import { expect, test } from 'vitest';

const maxFiles = 20;
const files = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));

test('only test/support and the browser tests hold files that are not tests', () => {
  expect(files.filter((path) => !/\.test\.ts$|^(?:support|browser)\//.test(path))).toEqual([]);
});

test(`the rooms of test/support hold no tests and at most ${maxFiles} files each`, () => {
  const support = files.filter((path) => path.startsWith('support/'));
  expect(support.filter((path) => path.endsWith('.test.ts'))).toEqual([]);
  const rooms = [...new Set(support.map((path) => dirname(path)))];
  const sizeOf = (room: string) => support.filter((path) => dirname(path) === room).length;
  expect(rooms.filter((room) => sizeOf(room) > maxFiles)).toEqual([]);
});
