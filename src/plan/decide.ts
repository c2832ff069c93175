// The decision table: what to do about a match. The first row whose facts all hold decides.

import type { Action } from '../model/plan/action.ts';
import type { Reason } from '../model/plan/plan.ts';
import type { Facts } from './facts.ts';

export interface Decision {
  readonly action: Action | 'no-op';
  readonly reason: Reason;
  /** Whether requests are sent; calls.ts says which. */
  readonly sends: boolean;
}

/** `impossible` names a diagnostic instead. */
type Outcome = Decision | { readonly impossible: 'tracked-becomes-test' };

type Row = readonly [when: Partial<Facts>, then: Outcome];

const state = (action: Decision['action'], reason: Reason): Decision => ({ action, reason, sends: false });
const request = (action: Decision['action'], reason: Reason): Decision => ({ action, reason, sends: true });
const nothing: Decision = state('no-op', 'changed');

const rows: readonly Row[] = [
  // No longer declared
  [{ declared: false, gone: true }, state('forget', 'missing')],
  [{ declared: false, released: true }, state('forget', 'removed')],
  [
    { declared: false, absent: true, kind: 'schedule', prior: 'tracked', operations: 'full' },
    request('delete', 'not-in-environment'),
  ],
  [{ declared: false, absent: true }, state('forget', 'not-in-environment')],
  [{ declared: false, kind: 'schedule', prior: 'tracked', operations: 'full' }, request('delete', 'not-declared')],
  [{ declared: false }, state('forget', 'not-declared')],

  // Taken over
  // What it delivers so far, and to whom, is only what the declaration says.
  [{ adopted: true, sunk: true, operations: 'full' }, request('update', 'sink')],
  [{ adopted: true, sunk: true }, state('update', 'sink')],
  [{ adopted: true }, state('adopt', 'adopt-entry')],

  // Declared, and gone
  [{ kind: 'schedule', gone: true, testNow: false }, request('create', 'missing')],

  // Declared for the first time
  [{ kind: 'aiJob', prior: 'none' }, request('run', 'new-content')],
  [{ kind: 'schedule', testNow: true, prior: 'none' }, request('run', 'new-content')],
  [{ prior: 'none' }, request('create', 'not-in-state')],

  // Test deliveries
  [{ kind: 'schedule', testNow: true, prior: 'tracked' }, { impossible: 'tracked-becomes-test' }],
  [{ kind: 'schedule', testNow: false, prior: 'ran' }, request('create', 'only-ran-before')],

  // Asked for, or left open by an earlier apply
  [{ kind: 'schedule', replace: true }, request('replace', 'requested')],
  [{ kind: 'dashboard', uncertain: true }, request('update', 'unresolved')],
  [{ kind: 'schedule', testNow: false, uncertain: true, operations: 'full' }, request('update', 'unresolved')],
  [{ change: 'none', uncertain: true }, state('update', 'unresolved')],

  // What it delivers to was recorded and never sent
  [{ change: 'sink', operations: 'full' }, request('update', 'sink')],
  [{ change: 'sink' }, state('update', 'sink')],

  // Nothing that the service would see
  [{ change: 'none', stale: true }, state('update', 'as-declared')],
  [{ change: 'none', moved: 'moved-entry' }, state('move', 'moved-entry')],
  [{ change: 'none', moved: 'equal-content' }, state('move', 'equal-content')],
  [{ change: 'none' }, nothing],
  [{ change: 'state-only' }, state('update', 'state-only')],

  // Transferred
  [{ change: 'owner', testNow: false, operations: 'full' }, request('update', 'owner-changed')],
  [{ change: 'owner' }, state('update', 'state-only')],

  // Changed
  [{ kind: 'aiJob' }, request('run', 'new-content')],
  [{ kind: 'schedule', testNow: true }, request('run', 'new-content')],
  [{ kind: 'dashboard', change: 'target' }, request('update', 'identifier-changed')],
  [{ kind: 'dashboard' }, request('update', 'changed')],
  [{ kind: 'schedule', operations: 'full' }, request('update', 'changed')],
  [{ kind: 'schedule', operations: 'core' }, request('replace', 'cannot-update')],
];

/** Each condition as a list: every resource is asked about many rows. */
const table = rows.map(([when, then]) => ({ when: Object.entries(when) as [keyof Facts, unknown][], then }));

export function decide(facts: Facts): Outcome {
  const row = table.find(({ when }) => when.every(([name, value]) => facts[name] === value));
  return row?.then ?? nothing;
}
