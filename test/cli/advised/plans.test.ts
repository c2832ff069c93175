// The commands that a plan and an apply advise: about what is blocked, lost or left over, about what was reviewed, and about
// saved plans.

import { expect } from 'vitest';
import { createdAndDied } from '../../support/apply/memory-place.ts';
import {
  after,
  alone,
  appliedDesk,
  type Desk,
  daily,
  declare,
  gone,
  held,
  idIn,
  journalOf,
  lockFile,
  lostCreate,
  newDesk,
  orphaned,
  run,
  secret,
  settled,
  sharedDesk,
  shows,
  succeedsThen,
  textOf,
} from '../../support/cli/advice.ts';
import { weekly } from '../../support/cli/open-stage.ts';

const protectedOne = { ...weekly, lifecycle: { preventDestroy: true } };
const protectedAndGone = after(
  () => appliedDesk({ files: { 'schedules/all.yaml': { schedules: { weekly: protectedOne, daily } } } }),
  (desk) => {
    gone(desk);
    declare({ daily })(desk);
  },
);
const sharedState = after(sharedDesk, ({ run: almanac }) => almanac('apply --auto-approve'));
const idThere = (_: string, { emulator }: Desk) => ({ ID: emulator.data().schedules[0]?.id ?? '' });

run({
  'a protected schedule that is gone advises creating it again': {
    from: 'plan/block.ts: apply --refresh',
    situation: protectedAndGone,
    prints: 'plan --refresh',
    after: 'declare it again, then run ',
    first: declare({ weekly: protectedOne, daily }),
  },
  'a protected schedule that is gone advises to stop tracking it': {
    from: 'plan/block.ts: state rm',
    situation: protectedAndGone,
    prints: 'plan --refresh',
    after: 'To stop tracking it: ',
  },
  'a plan after a lost create advises an apply, which finds it, in every format': {
    from: ['plan/block.ts: apply', 'report/plan/plan-markdown.ts: apply'],
    situation: lostCreate('full'),
    prints: ['plan', 'plan --format html', 'plan --format markdown'],
    after: '',
  },
  'the list of what is unresolved advises an apply, which finds it': {
    from: 'report/plan/open-report.ts: apply',
    situation: lostCreate('full'),
    prints: 'plan',
    after: 'The next ',
  },
  'with operations core, a lost create advises to record its id': {
    from: ['plan/block.ts: state resolve', 'report/plan/open-report.ts: state resolve'],
    situation: lostCreate('core'),
    prints: 'plan',
    after: '',
    fill: idThere,
  },
  'with operations core, the Markdown and the HTML of a plan advise to record what became of a lost create': {
    from: 'report/plan/plan-markdown.ts: state resolve',
    situation: lostCreate('core'),
    prints: ['plan --format markdown', 'plan --format html'],
    after: 'then record the answer with ',
    more: 'schedules.weekly --id ID',
    fill: idThere,
  },
  'a lost create with several candidates advises to record the id of the right one': {
    from: 'apply/recover.ts: state resolve',
    situation: after(lostCreate('full'), ({ emulator }) =>
      emulator.edit(({ schedules }) => {
        const [made] = schedules;
        if (made !== undefined)
          schedules.push({ ...structuredClone(made), id: '2abba91d-9bec-41a0-8a8d-6f133b4ff0b7' });
      }),
    ),
    prints: 'apply --auto-approve',
    after: 'Find out which of them it is, then:',
    fill: idThere,
  },
  'a plan with an orphan advises clearing it once it is removed': {
    from: 'report/plan/open-report.ts: state orphans --clear',
    situation: orphaned,
    prints: 'plan --allow-empty',
    after: 'then clear ',
    fill: idIn,
    first: gone,
    then: async (_, desk) => expect(textOf(await desk.run('state orphans'))).toContain('No orphans'),
  },
  'an adopt entry of an orphan advises clearing it first, and then adopts it': {
    from: 'plan/entries.ts: state orphans --clear',
    situation: after(orphaned, (desk) =>
      declare({ weekly }, { adopt: [{ to: 'schedules.weekly', id: desk.state().orphans[0]?.id }] })(desk),
    ),
    prints: 'plan -v',
    after: 'take it off the list first: ',
    then: async (_, desk, again) => {
      expect(textOf(await again())).toContain('adopt');
      await desk.run('apply --auto-approve');
      expect(desk.state()).toMatchObject({ orphans: [], resources: { 'schedules.weekly': {} } });
    },
  },
  'a create beside an orphan of the same name advises clearing it, and then the adoption goes through': {
    from: 'apply/create-guard.ts: state orphans --clear',
    situation: after(orphaned, async (desk) => {
      desk.write({ 'almanac.yaml': desk.read('almanac.yaml').replace('"core"', '"full"') });
      declare({ weekly })(desk);
    }),
    prints: 'apply --auto-approve',
    after: 'It is an orphan, so take it off the list first: ',
    then: async (_, desk) => {
      const [found] = desk.emulator.data().schedules;
      declare({ weekly }, { adopt: [{ to: 'schedules.weekly', id: found?.id }] })(desk);
      await desk.run('apply --auto-approve');
      await settled(desk);
    },
  },
  'a finished entry advises fmt --prune, which removes it, also where a plan only counts it': {
    from: ['plan/entries.ts: fmt --prune', 'report/text/words.ts: fmt --prune'],
    situation: after(appliedDesk, (desk) =>
      declare({ weekly, daily }, { removed: [{ from: 'schedules.old', keep: true }] })(desk),
    ),
    prints: ['plan -v', 'plan'],
    after: '',
    then: async (_ran, { read }) => expect(read('schedules/all.yaml')).not.toContain('removed'),
  },
  'an apply after which an entry is finished advises fmt --prune': {
    from: 'commands/apply/apply-text.ts: fmt --prune',
    situation: after(appliedDesk, (desk) =>
      declare({ weekly }, { removed: [{ from: 'schedules.daily', keep: true }] })(desk),
    ),
    prints: 'apply --auto-approve',
    after: 'taken effect and can be removed with ',
    then: async (_ran, { read }) => expect(read('schedules/all.yaml')).not.toContain('removed'),
  },
  'a saved plan with --target advises a plan with it': {
    from: 'commands/apply/apply.ts: plan',
    situation: after(newDesk, ({ run: almanac }) => almanac('plan --out a.plan')),
    prints: 'apply a.plan --target schedules.weekly --auto-approve',
    after: 'Run ',
    more: '--target schedules.weekly --out b.plan',
    then: async (_, desk) => expect((await desk.run('apply b.plan --auto-approve')).code).toBe(0),
  },
  'a plan saved at a terminal advises to apply exactly it': {
    from: 'commands/plan/plan.ts: apply',
    situation: () => newDesk({ onTerminal: true }),
    prints: 'plan --out a.plan',
    after: ' To apply exactly this plan: ',
  },
  'an apply of unreviewed changes advises the plan that shows them': {
    from: 'apply/refusals.ts: plan',
    situation: after(newDesk, ({ write }) => write({ digests: '' })),
    prints: 'apply --expect-changes digests --auto-approve',
    after: '',
    then: shows('will be created'),
  },
  'an apply of unreviewed changes advises the plan that prints their digests': {
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
  'a target that nothing knows advises the list of the state': {
    from: 'apply/choose/select.ts: state list',
    situation: appliedDesk,
    prints: 'plan --target schedules.something-else',
    after: 'listed by ',
    then: shows('schedules.weekly'),
  },
  'a test delivery to replace advises another one': {
    from: 'apply/propose/selection.ts: test',
    situation: () =>
      appliedDesk({ files: { 'schedules/all.yaml': { schedules: { once: { ...weekly, testNow: true } } } } }),
    prints: 'plan --replace schedules.once',
    after: 'Send another with: ',
    then: shows('Omni was asked to deliver schedules.once'),
  },
  'a plan that gives up many advises an apply with --force': {
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
  },
  'the digest of a plan advises to apply only that plan, in Markdown and in HTML': {
    from: 'report/plan/plan-markdown.ts: apply --expect',
    situation: newDesk,
    prints: ['plan --format markdown', 'plan --format html'],
    after: 'Digest ',
    fill: (printed) => ({ DIGEST: /Digest \S*([0-9a-f]{64})/.exec(printed)?.[1] ?? '' }),
  },
  'an update that Omni refuses because it changes the dashboard advises to replace the schedule': {
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
  },
  'a push that lacks what a journal holds advises to pull all of it': {
    from: 'state/repair-state.ts: state pull',
    situation: after(sharedState, async (desk) => {
      await desk.run('state pull > pushed.json');
      const state = JSON.parse(desk.read('pushed.json'));
      await desk.place.write({ ...state, serial: 2 }, createdAndDied({ ...state, serial: 2 }));
      desk.write({ 'pushed.json': { ...state, serial: 20 } });
    }),
    prints: 'state push pushed.json',
    after: 'Add it to the state to push (',
    then: shows('schedules.made'),
  },
  'a plan beside a run of this machine advises to remove its lock once it has ended': {
    from: 'state/current-state.ts: state unlock',
    situation: after(appliedDesk, (desk) => {
      desk.write({ [lockFile]: held, [`${lockFile.slice(0, -'.lock'.length)}.journal`]: journalOf(desk) });
    }),
    prints: 'plan',
    after: 'If it has certainly ended, run ',
    then: succeedsThen,
  },
  'a saved plan that is out of date advises to save it again': {
    from: 'apply/propose/saved-plan.ts: plan --out',
    situation: after(newDesk, async (desk) => {
      await desk.run('plan --out a.plan');
      declare({ daily })(desk);
    }),
    prints: 'apply a.plan --auto-approve',
    after: 'Run ',
    more: 'b.plan',
    then: async (_, desk) => expect((await desk.run('apply b.plan --auto-approve')).code).toBe(0),
  },
  'another digest than the expected one advises the plan that prints it': {
    from: 'apply/propose/saved-plan.ts: plan',
    situation: newDesk,
    prints: `apply --expect ${'a'.repeat(64)} --auto-approve`,
    after: '',
    then: async (ran, desk) => {
      const [, digest = ''] = /Digest ([0-9a-f]{64})/.exec(textOf(ran)) ?? [];
      expect((await desk.run(`apply --expect ${digest} --auto-approve`)).code).toBe(0);
    },
  },
  'a source file in place of a saved plan advises to name none': {
    from: 'apply/propose/saved-plan.ts: apply',
    situation: newDesk,
    prints: 'apply schedules/all.yaml --auto-approve',
    after: 'Name no source file: ',
    then: async (_, { run: almanac }) => expect((await almanac('plan')).stdout).toContain('No changes.'),
  },
  'an address in place of a saved plan advises to show its state': {
    from: 'apply/propose/saved-plan.ts: state show',
    situation: appliedDesk,
    prints: 'show schedules.weekly',
    after: 'To see what the state keeps of it, run ',
    then: shows('recipients'),
  },
  'an address in place of a saved plan advises to show its declaration': {
    from: 'apply/propose/saved-plan.ts: show --resolved',
    situation: appliedDesk,
    prints: 'apply schedules.weekly --auto-approve',
    after: 'To see what is declared, run ',
    then: shows('recipients:'),
  },
  'a saved plan without a rotated secret advises to save it where that is set': {
    from: 'apply/propose/saved-plan.ts: plan --out',
    situation: async () => {
      const desk = await appliedDesk({
        files: { 'schedules/all.yaml': { schedules: { secret } } },
        environment: { HOOK: 'first' },
      });
      delete desk.environment['HOOK'];
      await desk.run('plan --out a.plan');
      desk.environment['HOOK'] = 'second';
      return desk;
    },
    prints: 'apply a.plan --auto-approve',
    after: 'Run ',
    more: 'b.plan',
    then: async (_, desk) => expect((await desk.run('apply b.plan --auto-approve')).code).toBe(0),
  },
});
