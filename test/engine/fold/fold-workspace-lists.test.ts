// A workspace whose loops, lists and shared values are folded together, and proven as a whole.

import { expect, test } from 'vitest';
import { foldWorkspace } from '../../../src/engine/fold/fold-workspace.ts';
import type { FoldSide } from '../../../src/engine/fold/prove-fold.ts';
import { load } from '../../../src/engine/load/load.ts';
import type { Workspace } from '../../../src/ports/workspace.ts';
import { makeInstantClock } from '../../support/fake-clock.ts';
import { makeMemoryWorkspace } from '../../support/memory-workspace.ts';
import { lines } from '../../support/parse/edited.ts';

async function fold(files: Readonly<Record<string, string>>, names: readonly (string | undefined)[] = [undefined]) {
  const clock = makeInstantClock(Date.UTC(2026, 10, 21));
  const loadSide = (workspace: Workspace, { name }: FoldSide) =>
    load({ workspace, environment: () => undefined, clock, environmentName: name });
  const workspace = makeMemoryWorkspace(files);
  const sides = names.map((name) => ({ name, state: undefined }));
  return foldWorkspace({
    workspace,
    sides: await Promise.all(sides.map(async (side) => ({ side, loaded: await loadSide(workspace, side) }))),
    load: loadSide,
    named: undefined,
    randomness: { uuid: () => '00000000-0000-4000-8000-000000000000', bytes: (count) => 'x'.repeat(count) },
  });
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

test('lists in the items of new loops become audiences, whatever the order of their people', async () => {
  const loop = ['emea', 'amer', 'apac'].flatMap((key, index) =>
    schedule(
      `sales-${key}`,
      `Sales ${key}`,
      '0 9 ? * MON *',
      ['[a@acme.com, b@acme.com]', '[c@acme.com]', '[b@acme.com, a@acme.com]'][index] ?? '',
    ),
  );
  const others = [
    ...schedule('pack', 'Month end', '0 7 1 * ? *', '[a@acme.com, b@acme.com]', [
      '    textBody: Hello',
      '    fanOut: true',
    ]),
    ...schedule('alert', 'Alert', '0 * * * ? *', '[b@acme.com, a@acme.com]', [
      '    conditionType: RESULTS_PRESENT',
      '    conditionQueryMapKey: "1"',
      '    killJobsOnFailure: true',
      '    hideTitle: true',
    ]),
  ];
  const { files, folds, left } = await fold({ 'schedules/board.yaml': lines('schedules:', ...loop, ...others) });
  expect(left).toEqual([]);
  expect(folds.map(({ kind }) => kind)).toEqual(['loop', 'audience', 'default', 'default', 'default']);
  const [{ after = '' } = {}] = files;
  expect(after).toContain(lines('audiences:', '  board:', '    emails: [a@acme.com, b@acme.com]'));
  expect(after.match(/audience\.board/g)).toHaveLength(4);
});

test('values of environments stay theirs', async () => {
  const files = {
    'almanac.yaml': lines(
      'variables: { zone: UTC }',
      'environments:',
      '  production: { defaults: { schedules: { timezone: Europe/London } } }',
      '  staging: { defaults: { schedules: { timezone: Asia/Tokyo } }, deliver: { email: [qa@acme.com] } }',
    ),
    'schedules/sales.yaml': lines(
      'schedules:',
      ...schedule('a', 'A', '0 7 1 * ? *', '[a@acme.com]').filter((line) => !line.includes('timezone')),
      ...schedule('b', 'B', '0 8 1 * ? *', '[a@acme.com]', [
        '    in: [production]',
        '    fanOut: true',
        '    textBody: B',
      ]),
      ...schedule('c', 'C', '0 * * * ? *', '[a@acme.com]', ['    killJobsOnFailure: true', '    hideTitle: true']),
      ...schedule('d', 'D', '9 * * * ? *', '[a@acme.com]', [
        '    singleColumnLayout: true',
        '    filterConfig: { x: 1 }',
      ]),
    ),
  };
  const { folds, left } = await fold(files, ['production', 'staging']);
  expect(left).toEqual([]);
  expect(folds.flatMap((each) => (each.kind === 'default' ? [each.field] : []))).toEqual(['identifier', 'format']);
  expect(folds.filter(({ kind }) => kind === 'audience')).toHaveLength(1);
});
