import { expect, it } from 'vitest';
import { remainingOrphans } from '../../src/model/plan/plan.ts';
import { declare, plan, schedule, stateOf } from '../support/plan/planning.ts';

it('an orphan that the plan deletes is not listed for removal', () => {
  const at = '2026-03-01T00:00:00.000Z';
  const orphan = (id: string) => ({ id, address: 'schedules.s', identifier: '12db1a0a', name: 'Old', since: at });
  const state = stateOf(
    { 'schedules.s': schedule() },
    { orphans: [{ ...orphan('one'), replaced: true }, orphan('two')] },
  );
  const { plan: made } = plan(declare({ 'schedules.s': schedule() }), state, { operations: 'full' });
  expect(remainingOrphans(made).map(({ id }) => id)).toEqual(['two']);
});
