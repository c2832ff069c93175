// The state of a plan that is made beside a running apply: what was open before the run stays open, and what the run
// itself has begun is left out.

import { expect, it } from 'vitest';
import type { JournalIntent, JournalOutcome } from '../../src/model/plan/journal.ts';
import { stateForPlan } from '../../src/state/current-state.ts';
import { at, kindOf, lostCreate, schedule, stateOf } from '../support/apply/declared.ts';
import { makeStore } from '../support/apply/stage.ts';

const now = '2026-03-01T00:00:00.000Z';
const a = 'schedules.a';
const update = { address: a, action: 'update', since: at, attributes: schedule('A2') } as const;
const intent = (seq: number, address: string, action: JournalIntent['action'], more = {}): JournalIntent => ({
  type: 'intent',
  seq,
  kind: kindOf(action),
  address,
  action,
  at: now,
  ...more,
});
const begun = intent(9, 'schedules.new', 'create', { attributes: schedule('New') });

/** What a plan finds open while this has been journalled under another secret key. */
async function openBeside(lines: readonly (JournalIntent | JournalOutcome)[]) {
  const state = stateOf(
    { [a]: { id: 'x', attributes: schedule('A') } },
    { secretKey: '1'.repeat(16), unresolved: [update, lostCreate('schedules.lost', schedule('Lost'))] },
  );
  const { lineage, serial, baseUrl, salt } = state;
  const header = { type: 'header', version: 2, lineage, serial, baseUrl, salt, toolVersion: '0.1.0' } as const;
  const store = makeStore(state, { header: { ...header, secretKey: '2'.repeat(16) }, lines });
  store.lockHolder = async () => ({ isDead: false });
  const { state: found, findings } = await stateForPlan(store);
  expect(findings).toMatchObject([{ code: 'run-under-way' }]);
  return found?.unresolved.map(({ address, action }) => `${action} ${address}`);
}

it('a plan beside a running apply with another secret key forgets no change that was unresolved before', async () => {
  expect(await openBeside([begun])).toEqual(['update schedules.a', 'create schedules.lost']);
});

it('a plan beside a running apply that sends an unresolved update again still counts it as unresolved', async () => {
  const again = intent(1, a, 'update', { attributes: schedule('A3') });
  expect(await openBeside([again, begun])).toEqual(['update schedules.a', 'create schedules.lost']);
});

it('a plan beside a running apply follows what was unresolved to the address that the apply has moved it to', async () => {
  const move = intent(1, 'schedules.b', 'move', { previousAddress: a });
  const moved: JournalOutcome = { type: 'outcome', seq: 1, status: 'applied', at: now };
  expect(await openBeside([move, moved, begun])).toEqual(['create schedules.lost', 'update schedules.b']);
});

it('a plan says what the place of the state lacks, so that a wrong address is seen', async () => {
  const store = makeStore();
  store.read = async () => ({
    state: undefined,
    journal: undefined,
    lacks: 'the table "almanac_log" does not exist yet',
  });
  const { state, findings } = await stateForPlan(store);
  expect(state).toBeUndefined();
  expect(findings).toMatchObject([
    { code: 'state-absent', message: expect.stringContaining('the table "almanac_log" does not exist yet') },
  ]);
});
