// The decision about a match: facts from its differences, and the decision tables. There is one table a kind. The first row whose
// facts all hold decides.

import { stateOnlyFields } from '../model/fields/fields.ts';
import { namesAnother } from '../model/fields/identity.ts';
import type { Action } from '../model/plan/action.ts';
import type { OpenChange } from '../model/plan/open-change.ts';
import type { Reason } from '../model/plan/plan.ts';
import { type Address, type Kind, kinds, kindsInOrder } from '../model/values/address.ts';
import { pointerSegments } from '../model/values/pointer.ts';
import type { Operations } from '../model/workspace/config.ts';
import { type Difference, differenceOf, isTransferred } from './difference.ts';
import type { SeenMatch } from './drift.ts';
import { kindOfMatch, type Match } from './match.ts';
import { isEmptyPatch } from './patch.ts';
import { plannedAs, type SecretWait } from './planned-as.ts';
import { isChangedBySink } from './sinks.ts';

export interface Facts {
  readonly kind: Kind;
  readonly declared: boolean;
  /** tracked: it recurs or lasts. ran: it was a test delivery that ran once. */
  readonly prior: 'none' | 'tracked' | 'ran';
  readonly moved: 'no' | 'moved-entry' | 'split-table' | 'equal-content';
  readonly adopted: boolean;
  readonly released: boolean;
  /** True if it is declared, but only for other environments. */
  readonly absent: boolean;
  /** The environment has sinks: it delivers to these, and not to those who are declared. */
  readonly sunk: boolean;
  /** True if it was observed to be gone. */
  readonly gone: boolean;
  /** True if Omni was looked at, and the declaration differs from what was applied. */
  readonly declarationChanged: boolean;
  readonly testNow: boolean;
  /** The reason why another value of a secret does not need to be sent; undefined if it does. */
  readonly waiting: SecretWait | undefined;
  /**
   * state-only: nothing that the service sees. owner: nothing but the owner. paused: nothing but `paused` and the owner.
   * groups: nothing but the user groups, `paused` and the owner. target: it means another thing. sink: no content, and
   * nobody knows that what runs delivers to the sink of the environment.
   */
  readonly change: 'none' | 'state-only' | 'owner' | 'paused' | 'groups' | 'content' | 'target' | 'sink';
  /** True if --replace names it. */
  readonly replace: boolean;
  /** True in a deep look if a filter that says whose rows it shows may be the dashboard's: it is sent, which makes it its own. */
  readonly owns: boolean;
  /** True if an earlier request that can be repeated, such as a PATCH, has an unknown outcome. */
  readonly uncertain: boolean;
  readonly operations: Operations;
}

export interface Decision {
  readonly action: Action | 'no-op';
  readonly reason: Reason;
  /** True if requests are sent; requests.ts says which. */
  readonly sends: boolean;
}

/** A decision, or the diagnostic that is reported instead. */
type Outcome = Decision | { readonly impossible: 'tracked-becomes-test' };

type DecisionRow = readonly [when: Partial<Facts>, then: Outcome];

const state = (action: Decision['action'], reason: Reason): Decision => ({ action, reason, sends: false });
const request = (action: Decision['action'], reason: Reason): Decision => ({ action, reason, sends: true });
const nothing: Decision = state('no-op', 'changed');

/** Resources that are no longer declared and need no request. */
const dropped: readonly DecisionRow[] = [
  [{ declared: false, gone: true }, state('forget', 'missing')],
  [{ declared: false, released: true }, state('forget', 'removed')],
];

/** Resources that go on by themselves until they are deleted. */
const ended: readonly DecisionRow[] = [
  [{ declared: false, absent: true, prior: 'tracked', operations: 'full' }, request('delete', 'not-in-environment')],
  [{ declared: false, prior: 'tracked', operations: 'full' }, request('delete', 'not-declared')],
];

const forgotten: readonly DecisionRow[] = [
  [{ declared: false, absent: true }, state('forget', 'not-in-environment')],
  [{ declared: false }, state('forget', 'not-declared')],
];

const adopted: readonly DecisionRow[] = [[{ adopted: true }, state('adopt', 'adopt-entry')]];

/** The new destination was recorded and never sent. */
const sunk: readonly DecisionRow[] = [
  [{ change: 'sink', operations: 'full' }, request('update', 'sink')],
  [{ change: 'sink' }, state('update', 'sink')],
];

/** Nothing that the service would see. */
const unseen: readonly DecisionRow[] = [
  // Both were changed alike: the declaration differs from what was applied, and not from what is in Omni.
  [{ change: 'none', declarationChanged: true }, state('update', 'as-declared')],
  [{ change: 'none', moved: 'moved-entry' }, state('move', 'moved-entry')],
  [{ change: 'none', moved: 'split-table' }, state('move', 'split-table')],
  [{ change: 'none', moved: 'equal-content' }, state('move', 'equal-content')],
  [{ change: 'none' }, nothing],
  [{ change: 'state-only' }, state('update', 'state-only')],
];

const leftOpen: DecisionRow = [{ change: 'none', uncertain: true }, state('update', 'unresolved')];

/** The first row whose facts all hold decides. */
const rows: Readonly<Record<Kind, readonly DecisionRow[]>> = {
  dashboard: [
    ...dropped,
    ...forgotten,
    [{ prior: 'none' }, request('create', 'not-in-state')],
    [{ uncertain: true }, request('update', 'unresolved')],
    ...unseen,
    [{ change: 'target' }, request('update', 'identifier-changed')],
    [{}, request('update', 'changed')],
  ],
  schedule: [
    ...dropped,
    ...ended,
    ...forgotten,
    ...adopted,
    [{ gone: true, testNow: false }, request('create', 'missing')],
    [{ testNow: true, prior: 'none' }, request('run', 'new-content')],
    [{ prior: 'none' }, request('create', 'not-in-state')],
    [{ testNow: true, prior: 'tracked' }, { impossible: 'tracked-becomes-test' }],
    [{ testNow: false, prior: 'ran' }, request('create', 'only-ran-before')],
    [{ replace: true }, request('replace', 'requested')],
    [{ testNow: false, uncertain: true, operations: 'full' }, request('update', 'unresolved')],
    leftOpen,
    ...sunk,
    [{ owns: true, change: 'none', operations: 'full' }, request('update', 'unread')],
    [{ owns: true, change: 'state-only', operations: 'full' }, request('update', 'unread')],
    ...unseen,
    [{ change: 'owner', testNow: false, operations: 'full' }, request('update', 'owner-changed')],
    [{ change: 'owner' }, state('update', 'state-only')],
    [{ testNow: true }, request('run', 'new-content')],
    [{ operations: 'full' }, request('update', 'changed')],
    [{ operations: 'core' }, request('replace', 'cannot-update')],
  ],
  routine: [
    ...dropped,
    ...ended,
    ...forgotten,
    ...adopted,
    [{ gone: true }, request('create', 'missing')],
    [{ prior: 'none' }, request('create', 'not-in-state')],
    [{ replace: true }, request('replace', 'requested')],
    [{ change: 'target' }, request('replace', 'identity-changed')],
    [{ uncertain: true }, request('update', 'unresolved')],
    ...sunk,
    ...unseen,
    [{}, request('update', 'changed')],
  ],
  aiJob: [
    ...dropped,
    ...forgotten,
    [{ prior: 'none' }, request('run', 'new-content')],
    leftOpen,
    ...unseen,
    [{}, request('run', 'new-content')],
  ],
};

type Conditions = readonly (readonly [keyof Facts, unknown])[];

const compiled = (of: readonly DecisionRow[]) =>
  of.map(([when, then]) => ({ when: Object.entries(when) as Conditions, then }));

/** Each condition as a list: every resource is asked about many rows. */
const table = Object.fromEntries(kindsInOrder.map((kind) => [kind, compiled(rows[kind])])) as Readonly<
  Record<Kind, ReturnType<typeof compiled>>
>;

function decide(facts: Facts): Outcome {
  for (const { when, then } of table[facts.kind]) if (holds(when, facts)) return then;
  return nothing;
}

function holds(when: Conditions, facts: Facts): boolean {
  for (const [name, value] of when) if (facts[name] !== value) return false;
  return true;
}

export interface DecisionPolicy {
  readonly operations: Operations;
  readonly replace: ReadonlySet<Address>;
  /** The resources whose unread filters are sent. */
  readonly owning: ReadonlySet<Address>;
}

/** A match with all that is known about it. */
export interface DecidedMatch {
  readonly difference: Difference;
  readonly facts: Facts;
  readonly outcome: Decision;
}

/** Returns undefined for what cannot be done: turning a tracked schedule into a test delivery. */
export function decideOn(
  { effective: entry, recorded, drift }: SeenMatch,
  policy: DecisionPolicy,
  uncertain: boolean,
): DecidedMatch | undefined {
  const kind = kindOfMatch(entry);
  const isTest = entry.desired?.attributes['testNow'] === true;
  const waiting = plannedAs[kind].secretWaits(isTest, policy.operations);
  const mayWait = waiting !== undefined;
  const declarationChanged =
    drift !== undefined && differenceOf(recorded, { uncertain, secretsWait: mayWait }).diff.length > 0;
  const known = { waiting, uncertain, gone: drift?.isGone ?? false, declarationChanged };
  const decided = (secretsWait: boolean) => {
    const difference = differenceOf(entry, { uncertain, secretsWait });
    const facts = factsOf(entry, difference, policy, known);
    return { difference, facts, outcome: decide(facts) };
  };
  const quiet = decided(mayWait);
  const sends = !('impossible' in quiet.outcome) && quiet.outcome.sends;
  const { difference, facts, outcome } = sends && mayWait ? decided(false) : quiet;
  if ('impossible' in outcome) return undefined;
  const isDrifted = drift !== undefined && drift.counted.length > 0;
  const reason = reasonOf(outcome, isDrifted, declarationChanged);
  const isSink = reason === 'changed' && isChangedBySink(recorded);
  return { difference, facts, outcome: { ...outcome, reason: isSink ? 'sink' : reason } };
}

/** Tells if the declaration was changed, or the schedule by someone else, or both. */
function reasonOf({ reason }: Decision, isDrifted: boolean, declarationChanged: boolean): Reason {
  if (reason !== 'changed' || !isDrifted) return reason;
  return declarationChanged ? 'changed-and-drifted' : 'drifted';
}

/** Returns undefined if there is nothing to do and no earlier change is open. */
export function decisionOf({ outcome }: DecidedMatch, openPost: OpenChange | undefined): Decision | undefined {
  if (outcome.action !== 'no-op') return outcome;
  return openPost && { action: openPost.action, reason: 'unresolved', sends: false };
}

function factsOf(
  match: Match,
  difference: Difference,
  policy: DecisionPolicy,
  known: Pick<Facts, 'uncertain' | 'gone' | 'declarationChanged' | 'waiting'>,
): Facts {
  const kind = kindOfMatch(match);
  const { prior } = match;
  return {
    kind,
    declared: match.desired !== undefined,
    prior:
      prior === undefined ? 'none' : kinds[kind].life === 'recurring' && prior.id === undefined ? 'ran' : 'tracked',
    moved: match.moved?.by ?? 'no',
    adopted: match.adopt !== undefined,
    released: match.released === true,
    absent: match.absent !== undefined,
    sunk: match.desired?.sink !== undefined,
    testNow: difference.after?.['testNow'] === true,
    change: changeOf(match, kind, difference),
    replace: policy.replace.has(match.address),
    owns: policy.owning.has(match.address),
    operations: policy.operations,
    ...known,
  };
}

function changeOf(match: Match, kind: Kind, difference: Difference): Facts['change'] {
  const change = changedIn(match, kind, difference);
  const { desired, prior } = match;
  const mayNotBeSent = plannedAs[kind].isAdoptable && desired?.sink !== undefined && prior?.id !== undefined;
  const isKnown = !mayNotBeSent || prior.throughSink;
  return isKnown || change === 'content' || change === 'target' ? change : 'sink';
}

function changedIn({ prior }: Match, kind: Kind, { diff, after, patch }: Difference): Facts['change'] {
  if (diff.length === 0 || prior === undefined || after === undefined) return 'none';
  const fields = new Set(diff.map(({ path }) => pointerSegments(path)[0]));
  for (const name of stateOnlyFields) fields.delete(name);
  const { byThemselves } = plannedAs[kind];
  const transfers = byThemselves.owner && isTransferred(diff);
  if (byThemselves.owner) fields.delete('owner');
  if (fields.size === 0) return transfers ? 'owner' : 'state-only';
  const named = byThemselves.userGroups && fields.delete('userGroups');
  if (byThemselves.paused && fields.size === (fields.has('paused') ? 1 : 0)) return named ? 'groups' : 'paused';
  if (namesAnother(kind, prior.attributes, after)) return 'target';
  if (patch !== undefined && isEmptyPatch(patch)) return 'state-only';
  return 'content';
}
