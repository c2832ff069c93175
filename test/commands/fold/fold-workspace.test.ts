// A workspace whose loops, lists and shared values are folded together, and proven as a whole.

import { expect, test } from 'vitest';
import { makeSide } from '../../../src/commands/base/edit/every-environment.ts';
import type { FoldStage } from '../../../src/commands/fold/fold-stage.ts';
import { foldWorkspace } from '../../../src/commands/fold/fold-workspace.ts';
import { load } from '../../../src/declare/load/load.ts';
import { parsedOnce } from '../../../src/declare/load/load-again.ts';
import type { Workspace } from '../../../src/declare/workspace.ts';
import { formatYaml } from '../../../src/yaml/format/format-yaml.ts';
import { sourceOrder } from '../../../src/yaml/format/source-order.ts';
import { parseSource } from '../../../src/yaml/parse-source.ts';
import { makeInstantClock } from '../../support/fake-clock.ts';
import { makeMemoryWorkspace } from '../../support/memory-workspace.ts';
import { lines } from '../../support/yaml/edited.ts';

/** How often a text was parsed, and a workspace loaded. */
interface Effort {
  loads: number;
  parses: number;
}

async function fold(
  files: Readonly<Record<string, string>>,
  names: readonly (string | undefined)[] = [undefined],
  effort: Effort = { loads: 0, parses: 0 },
  stages?: readonly FoldStage[],
) {
  const clock = makeInstantClock(Date.UTC(2026, 10, 21));
  const workspace = parsedOnce(makeMemoryWorkspace(files), (file) => {
    effort.parses += 1;
    return parseSource(file);
  });
  const randomness = {
    uuid: () => '00000000-0000-4000-8000-000000000000',
    bytes: (count: number) => 'x'.repeat(count),
  };
  const sides = names.map(async (name) => {
    const loadHere = (edited: Workspace) => {
      effort.loads += 1;
      return load({ workspace: edited, environment: () => undefined, clock, environmentName: name });
    };
    return makeSide({ name, state: undefined, loaded: await loadHere(workspace) }, loadHere, randomness);
  });
  return foldWorkspace({ workspace, sides: await Promise.all(sides), named: undefined, stages });
}

const schedule = (key: string, name: string, cron: string, recipients: string, more: readonly string[] = []) => [
  `  ${key}:`,
  '    identifier: 12db1a0a',
  `    name: ${name}`,
  `    schedule: ${cron}`,
  '    timezone: Europe/London',
  '    format: pdf',
  '    destinationType: email',
  `    recipients: ${recipients}`,
  `    subject: ${name}`,
  ...more,
];

test('each fold that cannot be proven is listed with its own reason', async () => {
  const keys = ['a', 'b'];
  const text = lines('schedules:', ...keys.flatMap((key) => schedule(key, key, '0 9 ? * MON *', '[a@acme.com]')));
  const spoil: FoldStage = () => ({
    folds: keys.map((key) => ({
      fold: {
        ...{
          kind: 'default',
          section: 'schedules',
          id: key,
          file: 'schedules/a.yaml',
          field: 'subject',
          value: 'other',
        },
        usedBy: [`schedules.${key}`],
      },
      edits: [{ file: 'schedules/a.yaml', document: 0, pointer: `/schedules/${key}/subject`, value: 'other' }],
    })),
    left: [],
  });
  const { left } = await fold({ 'schedules/a.yaml': text }, undefined, undefined, [spoil]);
  expect(left.map(({ addresses, message }) => [addresses, message])).toEqual(
    keys.map((key) => [[`schedules.${key}`], `Folded, \`schedules.${key}\` would not be declared as it was.`]),
  );
});

test('lists in the items of new loops become audiences, and what then is left has its defaults', async () => {
  const lists = ['[a@acme.com, b@acme.com]', '[c@acme.com]', '[b@acme.com, a@acme.com]'];
  const loop = regions.flatMap((key, index) =>
    schedule(`sales-${key}`, `Sales ${key}`, '0 9 ? * MON *', lists[index] ?? ''),
  );
  const others = [
    ...schedule('pack', 'Month end', '0 7 1 * ? *', '[a@acme.com, b@acme.com]', ['    fanOut: true']),
    ...schedule('alert', 'Alert', '0 * * * ? *', '[b@acme.com, a@acme.com]', ['    hideTitle: true']),
  ];
  const { files, folds, left } = await fold({ 'schedules/board.yaml': lines('schedules:', ...loop, ...others) });
  expect(left).toEqual([]);
  expect(folds.map(({ kind }) => kind)).toEqual(['loop', 'audience', 'default', 'default', 'default']);
  const [{ after = '' } = {}] = files;
  expect(after).toContain(lines('audiences:', '  board-1:', '    emails: [a@acme.com, b@acme.com]'));
  expect(after.match(/audience\.board-1/g)).toHaveLength(4);
});

const regions = ['emea', 'amer', 'apac'];
const sales = (key: string, more: readonly string[] = []) =>
  schedule(`sales-${key}`, `Sales ${key}`, '0 9 ? * MON *', `[${key}@acme.com]`, more);

test('a reference that takes the place of a quoted value is laid out as fmt lays it out', async () => {
  const years = ['"2024"', '"2025"', '"2026"'];
  const source = lines(
    'schedules:',
    ...years.flatMap((year, at) => schedule(`sales-${at}`, year, '0 9 ? * MON *', `[${at}@acme.com]`)),
  );
  const { files } = await fold({ 'schedules/sales.yaml': source });
  const [{ after = '' } = {}] = files;
  expect(after).toContain('    subject: ${each.name}\n');
  expect(formatYaml(after, sourceOrder)).toBe(after);
});

test('values of environments stay theirs', async () => {
  const list = '[a@acme.com, b@acme.com]';
  const files = {
    'almanac.yaml': lines(
      'environments:',
      '  production: { defaults: { schedules: { timezone: Europe/London } } }',
      '  staging: { defaults: { schedules: { timezone: Asia/Tokyo } }, deliver: { email: [qa@acme.com] } }',
    ),
    'schedules/sales.yaml': lines(
      'schedules:',
      ...schedule('a', 'A', '0 7 1 * ? *', list).filter((line) => !line.includes('timezone')),
      ...schedule('b', 'B', '0 8 1 * ? *', list, ['    in: [production]', '    fanOut: true']),
      ...schedule('c', 'C', '0 * * * ? *', list, ['    hideTitle: true']),
    ),
  };
  const { folds, left } = await fold(files, ['production', 'staging']);
  expect(left).toEqual([]);
  expect(folds.flatMap((each) => (each.kind === 'default' ? [each.field] : []))).toEqual(['identifier', 'format']);
  expect(folds.filter(({ kind }) => kind === 'audience')).toHaveLength(1);
});

test('schedules of one environment become a loop of that environment, and sinks stay as they are', async () => {
  const files = {
    'almanac.yaml': lines('environments:', '  production: {}', '  staging: { deliver: { email: [qa@acme.com] } }'),
    'schedules/sales.yaml': lines(
      'schedules:',
      ...regions.flatMap((key) => sales(key, ['    in: [production]'])),
      ...regions.flatMap((key) => sales(`${key}-too`, ['    fanOut: true'])),
    ),
  };
  const { folds, left, files: written } = await fold(files, ['production', 'staging']);
  expect(left).toEqual([]);
  expect(folds.filter(({ kind }) => kind === 'loop')).toHaveLength(2);
  expect(written[0]?.after.match(/in: \[production\]/g)).toHaveLength(1);
});

test('schedules of several documents become a loop in the first document', async () => {
  const text = regions.map((key) => lines('schedules:', ...sales(key))).join('---\n');
  const { files, left } = await fold({ 'schedules/sales.yaml': text });
  expect(left).toEqual([]);
  const [first = '', ...others] = files[0]?.after.split('---\n') ?? [];
  for (const key of regions) expect(first).toContain(`      ${key}: `);
  expect(others.join('')).not.toContain('sales');
});

test('a group of more items than one loop should have stays, and is told why and what to do', async () => {
  const text = lines(
    'schedules:',
    ...Array.from({ length: 501 }, (_, index) =>
      schedule(`sales-${index}`, `Sales ${index}`, '0 8 ? * MON *', '[ana@acme.com]'),
    ).flat(),
  );
  const { folds, left } = await fold({ 'schedules/all.yaml': text });
  expect(folds.some(({ kind }) => kind === 'loop')).toBe(false);
  expect(left).toMatchObject([{ message: expect.stringMatching(/There are 501 items.* another file/) }]);
});

test('each text is parsed once, however many groups it holds', async () => {
  const names = Array.from({ length: 24 }, (_, index) => index);
  const text = lines(
    'schedules:',
    ...names.flatMap((index) =>
      regions.flatMap((key) =>
        schedule(`r${index}-${key}`, `R${index} ${key}`, `${index} 9 ? * MON *`, `[r${index}-${key}@acme.com]`).map(
          (line) => line.replace('12db1a0a', `12db1a${index + 10}`),
        ),
      ),
    ),
  );
  const effort: Effort = { loads: 0, parses: 0 };
  const { folds, left } = await fold({ 'schedules/sales.yaml': text }, [undefined], effort);
  expect(left).toEqual([]);
  expect(folds.filter(({ kind }) => kind === 'loop')).toHaveLength(24);
  // As it is, after the loops, after the defaults; and one text with the new keys alone.
  expect(effort.loads).toBeLessThanOrEqual(4);
  expect(effort.parses).toBeLessThanOrEqual(6);
});

test('the order of files makes no difference to names and people', async () => {
  const sourceOf = (keys: string, list: string) =>
    lines(
      'schedules:',
      ...[...keys].flatMap((key) => schedule(key, key, '0 9 ? * MON *', list, [`    extra: { of: ${key} }`])),
    );
  const files = {
    'schedules/a.yaml': sourceOf('abc', '[ana@acme.com, bo@acme.com]'),
    'schedules/b.yaml': sourceOf('ghi', '[di@acme.com, ed@acme.com]'),
  };
  const found = await fold(files);
  expect(found.folds.filter(({ kind }) => kind === 'audience')).toHaveLength(2);
  expect((await fold(Object.fromEntries(Object.entries(files).reverse()))).files).toEqual(found.files);
});
