// The files of an import: one for each dashboard, in folders as in Omni, and the schema that they name.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { freeTargets, nameFiles, placeOfGlob, schemaForFiles } from '../../../src/commands/import/files.ts';

const place = { folder: 'schedules', extension: '.yaml', hasFolders: true };

function filesOf(dashboards: Parameters<typeof nameFiles>[0], changes: Partial<typeof place> = {}): readonly string[] {
  const files = nameFiles(dashboards, { ...place, ...changes });
  return dashboards.map(({ identifier }) => files.get(identifier) ?? '');
}

test('each dashboard is written to a file that is named after it', () => {
  const dashboards = [
    { identifier: 'A1', name: 'Sales' },
    { identifier: 'b2', name: 'sales!' },
    { identifier: 'c3', name: '売上' },
  ];
  const files = ['schedules/sales.yaml', 'schedules/sales-b2.yaml', 'schedules/c3.yaml'];
  expect(filesOf(dashboards)).toEqual(files);
  expect(filesOf([...dashboards].reverse())).toEqual([...files].reverse());
  expect(filesOf(dashboards, { folder: '.', extension: '.yml' })[0]).toBe('sales.yml');
});

test('folders are those of Omni, unless only files of one folder are sources', () => {
  const dashboards = [
    { identifier: 'a', name: 'Accruals', folder: 'Finance & Tax/Month end' },
    { identifier: 'b', name: 'Accruals', folder: 'finance-tax/month-end' },
    { identifier: 'c', name: 'Accruals', folder: 'other' },
  ];
  expect(filesOf(dashboards)).toEqual([
    'schedules/finance-tax/month-end/accruals.yaml',
    'schedules/finance-tax/month-end/accruals-b.yaml',
    'schedules/other/accruals.yaml',
  ]);
  expect(filesOf(dashboards, { hasFolders: false })).toEqual([
    'schedules/accruals.yaml',
    'schedules/accruals-b.yaml',
    'schedules/accruals-c.yaml',
  ]);
});

test.each([
  ['../../etc', 'x', 'schedules/etc/x.yaml'],
  ['a/../..//./b', '..', 'schedules/a/b/i.yaml'],
  ['C:\\Windows', '/root', 'schedules/c-windows/root.yaml'],
  ['CON/lpt1.txt', 'NUL', 'schedules/con-folder/lpt1-txt/nul-dashboard.yaml'],
  ['.git/hooks', '.env', 'schedules/git/hooks/env.yaml'],
  ['a/b/c/d/e/f/g/h', 'x', 'schedules/a/b/c/d/e/f/x.yaml'],
  ['財務', 'x\u0000\n', 'schedules/x.yaml'],
])('in the folder %j, the dashboard %j gets the file %s', (folder, name, file) => {
  expect(filesOf([{ identifier: 'i', name, folder }])).toEqual([file]);
});

test('every path is safe and unique in any case, whatever the names', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('a', 'A', '..', 'aux', 'a/b', 'A/B'));
  const dashboards = fc.uniqueArray(fc.record({ identifier: fc.string(), name: text, folder: text }), {
    selector: ({ identifier }) => identifier,
    maxLength: 12,
  });
  fc.assert(
    fc.property(dashboards, (all) => {
      const files = filesOf(all);
      for (const file of files) expect(file).toMatch(/^schedules(?:\/[a-z0-9][a-z0-9-]*)+\.yaml$/);
      for (const file of files) expect(file).not.toMatch(/\/(?:con|prn|aux|nul|com\d|lpt\d)[./]/);
      expect(new Set(files).size).toBe(all.length);
    }),
  );
});

test('what is there already, or is called like a file of Almanac, gets the next free number', () => {
  const dashboards = [
    { identifier: 'a', name: 'Sales' },
    { identifier: 'b', name: 'Sales 2' },
    { identifier: 'c', name: 'Adopt' },
  ];
  const there = ['schedules/sales.yaml', 'schedules/sales-3.yaml', 'schedules/routines.yaml'];
  const targets = freeTargets(nameFiles(dashboards, place), place, (path) => there.includes(path));
  expect([...targets.fileOf]).toEqual([
    ['c', 'schedules/adopt.yaml'],
    ['b', 'schedules/sales-2.yaml'],
    ['a', 'schedules/sales-4.yaml'],
  ]);
  expect([targets.routines, targets.adopt]).toEqual(['schedules/routines-2.yaml', 'schedules/adopt-2.yaml']);
  expect([...targets.existingFiles]).toEqual([
    ['schedules/sales-4.yaml', 'schedules/sales.yaml'],
    ['schedules/routines-2.yaml', 'schedules/routines.yaml'],
  ]);
});

test.each([
  ['schedules/**/*.{yaml,yml}', 'schedules', '.yaml', true],
  ['a/b/*.yml', 'a/b', '.yml', false],
  ['./reports/{x,y}/*.yaml', 'reports', '.yaml', false],
  ['**/*.yaml', '.', '.yaml', true],
  ['all.yaml', '.', '.yaml', false],
  ['', '.', '.yaml', false],
])('the glob %j means the folder %s, and the extension %s', (glob, folder, extension, hasFolders) => {
  expect(placeOfGlob(glob)).toEqual({ folder, extension, hasFolders });
});

test.each([
  ['schedules/new.yaml', 'schedules/a.yaml', '../schemas/r.json', '../schemas/r.json'],
  ['schedules/deep/new.yaml', 'schedules/a.yaml', '../schemas/r.json', '../../schemas/r.json'],
  ['new.yaml', 'schedules/a.yaml', '../schemas/r.json', './schemas/r.json'],
  ['schedules/new.yaml', 'a.yaml', './r.json', '../r.json'],
  ['schedules/new.yaml', 'schedules/a.yaml', '../../outside/r.json', '../../outside/r.json'],
  ['schedules/new.yaml', 'schedules/a.yaml', 'https://example.com/r.json', 'https://example.com/r.json'],
  ['schedules/new.yaml', 'schedules/a.yaml', undefined, '../.almanac/resources.schema.json'],
  ['new.yaml', 'schedules/a.yaml', undefined, './.almanac/resources.schema.json'],
])('in %s, the schema of %s (%s) is %s, and without any it is written', async (file, path, schema, expected) => {
  const texts = new Map([['schedules/0.yaml', 'schedules: {}\n']]);
  texts.set(path, `# mine\n${schema === undefined ? '' : `# yaml-language-server: $schema=${schema}\n`}`);
  const fileNamed = (name: string) => ({ path: name, text: texts.get(name) ?? '' });
  const workspace = { root: '/there', list: async () => [...texts.keys()], exists: () => false };
  const { schemaFor, schema: toWrite } = await schemaForFiles({ workspace, loaded: { fileNamed } }, { sources: [] });
  expect(schemaFor(file)).toBe(expected);
  expect(toWrite !== undefined).toBe(schema === undefined);
});
