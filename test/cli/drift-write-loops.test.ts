// `almanac drift --write` and loops: a value is edited in the item that gives it, be it in a map, a CSV file or a variable, or
// in the declaration if all changed alike. Anything else is refused, with the file and the way out.

import { describe, expect, it } from 'vitest';
import {
  all,
  at,
  type Change,
  maps,
  paused,
  renamed,
  rest,
  resumed,
  set,
  testWritings,
  to,
  zoned,
} from '../support/cli/drift-stage.ts';
import { openApplied } from '../support/world.ts';

const wednesday = at('0 6 ? * WED *');
const emea = 'schedules.regional.emea';
const [europe, america] = ['Sales Europe', 'Sales America'];
const boss = maps.replace('recipients: ${each.to}', 'recipients: ["${each.to}", boss@example.com]');
const audience = maps.replace('[ana@example.com]', '"${audience.sales}"');
const sales = 'audiences: { sales: { emails: [ana@example.com] } }\n';
const alert: Change = (fields) =>
  Object.assign(fields, { conditionType: 'RESULTS_PRESENT', conditionQueryMapKey: 'Jmn2r3KV' });
const asia = 'apac: { region: Asia, at: 0 8 ? * MON *, to: [cy@example.com] }';
const halted = '    paused: ${each.halted}\n';
const single = `schedules:
  regional:
    forEach: { emea: Europe, amer: America }
    name: \${each.value}
    schedule: 0 8 ? * MON *
    timezone: Europe/London
    recipients: [ana@example.com]
${rest.replace('Hello', 'Hello ${each.key}')}`;

describe('the items of a map', () => {
  testWritings({
    'a value that is whole in the item is edited there, and nothing else changes': {
      files: maps,
      changes: { [europe]: wednesday, [america]: to('bo@example.com', 'cy@example.com') },
      edits: [
        ['0 8 ? * MON *', '0 6 ? * WED *'],
        ['[bo@example.com]', '[bo@example.com, cy@example.com]'],
      ],
      written: ['schedules.regional.amer/recipients schedules/all.yaml:6', `${emea}/schedule schedules/all.yaml:5`],
    },
    'what the declaration gives to all is edited there if all changed alike': {
      files: maps,
      changes: { [europe]: zoned('UTC'), [america]: zoned('UTC') },
      edits: [['timezone: Europe/London', 'timezone: UTC']],
    },
    'a list that means something else for each item is written as a whole if all changed alike': {
      files: boss,
      changes: Object.fromEntries(
        [europe, america].map((name) => [name, to('ana@example.com', 'bo@example.com', 'cy@example.com')]),
      ),
      edits: [['["${each.to}", boss@example.com]', '[ana@example.com, bo@example.com, cy@example.com]']],
    },
    'a value of a list is edited in the item that gives this part of it': {
      files: boss,
      changes: { [europe]: to('ana@example.com', 'cy@example.com', 'boss@example.com') },
      edits: [['[ana@example.com]', '[ana@example.com, cy@example.com]']],
    },
    'an item that refers to an audience of several gets a value of its own': {
      files: {
        [all]: audience,
        'schedules/board.yaml': `schedules:
  board:
    name: Board
    schedule: 0 8 ? * MON *
    timezone: UTC
    recipients: \${audience.sales}
${rest}${sales}`,
      },
      changes: { [europe]: to('cy@example.com') },
      edits: [['"${audience.sales}"', '["cy@example.com"]']],
    },
    'items that are one value each are refused with the way out': {
      files: single,
      changes: { Europe: zoned('Europe/Paris') },
      refused: [`${emea}/timezone items`],
      because: /Make every item in schedules\/all.yaml a map with a `timezone`/,
    },
    'an item that is one value is edited if that is the whole field': {
      files: single,
      changes: { Europe: renamed('EMEA') },
      edits: [['emea: Europe', 'emea: EMEA']],
    },
    'what other items need not have is written into the item, and the declaration refers to it from then on': {
      files: maps,
      changes: { [europe]: [paused, wednesday] },
      edits: [
        ['0 8 ? * MON *, to: [ana@example.com] }', '0 6 ? * WED *, to: [ana@example.com], paused: true }'],
        [rest, `${rest}    paused: \${each.paused}\n`],
      ],
      written: [`${emea}/paused schedules/all.yaml:5`, `${emea}/schedule schedules/all.yaml:5`],
    },
    'what all instances now have that other items need not have stays in the declaration': {
      files: maps,
      changes: { [europe]: paused, [america]: paused },
      edits: [[rest, `${rest}    paused: true\n`]],
    },
    'what another item has is written into the item that lacks it': {
      files: maps.replace('bo@example.com] }', 'bo@example.com], halted: true }') + halted,
      changes: { [europe]: paused, [america]: resumed },
      edits: [
        ['ana@example.com] }', 'ana@example.com], halted: true }'],
        ['halted: true } # Bo', 'halted: false } # Bo'],
      ],
    },
    'an item that lacks what a default gives to others gets a value of its own': {
      files: `defaults: { schedules: { paused: true } }\n${maps
        .replace('bo@example.com] } # Bo', `bo@example.com] }\n      ${asia}`)
        .replace(asia, `${asia.replace(' }', ', halted: true }')}`)}${halted}`,
      changes: { [europe]: resumed },
      edits: [['ana@example.com] }', 'ana@example.com], halted: false }']],
    },
    'an item without any value becomes a map': {
      files: `schedules:
  regional:
    forEach:
      emea:
      amer: null
      apac: {}
    name: Sales \${each.key}
    schedule: 0 8 ? * MON *
    timezone: Europe/London
    recipients: [ana@example.com]
${rest}`,
      changes: { 'Sales emea': paused, 'Sales amer': paused },
      edits: [
        ['emea:\n', 'emea:\n        paused: true\n'],
        ['amer: null\n', 'amer:\n        paused: true\n'],
        [rest, `${rest}    paused: \${each.paused}\n`],
      ],
    },
    'what a sink replaced is written into no item': {
      files: maps,
      config: 'environments: { test: { deliver: { email: [qa@example.com] } } }\n',
      environment: 'test',
      changes: { [europe]: to('zed@example.com') },
      refused: [`${emea}/recipients sink`],
    },
  });

  it.each([
    ['a value of the declaration', 'timezone', maps, zoned('Europe/Paris')],
    ['a text that is partly a reference', 'name', maps, renamed('Costs')],
    ['a field that the declaration leaves out', 'conditionType', maps, alert],
    [
      'a default',
      'timezone',
      `defaults: { schedules: { timezone: UTC } }\n${maps.replace('    timezone: Europe/London # for all\n', '')}`,
      zoned('Europe/Paris'),
    ],
  ])('%s is refused where only one instance changed, with the ways to write it', async (_, field, text, change) => {
    const world = await openApplied(text);
    world.change(europe, change);
    const { code, stdout } = await world.run('drift --deep --write');
    expect([code, world.read(all)]).toEqual([2, text]);
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      `One text gives \`${field}\` to all instances of \`schedules.regional\`, so it cannot hold what Omni has for one of them. Give every item in schedules/all.yaml a \`${field}\`, and write \`${field}: \${each.${field}}\` in schedules/all.yaml. Or declare this one outside of the loop: \`almanac show --resolved ${emea}\`.`,
    );
    const shown = await world.run(`show --resolved ${emea}`);
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining(`from: ${emea}`)]);
  });
});

describe('the rows of a CSV file', () => {
  const csv = 'schedules/regions.csv';
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
  const files = { [all]: rows, [csv]: table };
  /** With a byte order mark, and no line end after a last cell, which is a name. */
  const last = {
    [all]: rows.replace('name: ${each.code}', 'name: ${each.note}'),
    [csv]: `\uFEFF${table.replace(/,\r\n$/, ',Bo')}`,
  };

  testWritings({
    'only the cells change, and every other byte stays': {
      files,
      changes: { emea: zoned('Europe/Paris'), amer: [at('0 6,8 ? * WED *'), to('cy@example.com')] },
      edits: {
        [csv]: [
          ['"UTC"', '"Europe/Paris"'],
          ['0 9 ? * MON *', '"0 6,8 ? * WED *"'],
          ['bo@example.com', 'cy@example.com'],
        ],
      },
      written: [
        `schedules.regional.amer/recipients ${csv}:3`,
        `schedules.regional.amer/schedule ${csv}:3`,
        `${emea}/timezone ${csv}:2`,
      ],
    },
    'a recipient behind an empty cell is replaced in its own cell': {
      files: {
        [all]: rows.replace('["${each.mail}"]', '["${each.note}", "${each.mail}"]'),
        [csv]: table.replace('"a, ""b"""', ''),
      },
      changes: { amer: to('cy@example.com') },
      edits: { [csv]: [['bo@example.com', 'cy@example.com']] },
    },
    'an empty cell is filled in, and true and false are changed': {
      files: {
        [all]: `${rows}${halted}    killJobsOnFailure: \${each.kill}\n`,
        [csv]:
          'code,at,zone,mail,note,halted,kill\nemea,0 8 ? * MON *,UTC,ana@example.com,,,TRUE\namer,0 8 ? * MON *,UTC,bo@example.com,,True,\n',
      },
      changes: { emea: [paused, set('killJobsOnFailure', false)], amer: resumed },
      edits: {
        [csv]: [
          [',,TRUE', ',true,false'],
          ['True', 'false'],
        ],
      },
    },
    'the key, a second value and a field without a column are refused, and the header stays': {
      files,
      changes: { emea: [paused, renamed('EMEA')], amer: to('bo@example.com', 'cy@example.com') },
      refused: ['schedules.regional.amer/recipients items', `${emea}/name items`, `${emea}/paused items`],
      because: /Add a column `\w+` to schedules\/regions.csv/,
    },
    'a text that a spreadsheet would calculate is refused': {
      files: {
        [all]: rows
          .replace('name: ${each.code}', 'name: ${each.zone}')
          .replace('timezone: ${each.zone}', 'timezone: UTC'),
        [csv]: table.replace('"UTC"', 'Europe'),
      },
      changes: { Europe: renamed('=1+1') },
      refused: [`${emea}/name items`],
      because: /the column `zone` of schedules\/regions.csv/,
    },
    ...Object.fromEntries(
      Object.entries({ NUL: 'a\0b', 'half of a character': 'a\uD800b' }).map(([title, name]) => [
        `${title} is refused in a cell, and what changed beside it is written`,
        {
          files: last,
          changes: { Bo: [to('cy@example.com'), renamed(name)] },
          edits: { [csv]: [['bo@', 'cy@']] },
          refused: ['schedules.regional.amer/name layout'],
          because: /a character that schedules\/regions.csv cannot hold/,
        },
      ]),
    ),
  });
});

describe('items that are a variable', () => {
  const files = maps.replace(/forEach:\n(?: {6}.*\n)+/, 'forEach: ${var.regions}\n');
  const items = maps.split('\n').slice(4, 6);
  const variable = (indent: string) =>
    ['variables:', '  regions:', ...items.map((line) => `    ${line.trim()}`)]
      .map((line) => `${indent}${line}\n`)
      .join('');

  testWritings({
    'a map that other environments read stays, and the words say where its own belongs': {
      files,
      config: `${variable('')}environments: { prod: {}, test: {} }\n`,
      environment: 'prod',
      changes: { [europe]: wednesday },
      refused: [`${emea}/schedule used-elsewhere`],
      because: /environments\.prod\.variables/,
    },
    'what the declaration gives to an instance of another environment as well stays': {
      files,
      config: `environments:\n  prod:\n${variable('    ')}  test: { variables: { regions: { apac: { region: Asia, at: 0 1 ? * MON *, to: [cy@example.com] } } } }\n`,
      environment: 'prod',
      changes: { [europe]: zoned('Europe/Paris'), [america]: zoned('Europe/Paris') },
      refused: ['schedules.regional.amer/timezone used-elsewhere', `${emea}/timezone used-elsewhere`],
      because: /also change `schedules\.regional\.apac` in the environment test/,
    },
    'the map of one environment is edited there': {
      files,
      config: `environments:\n  prod:\n${variable('    ')}  test: { variables: { regions: {} } }\n`,
      environment: 'prod',
      changes: { [europe]: wednesday },
      edits: { 'almanac.yaml': [['0 8 ? * MON *', '0 6 ? * WED *']] },
    },
  });
});

it('the address of a loop means all its instances, and that of an instance only this one', async () => {
  const world = await openApplied(maps);
  const write = (...argv: readonly string[]) => world.drift('--deep', '--write', ...argv);
  const addresses = ({ document }: Awaited<ReturnType<typeof write>>) =>
    document.written?.map(({ address }) => address);
  world.change(europe, wednesday);
  world.change(america, at('0 7 ? * WED *'));
  expect(addresses(await write('schedules.regional.amer'))).toEqual(['schedules.regional.amer']);
  expect(world.read(all)).toMatch(/emea: .*at: 0 8 .*\n.*amer: .*at: '?0 7 /);
  const both = await write('schedules.regional', '--target', 'schedules.regional');
  expect([both.code, addresses(both)]).toEqual([0, [emea]]);
  expect(world.read(all)).toMatch(/emea: .*at: 0 6 /);
  await world.apply('--refresh=deep');
  world.change(europe, set('schedule', '0 5 ? * WED *'));
  expect((await write(emea, '--target', 'schedules.regional')).code).toBe(0);
  expect((await world.drift('--deep')).code).toBe(0);
});
