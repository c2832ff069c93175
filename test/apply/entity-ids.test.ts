import { expect, it } from 'vitest';
import { entityIdsSeen } from '../../src/apply/journal-header.ts';
import type { State } from '../../src/model/plan/state.ts';
import type { Proposal } from '../../src/plan/proposal.ts';

/** What is recorded of schedules that a look has found on this dashboard, with these ids of it. */
function recordedOf(seen: Readonly<Record<string, readonly [identifier: string, entityId: string]>>) {
  const resources = Object.fromEntries(
    Object.entries(seen).map(([id, [identifier]]) => [`schedules.${id}`, { id, attributes: { identifier } }]),
  );
  const observed = new Map(
    Object.entries(seen).map(([id, [identifier, entityId]]) => [
      `schedules.${id}`,
      { found: true, fields: new Set(['identifier']), attributes: { identifier }, entityId },
    ]),
  );
  const state = { resources } as unknown as State;
  return entityIdsSeen({ steps: [], observation: { observed }, inputs: { state } } as unknown as Proposal);
}

it('the id of a dashboard is recorded with every schedule that a look finds on it', () => {
  expect(recordedOf({ a: ['12db1a0a', 'one'], b: ['12db1a0a', 'one'], c: ['7ae01c55', 'two'] })).toEqual({
    a: 'one',
    b: 'one',
    c: 'two',
  });
});

it('where two schedules of a dashboard have other ids of it, somebody moved one while they were read, and none is recorded', () => {
  expect(recordedOf({ a: ['12db1a0a', 'one'], b: ['12db1a0a', 'two'], c: ['7ae01c55', 'two'] })).toEqual({ c: 'two' });
  expect(recordedOf({ a: ['12db1a0a', 'one'], b: ['12db1a0a', 'two'] })).toBeUndefined();
});
