// The commands that doctor advises, and those about secrets.

import { expect } from 'vitest';
import type { JournalLine } from '../../../src/model/plan/journal.ts';
import { renderJournalLine } from '../../../src/state/format/parse-state.ts';
import {
  after,
  appliedDesk,
  declare,
  newDesk,
  run,
  settled,
  shows,
  succeedsThen,
  textOf,
} from '../../support/cli/advice.ts';
import { weekly } from '../../support/cli/open-stage.ts';

const alone = { 'schedules/all.yaml': { schedules: { weekly } } };
const lostPost = (at: number) => [{ fault: 'drop-after', on: 'POST /v1/schedules', at }] as const;
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
      from: 'commands/doctor/check-workspace.ts: validate',
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
      from: 'commands/doctor/check-workspace.ts: apply',
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
      from: 'declare/expand/resolve-reference.ts: apply',
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
      from: 'declare/rules.ts: apply',
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
      from: 'apply/propose/fingerprint-secrets.ts: apply',
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
      from: 'commands/doctor/check-state.ts: state orphans',
      situation: orphaned,
      prints: 'doctor',
      after: 'untracked.',
      then: shows('Weekly sales'),
    },
  ],
  [
    'doctor advises the apply that folds a journal',
    {
      from: 'commands/doctor/check-state.ts: apply',
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
      from: 'commands/doctor/check-state.ts: plan',
      situation: create('full'),
      prints: 'doctor',
      after: '',
      then: shows('looks for it in Omni'),
    },
  ],
  [
    'doctor advises the plan that shows the command that resolves a change',
    {
      from: 'commands/doctor/check-state.ts: plan',
      situation: create('core'),
      prints: 'doctor',
      after: '',
      then: shows('almanac state resolve schedules.weekly --id ID'),
    },
  ],
  [
    'doctor advises to record what became of a delivery',
    {
      from: 'commands/doctor/check-state.ts: state resolve',
      situation: lostDelivery,
      prints: 'doctor',
      after: 'Find out, then ',
      then: async (_, desk) => expect(textOf(await desk.run('doctor'))).not.toContain('Find out'),
    },
  ],
]);
