// Where an import writes, and the schema that it names.

import { expect, test } from 'vitest';
import { nameFiles, placeOfGlob, schemaFor } from '../../../src/engine/import/out-files.ts';

test.each([
  ['schedules/**/*.{yaml,yml}', 'schedules', '.yaml'],
  ['a/b/*.yml', 'a/b', '.yml'],
  ['./reports/{x,y}/*.yaml', 'reports', '.yaml'],
  ['*.yaml', '.', '.yaml'],
  ['all.yaml', '.', '.yaml'],
  ['', '.', '.yaml'],
])('the glob %j means the folder %s', (glob, folder, extension) => {
  expect(placeOfGlob(glob)).toEqual({ folder, extension });
});

test('each dashboard is written to a file that is named after it', () => {
  const dashboards = [
    { identifier: 'A1', name: 'Sales' },
    { identifier: 'b2', name: 'sales!' },
    { identifier: 'c3', name: '売上' },
  ];
  expect([...nameFiles(dashboards, { folder: 'schedules', extension: '.yaml' }).values()]).toEqual([
    'schedules/sales.yaml',
    'schedules/sales-b2.yaml',
    'schedules/c3.yaml',
  ]);
  expect([...nameFiles(dashboards, { folder: '.', extension: '.yml' }).values()][0]).toBe('sales.yml');
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
  expect(schemaFor(folder, files)).toBe(expected);
});

test('an imported file names no schema if no other file names one', () => {
  expect(schemaFor('schedules', [{ path: 'a.yaml', text: 'schedules: {}' }])).toBeUndefined();
});
