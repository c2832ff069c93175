// The commands that are advised about a state that others hold, and about saved plans.

import { expect } from 'vitest';
import { renderJournalLine } from '../../../src/state/format/parse-state.ts';
import {
  after,
  appliedDesk,
  daily,
  declare,
  newDesk,
  run,
  sharedDesk,
  shows,
  succeedsThen,
  textOf,
} from '../../support/cli/advice.ts';
import { weekly } from '../../support/cli/open-stage.ts';

const sharedState = after(sharedDesk, ({ run: almanac }) => almanac('apply --auto-approve'));

run([
  [
    'a push that lacks what a journal holds advises to pull all of it',
    {
      from: 'state/repair-state.ts: state pull',
      situation: after(sharedState, async (desk) => {
        await desk.run('state pull > pushed.json');
        const state = JSON.parse(desk.read('pushed.json'));
        const { createdAndDied } = await import('../../support/apply/memory-place.ts');
        await desk.place.write({ ...state, serial: 2 }, createdAndDied({ ...state, serial: 2 }));
        desk.write({ 'pushed.json': { ...state, serial: 20 } });
      }),
      prints: 'state push pushed.json',
      after: 'Add it to the state to push (',
      then: shows('schedules.made'),
    },
  ],
  [
    'a plan beside a run of this machine advises to remove its lock once it has ended',
    {
      from: 'state/current-state.ts: state unlock',
      situation: after(appliedDesk, (desk) => {
        const { lineage, serial, baseUrl, salt, toolVersion } = desk.state();
        const held = {
          id: 'a',
          who: 'ana',
          host: 'runner-7',
          pid: 42,
          command: 'apply',
          since: '2026-03-01T00:00:00.000Z',
        };
        desk.write({
          'almanac.state.json.lock': JSON.stringify(held),
          'almanac.state.json.journal': [
            { type: 'header', version: 2, lineage, serial, baseUrl, salt, toolVersion } as const,
            {
              type: 'intent',
              seq: 1,
              address: 'schedules.weekly',
              action: 'update',
              attributes: weekly,
              at: '2026-03-01T00:00:00.000Z',
            } as const,
          ]
            .map(renderJournalLine)
            .join(''),
        });
      }),
      prints: 'plan',
      after: 'If it has certainly ended, run ',
      then: succeedsThen,
    },
  ],
  [
    'a saved plan that is out of date advises to save it again',
    {
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
  ],
  [
    'another digest than the expected one advises the plan that prints it',
    {
      from: 'apply/propose/saved-plan.ts: plan',
      situation: newDesk,
      prints: `apply --expect ${'a'.repeat(64)} --auto-approve`,
      after: '',
      then: async (ran, desk) => {
        const [, digest = ''] = /Digest ([0-9a-f]{64})/.exec(textOf(ran)) ?? [];
        expect((await desk.run(`apply --expect ${digest} --auto-approve`)).code).toBe(0);
      },
    },
  ],
  [
    'a source file in place of a saved plan advises to name none',
    {
      from: 'apply/propose/saved-plan.ts: apply',
      situation: newDesk,
      prints: 'apply schedules/all.yaml --auto-approve',
      after: 'Name no source file: ',
      then: async (_, { run: almanac }) => expect((await almanac('plan')).stdout).toContain('No changes.'),
    },
  ],
  [
    'an address in place of a saved plan advises to show its state',
    {
      from: 'apply/propose/saved-plan.ts: state show',
      situation: appliedDesk,
      prints: 'show schedules.weekly',
      after: 'To see what the state keeps of it, run ',
      then: shows('recipients'),
    },
  ],
  [
    'an address in place of a saved plan advises to show its declaration',
    {
      from: 'apply/propose/saved-plan.ts: show --resolved',
      situation: appliedDesk,
      prints: 'apply schedules.weekly --auto-approve',
      after: 'To see what is declared, run ',
      then: shows('recipients:'),
    },
  ],
  [
    'a saved plan without a rotated secret advises to save it where that is set',
    {
      from: 'apply/propose/saved-plan.ts: plan --out',
      situation: async () => {
        const url = 'https://hooks.example.com/${env.HOOK}';
        const secret = { ...weekly, destinationType: 'webhook', recipients: undefined, subject: undefined, url };
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
  ],
]);
