// What fold moves to the defaults of a file, as texts: what a reader of the file would see before and after.

import { describe, expect, test } from 'vitest';
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

const all = ['identifier: 12db1a0a', 'timezone: Europe/London', 'format: pdf'];
const file = 'schedules/a.yaml';

/** The file afterwards. */
async function folded(text: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const { after } = await runStage(foldDefaults, { [file]: text, ...more });
  return after[file] ?? '';
}

describe('the time zone, the dashboard and the format of a file', () => {
  test('values that three resources have become defaults of the file', async () => {
    const run = await runStage(foldDefaults, {
      [file]: lines('# Sales', '', 'schedules:', ...['a', 'b', 'c'].flatMap((key) => schedule(key, ...all))),
    });
    expect(run.after[file]).toBe(
      lines(
        '# Sales',
        '',
        'defaults:',
        '  schedules:',
        '    identifier: 12db1a0a',
        '    timezone: Europe/London',
        '    format: pdf',
        '',
        'schedules:',
        ...['a', 'b', 'c'].flatMap((key) => schedule(key)),
      ),
    );
    expect(run.folds.map(({ id }) => id)).toEqual([
      'default schedules/a.yaml schedules timezone',
      'default schedules/a.yaml schedules identifier',
      'default schedules/a.yaml schedules format',
    ]);
    expect(run.folds[0]).toMatchObject({
      value: 'Europe/London',
      usedBy: ['schedules.a', 'schedules.b', 'schedules.c'],
    });
    expect(run.left).toEqual([]);
  });

  test('two resources are too few', async () => {
    const text = lines('schedules:', ...schedule('a', ...all), ...schedule('b', ...all));
    expect(await folded(text)).toBe(text);
  });

  test('the most frequent value moves, and a resource with another one keeps it', async () => {
    const zone = (key: string, name: string) =>
      schedule(key, 'identifier: a${each.key}', `timezone: ${name}`, 'format: pdf');
    const loops = (name: string, ...keys: readonly string[]) =>
      keys.flatMap((key) => {
        const [head = '', ...fields] = zone(key, name);
        return [
          head,
          '    forEach: { x: { n: 1 }, y: { n: 2 } }',
          ...fields.map((line) => line.replace('name: ', 'name: ${each.n} ')),
        ];
      });
    const text = lines('schedules:', ...loops('UTC', 'a', 'b', 'c'), ...loops('Asia/Tokyo', 'd', 'e', 'f', 'g'));
    const after = await folded(text);
    expect(after).toContain('defaults:\n  schedules:\n    timezone: Asia/Tokyo\n    format: pdf\n');
    expect(after.match(/timezone: UTC/g)).toHaveLength(3);
    expect(after.match(/Asia\/Tokyo/g)).toHaveLength(1);
    expect(after.match(/identifier/g)).toHaveLength(7);
  });

  test('a resource without the field would get the default by accident, so nothing moves', async () => {
    const text = lines(
      'schedules:',
      ...['a', 'b', 'c'].flatMap((key) =>
        schedule(key, 'identifier: 12db1a0a', 'timezone: Europe/London', 'format: csv'),
      ),
      ...schedule('d', 'format: csv', 'identifier: 3f9c2b71'),
    );
    const config = { 'almanac.yaml': 'defaults: { schedules: { timezone: UTC } }\n' };
    const after = await folded(text, config);
    expect(after.match(/timezone: Europe\/London/g)).toHaveLength(3);
    expect(after).toContain('defaults:\n  schedules:\n    identifier: 12db1a0a\n    format: csv\n');
  });

  test('the other sections of a file keep their values', async () => {
    const dashboards = ['dashboards:', '  sales: { identifier: 12db1a0a, filters: { region: { values: [EMEA] } } }'];
    const text = lines(...dashboards, 'schedules:', ...['a', 'b', 'c'].flatMap((key) => schedule(key, ...all)));
    const after = await folded(text);
    expect(after).toContain(lines(...dashboards));
    expect(after.match(/identifier: 12db1a0a/g)).toHaveLength(2);
  });

  test('values in braces are moved as well', async () => {
    const text = lines(
      'schedules:',
      ...['a', 'b', 'c'].map(
        (key) =>
          `  ${key}: { identifier: '0${key}', name: ${key}, schedule: 0 9 ? * MON *, timezone: UTC, format: csv, destinationType: webhook, url: https://hooks.example.com/x }`,
      ),
    );
    const after = await folded(text);
    expect(after).toContain("  b: { identifier: '0b', name: b, schedule: 0 9 ? * MON *, destinationType: webhook,");
    expect(after).toContain('defaults:\n  schedules:\n    timezone: UTC\n    format: csv\n\nschedules:\n');
  });

  test('a line end of Windows stays one', async () => {
    const text = lines('schedules:', ...['a', 'b', 'c'].flatMap((key) => schedule(key, ...all)));
    const after = await folded(text.replaceAll('\n', '\r\n'));
    expect(after).toBe((await folded(text)).replaceAll('\n', '\r\n'));
  });
});

describe('defaults that a file has already', () => {
  const head = (zone: string) => ['defaults:', '  schedules: # for all', `    timezone: ${zone}`, '    format: pdf'];

  test('what repeats a default of the file is removed', async () => {
    const zones = ['a', 'b', 'c'].flatMap((key) => schedule(key, `identifier: ${key}1`, 'timezone: Europe/London'));
    const without = ['a', 'b', 'c'].flatMap((key) => schedule(key, `identifier: ${key}1`));
    const others = schedule('d', 'identifier: d1');
    expect(await folded(lines(...head('Europe/London'), 'schedules:', ...zones, ...others))).toBe(
      lines(...head('Europe/London'), 'schedules:', ...without, ...others),
    );
  });

  test('another default of the file stays', async () => {
    const zones = ['a', 'b', 'c'].flatMap((key) => schedule(key, `identifier: ${key}1`, 'timezone: Europe/London'));
    const text = lines(...head('UTC'), 'schedules:', ...zones, ...schedule('d', 'identifier: d1'));
    expect(await folded(text)).toBe(text);
  });

  test('a new default joins those that are there', async () => {
    const text = lines(
      ...head('UTC'),
      'schedules:',
      ...['a', 'b', 'c'].flatMap((key) => schedule(key, 'identifier: x1')),
    );
    expect(await folded(text)).toBe(
      lines(
        'defaults:',
        '  schedules: # for all',
        '    identifier: x1',
        '    timezone: UTC',
        '    format: pdf',
        'schedules:',
        ...['a', 'b', 'c'].flatMap((key) => schedule(key)),
      ),
    );
  });
});

describe('a file of several documents', () => {
  test('the values of all documents become a default of the first one that declares such resources', async () => {
    const text = lines(
      '# First',
      'dashboards:',
      '  sales: { identifier: 12db1a0a, filterOrder: [a] }',
      '---',
      'schedules:',
      ...schedule('a', ...all),
      '---',
      'schedules:',
      ...schedule('b', ...all),
      ...schedule('c', ...all),
    );
    expect(await folded(text)).toBe(
      lines(
        '# First',
        'dashboards:',
        '  sales: { identifier: 12db1a0a, filterOrder: [a] }',
        '---',
        'defaults:',
        '  schedules:',
        '    identifier: 12db1a0a',
        '    timezone: Europe/London',
        '    format: pdf',
        '',
        'schedules:',
        ...schedule('a'),
        '---',
        'schedules:',
        ...schedule('b'),
        ...schedule('c'),
      ),
    );
  });

  test('a resource of another document that lacks the field stops the move', async () => {
    const text = lines(
      'schedules:',
      ...['a', 'b', 'c'].flatMap((key) => schedule(key, `identifier: ${key}1`, 'timezone: UTC', `format: csv`)),
      '---',
      'schedules:',
      ...schedule('d', 'identifier: d1', 'format: csv'),
    );
    const after = await folded(text, { 'almanac.yaml': 'defaults: { schedules: { timezone: Asia/Tokyo } }\n' });
    expect(after.match(/timezone: UTC/g)).toHaveLength(3);
    expect(after).toContain('format: csv');
  });
});

describe('what is left as it is', () => {
  test('a field with a comment beside, above or below it stays with its comment, and is named', async () => {
    const text = lines(
      'schedules:',
      ...['a', 'b', 'c'].flatMap((key) => schedule(key, ...all)),
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
    expect(run.left).toEqual([
      {
        file,
        addresses: ['schedules.d'],
        message: 'The same `timezone` is a default of the file now. Here it stays, because it has a comment.',
      },
      {
        file,
        addresses: ['schedules.e'],
        message: 'The same `identifier` is a default of the file now. Here it stays, because it has a comment.',
      },
      {
        file,
        addresses: ['schedules.f'],
        message: 'The same `format` is a default of the file now. Here it stays, because it has a comment.',
      },
    ]);
  });

  test('a comment of a neighbouring field or of the resource does not keep a field', async () => {
    const text = lines(
      'schedules:',
      ...['a', 'b', 'c'].flatMap((key) => [
        '  # About the resource.',
        ...schedule(key, 'identifier: ${var.d} # which', 'timezone: UTC', '# About the next field.', 'format: ${key}'),
      ]),
    ).replaceAll('format: ${key}', 'format: csv');
    const after = await folded(text, { 'almanac.yaml': 'variables: { d: 12db1a0a }\n' });
    expect(after.match(/timezone/g)).toHaveLength(1);
    expect(after.match(/format/g)).toHaveLength(3);
    expect(after.match(/#/g)).toHaveLength(9);
  });

  test('aliases, merge keys and what they refer to are left alone', async () => {
    const shared = lines(
      'x-base: &base',
      '  format: pdf',
      'schedules:',
      '  a: &a',
      '    <<: *base',
      '    identifier: &sales 12db1a0a',
      '    timezone: UTC',
      ...schedule('a').slice(1),
      ...['b', 'c'].flatMap((key) => [
        `  ${key}:`,
        '    <<: *a',
        '    identifier: *sales',
        '    timezone: UTC',
        ...schedule(key).slice(1),
      ]),
    );
    expect(await folded(shared)).toBe(shared);
    const others = ['d', 'e', 'f'].flatMap((key) => schedule(key, ...all.with(1, 'timezone: UTC')));
    const after = await folded(shared + lines(...others));
    expect(after).toContain(shared.slice(shared.indexOf('schedules:')));
    expect(after).toContain('defaults:\n  schedules:\n    identifier: 12db1a0a\n    timezone: UTC\n    format: pdf\n');
    expect(after).toContain(lines(...['d', 'e', 'f'].flatMap((key) => schedule(key))));
  });

  test('a value with a reference is left alone', async () => {
    const text = lines(
      'schedules:',
      ...['a', 'b', 'c'].flatMap((key) =>
        schedule(key, 'identifier: ${var.d}', 'timezone: ${var.zone}', 'format: pdf'),
      ),
    );
    const config = { 'almanac.yaml': 'variables: { d: 12db1a0a, zone: UTC }\n' };
    const after = await folded(text, config);
    expect(after).toContain('defaults:\n  schedules:\n    format: pdf\n\nschedules:\n');
    expect(after.match(/\$\{var/g)).toHaveLength(6);
  });

  test('defaults that an alias gives are left alone', async () => {
    const text = lines(
      'x-all: &all { accept: {} }',
      'defaults: { schedules: *all }',
      'schedules:',
      ...['a', 'b', 'c'].flatMap((key) => schedule(key, ...all)),
    );
    expect(await folded(text)).toBe(text);
  });

  test('a second run finds nothing', async () => {
    const text = lines('schedules:', ...['a', 'b', 'c', 'd'].flatMap((key) => schedule(key, ...all)));
    const { after } = await runStage(foldDefaults, { [file]: text });
    expect(await runStage(foldDefaults, after)).toMatchObject({ folds: [], left: [], after });
  });
});
