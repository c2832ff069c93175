// The planner: desired state and state in, plan out. Pure: the same inputs give the same plan, byte for byte.

import { type Address, kindOf } from '../model/address.ts';
import type { Operations } from '../model/config.ts';
import type { Finding } from '../model/diagnostic.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { Observed } from '../model/observed.ts';
import type { Change, Plan, PlanSummary, Reason } from '../model/plan.ts';
import type { Desired, SealedResource } from '../model/resource.ts';
import { maskSealed } from '../model/secret.ts';
import type { State, Unresolved } from '../model/state.ts';
import { blockedByOpenUpdate, blockedByProtection, blockedByUnresolved, mayBeRepeated } from './block.ts';
import { type Call, callsOf } from './calls.ts';
import { type Decision, decide } from './decide.ts';
import { type Drift, type Drifted, driftOf, withObserved } from './drift.ts';
import { type Difference, differenceOf, factsOf, ignoresSecret } from './facts.ts';
import { leftoverDeletes } from './leftovers.ts';
import { type Match, match } from './match.ts';
import { type OpenIntents, openIntents } from './open-intents.ts';
import { inOrder } from './order.ts';
import type { Patch } from './patch.ts';
import { becomesTest, leftAsIs, mayStay, unknownTargets } from './planning-findings.ts';

export interface PlanPolicy {
  readonly baseUrl: string | undefined;
  readonly operations: Operations;
  /** Only the changes of these addresses; all where undefined. */
  readonly targets: readonly Address[] | undefined;
  /** Schedules to replace though they did not change. */
  readonly replace: readonly Address[];
  /** Only bring the state in line with what was observed. */
  readonly refreshOnly?: boolean;
}

/** A change with what applying it needs beyond what is shown. */
export interface Step {
  readonly change: Change;
  /** What the state records when it is done, secrets sealed. */
  readonly after?: JsonObject;
  /** Fields that are sent as they were applied last. */
  readonly ignored: Difference['ignored'];
  readonly patch?: Patch;
  /** The requests, in order. */
  readonly calls: readonly Call[];
  /** The attributes that the state holds now, secrets sealed. */
  readonly before?: JsonObject;
}

export interface Planned {
  readonly plan: Plan;
  /** In the order of the plan's changes. */
  readonly steps: readonly Step[];
}

export interface PlanInput {
  readonly desired: Desired<SealedResource>;
  readonly state: State | undefined;
  /** What a look at the service has shown; undefined where none was taken. */
  readonly observed?: Observed | undefined;
  readonly policy: PlanPolicy;
}

export function makePlan({ desired, state, observed, policy }: PlanInput): {
  value: Planned;
  findings: readonly Finding[];
} {
  const { matches, findings: fromMatching } = match(desired, state);
  const findings = [...fromMatching, ...unknownTargets(desired, state, policy)];
  const unresolved = state?.unresolved ?? [];
  const open = openIntents(unresolved, matches);
  const targets = policy.targets === undefined ? undefined : new Set(policy.targets);
  const context = { ...policy, replace: new Set(policy.replace), open };
  const entries = targeted(matches, targets).map((entry) => withObserved(entry, observed?.get(trackedAs(entry))));
  const steps: Step[] = [];
  for (const entry of entries) {
    const step = policy.refreshOnly ? refreshStep(entry) : stepOf(entry, context, findings);
    if (step !== undefined) steps.push(step);
  }
  const noop = entries.length - steps.length;
  const isTarget = ({ address }: Unresolved) => targets?.has(address) ?? true;
  if (!policy.refreshOnly) {
    steps.push(...open.lost.filter(isTarget).map((entry) => lostStep(entry, policy.operations)));
    const adopted = new Set(desired.adoptions.map(({ id }) => id));
    const deletes = leftoverDeletes(state, policy.operations, targets, adopted);
    steps.push(...deletes.map((change): Step => ({ change, calls: ['delete'], ignored: {} })));
  }
  steps.sort((a, b) => inOrder(a.change, b.change));
  const changes = steps.map(({ change }) => change);
  const plan: Plan = {
    baseUrl: policy.baseUrl ?? null,
    operations: policy.operations,
    state: { lineage: state?.lineage ?? null, serial: state?.serial ?? 0 },
    summary: summarise(changes, noop),
    orphans: state?.orphans ?? [],
    unresolved: unresolved.map(({ address, action, since }) => ({ address, action, since })),
    drift: driftOf(entries),
    changes,
  };
  return { value: { plan, steps }, findings };
}

/** The address at which the state holds it. */
function trackedAs({ address, moved }: Match): Address {
  return moved?.from ?? address;
}

/** What is asked for, and the moves that make room for it: half a shift would overwrite an id. */
function targeted(matches: readonly Match[], targets: ReadonlySet<Address> | undefined): readonly Match[] {
  if (targets === undefined) return matches;
  const leaving = new Map(matches.flatMap((entry) => (entry.moved ? [[entry.moved.from, entry] as const] : [])));
  const chosen = new Set<Match>();
  for (const entry of matches) {
    if (!targets.has(entry.address) && !targets.has(entry.moved?.from ?? entry.address)) continue;
    for (let next: Match | undefined = entry; next !== undefined && !chosen.has(next); ) {
      chosen.add(next);
      next = next.moved && leaving.get(next.address);
    }
  }
  return matches.filter((entry) => chosen.has(entry));
}

interface StepPolicy {
  readonly operations: Operations;
  readonly replace: ReadonlySet<Address>;
  readonly open: OpenIntents;
}

function stepOf(drifted: Drifted, policy: StepPolicy, findings: Finding[]): Step | undefined {
  const { match: entry, drift } = drifted;
  const open = policy.open.of(entry);
  const uncertain = open !== undefined && mayBeRepeated(open);
  const isCodeChanged = drift !== undefined && differenceOf(drifted.applied, uncertain, false).diff.length > 0;
  const decided = (toSend: boolean) => {
    const difference = differenceOf(entry, uncertain, toSend);
    const gone = drift?.isGone ?? false;
    const facts = factsOf(entry, difference, { ...policy, uncertain, gone, stale: isCodeChanged });
    return { difference, facts, outcome: decide(facts) };
  };
  const quiet = decided(false);
  const sends = !('impossible' in quiet.outcome) && quiet.outcome.sends;
  const { difference, facts, outcome } = sends && ignoresSecret(quiet.difference) ? decided(true) : quiet;
  if ('impossible' in outcome) {
    findings.push(becomesTest(entry));
    return undefined;
  }
  const lost = uncertain ? undefined : open;
  if (outcome.action === 'no-op' && lost === undefined) return undefined;
  const decision: Decision =
    outcome.action === 'no-op' && lost
      ? { action: lost.action, reason: 'unresolved', sends: false }
      : { ...outcome, reason: reasonOf(outcome, drift, isCodeChanged) };
  if (facts.kind === 'dashboard') findings.push(...leftAsIs(entry, difference));
  const twin = lost ?? policy.open.twinOf(decision, facts.kind, difference.after);
  const blocked = twin
    ? blockedByUnresolved(twin, policy.operations)
    : (blockedByOpenUpdate(decision, facts, open) ??
      blockedByProtection(decision, facts, entry.prior?.attributes, entry.desired?.attributes));
  const calls = decision.sends
    ? callsOf({
        ...facts,
        action: decision.action,
        hasContent: facts.change !== 'paused',
        before: entry.prior?.attributes,
        after: difference.after,
        uncertain: uncertain ? (open?.attributes ?? {}) : undefined,
      })
    : [];
  if (calls.includes('put')) findings.push(...mayStay(entry, difference));
  return {
    change: changeOf(entry, decision, difference, { kind: facts.kind, blocked, requests: calls.length }),
    ignored: difference.ignored,
    calls,
    ...(entry.prior === undefined ? {} : { before: entry.prior.attributes }),
    ...(difference.after === undefined ? {} : { after: difference.after }),
    ...(difference.patch === undefined ? {} : { patch: difference.patch }),
  };
}

/** Whether the declaration was changed, or the schedule by someone else, or both. */
function reasonOf({ reason }: Decision, drift: Drift | undefined, isCodeChanged: boolean): Reason {
  if (reason !== 'changed' || drift === undefined) return reason;
  return isCodeChanged ? 'changed-and-drifted' : 'drifted';
}

function changeOf(
  entry: Match,
  { action, reason }: Decision,
  difference: Difference,
  { kind, requests, blocked }: Pick<Change, 'kind' | 'requests'> & { readonly blocked: string | undefined },
): Change {
  const { address, desired, prior, moved } = entry;
  const id = entry.adopt ?? prior?.id;
  return {
    address,
    kind,
    action: action as Change['action'],
    reason,
    ...(id === undefined ? {} : { id }),
    ...(moved === undefined ? {} : { previousAddress: moved.from }),
    ...(desired === undefined ? {} : { file: desired.origin.file, line: desired.line }),
    before: masked(prior?.attributes),
    after: masked(difference.after),
    diff: difference.diff,
    requests,
    ...(blocked === undefined ? {} : { blocked }),
  };
}

function masked(attributes: JsonObject | undefined): JsonObject | null {
  return attributes === undefined ? null : (maskSealed(attributes as Json) as JsonObject);
}

/** What there is, recorded: nothing is sent. */
function refreshStep({ applied, match: entry, drift }: Drifted): Step | undefined {
  if (drift === undefined) return undefined;
  const { address, prior } = applied;
  const after = drift.isGone ? undefined : entry.prior?.attributes;
  const change: Change = {
    address: applied.moved?.from ?? address,
    kind: drift.kind,
    action: drift.isGone ? 'forget' : 'update',
    reason: drift.isGone ? 'missing' : 'refreshed',
    ...(prior?.id === undefined ? {} : { id: prior.id }),
    before: masked(prior?.attributes),
    after: masked(after),
    diff: drift.isGone ? [] : drift.diff,
    requests: 0,
  };
  return { change, ignored: {}, calls: [], ...(after === undefined ? {} : { after }) };
}

/** An unresolved change of a resource that nothing declares or tracks any more: it must not be lost from sight. */
function lostStep(open: Unresolved, operations: Operations): Step {
  return {
    ignored: {},
    calls: [],
    change: {
      address: open.address,
      kind: kindOf(open.address) ?? 'schedule',
      action: open.action,
      reason: 'unresolved',
      before: null,
      after: null,
      diff: [],
      requests: 0,
      blocked: blockedByUnresolved(open, operations),
    },
  };
}

function summarise(changes: readonly Change[], noop: number): PlanSummary {
  const count = (action: Change['action']) => changes.filter((change) => change.action === action).length;
  return {
    create: count('create'),
    update: count('update'),
    replace: count('replace'),
    delete: count('delete'),
    forget: count('forget'),
    move: count('move'),
    adopt: count('adopt'),
    run: count('run'),
    noop,
  };
}
