// Where an import writes, and the schema that it names.

import { expect, test } from 'vitest';
import { pathFrom, placeOfGlob, schemaNamedIn } from '../../../../src/commands/import/files/out-files.ts';

test.each([
  ['schedules/**/*.{yaml,yml}', 'schedules', '.yaml', true],
  ['a/b/*.yml', 'a/b', '.yml', false],
  ['./reports/{x,y}/*.yaml', 'reports', '.yaml', false],
  ['**/*.yaml', '.', '.yaml', true],
  ['*.yaml', '.', '.yaml', false],
  ['all.yaml', '.', '.yaml', false],
  ['', '.', '.yaml', false],
])('the glob %j means the folder %s, and the extension %s', (glob, folder, extension, hasFolders) => {
  expect(placeOfGlob(glob)).toEqual({ folder, extension, hasFolders });
});

test.each([
  ['schedules', 'schedules/a.yaml', '../schemas/r.json', '../schemas/r.json'],
  ['schedules/deep', 'schedules/a.yaml', '../schemas/r.json', '../../schemas/r.json'],
  ['.', 'schedules/a.yaml', '../schemas/r.json', './schemas/r.json'],
  ['schedules', 'a.yaml', './r.json', '../r.json'],
  ['schedules', 'schedules/a.yaml', '../../outside/r.json', '../../outside/r.json'],
  ['schedules', 'schedules/a.yaml', 'https://example.com/r.json', 'https://example.com/r.json'],
])('in a file from %s, the schema of %s (%s) is %s', (folder, path, schema, expected) => {
  const files = [
    { path: 'schedules/0.yaml', text: 'schedules: {}\n' },
    { path, text: `# mine\n# yaml-language-server: $schema=${schema}\nschedules: {}\n` },
  ];
  expect(schemaNamedIn(files, folder)).toBe(expected);
});

test('where no other file names a schema, the way to the copy of init leads there from any folder', () => {
  expect(schemaNamedIn([{ path: 'a.yaml', text: 'schedules: {}' }], 'schedules')).toBeUndefined();
  expect(pathFrom('schedules/sales', '.almanac/r.json')).toBe('../../.almanac/r.json');
  expect(pathFrom('.', '.almanac/r.json')).toBe('./.almanac/r.json');
});
