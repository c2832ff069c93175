// `almanac drift --write` and items that stand elsewhere: in the rows of a CSV file, and in a variable.

import { describe, expect, it } from 'vitest';
import { all, edited, maps, renamed, rest, zoned } from '../support/cli/drift-loops.ts';
import { at, paused, to } from '../support/cli/drift-stage.ts';

const rows = `schedules:
  regional:
    forEachRow: { file: regions.csv, key: code }
    name: \${each.code}
    schedule: \${each.at}
    timezone: \${each.zone}
    recipients: ["\${each.mail}"]
${rest}`;
const table =
  'code,at,zone,mail,note\r\n"emea",0 8 ? * MON *,"UTC",ana@example.com,"a, ""b"""\r\namer,0 9 ? * MON *,UTC,bo@example.com,\r\n';

describe('the rows of a CSV file', () => {
  const files = { [all]: rows, 'schedules/regions.csv': table };

  it('only the cells change, and every other byte stays', async () => {
    const { code, read, written, notWritten } = await edited(files, {
      emea: zoned('Europe/Paris'),
      amer: (fields) => {
        at('0 6,8 ? * WED *')(fields);
        to('cy@example.com')(fields);
      },
    });
    expect([code, notWritten]).toEqual([0, []]);
    expect(read(all)).toBe(rows);
    expect(read('schedules/regions.csv')).toBe(
      table
        .replace('"UTC"', '"Europe/Paris"')

        .replace('0 9 ? * MON *', '"0 6,8 ? * WED *"')
        .replace('bo@example.com', 'cy@example.com'),
    );
    expect(written.map(({ file, line }) => [file, line])).toEqual([
      ['schedules/regions.csv', 3],
      ['schedules/regions.csv', 3],
      ['schedules/regions.csv', 2],
    ]);
  });

  it('a recipient behind an empty cell is replaced in its own cell', async () => {
    const bytes = table.replace('"a, ""b"""', '');
    const two = {
      [all]: rows.replace('["${each.mail}"]', '["${each.note}", "${each.mail}"]'),
      'schedules/regions.csv': bytes,
    };
    const { code, read, notWritten } = await edited(two, { amer: to('cy@example.com') });
    expect([code, notWritten]).toEqual([0, []]);
    expect(read('schedules/regions.csv')).toBe(bytes.replace('bo@example.com', 'cy@example.com'));
  });

  it('the key, a second value and a field without a column are refused, and the header stays', async () => {
    const { code, read, notWritten } = await edited(files, {
      emea: (fields, schedule) => {
        renamed('EMEA')(fields);
        paused(fields, schedule);
      },
      amer: to('bo@example.com', 'cy@example.com'),
    });
    expect(code).toBe(2);
    expect([read(all), read('schedules/regions.csv')]).toEqual([rows, table]);
    expect(notWritten.map(({ address, path, reason }) => [address, path, reason])).toEqual([
      ['schedules.regional.amer', '/recipients', 'items'],
      ['schedules.regional.emea', '/name', 'items'],
      ['schedules.regional.emea', '/paused', 'items'],
    ]);
    for (const { message } of notWritten) expect(message).toMatch(/Add a column `\w+` to schedules\/regions.csv/);
  });

  it('a text that a spreadsheet would calculate is refused', async () => {
    const text = rows.replace('name: ${each.code}', 'name: ${each.zone}');
    const { code, read, notWritten } = await edited(
      {
        [all]: text.replace('timezone: ${each.zone}', 'timezone: UTC'),
        'schedules/regions.csv': table.replace('"UTC"', 'Europe'),
      },
      { Europe: renamed('=1+1') },
    );
    expect(code).toBe(2);
    expect(notWritten[0]?.message).toContain('the column `zone` of schedules/regions.csv');
    expect(read('schedules/regions.csv')).toBe(table.replace('"UTC"', 'Europe'));
  });
});

describe('texts that a file may not hold', () => {
  const named = rows.replace('name: ${each.code}', 'name: ${each.note}');
  const bytes = table.replace('amer,0 9 ? * MON *,UTC,bo@example.com,\r\n', 'amer,0 9 ? * MON *,UTC,bo@example.com,Bo');
  const files = { [all]: named, 'schedules/regions.csv': `\uFEFF${bytes}` };
  const written = (cell: string) => `\uFEFF${bytes.replace('Bo', () => cell)}`;

  it.each([
    ['NUL', 'a\0b'],
    ['half of a character', 'a\uD800b'],
  ])('%s is refused, and what changed beside it is written', async (_, name) => {
    const { code, read, notWritten } = await edited(files, {
      Bo: (fields) => {
        renamed(name)(fields);
        to('cy@example.com')(fields);
      },
    });
    expect(code).toBe(2);
    expect(notWritten.map(({ path, reason }) => [path, reason])).toEqual([['/name', 'layout']]);
    expect(notWritten[0]?.message).toContain('a character that schedules/regions.csv cannot hold');
    expect(read('schedules/regions.csv')).toBe(written('Bo').replace('bo@', 'cy@'));
  });

  it.each([
    ['a "b", c\nd\r\ne', '"a ""b"", c\nd\r\ne"'],
    ['${var.x} ${', '$${var.x} $${'],
    ['a\u2028b 😀', 'a\u2028b 😀'],
  ])('the last cell of a file with a byte order mark and no last line end becomes %j', async (name, cell) => {
    const { code, read } = await edited(files, { Bo: renamed(name) });
    expect(code).toBe(0);
    expect(read('schedules/regions.csv')).toBe(written(cell));
  });
});

describe('items that are a variable', () => {
  const text = maps.replace(/forEach:\n(?: {6}.*\n)+/, 'forEach: ${var.regions}\n');
  const [, , , , ...lines] = maps.split('\n');
  const variable = (indent: string) =>
    [
      `${indent}variables:`,
      `${indent}  regions:`,
      ...lines.slice(0, 2).map((line) => `${indent}    ${line.trim()}`),
      '',
    ].join('\n');

  it('values are written in almanac.yaml', async () => {
    const { code, read, notWritten } = await edited(
      { [all]: text },
      { 'Sales Europe': at('0 6 ? * WED *'), 'Sales America': to('cy@example.com') },
      variable(''),
    );
    expect([code, notWritten]).toEqual([0, []]);
    expect(read('almanac.yaml')).toContain('emea: { region: Europe, at: 0 6 ? * WED *, to: [ana@example.com] }');
    expect(read('almanac.yaml')).toMatch(/amer: .*to: \[cy@example.com\]/);
    expect(read(all)).toBe(text);
  });

  it('a map that other environments read stays, and the words say where its own belongs', async () => {
    const more = `${variable('')}environments: { prod: {}, test: {} }\n`;
    const { code, read, notWritten } = await edited(
      { [all]: text },
      {
        'Sales Europe': (fields) => {
          at('0 6 ? * WED *')(fields);
          zoned('UTC')(fields);
        },
      },
      more,
      ['--env', 'prod'],
    );
    expect(code).toBe(2);
    expect(read(all)).toBe(text);
    expect(read('almanac.yaml')).toContain(more);
    expect(notWritten.map(({ path, reason }) => [path, reason])).toEqual([
      ['/schedule', 'used-elsewhere'],
      ['/timezone', 'items'],
    ]);
    expect(notWritten[0]?.message).toContain('environments.prod.variables');
  });

  it('the map of one environment is edited there', async () => {
    const more = `environments:\n  prod:\n${variable('    ')}  test: { variables: { regions: {} } }\n`;
    const { code, read, notWritten } = await edited({ [all]: text }, { 'Sales Europe': at('0 6 ? * WED *') }, more, [
      '--env',
      'prod',
    ]);
    expect([code, notWritten]).toEqual([0, []]);
    expect(read('almanac.yaml')).toContain(more.replace('0 8 ? * MON *', '0 6 ? * WED *'));
  });
});
