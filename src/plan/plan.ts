// The planner: desired state and state in, plan out. Pure: the same inputs give the same plan, byte for byte. Read it after
// match, difference, decide and requests: here each decision becomes a step, with the requests that it takes, what the state will
// record, and what prevents applying it.

import { type DeliveryChange, deliveredBy } from '../model/fields/delivery.ts';
import { fieldsOf } from '../model/fields/fields.ts';
import { identities } from '../model/fields/identity.ts';
import { idKey } from '../model/fields/ids.ts';
import { actionNames } from '../model/plan/action.ts';
import { type Neighbours, trackerOf, whyNotTaken } from '../model/plan/neighbours.ts';
import type { Observed, OwnFilters, ReceiversOfSchedule } from '../model/plan/observation.ts';
import { isLookedFor, mayBeRepeated, type OpenChange, openChanges } from '../model/plan/open-change.ts';
import type { Change, FieldDiff, Plan, PlanSummary, UnresolvedNote } from '../model/plan/plan.ts';
import { groupsOf, type State, type StateResource } from '../model/plan/state.ts';
import type { Groups, RecordedGroup } from '../model/plan/user-groups.ts';
import { type Address, kindAt, kindsInOrder } from '../model/values/address.ts';
import { once, pushAll } from '../model/values/collections.ts';
import { byCodeUnit, type JsonObject } from '../model/values/json.ts';
import { isWithin, type Pointer, parentOf } from '../model/values/pointer.ts';
import { maskAttributes } from '../model/values/secret.ts';
import type { Operations } from '../model/workspace/config.ts';
import type { WithFindings } from '../model/workspace/diagnostic.ts';
import type { Failure } from '../model/workspace/failure.ts';
import { lineOfDifference } from '../model/workspace/field-place.ts';
import type { Desired, SealedResource } from '../model/workspace/resource.ts';
import {
  blockedByProtection,
  blockedBySink,
  leftByDashboard,
  leftByGoneFilter,
  leftByTypes,
  leftElsewhere,
} from './block.ts';
import { type Decision, type DecisionPolicy, decideOn, decisionOf } from './decide.ts';
import { type Difference, withCompletedFilters, withOptions } from './difference.ts';
import { adoptedAs, agreedIn, driftOf, type SeenMatch, takenOver, withObserved, withoutTakenOut } from './drift.ts';
import { type GroupWork, groupWork, leftByTakenName, recordedIds } from './group-work.ts';
import { keptValues } from './kept.ts';
import { kindOfMatch, type Match, type MatchResult, match, rowsLeftOut, targeted, trackedAs } from './match.ts';
import { mayBeRenamedFindings } from './may-be-renamed.ts';
import {
  blockedByOpenUpdate,
  blockedByUnresolved,
  type OpenIntents,
  openIntents,
  type Unsettled,
} from './open-changes.ts';
import { adoptedAsIs, becomesTest, calledOtherwise, findingsOf, otherTypesOf } from './planning-findings.ts';
import {
  leftBy,
  onlyTakes,
  type RequestKind,
  reaches,
  requestsFor,
  sendsOf,
  unsentFields,
  withKnownSecrets,
} from './requests.ts';
import { sinksOf } from './sinks.ts';

/** A change with what applying and judging it needs beyond what is shown. */
export interface Step extends Work {
  /** Computes the delivery before and after the change when it is first asked for. */
  readonly delivered: () => DeliveryChange;
  /** The step with only what takes something away, for a reason to leave the rest that comes up while it is applied. */
  readonly ifLeft?: ((left: Failure) => Step) | undefined;
}

/** A change with what applying it needs. */
export interface Work {
  readonly change: Change;
  /** The state's record of the resource once the step is done, with secrets sealed. */
  readonly after?: JsonObject | undefined;
  /** The fields that are sent as they were applied last. */
  readonly ignored: Difference['ignored'];
  readonly patch?: Difference['patch'];
  readonly calls: readonly RequestKind[];
  /** The attributes that the state holds now, secrets sealed. */
  readonly before?: JsonObject | undefined;
  /** The fields that were not sent since the adoption, as in the state. */
  readonly unread?: readonly string[] | undefined;
  /** The filters of `unread` that a look of this run has seen to equal those of the dashboard. */
  readonly asDashboard?: readonly string[] | undefined;
  /** The effect of the step on the user groups of a schedule. */
  readonly groups?: GroupWork | undefined;
  /** The declared groups with their ids, if an apply sends to them. */
  readonly targets?: readonly RecordedGroup[] | undefined;
  /** The dashboard's name in Omni, if it was renamed and is not declared so: questions to Omni use this name. */
  readonly renamedTo?: string | undefined;
  /** Omni's lasting id of the dashboard, as a look of this run has read it. */
  readonly entityId?: string | undefined;
  /** The receivers that a look of this run has seen. */
  readonly received?: ReceiversOfSchedule | undefined;
  /** The user groups that a look found, where only the state is brought in line. */
  readonly seenGroups?: StateResource['groups'];
  /** True if the requests deliver to the sink of the environment. */
  readonly sinks?: true | undefined;
  /** True if the state records a delivery through a sink. */
  readonly throughSink?: true | undefined;
  /** True where it is not proven that the id is this resource's: then not even what takes something away is sent. */
  readonly isUnproven?: true | undefined;
  /** The reason why an apply sends at most what takes something away; undefined for a step that is sent whole. */
  readonly left?: Failure | undefined;
}

/** `work`: no step, which would keep what it delivered before. `groups`: those that the state knows. */
export function stepOf(work: Work & { readonly delivered?: never }, groups: Groups): Step {
  return { delivered: once(() => deliveredBy(work.change, groups)), ...work };
}

/** True if applying the step needs to know which user groups its names mean. */
export function sendsGroups(step: Step): step is Step & { readonly groups: GroupWork } {
  const { groups, calls, change } = step;
  const hasNames = groups !== undefined && groups.declared.length > 0;
  return hasNames && change.blocked === undefined && calls.some((send) => reaches(send) || send === 'remove');
}

export interface PlanPolicy {
  readonly baseUrl: string | undefined;
  readonly operations: Operations;
  /** The addresses whose changes are planned; all if undefined. */
  readonly targets?: readonly Address[] | undefined;
  /** Schedules to replace although they did not change. */
  readonly replace?: readonly Address[] | undefined;
  /** Schedules whose unread filters are sent although nothing changed. */
  readonly owning?: ReadonlySet<Address> | undefined;
  /** True to do nothing but bring the state in line with what was observed. */
  readonly refreshOnly?: boolean | undefined;
  /** The states that may track what is to be adopted; left out if they were not read. */
  readonly neighbours?: Neighbours | undefined;
}

export interface PlanResult {
  readonly plan: Plan;
  /** The steps, in the order of the plan's changes. */
  readonly steps: readonly Step[];
  /** Resources in which others have changed something to what is declared now: only the state is behind there. */
  readonly agreed: readonly Address[];
}

export interface PlanInput {
  readonly desired: Desired<SealedResource>;
  readonly state: State | undefined;
  /** The match of the declarations and the state; computed here if it is left out. */
  readonly matching?: MatchResult;
  /** Absent if the service was not observed. */
  readonly observed?: Observed | undefined;
  readonly ownFilters?: OwnFilters | undefined;
  /** The reason why each report may show somebody the rows of others on its dashboard, as far as a look has read that. */
  readonly unlimited?: ReadonlyMap<Address, string> | undefined;
  /** The reasons why changes stay open that an apply has looked for; undefined before it has. */
  readonly unsettled?: Unsettled | undefined;
  readonly policy: PlanPolicy;
}

export function makePlan(input: PlanInput): WithFindings<PlanResult> {
  const { desired, state, matching, observed, ownFilters, unlimited, unsettled, policy } = input;
  const { value: matches, findings: fromMatching } = matching ?? match(desired, state);
  const { baseUrl, operations, refreshOnly } = policy;
  const unresolved = openChanges(state);
  const open = openIntents(unresolved, matches);
  const targets = policy.targets && new Set(policy.targets);
  const isTarget = ({ address }: { readonly address: Address }) => targets?.has(address) ?? true;
  const { owning = new Set(), neighbours } = policy;
  const replace = new Set(policy.replace);
  const context = {
    operations,
    replace,
    owning,
    open,
    ownFilters,
    unlimited,
    unsettled,
    neighbours,
    leftOut: rowsLeftOut(desired.loops),
  };
  const chosen = targeted(matches, targets);
  const entries = chosen.map((given) => {
    const entry = withSameOwner(given, state?.owners);
    const found = observed?.get(trackedAs(entry));
    return withObserved(entry, found, refreshOnly ? undefined : open.of(entry));
  });
  const made = entries.map(
    (entry): WorkResult =>
      refreshOnly ? { value: refreshWork(entry), findings: [] } : workOn(withoutTakenOut(entry), context),
  );
  const work = made.flatMap(({ value }) => value ?? []);
  const noop = chosen.length - work.length;
  if (!refreshOnly) {
    pushAll(
      work,
      open.remaining.filter(isTarget).map((entry) => unresolvedWork(entry, context)),
    );
    if (state !== undefined && operations === 'full') pushAll(work, leftoverWork(desired, state, isTarget));
  }
  work.sort((a, b) => inOrder(a.change, b.change));
  const groups = groupsOf(state);
  const steps = work.map((each) => stepOf(each, groups));
  const changes = steps.map(({ change }) => change);
  const sending = changes.filter(({ requests, blocked }) => requests > 0 && blocked === undefined);
  const sent = new Set(sending.flatMap(({ address, previousAddress = address }) => [address, previousAddress]));
  const { lineage = null, serial = 0, commit, orphans = [] } = state ?? {};
  const plan: Plan = {
    baseUrl: baseUrl ?? null,
    operations,
    state: { lineage, serial, commit },
    summary: summarise(changes, noop),
    orphans,
    unresolved: unresolved.map((entry) => noteOf(entry, operations, sent)),
    drift: driftOf(entries),
    changes,
  };
  return {
    value: { plan, steps, agreed: agreedIn(entries) },
    findings: [
      ...fromMatching,
      ...made.flatMap(({ findings }) => findings),
      ...mayBeRenamedFindings(changes, desired.resources),
    ],
  };
}

/** An owner who is declared by another address of the same member, as the state knows, is the one that was applied. */
function withSameOwner(entry: Match, owners: State['owners'] = {}): Match {
  const { prior, desired } = entry;
  const [was, is] = [prior?.attributes['owner'], desired?.attributes['owner']];
  if (prior === undefined || typeof was !== 'string' || typeof is !== 'string' || was === is) return entry;
  const id = owners[idKey(was)];
  if (id === undefined || id !== owners[idKey(is)]) return entry;
  return { ...entry, prior: { ...prior, attributes: { ...prior.attributes, owner: is } } };
}

export function onlySteps(planned: PlanResult, isKept: (change: Change) => boolean): PlanResult {
  return withSteps(
    planned,
    planned.steps.filter(({ change }) => isKept(change)),
  );
}

export function withSteps({ plan, agreed }: PlanResult, steps: readonly Step[]): PlanResult {
  const changes = steps.map(({ change }) => change);
  return { plan: { ...plan, changes, summary: summarise(changes, plan.summary.noop) }, steps, agreed };
}

/** The plan in which each step has the reason of `whyLeft`, unless it is left or blocked for another. */
export function leaving(planned: PlanResult, whyLeft: (step: Step) => string | undefined): PlanResult {
  const steps = planned.steps.map((step): Step => {
    const { change } = step;
    const left = (change.left ?? change.blocked) === undefined ? whyLeft(step) : undefined;
    return left === undefined ? step : { ...step, change: { ...change, left } };
  });
  return withSteps(planned, steps);
}

interface StepPolicy extends DecisionPolicy {
  readonly open: OpenIntents;
  readonly ownFilters: OwnFilters | undefined;
  readonly unlimited: PlanInput['unlimited'];
  readonly unsettled: PlanInput['unsettled'];
  readonly neighbours: PlanPolicy['neighbours'];
  readonly leftOut: ReturnType<typeof rowsLeftOut>;
}

/** The work on a match; undefined if there is nothing to do. */
type WorkResult = WithFindings<Work | undefined>;

function workOn(seenMatch: SeenMatch, policy: StepPolicy): WorkResult {
  const { effective: entry, recorded, received } = seenMatch;
  const { prior } = entry;
  const earlier = policy.open.of(entry);
  const isRepeated = earlier === undefined || mayBeRepeated(earlier);
  const [openUpdate, openPost] = isRepeated ? [earlier, undefined] : [undefined, earlier];
  const decided = decideOn(seenMatch, policy, openUpdate !== undefined);
  if (decided === undefined) return { value: undefined, findings: [becomesTest(entry)] };
  const { difference, facts } = decided;
  const { after, ignored, patch } = difference;
  const decision = decisionOf(decided, openPost);
  if (decision === undefined) return { value: undefined, findings: findingsOf(seenMatch, decided, []) };
  const isSunk = entry.desired?.sink !== undefined;
  const hasGroups = fieldsOf[facts.kind]['userGroups'] !== undefined && policy.operations === 'full';
  const groups =
    hasGroups && decision.action !== 'run'
      ? groupWork({ after, prior, recorded: recorded.prior, open: openUpdate, received, sunk: isSunk })
      : undefined;
  const sends = decision.sends
    ? sendsOf[facts.kind](decision, decided, prior?.attributes, openUpdate && leftBy(openUpdate, seenMatch), groups)
    : [];
  const unsent = decision.action === 'update' && decision.sends ? unsentFields(sends, difference, groups) : [];
  if (unsent.length > 0) throw new Error(`no request of ${entry.address} holds ${unsent.join(', ')}`);
  const twin = openPost ?? policy.open.samePostOpen(decision, facts.kind, after);
  const blocked =
    blockedByOpenUpdate(decision, facts, earlier) ??
    blockedBySink(decision, facts, entry) ??
    blockedByProtection(decision, entry.address, recorded.prior?.attributes, entry.desired?.attributes);
  const open = twin === undefined ? { blocked } : blockedByUnresolved(twin, entry.address, policy);
  const unproven =
    leftElsewhere(sends, seenMatch, openUpdate) ?? open.left ?? policy.unsettled?.get(openUpdate?.address ?? '');
  const isTaking = sends.length > 0 && sends.every(onlyTakes);
  const ofTypes = otherTypesOf(seenMatch, sends, policy.ownFilters);
  const filters = Object.keys(policy.ownFilters?.get(seenMatch.renamedTo ?? String(after?.['identifier'])) ?? {});
  const change = changeOf(entry, decision, {
    after,
    diff: shownDiff(entry, difference, sends),
    requests: requestsFor(sends, groups),
    groups: groups && sends.some(reaches) ? recordedIds(groups) : undefined,
    ...keptOrLeftOut(seenMatch, policy),
    ...open,
    ownedBy: sends.includes('transfer') ? seenMatch.ownedBy : undefined,
    left:
      unproven ??
      (entry.adopt === undefined ? undefined : leftToNeighbour(entry.adopt, policy.neighbours)) ??
      (isTaking
        ? undefined
        : ((sends.length > 0 || decision.action === 'adopt' ? seenMatch.doubt : undefined) ??
          leftByGoneFilter(sends, prior?.attributes, after, seenMatch.drift, filters) ??
          leftByTypes(ofTypes) ??
          leftByDashboard(sends, difference.diff, policy.unlimited?.get(entry.address)) ??
          (groups && sends.some(reaches) ? leftByTakenName(groups, received) : undefined))),
  });
  const recordedAfter = after && withKnownSecrets(prior, after, sends);
  const work: Work = {
    change,
    ignored,
    calls: sends,
    before: prior?.attributes,
    after: recordedAfter,
    patch,
    isUnproven: unproven === undefined ? undefined : true,
    unread: prior?.unread,
    asDashboard: seenMatch.asDashboard,
    groups,
    received,
    renamedTo: seenMatch.renamedTo,
    // A schedule that moves to another dashboard does not have a known one.
    entityId: prior?.attributes['identifier'] === after?.['identifier'] ? seenMatch.entityId : undefined,
    ...sinksOf(recorded),
  };
  if (entry.adopt !== undefined && after !== undefined) {
    const { differs, ...taken } = takenOver(entry.address, adoptedAs(entry.adopt, after), seenMatch.adopted);
    return { value: { ...work, ...taken }, findings: adoptedAsIs(entry, differs) };
  }
  const findings = [...findingsOf(seenMatch, decided, sends), ...ofTypes];
  const isNamed = groups !== undefined && sends.some(reaches) && received === undefined;
  return { value: work, findings: isNamed ? [...findings, ...calledOtherwise(entry, groups)] : findings };
}

/** The reason why an entry of `adopt` takes nothing over yet; whoever removes what two states track deletes it for both. */
function leftToNeighbour(id: string, neighbours: Neighbours | undefined): string | undefined {
  if (neighbours === undefined) return undefined;
  const tracker = trackerOf(id, neighbours);
  if (tracker === undefined) return whyNotTaken(neighbours);
  const { who, address, release } = tracker;
  return `${who} tracks it; apply the release there first. There it is \`${address}\`: \`removed: [{ from: ${address}, keep: true }]\` releases it, or by hand \`${release}\`.`;
}

/** The differences, with what these requests set in addition. */
function shownDiff(entry: Match, difference: Difference, sends: readonly RequestKind[]): readonly FieldDiff[] {
  const diff = sends.includes('post') || sends.includes('patch') ? withOptions(entry, difference) : difference.diff;
  return sends.includes('put') ? withCompletedFilters(entry, diff, difference.after) : diff;
}

/** Returns nothing where nothing is kept, and no loop leaves the row out. */
function keptOrLeftOut(
  { effective: { address, desired, prior, adopt }, recorded }: SeenMatch,
  { leftOut }: StepPolicy,
): Pick<Change, 'kept' | 'leftOut'> {
  if (desired === undefined) return { leftOut: leftOut(address) };
  if (prior === undefined || adopt !== undefined) return {};
  const { kind, attributes: declared } = desired;
  const kept = keptValues({
    kind,
    declared,
    applied: recorded.prior?.attributes ?? prior.attributes,
    found: prior.attributes,
  });
  return kept.length === 0 ? {} : { kept };
}

/** Records what was observed and sends nothing. Undefined if the resource is as it was applied. */
function refreshWork({ recorded, effective, drift, entityId }: SeenMatch): Work | undefined {
  if (drift === undefined) return undefined;
  const { prior, desired } = recorded;
  // A resource that has moved is still recorded at its old address.
  const entry = { address: trackedAs(recorded), desired, prior };
  const { isGone, diff } = drift;
  const decision = isGone
    ? ({ action: 'forget', reason: 'missing' } as const)
    : ({ action: 'update', reason: 'refreshed' } as const);
  const after = isGone ? undefined : effective.prior?.attributes;
  const blocked = blockedByProtection(decision, entry.address, prior?.attributes, desired?.attributes);
  const change = changeOf(entry, decision, { after, diff: isGone ? [] : diff, blocked });
  const { groups, unread } = effective.prior ?? {};
  return { change, ignored: {}, calls: [], after, unread, seenGroups: groups, entityId, ...sinksOf(recorded) };
}

/** The work on an unresolved change of a resource that is no longer declared or tracked: it must stay visible. */
function unresolvedWork(open: OpenChange, policy: StepPolicy): Work {
  const { address, action } = open;
  const why = blockedByUnresolved(open, address, policy);
  const change = changeOf({ address }, { action, reason: 'unresolved' }, why);
  return { change, ignored: {}, calls: [], isUnproven: why.left === undefined ? undefined : true };
}

/**
 * Old schedules that a replacement did not get to delete, because an apply ended between its requests. Operations core cannot
 * delete, so there they stay listed as orphans; what an `adopt` entry of an untracked address names is kept.
 */
function leftoverWork(
  { adoptions }: Desired<SealedResource>,
  { resources, orphans }: State,
  isTarget: (of: { readonly address: Address }) => boolean,
): readonly Work[] {
  const adopted = adoptions.filter(({ to }) => resources[to]?.id === undefined);
  const keptIds = new Set([...Object.values(resources), ...adopted].map(({ id }) => id));
  return orphans
    .filter((orphan) => orphan.replaced && isTarget(orphan) && !keptIds.has(orphan.id))
    .map(({ id, address, identifier, name }) => {
      const { on = 'identifier' } = identities[kindAt(address)].listedBy ?? {};
      const prior = { id, attributes: { [on]: identifier, name } };
      const change = changeOf({ address, prior }, { action: 'delete', reason: 'replaced' }, { requests: 1 });
      return { change, ignored: {}, calls: ['delete'] };
    });
}

/** The one way to a change; nothing is known of what is left out. */
function changeOf(
  { address, desired, absent, prior, moved, adopt }: Omit<Match, 'prior'> & { readonly prior?: KnownPrior | undefined },
  { action, reason }: Pick<Decision, 'action' | 'reason'>,
  { after, ...rest }: Partial<Omit<Change, 'after'>> & { readonly after?: JsonObject | undefined },
): Change {
  const declaration = desired ?? absent;
  // A cell of the instance's row decides which loop it belongs to.
  const paths = moved?.by === 'split-table' ? [] : placedPaths(rest.diff ?? []);
  return {
    address,
    kind: kindOfMatch({ address, desired }),
    action: action as Change['action'],
    reason,
    id: adopt ?? prior?.id,
    previousAddress: moved?.from,
    ...(declaration && lineOfDifference(declaration, paths)),
    before: masked(prior?.attributes),
    after: masked(after),
    diff: [],
    requests: 0,
    ...rest,
  };
}

/** A removed element has no place any more: the list that it was in stands for it, unless something else there differs. */
function placedPaths(diff: readonly FieldDiff[]): readonly Pointer[] {
  const there = diff.flatMap(({ op, path }) => (op === 'remove' ? [] : path));
  const gone = diff.flatMap(({ op, path }) => (op === 'remove' ? parentOf(path) : []));
  return [...there, ...gone.filter((list) => !there.some((path) => isWithin(path, list)))];
}

type KnownPrior = Pick<NonNullable<Match['prior']>, 'id' | 'attributes'>;

function masked(attributes: JsonObject | undefined): JsonObject | null {
  return attributes === undefined ? null : maskAttributes(attributes);
}

/**
 * Sorts changes by kind, and within a kind by address. The leftovers of earlier schedules at the same address come after the
 * change of the present one, by id.
 */
function inOrder(a: Change, b: Change): number {
  return (
    kindsInOrder.indexOf(a.kind) - kindsInOrder.indexOf(b.kind) ||
    byCodeUnit(a.address, b.address) ||
    Number(a.reason === 'replaced') - Number(b.reason === 'replaced') ||
    byCodeUnit(a.id ?? '', b.id ?? '')
  );
}

export function summarise(changes: readonly Change[], noop: number): PlanSummary {
  const made = changes.filter(({ left }) => left === undefined);
  const count = (action: Change['action']) => made.filter((change) => change.action === action).length;
  const counts = Object.fromEntries(actionNames.map((action) => [action, count(action)]));
  return { ...(counts as Record<Change['action'], number>), left: changes.length - made.length, noop };
}

/** `sent`: the addresses for which the plan sends something. */
function noteOf(open: OpenChange, operations: Operations, sent: ReadonlySet<Address>): UnresolvedNote {
  const { address, action, since } = open;
  const lookedFor = isLookedFor(open, operations) || undefined;
  const isSentAgain = !lookedFor && mayBeRepeated(open) && sent.has(address);
  return { address, action, since, lookedFor, sentAgain: isSentAgain || undefined };
}
