// The commands that a plan and an apply advise about what was reviewed, named, or refused.

import { expect } from 'vitest';
import { after, appliedDesk, declare, newDesk, run, settled, shows } from '../../support/cli/advice.ts';
import { weekly } from '../../support/cli/open-stage.ts';

const alone = { 'schedules/all.yaml': { schedules: { weekly } } };

run([
  [
    'a saved plan with --target advises a plan with it',
    {
      from: 'commands/apply/apply.ts: plan',
      situation: after(newDesk, ({ run: almanac }) => almanac('plan --out a.plan')),
      prints: 'apply a.plan --target schedules.weekly --auto-approve',
      after: 'Run ',
      more: '--target schedules.weekly --out b.plan',
      then: async (_, desk) => expect((await desk.run('apply b.plan --auto-approve')).code).toBe(0),
    },
  ],
  [
    'a plan saved at a terminal advises to apply exactly it',
    {
      from: 'commands/plan/plan.ts: apply',
      situation: () => newDesk({ onTerminal: true }),
      prints: 'plan --out a.plan',
      after: ' To apply exactly this plan: ',
      then: settled,
    },
  ],
  [
    'an apply of unreviewed changes advises the plan that shows them',
    {
      from: 'apply/refusals.ts: plan',
      situation: after(newDesk, ({ write }) => write({ digests: '' })),
      prints: 'apply --expect-changes digests --auto-approve',
      after: '',
      then: shows('will be created'),
    },
  ],
  [
    'an apply of unreviewed changes advises the plan that prints their digests',
    {
      from: ['apply/refusals.ts: plan --format', 'plan/parse-digests.ts: plan --format'],
      situation: after(newDesk, ({ write }) => write({ digests: 'none\n' })),
      prints: 'apply --expect-changes digests --auto-approve',
      after: '',
      then: async ({ stdout }, desk) => {
        const { changes } = JSON.parse(stdout) as { changes: readonly { digest: string }[] };
        desk.write({ digests: changes.map(({ digest }) => `${digest}\n`).join('') });
        expect((await desk.run('apply --expect-changes digests --auto-approve')).code).toBe(0);
      },
    },
  ],
  [
    'a target that nothing knows advises the list of the state',
    {
      from: 'apply/choose/select.ts: state list',
      situation: appliedDesk,
      prints: 'plan --target schedules.something-else',
      after: 'listed by ',
      then: shows('schedules.weekly'),
    },
  ],
  [
    'a test delivery to replace advises another one',
    {
      from: 'apply/propose/selection.ts: test',
      situation: () =>
        appliedDesk({ files: { 'schedules/all.yaml': { schedules: { once: { ...weekly, testNow: true } } } } }),
      prints: 'plan --replace schedules.once',
      after: 'Send another with: ',
      then: shows('Omni was asked to deliver schedules.once'),
    },
  ],
  [
    'a plan that gives up many advises an apply with --force',
    {
      from: 'apply/propose/propose.ts: apply',
      situation: after(
        () =>
          appliedDesk({
            files: {
              'schedules/all.yaml': {
                schedules: Object.fromEntries(
                  Array.from({ length: 12 }, (_, at) => [`s${at}`, { ...weekly, name: `S${at}` }]),
                ),
              },
            },
            almanac: { safety: { maxDeletePercent: 10 } },
          }),
        declare({ s0: { ...weekly, name: 'S0' } }),
      ),
      prints: 'plan',
      after: 'hint: ',
      more: '--force',
      then: settled,
    },
  ],
  [
    'the digest of a plan advises to apply only that plan',
    {
      from: 'report/plan/plan-markdown.ts: apply --expect',
      situation: newDesk,
      prints: 'plan --format markdown',
      after: 'by almanac ',
      fill: (printed) => ({ DIGEST: /[0-9a-f]{64}/.exec(printed)?.[0] ?? '' }),
      then: settled,
    },
  ],
  [
    'the digest in the HTML of a plan advises to apply only that plan',
    {
      from: 'report/plan/plan-markdown.ts: apply --expect',
      situation: newDesk,
      prints: 'plan --format html',
      after: 'Digest ',
      fill: (printed) => ({ DIGEST: /Digest <code>([0-9a-f]{64})/.exec(printed)?.[1] ?? '' }),
      then: settled,
    },
  ],
  [
    'an update that Omni refuses because it changes the dashboard advises to replace the schedule',
    {
      from: 'apply/results.ts: apply --replace',
      situation: after(
        () => appliedDesk({ files: alone }),
        (desk) => {
          declare({ weekly: { ...weekly, identifier: 'zzzzzzzz' } })(desk);
        },
      ),
      prints: 'apply --auto-approve',
      after: 'change its dashboard or destination, ',
      first: declare({ weekly: { ...weekly, identifier: '3f9c2b71' } }),
      then: settled,
    },
  ],
]);
