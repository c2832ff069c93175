// The commands that deliveries and AI jobs advise, and those that the answers of Omni call for.

import { expect } from 'vitest';
import type { EmulatorOptions } from '../../../src/emulator/emulator.ts';
import {
  after,
  alone,
  appliedDesk,
  daily,
  declare,
  lostDelivery,
  newDesk,
  posts,
  run,
  shows,
  succeedsThen,
} from '../../support/cli/advice.ts';
import { weekly } from '../../support/cli/open-stage.ts';
import { ids } from '../../support/emulator/start-emulator.ts';
import { start } from '../../support/workspace.ts';

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

run({
  'a trigger after one whose answer was lost advises to record what became of that': {
    from: 'apply/trigger/choose-triggers.ts: state resolve',
    situation: lostDelivery,
    prints: 'trigger schedules.weekly --auto-approve',
    after: 'look at the deliveries in Omni. Then ',
    then: succeedsThen,
  },
  'the state with a lost delivery advises to record what became of it': {
    from: 'report/plan/open-report.ts: state resolve',
    situation: lostDelivery,
    prints: 'state show',
    after: 'record the answer with one of:',
    then: async (_, desk) => expect((await desk.run('trigger schedules.weekly --auto-approve')).code).toBe(0),
  },
  'a trigger with operations core advises a test delivery': {
    from: 'apply/trigger/choose-triggers.ts: test',
    situation: () => appliedDesk({ files: alone, operations: 'core' }),
    prints: 'trigger schedules.weekly --auto-approve',
    after: 'in almanac.yaml; ',
    fill: () => ({ ADDRESS: 'schedules.weekly' }),
    then: (_, desk) => expect(posts(desk)).toBe(2),
  },
  'a trigger of what was not applied advises the list of what was': {
    from: 'apply/trigger/choose-triggers.ts: state list',
    situation: appliedDesk,
    prints: 'trigger schedules.something-else --auto-approve',
    after: '',
    then: shows('schedules.weekly'),
  },
  'a trigger of a change with an unknown outcome advises the apply that settles it': {
    from: 'apply/trigger/choose-triggers.ts: apply',
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
  'a trigger of a paused schedule advises the status that says so': {
    from: 'service/http/operations.ts: status',
    situation: after(appliedDesk, ({ emulator }) =>
      emulator.edit(({ schedules }) => {
        for (const schedule of schedules) schedule.disabledAt = '2026-03-01T00:00:00.000Z';
      }),
    ),
    prints: 'trigger schedules.weekly --auto-approve',
    after: '50 people. ',
    then: shows('paused'),
  },
  'where an environment has sinks, a trigger of what was not applied there advises that apply': {
    from: 'state/through-sink.ts: apply --env',
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
  'where an environment has sinks, a trigger of what is not declared there advises that apply': {
    from: 'apply/trigger/choose-triggers.ts: apply --env',
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
  'an apply that waits no longer for a job advises its status': {
    from: 'commands/base/ai-job-text.ts: ai status',
    situation: () => jobs({ job }),
    prints: 'apply --auto-approve --wait --wait-timeout 1',
    after: 'Run ',
    then: shows('QUEUED'),
  },
  'a job that failed advises to forget it, and then an apply repeats it': {
    from: 'commands/base/ai-job-text.ts: state rm',
    situation: ended,
    prints: 'apply --auto-approve --wait',
    after: 'To repeat it unchanged, run ',
    then: async (_, desk) => {
      const before = posts(desk);
      await desk.run('apply --auto-approve');
      expect(posts(desk)).toBe(before + 1);
    },
  },
  'a job that is not applied advises the list of those that are': {
    from: 'commands/ai/ai.ts: state list',
    situation: after(
      () => jobs({ job }),
      ({ run: almanac }) => almanac('apply --auto-approve'),
    ),
    prints: 'ai status aiJobs.other',
    after: 'runs the declared jobs; ',
    then: shows('aiJobs.job'),
  },
  'a job that is declared and not applied advises the apply that runs it': {
    from: 'commands/ai/ai.ts: apply',
    situation: () => jobs({ job }),
    prints: 'ai status aiJobs.job',
    after: '',
    then: succeedsThen,
  },
  'the answer of a job that goes on advises its status': {
    from: 'commands/ai/ai.ts: ai status',
    situation: after(
      () => jobs({ job }),
      ({ run: almanac }) => almanac('apply --auto-approve'),
    ),
    prints: 'ai result aiJobs.job',
    after: '',
    then: shows('QUEUED'),
  },
  'a conversation with a running job advises to cancel that': {
    from: 'service/http/operations.ts: ai cancel',
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
});
