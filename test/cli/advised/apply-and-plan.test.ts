// The commands that a plan and an apply advise about what is blocked, lost, or left over.

import { expect } from 'vitest';
import {
  after,
  appliedDesk,
  type Desk,
  daily,
  declare,
  newDesk,
  run,
  settled,
  textOf,
} from '../../support/cli/advice.ts';
import { weekly } from '../../support/cli/open-stage.ts';

const protectedOne = { ...weekly, lifecycle: { preventDestroy: true } };
const alone = { 'schedules/all.yaml': { schedules: { weekly } } };
const lost = { fault: 'drop-after', on: 'POST /v1/schedules', at: 1 } as const;
const goneOf =
  (name: string) =>
  ({ emulator }: Desk) =>
    emulator.edit((data) => {
      data.schedules.splice(0, Infinity, ...data.schedules.filter(({ fields }) => fields['name'] !== name));
    });
const gone = goneOf('Weekly sales');
const protectedAndGone = after(
  () => appliedDesk({ files: { 'schedules/all.yaml': { schedules: { weekly: protectedOne, daily } } } }),
  (desk) => {
    gone(desk);
    declare({ daily })(desk);
  },
);
/** A create whose answer was lost. */
const unknown = (operations: 'core' | 'full') =>
  after(
    () => newDesk({ files: alone, faults: [lost], operations }),
    ({ run: almanac }) => almanac('apply --auto-approve'),
  );
/** Left over by operations core, of an Omni that has all of them. */
const orphaned = after(
  () => appliedDesk({ files: alone, almanac: { api: { operations: 'core' } } }),
  async (desk) => {
    declare({})(desk);
    await desk.run('apply --auto-approve --allow-empty --allow-orphans');
  },
);
const idIn = (printed: string) => ({ ID: /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(printed)?.[0] ?? '' });
const idThere = (_: string, { emulator }: Desk) => ({ ID: emulator.data().schedules[0]?.id ?? '' });

run([
  [
    'a protected schedule that is gone advises creating it again',
    {
      from: 'plan/block.ts: apply --refresh',
      situation: protectedAndGone,
      prints: 'plan --refresh',
      after: 'declare it again, then run ',
      first: declare({ weekly: protectedOne, daily }),
      then: settled,
    },
  ],
  [
    'a protected schedule that is gone advises to stop tracking it',
    {
      from: 'plan/block.ts: state rm',
      situation: protectedAndGone,
      prints: 'plan --refresh',
      after: 'To stop tracking it: ',
      then: async (_, desk) => expect(textOf(await desk.run('plan --refresh'))).toContain('No changes.'),
    },
  ],
  [
    'a plan after a lost create advises an apply, which finds it',
    {
      from: ['plan/block.ts: apply'],
      situation: unknown('full'),
      prints: 'plan',
      after: '',
      then: settled,
    },
  ],
  [
    'the list of what is unresolved advises an apply, which finds it',
    {
      from: 'report/plan/open-report.ts: apply',
      situation: unknown('full'),
      prints: 'plan',
      after: 'The next ',
      then: settled,
    },
  ],
  [
    'the HTML of a plan after a lost create advises an apply, which finds it',
    {
      from: 'report/plan/plan-markdown.ts: apply',
      situation: unknown('full'),
      prints: 'plan --format html',
      after: '',
      then: settled,
    },
  ],
  [
    'the Markdown of a plan after a lost create advises an apply, which finds it',
    {
      from: 'report/plan/plan-markdown.ts: apply',
      situation: unknown('full'),
      prints: 'plan --format markdown',
      after: '',
      then: settled,
    },
  ],
  [
    'with operations core, a lost create advises to record its id',
    {
      from: ['plan/block.ts: state resolve', 'report/plan/open-report.ts: state resolve'],
      situation: unknown('core'),
      prints: 'plan',
      after: '',
      fill: idThere,
      then: async (_, desk) => expect(textOf(await desk.run('plan'))).toContain('No changes.'),
    },
  ],
  [
    'with operations core, the Markdown of a plan advises to record what became of a lost create',
    {
      from: 'report/plan/plan-markdown.ts: state resolve',
      situation: unknown('core'),
      prints: 'plan --format markdown',
      after: 'then record the answer with ',
      more: 'schedules.weekly --id ID',
      fill: idThere,
      then: async (_, desk) => expect(textOf(await desk.run('plan'))).toContain('No changes.'),
    },
  ],
  [
    'with operations core, the HTML of a plan advises to record what became of a lost create',
    {
      from: 'report/plan/plan-markdown.ts: state resolve',
      situation: unknown('core'),
      prints: 'plan --format html',
      after: 'then record the answer with ',
      more: 'schedules.weekly --id ID',
      fill: idThere,
      then: async (_, desk) => expect(textOf(await desk.run('plan'))).toContain('No changes.'),
    },
  ],
  [
    'a lost create with several candidates advises to record the id of the right one',
    {
      from: 'apply/recover.ts: state resolve',
      situation: after(unknown('full'), ({ emulator }) =>
        emulator.edit(({ schedules }) => {
          const [made] = schedules;
          if (made !== undefined)
            schedules.push({ ...structuredClone(made), id: '2abba91d-9bec-41a0-8a8d-6f133b4ff0b7' });
        }),
      ),
      prints: 'apply --auto-approve',
      after: 'Find out which of them it is, then:',
      fill: idThere,
      then: async (_, desk) => expect(textOf(await desk.run('plan'))).toContain('No changes.'),
    },
  ],
  [
    'a plan with an orphan advises clearing it once it is removed',
    {
      from: 'report/plan/open-report.ts: state orphans --clear',
      situation: orphaned,
      prints: 'plan --allow-empty',
      after: 'then clear ',
      fill: idIn,
      first: gone,
      then: async (_, desk) => expect(textOf(await desk.run('state orphans'))).toContain('No orphans'),
    },
  ],
  [
    'an adopt entry of an orphan advises clearing it first, and then adopts it',
    {
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
  ],
  [
    'a create beside an orphan of the same name advises clearing it, and then the adoption goes through',
    {
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
        await settled({ code: 0, stdout: '', stderr: '' }, desk, () => desk.run('plan'));
      },
    },
  ],
  [
    'a finished entry advises fmt --prune, which removes it',
    {
      from: 'plan/entries.ts: fmt --prune',
      situation: after(appliedDesk, (desk) =>
        declare({ weekly, daily }, { removed: [{ from: 'schedules.old', keep: true }] })(desk),
      ),
      prints: 'plan -v',
      after: '',
      then: async (_ran, { read }) => expect(read('schedules/all.yaml')).not.toContain('removed'),
    },
  ],
  [
    'an apply after which an entry is finished advises fmt --prune',
    {
      from: 'commands/apply/apply-text.ts: fmt --prune',
      situation: after(appliedDesk, (desk) =>
        declare({ weekly }, { removed: [{ from: 'schedules.daily', keep: true }] })(desk),
      ),
      prints: 'apply --auto-approve',
      after: 'taken effect and can be removed with ',
      then: async (_ran, { read }) => expect(read('schedules/all.yaml')).not.toContain('removed'),
    },
  ],
  [
    'a plan that counts finished entries advises fmt --prune',
    {
      from: 'report/text/words.ts: fmt --prune',
      situation: after(appliedDesk, (desk) =>
        declare({ weekly, daily }, { removed: [{ from: 'schedules.old', keep: true }] })(desk),
      ),
      prints: 'plan',
      after: '',
      then: async (_ran, { read }) => expect(read('schedules/all.yaml')).not.toContain('removed'),
    },
  ],
]);
