// What fold moves to the defaults of a file, as texts: what a reader of the file would see before and after.

import { expect, test } from 'vitest';
import { foldDefaults } from '../../../src/commands/fold/fold-defaults.ts';
import { runStage } from '../../support/apply/one-stage.ts';
import { lines } from '../../support/yaml/edited.ts';

/** A schedule of these fields, and of those that no test is about. */
const schedule = (key: string, ...fields: readonly string[]) => [
  `  ${key}:`,
  ...fields.map((field) => `    ${field}`),
  `    name: ${key}`,
  '    schedule: 0 9 ? * MON *',
  '    destinationType: webhook',
  '    url: https://hooks.example.com/x',
];
const each = (keys: string, ...fields: readonly string[]) =>
  [...keys].flatMap((key) => schedule(key, ...fields.map((field) => field.replace('KEY', key))));

const all = ['identifier: 12db1a0a', 'timezone: Europe/London', 'format: pdf'];
const file = 'schedules/a.yaml';
const dashboards = ['dashboards:', '  sales: { identifier: 12db1a0a, filters: { region: { values: [EMEA] } } }'];
const head = (zone: string) => ['defaults:', '  schedules: # for all', `    timezone: ${zone}`, '    format: pdf'];
const defaults = (...fields: readonly string[]) => [
  'defaults:',
  '  schedules:',
  ...fields.map((field) => `    ${field}`),
];
const braces = (key: string, moved: string) =>
  `  ${key}: { identifier: '0${key}', name: ${key}, schedule: 0 9 ? * MON *, ${moved}destinationType: webhook, url: https://hooks.example.com/x }`;
const merging = lines(
  ...['x-base: &base', '  format: pdf', 'schedules:', '  a: &a', '    <<: *base', '    identifier: &sales 12db1a0a'],
  ...['    timezone: UTC', ...schedule('a').slice(1)],
  ...[...'bc'].flatMap((key) => [
    ...[`  ${key}:`, '    <<: *a', '    identifier: *sales', '    timezone: UTC'],
    ...schedule(key).slice(1),
  ]),
);

/** By title: the file before, and after; `config`: almanac.yaml. */
const cases: Readonly<Record<string, { before: string; after?: string; config?: string }>> = {
  'values that three resources have become defaults of the file': {
    before: lines('# Sales', '', ...dashboards, 'schedules:', ...each('abc', ...all)),
    after: lines('# Sales', '', ...defaults(...all), ...dashboards, 'schedules:', ...each('abc')),
  },
  'two resources are too few': { before: lines('schedules:', ...each('ab', ...all)) },
  'the most frequent value moves, and a resource with another one keeps it': {
    before: lines(
      'schedules:',
      ...each('abc', 'identifier: KEY1', 'timezone: UTC'),
      ...each('defg', 'identifier: KEY1', 'timezone: Asia/Tokyo'),
    ),
    after: lines(
      ...defaults('timezone: Asia/Tokyo'),
      '',
      'schedules:',
      ...each('abc', 'identifier: KEY1', 'timezone: UTC'),
      ...each('defg', 'identifier: KEY1'),
    ),
    config: 'defaults: { schedules: { format: pdf } }\n',
  },
  'a resource without the field would get the default by accident, so nothing moves, also in another document': {
    before: lines(
      'schedules:',
      ...each('abc', 'identifier: KEY1', 'timezone: UTC'),
      '---',
      'schedules:',
      ...each('d', 'identifier: d1'),
    ),
    config: 'defaults: { schedules: { timezone: Asia/Tokyo, format: pdf } }\n',
  },
  'values in braces are moved as well': {
    before: lines('schedules:', ...[...'abc'].map((key) => braces(key, 'timezone: UTC, format: csv, '))),
    after: lines(
      ...defaults('timezone: UTC', 'format: csv'),
      '',
      'schedules:',
      ...[...'abc'].map((key) => braces(key, '')),
    ),
  },
  'what repeats a default of the file is removed': {
    before: lines(
      ...head('UTC'),
      'schedules:',
      ...each('abc', 'identifier: KEY1', 'timezone: UTC'),
      ...schedule('d', 'identifier: d1'),
    ),
    after: lines(...head('UTC'), 'schedules:', ...each('abcd', 'identifier: KEY1')),
  },
  'another default of the file stays': {
    before: lines(
      ...head('Asia/Tokyo'),
      'schedules:',
      ...each('abc', 'identifier: KEY1', 'timezone: UTC'),
      ...schedule('d', 'identifier: d1'),
    ),
  },
  'a new default joins those that are there': {
    before: lines(...head('UTC'), 'schedules:', ...each('abc', 'identifier: x1')),
    after: lines(...head('UTC').toSpliced(2, 0, '    identifier: x1'), 'schedules:', ...each('abc')),
  },
  'the values of all documents become a default of the first one that declares such resources': {
    before: lines(
      '# First',
      ...dashboards,
      '---',
      'schedules:',
      ...each('a', ...all),
      '---',
      'schedules:',
      ...each('bc', ...all),
    ),
    after: lines(
      ...['# First', ...dashboards, '---', ...defaults(...all), ''],
      ...['schedules:', ...each('a'), '---', 'schedules:', ...each('bc')],
    ),
  },
  'aliases, merge keys and what they refer to are left alone': { before: merging },
  'resources beside shared ones are moved': {
    before: merging + lines(...each('def', ...all.with(1, 'timezone: UTC'))),
    after:
      merging.replace('schedules:', lines(...defaults(...all.with(1, 'timezone: UTC')), 'schedules:').trimEnd()) +
      lines(...each('def')),
  },
  'values with a reference are left alone': {
    before: lines('schedules:', ...each('abc', 'identifier: ${var.d}', 'timezone: ${var.zone}', 'format: pdf')),
    after: lines(
      ...defaults('format: pdf'),
      '',
      'schedules:',
      ...each('abc', 'identifier: ${var.d}', 'timezone: ${var.zone}'),
    ),
    config: 'variables: { d: 12db1a0a, zone: UTC }\n',
  },
  'defaults that an alias gives are left alone': {
    before: lines('x-all: &all { accept: {} }', 'defaults: { schedules: *all }', 'schedules:', ...each('abc', ...all)),
  },
  'a comment of a neighbouring field or of the resource does not keep a field': {
    before: lines(
      'schedules:',
      ...each('abc', 'identifier: KEY1 # which', 'timezone: UTC', '# About the next field.', 'format: csv'),
    ),
    after: lines(
      ...defaults('timezone: UTC'),
      '',
      'schedules:',
      ...each('abc', 'identifier: KEY1 # which', '# About the next field.', 'format: csv'),
    ),
  },
};

test.each(Object.entries(cases))('%s', async (_, { before, after = before, config }) => {
  const files = { [file]: before, ...(config === undefined ? {} : { 'almanac.yaml': config }) };
  const run = await runStage(foldDefaults, files);
  expect(run.after[file]).toBe(after);
  expect(await runStage(foldDefaults, run.after)).toMatchObject({ folds: [], after: run.after });
});

test('a default names its value and who uses it', async () => {
  const { folds, left } = await runStage(foldDefaults, { [file]: lines('schedules:', ...each('abc', ...all)) });
  const usedBy = ['schedules.a', 'schedules.b', 'schedules.c'];
  const [zone, ...others] = folds;
  expect(zone).toEqual({
    ...{ kind: 'default', id: `default ${file} schedules timezone`, file, section: 'schedules' },
    ...{ field: 'timezone', value: 'Europe/London', usedBy },
  });
  expect([others.length, left]).toEqual([2, []]);
});

test('a field with a comment beside, above or below it stays with its comment, and is named', async () => {
  const text = lines(
    'schedules:',
    ...each('abc', ...all),
    ...schedule('d', 'identifier: 12db1a0a', 'timezone: Europe/London # head office', 'format: pdf'),
    ...schedule('e', '# The board asked for it.', 'identifier: 12db1a0a', 'timezone: Europe/London', 'format: pdf'),
    ...schedule('f', 'identifier: 12db1a0a', 'timezone: Europe/London', 'format: pdf', '  # not csv'),
  );
  const run = await runStage(foldDefaults, { [file]: text });
  const after = run.after[file] ?? '';
  expect(after).toContain('    timezone: Europe/London # head office\n');
  expect(after).toContain('    # The board asked for it.\n    identifier: 12db1a0a\n    name: e\n');
  expect(after).toContain('    format: pdf\n      # not csv\n');
  expect(after.match(/identifier|timezone|format/g)).toHaveLength(6);
  const staying = [
    ['timezone', 'd'],
    ['identifier', 'e'],
    ['format', 'f'],
  ].map(([field, key]) => ({
    file,
    addresses: [`schedules.${key}`],
    message: `The same \`${field}\` is a default of the file now. Here it stays, because it has a comment.`,
  }));
  expect(run.left).toEqual(staying);
});
