import { expect, it } from 'vitest';
import { remainingOrphans } from '../../src/model/plan/remaining-orphans.ts';
import { declare, plan, schedule, stateOf } from '../support/plan/planning.ts';

it('an orphan that the plan adopts is not listed for removal', () => {
  const at = '2026-03-01T00:00:00.000Z';
  const orphan = (id: string) => ({ id, address: 'schedules.old', identifier: '12db1a0a', name: 'Old', since: at });
  const state = stateOf({}, { orphans: [orphan('one'), orphan('two')] });
  const desired = declare({ 'schedules.s': schedule() }, { adopt: [['schedules.s', 'one']] });
  expect(remainingOrphans(plan(desired, state).plan).map(({ id }) => id)).toEqual(['two']);
});
