// The commands that doctor, deliveries, AI jobs and people who leave advise, and those that the answers of Omni call for.

import { expect } from 'vitest';
import type { EmulatorOptions } from '../../../src/emulator/emulator.ts';
import type { JournalLine } from '../../../src/model/plan/journal.ts';
import { renderJournalLine } from '../../../src/render/state/render-state.ts';
import {
  type Advice,
  after,
  appliedDesk,
  type Desk,
  daily,
  declare,
  newDesk,
  run,
  textOf,
} from '../../support/cli/advice.ts';
import { weekly } from '../../support/cli/open-stage.ts';
import { ids } from '../../support/emulator/start-emulator.ts';
import { start } from '../../support/workspace.ts';

const alone = { 'schedules/all.yaml': { schedules: { weekly } } };
const lostPost = (at: number) => [{ fault: 'drop-after', on: 'POST /v1/schedules', at }] as const;
const posts = ({ emulator }: Desk) => emulator.requests().filter(({ method }) => method === 'POST').length;
const shows = (words: string) => ((ran) => expect(textOf(ran)).toContain(words)) satisfies Advice['then'];
const settled: Advice['then'] = async (_, desk) =>
  expect(textOf(await desk.run('plan --refresh'))).toContain('No changes.');
const succeedsThen: Advice['then'] = async (_ran, _desk, again) => expect(await again()).toMatchObject({ code: 0 });
const create = (operations: 'core' | 'full') =>
  after(
    () => newDesk({ files: alone, faults: lostPost(1), operations }),
    ({ run: almanac }) => almanac('apply --auto-approve'),
  );
const orphaned = after(
  () => appliedDesk({ files: alone, operations: 'core' }),
  async (desk) => {
    declare({})(desk);
    await desk.run('apply --auto-approve --allow-empty --allow-orphans');
  },
);
const lostDelivery = after(
  () => appliedDesk({ files: alone, faults: lostPost(2) }),
  ({ run: almanac }) => almanac('trigger schedules.weekly --auto-approve'),
);

const job = { modelId: ids.model, prompt: 'How are sales?' };
const failing = { modelId: ids.model, prompt: 'Fail. [emulator: fail]' };
const jobs = (aiJobs: object, options: EmulatorOptions = {}) =>
  newDesk({ files: { 'schedules/all.yaml': { aiJobs } }, jobDurationMs: 1_000_000, ...options });
/** Jobs end as soon as they are asked about. */
const ended = () => {
  let time = start;
  const now = () => {
    time += 60_000;
    return time;
  };
  return jobs({ failing }, { jobDurationMs: 1, now, sleep: async () => undefined });
};
const secret = {
  ...weekly,
  destinationType: 'webhook',
  recipients: undefined,
  subject: undefined,
  url: 'https://hooks.example.com/${env.HOOK}',
};

run([
  [
    'doctor advises to validate where a declaration has errors',
    {
      from: 'engine/doctor/check-configuration.ts: validate',
      situation: after(newDesk, declare({ weekly: { ...weekly, schedule: 'never' } })),
      prints: 'doctor',
      after: '',
      code: 1,
      then: shows('schedules/all.yaml'),
    },
  ],
  [
    'doctor advises to set a secret where apply runs',
    {
      from: 'engine/doctor/check-secrets.ts: apply',
      situation: after(newDesk, declare({ secret })),
      prints: 'doctor',
      after: ' where ',
      first: ({ environment }) => void Object.assign(environment, { HOOK: 'a-secret' }),
      then: succeedsThen,
    },
  ],
  [
    'a variable that is not set is to be set where apply runs',
    {
      from: 'parse/expand/resolve-reference.ts: apply',
      situation: after(newDesk, declare({ secret })),
      prints: 'plan',
      after: ' where ',
      first: ({ environment }) => void Object.assign(environment, { HOOK: 'a-secret' }),
      then: settled,
    },
  ],
  [
    'a secret in a file is to be replaced by a variable where apply runs',
    {
      from: 'validate/rules/secrets.ts: apply',
      situation: after(
        newDesk,
        declare({ secret: { ...secret, url: 'https://hooks.slack.com/services/T01/B02/a1B2c3D4e5F6' } }),
      ),
      prints: 'validate',
      after: 'set the variable where ',
      first: (desk) => {
        declare({ secret })(desk);
        Object.assign(desk.environment, { HOOK: 'a-secret' });
      },
      then: settled,
    },
  ],
  [
    'fingerprints of another key advise the apply that takes over',
    {
      from: 'engine/propose/secret-keys.ts: apply',
      situation: after(
        () =>
          appliedDesk({
            files: { 'schedules/all.yaml': { schedules: { secret } } },
            environment: { HOOK: 'a-secret', ALMANAC_STATE_KEY: 'a-key' },
          }),
        ({ environment }) => void Object.assign(environment, { ALMANAC_STATE_KEY: 'another-key' }),
      ),
      prints: 'plan',
      after: 'The next ',
      then: async (_, desk, again) => {
        expect(textOf(await again())).not.toContain('ALMANAC_STATE_KEY');
        expect(desk.emulator.requests().filter(({ method }) => method === 'PUT')).toHaveLength(1);
      },
    },
  ],
  [
    'doctor advises the list of orphans',
    {
      from: 'engine/doctor/check-state.ts: state orphans',
      situation: orphaned,
      prints: 'doctor',
      after: 'untracked.',
      then: shows('Weekly sales'),
    },
  ],
  [
    'doctor advises the apply that folds a journal',
    {
      from: 'engine/doctor/check-state.ts: apply',
      situation: after(appliedDesk, (desk) => {
        const { lineage, serial, baseUrl, salt, toolVersion } = desk.state();
        const at = '2026-03-01T00:00:00.000Z';
        const lines: readonly JournalLine[] = [
          { type: 'header', version: 2, lineage, serial, baseUrl, salt, toolVersion },
          { type: 'intent', seq: 1, address: 'schedules.weekly', action: 'update', attributes: weekly, at },
          { type: 'outcome', seq: 1, status: 'applied', at },
        ];
        desk.write({ 'almanac.state.json.journal': lines.map(renderJournalLine).join('') });
      }),
      prints: 'doctor',
      after: 'The next ',
      then: async (_ran, _desk, again) => expect(textOf(await again())).not.toContain('journal'),
    },
  ],
  [
    'doctor advises the plan that shows what an apply finds out',
    {
      from: 'engine/doctor/check-state.ts: plan',
      situation: create('full'),
      prints: 'doctor',
      after: '',
      then: shows('looks for it in Omni'),
    },
  ],
  [
    'doctor advises the plan that shows the command that resolves a change',
    {
      from: 'engine/doctor/check-state.ts: plan',
      situation: create('core'),
      prints: 'doctor',
      after: '',
      then: shows('almanac state resolve schedules.weekly --id ID'),
    },
  ],
  [
    'doctor advises to record what became of a delivery',
    {
      from: 'engine/doctor/check-state.ts: state resolve',
      situation: lostDelivery,
      prints: 'doctor',
      after: 'Find out, then ',
      then: async (_, desk) => expect(textOf(await desk.run('doctor'))).not.toContain('Find out'),
    },
  ],
  [
    'a trigger after one whose answer was lost advises to record what became of that',
    {
      from: 'engine/trigger/refusals.ts: state resolve',
      situation: lostDelivery,
      prints: 'trigger schedules.weekly --auto-approve',
      after: 'look at the deliveries in Omni. Then ',
      then: succeedsThen,
    },
  ],
  [
    'the state with a lost delivery advises to record what became of it',
    {
      from: 'render/plan/orphan-text.ts: state resolve',
      situation: lostDelivery,
      prints: 'state show',
      after: 'record the answer with one of:',
      then: async (_, desk) => expect((await desk.run('trigger schedules.weekly --auto-approve')).code).toBe(0),
    },
  ],
  [
    'a trigger with operations core advises a test delivery',
    {
      from: 'engine/trigger/refusals.ts: test',
      situation: () => appliedDesk({ files: alone, operations: 'core' }),
      prints: 'trigger schedules.weekly --auto-approve',
      after: 'in almanac.yaml; ',
      fill: () => ({ ADDRESS: 'schedules.weekly' }),
      then: (_, desk) => expect(posts(desk)).toBe(2),
    },
  ],
  [
    'a trigger of what was not applied advises the list of what was',
    {
      from: 'engine/trigger/choose-triggers.ts: state list',
      situation: appliedDesk,
      prints: 'trigger schedules.something-else --auto-approve',
      after: '',
      then: shows('schedules.weekly'),
    },
  ],
  [
    'a trigger of a change with an unknown outcome advises the apply that settles it',
    {
      from: 'engine/trigger/choose-triggers.ts: apply',
      situation: after(
        () => appliedDesk({ files: alone }),
        (desk) => {
          const unresolved = [
            { address: 'schedules.weekly', action: 'update', since: '2026-03-01T00:00:00.000Z', attributes: weekly },
          ];
          desk.write({ 'almanac.state.json': { ...desk.state(), unresolved } });
        },
      ),
      prints: 'trigger schedules.weekly --auto-approve',
      after: '',
      then: succeedsThen,
    },
  ],
  [
    'a trigger of a paused schedule advises the status that says so',
    {
      from: 'adapters/http/operations.ts: status',
      situation: after(appliedDesk, ({ emulator }) =>
        emulator.edit(({ schedules }) => {
          for (const schedule of schedules) schedule.disabledAt = '2026-03-01T00:00:00.000Z';
        }),
      ),
      prints: 'trigger schedules.weekly --auto-approve',
      after: '50 people. ',
      then: shows('paused'),
    },
  ],
  [
    'where an environment has sinks, a trigger of what was not applied there advises that apply',
    {
      from: 'engine/state/through-sink.ts: apply --env',
      situation: () =>
        appliedDesk({
          almanac: {
            environments: {
              staging: { state: { path: 'almanac.state.json' }, deliver: { email: ['qa@example.com'] } },
            },
          },
        }),
      prints: 'trigger schedules.weekly --env staging --auto-approve',
      after: 'Run ',
      then: succeedsThen,
    },
  ],
  [
    'where an environment has sinks, a trigger of what is not declared there advises that apply',
    {
      from: 'engine/trigger/refusals.ts: apply --env',
      situation: after(
        () =>
          appliedDesk({
            almanac: {
              environments: {
                staging: { state: { path: 'almanac.state.json' }, deliver: { email: ['qa@example.com'] } },
              },
            },
          }),
        declare({ daily }),
      ),
      prints: 'trigger schedules.weekly --env staging --auto-approve',
      after: 'Run ',
      then: (_, desk) => expect(Object.keys(desk.state().resources)).toEqual(['schedules.daily']),
    },
  ],
  [
    'an apply that waits no longer for a job advises its status',
    {
      from: 'render/apply/ai-job-text.ts: ai status',
      situation: () => jobs({ job }),
      prints: 'apply --auto-approve --wait --wait-timeout 1',
      after: 'Run ',
      then: shows('QUEUED'),
    },
  ],
  [
    'a job that failed advises to forget it, and then an apply repeats it',
    {
      from: 'render/apply/ai-job-text.ts: state rm',
      situation: ended,
      prints: 'apply --auto-approve --wait',
      after: 'To repeat it unchanged, run ',
      then: async (_, desk) => {
        const before = posts(desk);
        await desk.run('apply --auto-approve');
        expect(posts(desk)).toBe(before + 1);
      },
    },
  ],
  [
    'a job that is not applied advises the list of those that are',
    {
      from: 'engine/ai-jobs/ai-job.ts: state list',
      situation: after(
        () => jobs({ job }),
        ({ run: almanac }) => almanac('apply --auto-approve'),
      ),
      prints: 'ai status aiJobs.other',
      after: 'runs the declared jobs; ',
      then: shows('aiJobs.job'),
    },
  ],
  [
    'a job that is declared and not applied advises the apply that runs it',
    {
      from: 'engine/ai-jobs/ai-job.ts: apply',
      situation: () => jobs({ job }),
      prints: 'ai status aiJobs.job',
      after: '',
      then: succeedsThen,
    },
  ],
  [
    'the answer of a job that goes on advises its status',
    {
      from: 'engine/ai-jobs/ai-job.ts: ai status',
      situation: after(
        () => jobs({ job }),
        ({ run: almanac }) => almanac('apply --auto-approve'),
      ),
      prints: 'ai result aiJobs.job',
      after: '',
      then: shows('QUEUED'),
    },
  ],
  [
    'a conversation with a running job advises to cancel that',
    {
      from: 'adapters/http/operations.ts: ai cancel',
      situation: after(
        () => jobs({ first: { ...job, conversationId: ids.conversation } }),
        async (desk) => {
          await desk.run('apply --auto-approve');
          desk.write({
            'schedules/all.yaml': {
              aiJobs: {
                first: { ...job, conversationId: ids.conversation },
                second: { ...failing, conversationId: ids.conversation },
              },
            },
          });
        },
      ),
      prints: 'apply --auto-approve',
      after: 'cancel it (',
      fill: () => ({ ADDRESS: 'aiJobs.first' }),
      then: succeedsThen,
    },
  ],
]);
