// `almanac drift --write` and loops: a value is edited in the item that gives it, or moves from the declaration into every
// item. What the items cannot hold is refused, with the file and the way out.

import { describe, expect, it } from 'vitest';
import { makeAjv } from '../../scripts/schemas/compile-validators.ts';
import { publishedSchemas } from '../../src/published-schemas.ts';
import { at, type Fields, paused, stage, to } from '../support/cli/drift-stage.ts';

const rest = `    identifier: 12db1a0a
    format: pdf
    destinationType: email
    subject: Hello
`;

const renamed = (name: string) => (fields: Fields) => {
  fields['name'] = name;
};
const zoned = (timezone: string) => (fields: Fields) => {
  fields['timezone'] = timezone;
};

const maps = `schedules: # all of them
  regional:
    forEach:
      # the first region
      emea: { region: Europe, at: 0 8 ? * MON *, to: [ana@example.com] } # Ana
      amer: { region: America, at: '0 9 ? * MON *', to: [bo@example.com] } # Bo
    name: Sales \${each.region}
    schedule: \${each.at} # by region
    timezone: Europe/London # for all
    recipients: \${each.to}
${rest}`;

const single = `schedules:
  regional:
    forEach: { emea: Europe, amer: America }
    name: \${each.value}
    schedule: 0 8 ? * MON *
    timezone: Europe/London
    recipients: [ana@example.com]
${rest.replace('Hello', 'Hello ${each.key}')}`;

const rows = `schedules:
  regional:
    forEachRow: { file: regions.csv, key: code }
    name: \${each.code}
    schedule: \${each.at}
    timezone: \${each.zone}
    recipients: ["\${each.mail}"]
${rest}`;
const table =
  'code,at, zone,mail,note\r\n"emea",0 8 ? * MON *,"UTC",ana@example.com,"a, ""b"""\r\namer,0 9 ? * MON *,UTC,bo@example.com,\r\n';

async function edited(
  files: Readonly<Record<string, string>>,
  changes: Readonly<Record<string, (fields: Fields, schedule: Fields) => void>>,
  more = '',
  argv: readonly string[] = [],
) {
  const staged = await stage(files, more);
  await staged.apply(...argv);
  for (const [name, change] of Object.entries(changes)) staged.change(name, change);
  const { code, document } = await staged.write(...argv);
  expect(makeAjv().validate(publishedSchemas['plan'] ?? {}, document)).toBe(true);
  if (code === 0) await staged.expectQuiet(...argv);
  const { written = [], notWritten = [] } = document;
  return { code, written, notWritten, read: staged.workspace.read };
}

const all = 'schedules/all.yaml';

describe('the items of a map', () => {
  it('a value that is whole in the item is edited there, and nothing else changes', async () => {
    const { code, read, written, notWritten } = await edited(
      { [all]: maps },
      { 'Sales Europe': at('0 6 ? * WED *'), 'Sales America': to('bo@example.com', 'cy@example.com') },
    );
    expect([code, notWritten]).toEqual([0, []]);
    expect(read(all)).toBe(
      maps.replace('0 8 ? * MON *', '0 6 ? * WED *').replace('[bo@example.com]', '[bo@example.com, cy@example.com]'),
    );
    expect(written.map(({ address, path, line }) => [address, path, line])).toEqual([
      ['schedules.regional.amer', '/recipients', 6],
      ['schedules.regional.emea', '/schedule', 5],
    ]);
  });

  it('what the declaration gives to all moves into every item if only one changed', async () => {
    const { code, read, written, notWritten } = await edited(
      { [all]: maps },
      { 'Sales Europe': zoned('Europe/Paris') },
    );
    expect([code, notWritten]).toEqual([0, []]);
    expect(read(all)).toBe(
      maps
        .replace('[ana@example.com] }', '[ana@example.com], timezone: Europe/Paris }')
        .replace('[bo@example.com] }', '[bo@example.com], timezone: Europe/London }')
        .replace('timezone: Europe/London #', 'timezone: ${each.timezone} #'),
    );
    expect(written).toEqual([{ address: 'schedules.regional.emea', path: '/timezone', file: all, line: 5 }]);
  });

  it('what the declaration gives to all is edited there if all changed alike', async () => {
    const { code, read, notWritten } = await edited(
      { [all]: maps },
      { 'Sales Europe': zoned('UTC'), 'Sales America': zoned('UTC') },
    );
    expect([code, notWritten]).toEqual([0, []]);
    expect(read(all)).toBe(maps.replace('timezone: Europe/London', 'timezone: UTC'));
  });

  it('different values of several instances are written at once', async () => {
    const { code, read, notWritten } = await edited(
      { [all]: maps },
      { 'Sales Europe': zoned('UTC'), 'Sales America': zoned('Europe/Paris') },
    );
    expect([code, notWritten]).toEqual([0, []]);
    expect(read(all)).toMatch(/emea: .*timezone: UTC \}.*\n.*amer: .*timezone: Europe\/Paris \}/);
  });

  it('a text that is partly a reference becomes one value of every item', async () => {
    const { code, read, notWritten } = await edited({ [all]: maps }, { 'Sales Europe': renamed('Costs in ${EUR}') });
    expect([code, notWritten]).toEqual([0, []]);
    expect(read(all)).toContain('name: ${each.name}');
    expect(read(all)).toMatch(/emea: .*name: "Costs in \$\$\{EUR\}" \}.*\n.*amer: .*name: Sales America \}/);
  });

  it('a paused instance is the only one whose item says so', async () => {
    const { code, read, notWritten } = await edited({ [all]: maps }, { 'Sales Europe': paused });
    expect([code, notWritten]).toEqual([0, []]);
    expect(read(all)).toContain('paused: ${each.paused}');
    expect(read(all)).toMatch(/emea: .*paused: true \}.*\n.*amer: .*paused: false \}/);
  });

  it('a value that other fields use as well gets a name that no item has', async () => {
    const text = maps
      .replace('name: Sales ${each.region}', 'name: ${each.name}')
      .replaceAll('region:', 'name:')
      .replace('subject: Hello', 'subject: ${each.name}');
    const { code, read, notWritten } = await edited({ [all]: text }, { Europe: renamed('EMEA') });
    expect([code, notWritten]).toEqual([0, []]);
    expect(read(all)).toContain('name: ${each.name-2}');
    expect(read(all)).toMatch(
      /emea: \{ name: Europe, .*name-2: EMEA \}.*\n.*amer: \{ name: America, .*name-2: America/,
    );
  });

  it('a value of a list is edited in the item that gives this part of it', async () => {
    const text = maps.replace('recipients: ${each.to}', 'recipients: ["${each.to}", boss@example.com]');
    const { code, read, notWritten } = await edited(
      { [all]: text },
      { 'Sales Europe': to('ana@example.com', 'cy@example.com', 'boss@example.com') },
    );
    expect([code, notWritten]).toEqual([0, []]);
    expect(read(all)).toBe(text.replace('[ana@example.com]', '[ana@example.com, cy@example.com]'));
  });

  it('an item that refers to an audience of several gets a value of its own', async () => {
    const text = maps.replace('[ana@example.com]', '"${audience.sales}"');
    const other = `schedules:
  board:
    name: Board
    schedule: 0 8 ? * MON *
    timezone: UTC
    recipients: \${audience.sales}
${rest}audiences: { sales: { emails: [ana@example.com] } }
`;
    const { code, read, notWritten } = await edited(
      { [all]: text, 'schedules/board.yaml': other },
      { 'Sales Europe': to('cy@example.com') },
    );
    expect([code, notWritten]).toEqual([0, []]);
    expect(read(all)).toBe(maps.replace('[ana@example.com]', '["cy@example.com"]'));
    expect(read('schedules/board.yaml')).toBe(other);
  });

  it('an audience of one item is edited where it is declared', async () => {
    const text = `${maps.replace('[ana@example.com]', '"${audience.sales}"')}audiences: { sales: { emails: [ana@example.com] } }\n`;
    const { code, read, notWritten } = await edited(
      { [all]: text },
      { 'Sales Europe': to('ana@example.com', 'cy@example.com') },
    );
    expect([code, notWritten]).toEqual([0, []]);
    expect(read(all)).toBe(text.replace('emails: [ana@example.com]', 'emails: [ana@example.com, cy@example.com]'));
  });

  it('a default that others have as well stays, and the items get the value', async () => {
    const text = `defaults: { schedules: { timezone: UTC } }\n${maps.replace('    timezone: Europe/London # for all\n', '')}`;
    const { code, read, notWritten } = await edited({ [all]: text }, { 'Sales Europe': zoned('Europe/Paris') });
    expect([code, notWritten]).toEqual([0, []]);
    expect(read(all)).toContain('schedules: { timezone: UTC }');
    expect(read(all)).toMatch(/emea: .*timezone: Europe\/Paris \}.*\n.*amer: .*timezone: UTC \}/);
  });

  it('items that are one value each are refused with the way out', async () => {
    const { code, read, notWritten } = await edited({ [all]: single }, { Europe: zoned('Europe/Paris') });
    expect(code).toBe(2);
    expect(read(all)).toBe(single);
    expect(notWritten.map(({ address, reason }) => [address, reason])).toEqual([['schedules.regional.emea', 'items']]);
    expect(notWritten[0]?.message).toContain('The item `emea` in schedules/all.yaml is one value');
  });

  it('an item that is one value is edited if that is the whole field', async () => {
    const { code, read, notWritten } = await edited({ [all]: single }, { Europe: renamed('EMEA') });
    expect([code, notWritten]).toEqual([0, []]);
    expect(read(all)).toBe(single.replace('emea: Europe', 'emea: EMEA'));
  });
});

describe('items that share what an anchor gives', () => {
  const text = `x-base: &base { at: 0 8 ? * MON *, to: [ana@example.com] }\n${maps
    .replace('at: 0 8 ? * MON *, to: [ana@example.com]', '<<: *base')
    .replace("at: '0 9 ? * MON *', to: [bo@example.com]", '<<: *base')}`;

  it('only one of them changed: it gets a value of its own, and the anchor stays', async () => {
    const { code, read, notWritten } = await edited({ [all]: text }, { 'Sales Europe': at('0 6 ? * WED *') });
    expect([code, notWritten]).toEqual([0, []]);
    expect(read(all)).toBe(text.replace('Europe, <<: *base }', 'Europe, <<: *base, at: 0 6 ? * WED * }'));
  });

  it('all of them changed alike: what the anchor gives is edited', async () => {
    const changes = { 'Sales Europe': at('0 6 ? * WED *'), 'Sales America': at('0 6 ? * WED *') };
    const { code, read, notWritten } = await edited({ [all]: text }, changes);
    expect([code, notWritten]).toEqual([0, []]);
    expect(read(all)).toBe(text.replace('0 8 ? * MON *', '0 6 ? * WED *'));
  });
});

it('a default that differs between environments is given to no item', async () => {
  const text = maps.replace('    timezone: Europe/London # for all\n', '');
  const zone = (name: string) => `{ defaults: { schedules: { timezone: ${name} } } }`;
  const more = `environments: { prod: ${zone('UTC')}, test: ${zone('Europe/Paris')} }\n`;
  const { code, read, notWritten } = await edited({ [all]: text }, { 'Sales Europe': zoned('Europe/Rome') }, more, [
    '--env',
    'prod',
  ]);
  expect([code, read(all)]).toEqual([2, text]);
  expect(notWritten.map(({ reason }) => reason)).toEqual(['used-elsewhere']);
  expect(notWritten[0]?.message).toContain('The defaults of almanac.yaml give `timezone`');
});

describe('an address', () => {
  it('that is a loop means all its instances, and that of an instance only this one', async () => {
    const { apply, change, write, workspace, drift } = await stage({ [all]: maps });
    await apply();
    change('Sales Europe', zoned('UTC'));
    change('Sales America', zoned('Europe/Paris'));
    const one = await write('schedules.regional.amer');
    expect(one.document.written?.map(({ address }) => address)).toEqual(['schedules.regional.amer']);
    expect(workspace.read(all)).toMatch(/emea: .*timezone: Europe\/London \}.*\n.*amer: .*timezone: Europe\/Paris \}/);
    const { code, document } = await write('schedules.regional', '--target', 'schedules.regional');
    expect([code, document.written?.map(({ address }) => address)]).toEqual([0, ['schedules.regional.emea']]);
    expect(workspace.read(all)).toMatch(/emea: .*timezone: UTC \}/);
    await apply('--refresh=deep');
    change('Sales Europe', zoned('Europe/Rome'));
    expect((await write('schedules.regional.emea', '--target', 'schedules.regional')).code).toBe(0);
    expect((await drift('--deep')).code).toBe(0);
  });
});

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
    for (const { message } of notWritten) expect(message).toMatch(/column in schedules\/regions.csv.*yourself/);
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

  it('values and new names are written in almanac.yaml', async () => {
    const { code, read, notWritten } = await edited(
      { [all]: text },
      { 'Sales Europe': at('0 6 ? * WED *'), 'Sales America': renamed('Costs in ${USD}') },
      variable(''),
    );
    expect([code, notWritten]).toEqual([0, []]);
    expect(read('almanac.yaml')).toContain(
      'emea: { region: Europe, at: 0 6 ? * WED *, to: [ana@example.com], name: Sales Europe }',
    );
    expect(read('almanac.yaml')).toMatch(/amer: .*name: "Costs in \$\$\{USD\}"/);
    expect(read(all)).toContain('name: ${each.name}');
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

it('what a sink replaced is written into no item', async () => {
  const more = 'environments: { test: { deliver: { email: [qa@example.com] } } }\n';
  const { code, read, notWritten } = await edited({ [all]: maps }, { 'Sales Europe': to('zed@example.com') }, more, [
    '--env',
    'test',
  ]);
  expect(code).toBe(2);
  expect(read(all)).toBe(maps);
  expect(notWritten.map(({ reason }) => reason)).toEqual(['sink']);
});
