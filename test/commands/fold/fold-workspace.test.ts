// What fold does with many groups, and with files in another order. The rest: test/transcripts/fold.

import { expect, test } from 'vitest';
import { findAlike } from '../../../src/commands/fold/fold-workspace.ts';
import { load } from '../../../src/declare/load/load.ts';
import { parsedOnce } from '../../../src/declare/load/load-again.ts';
import type { Workspace } from '../../../src/declare/workspace.ts';
import { makeSide } from '../../../src/edit/in-environment.ts';
import { parseSource } from '../../../src/yaml/parse-source.ts';
import { makeInstantClock } from '../../support/fake-clock.ts';
import { makeMemoryWorkspace } from '../../support/memory-workspace.ts';
import { lines } from '../../support/yaml/edited.ts';

/** How often a text was parsed, and a workspace loaded. */
interface Effort {
  loads: number;
  parses: number;
}

async function fold(files: Readonly<Record<string, string>>, effort: Effort = { loads: 0, parses: 0 }) {
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
  return findAlike({
    workspace,
    environments: [makeSide(side, loadHere, { randomness, toolVersion: '0.1.0' })],
  });
}

const schedule = (key: string, name: string, cron: string, recipients: string) => [
  `  ${key}:`,
  '    identifier: 12db1a0a',
  `    name: ${name}`,
  `    schedule: ${cron}`,
  '    timezone: Europe/London',
  '    format: pdf',
  '    destinationType: email',
  `    recipients: ${recipients}`,
  `    subject: ${name}`,
];

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
  const { loops, notFolded } = await fold({ 'schedules/sales.yaml': text }, effort);
  expect(notFolded).toEqual([]);
  expect(loops).toHaveLength(24);
  // As it is and with the loops; and one text with the new keys alone.
  expect(effort.loads).toBeLessThanOrEqual(2);
  expect(effort.parses).toBeLessThanOrEqual(3);
});

test('the order of files makes no difference to loops and their names', async () => {
  const sourceOf = (identifier: string) =>
    lines(
      'schedules:',
      ...regions.flatMap((key) =>
        schedule(`sales-${identifier}-${key}`, key, '0 9 ? * MON *', `[${key}@acme.com]`).map((line) =>
          line.replace('12db1a0a', identifier),
        ),
      ),
    );
  const files = { 'schedules/a.yaml': sourceOf('a1'), 'schedules/b.yaml': sourceOf('b1') };
  const found = await fold(files);
  expect(found.loops.map(({ address }) => address)).toEqual(['schedules.sales-a1', 'schedules.sales-b1']);
  const reversed = await fold(Object.fromEntries(Object.entries(files).reverse()));
  expect(reversed.loops).toEqual(found.loops);
});
