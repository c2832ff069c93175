// What fold does with a stage that is wrong, with many groups, and with files in another order. The rest: test/transcripts/fold.

import { expect, test } from 'vitest';
import { makeSide } from '../../../src/commands/base/edit/every-environment.ts';
import type { FoldStage } from '../../../src/commands/fold/fold-stage.ts';
import { foldWorkspace } from '../../../src/commands/fold/fold-workspace.ts';
import { load } from '../../../src/declare/load/load.ts';
import { parsedOnce } from '../../../src/declare/load/load-again.ts';
import type { Workspace } from '../../../src/declare/workspace.ts';
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
  const loadHere = (edited: Workspace) => {
    effort.loads += 1;
    return load({ workspace: edited, environment: () => undefined, clock, environmentName: undefined });
  };
  const side = { name: undefined, state: undefined, loaded: await loadHere(workspace) };
  return foldWorkspace({ workspace, sides: [makeSide(side, loadHere, randomness)], named: undefined, stages });
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
  const { left } = await fold({ 'schedules/a.yaml': text }, undefined, [spoil]);
  expect(left.map(({ addresses, message }) => [addresses, message])).toEqual(
    keys.map((key) => [[`schedules.${key}`], `Folded, \`schedules.${key}\` would not be declared as it was.`]),
  );
});

const regions = ['emea', 'amer', 'apac'];
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
  const { folds, left } = await fold({ 'schedules/sales.yaml': text }, effort);
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
