// The commands that validating, choosing and reading advise.

import { expect } from 'vitest';
import { after, appliedDesk, daily, declare, newDesk, run, shows } from '../../support/cli/advice.ts';
import { weekly } from '../../support/cli/open-stage.ts';

const empty = () => newDesk({ files: {} });
const many = {
  'schedules/all.yaml': {
    schedules: Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [
        `s${at}`,
        { ...weekly, name: `S${at}`, filterConfig: { region: { values: [`r${at}`] } } },
      ]),
    ),
  },
};
const large = () => appliedDesk({ files: many, onTerminal: true });
const listsAddresses = shows('schedules.weekly');

run([
  [
    'fmt --check advises the command that formats',
    {
      from: 'commands/fmt/format.ts: fmt',
      situation: newDesk,
      prints: 'fmt --check',
      after: 'would change: run ',
      then: async (_ran, _desk, again) => expect(await again()).toMatchObject({ code: 0 }),
    },
  ],
  [
    'next of an address without runs advises the runs of all',
    {
      from: 'commands/next/next.ts: next',
      situation: after(newDesk, declare({ weekly, daily: { ...daily, paused: true } })),
      prints: 'next schedules.daily',
      after: 'Without an address, ',
      then: listsAddresses,
    },
  ],
  [
    'next of many runs advises those of one time',
    {
      from: 'commands/next/next-text.ts: next --at',
      situation: () => newDesk({ files: many }),
      prints: 'next --days 60',
      after: '--destination; ',
      then: shows('12 of 12 schedules run at'),
    },
  ],
  [
    'next with busy minutes advises those of one minute',
    {
      from: 'commands/next/next-text.ts: next --timezone',
      situation: newDesk,
      prints: 'next --days 60 --max-per-minute 1',
      after: '',
      then: shows('schedules.daily'),
    },
  ],
  [
    'offboard of a pattern advises who, which takes patterns',
    {
      from: 'commands/offboard/offboard.ts: who',
      situation: newDesk,
      prints: "offboard '*@example.com'",
      after: 'One person leaves at a time; ',
      more: "'*@example.com'",
      then: listsAddresses,
    },
  ],
  [
    'schema --workspace of another schema advises the schema of this workspace',
    {
      from: 'commands/schema/schema.ts: schema --workspace',
      situation: newDesk,
      prints: 'schema plan --workspace',
      after: 'Run ',
      then: shows('"$schema"'),
    },
  ],
  [
    'show --format html without a plan advises saving one, which can be shown so',
    {
      from: 'commands/show/show.ts: plan --out',
      situation: newDesk,
      prints: 'show --format html',
      after: 'name a plan that ',
      more: 'a.plan',
      then: async (_, desk) => expect((await desk.run('show a.plan --format html')).stdout).toContain('<html'),
    },
  ],
  [
    'an unknown schedule to choose advises the list of what was applied',
    {
      from: 'apply/choose/select.ts: state list',
      situation: appliedDesk,
      prints: 'next schedules.something-else',
      after: 'such as `schedules.weekly-sales`; ',
      then: listsAddresses,
    },
  ],
  [
    'an unknown dashboard to choose advises the list of documents',
    {
      from: 'apply/choose/select.ts: documents',
      situation: newDesk,
      prints: 'next --dashboard something-else',
      after: 'such as `12db1a0a`; ',
      then: shows('12db1a0a'),
    },
  ],
  [
    'an unknown address of the state advises the list of what it holds',
    {
      from: ['apply/choose/select.ts: state list'],
      situation: appliedDesk,
      prints: 'state list schedules.something-else',
      after: '',
      then: listsAddresses,
    },
  ],
  [
    'a folder without a workspace advises init',
    {
      from: 'commands/base/run.ts: init',
      situation: after(empty, ({ path }) => path),
      prints: 'plan --chdir /proc',
      after: 'or create a workspace with ',
      more: '--chdir new',
      first: ({ write }) => write({ 'new/.keep': '' }),
      then: async (_, desk) => expect((await desk.run('validate --chdir new')).code).toBe(0),
    },
  ],
  [
    'state show in a terminal advises what lists and shows',
    {
      from: 'commands/base/state-text.ts: state list',
      situation: large,
      prints: 'show',
      after: '',
      then: shows('schedules.s11'),
    },
  ],
  [
    'a large state advises the command that shows one resource',
    {
      from: 'commands/base/state-text.ts: state show',
      situation: large,
      prints: 'show',
      after: 'lists them, ',
      fill: () => ({ ADDRESS: 'schedules.s11' }),
      then: shows('name: "S11"'),
    },
  ],
  [
    'fold --check advises the command that folds',
    {
      from: 'commands/fold/fold-report.ts: fold',
      situation: () => newDesk({ files: many }),
      prints: 'fold --check',
      after: '',
      then: async (_ran, _desk, again) => expect(await again()).toMatchObject({ code: 0 }),
    },
  ],
  [
    'fold advises a plan, in which nothing changes',
    {
      from: 'commands/fold/fold-report.ts: plan',
      situation: () => appliedDesk({ files: many }),
      prints: 'fold',
      after: 'Next: ',
      then: shows('No changes.'),
    },
  ],
  [
    'documents with a folder that is no id advises the list with ids',
    {
      from: 'commands/documents/document-parameters.ts: documents --format',
      situation: newDesk,
      prints: 'documents --folder Sales',
      after: '',
      then: shows('"folder"'),
    },
  ],
  [
    'a loop with testNow advises the test of one instance',
    {
      from: 'declare/parse-resources.ts: test',
      situation: () =>
        newDesk({
          files: {
            'schedules/all.yaml': { schedules: { many: { ...weekly, testNow: true, forEach: { a: {}, b: {} } } } },
          },
        }),
      prints: 'validate',
      after: 'Remove testNow. ',
      fill: () => ({ ADDRESS: 'schedules.many.a' }),
      first: declare({ many: { ...weekly, forEach: { a: {}, b: {} } } }),
      then: (_, { emulator }) => expect(emulator.requests().filter(({ method }) => method === 'POST')).toHaveLength(1),
    },
  ],
  [
    'a dashboard that nothing knows advises the list of documents',
    {
      from: 'declare/online.ts: documents',
      situation: after(newDesk, declare({ weekly: { ...weekly, identifier: 'zzzzzzzz' } })),
      prints: 'validate --online',
      after: '',
      then: shows('12db1a0a'),
    },
  ],
]);
