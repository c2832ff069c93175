// The changes of a plan to the filters of dashboards, and whom they concern. Such filters decide the rows of every schedule that
// sets none, so some changes must come first. Also says which schedules that set filters are read back.

import { isJudged } from '../declare/rows/judge-rows.ts';
import { isSameCondition } from '../model/fields/conditions.ts';
import { type Delivery, deliveryOf, losesReceiver } from '../model/fields/delivery.ts';
import type { Observation } from '../model/plan/observation.ts';
import { type OpenChange, openByAddress, sentNames } from '../model/plan/open-change.ts';
import type { Plan } from '../model/plan/plan.ts';
import { groupsOf, type State, type StateResource } from '../model/plan/state.ts';
import { type Address, deliversDashboard, filtersDashboard, kindAt } from '../model/values/address.ts';
import { groupBy } from '../model/values/collections.ts';
import type { JsonObject } from '../model/values/json.ts';
import { pointerTo } from '../model/values/pointer.ts';
import { filterShifts, firstShift, type Shift } from './filter-shifts.ts';
import type { PlanInputs } from './inputs.ts';
import type { Step } from './plan.ts';
import { sendsDeclaration } from './requests.ts';

interface SentFilter {
  readonly id: string;
  readonly shift: Shift;
}

/**
 * The filters of its dashboard that a change sends. One that leaves the files stays in Omni as it is; the former value of one
 * that was not applied to this dashboard is not known.
 */
export function sentFilters({ change: { kind }, calls, delivered }: Step): readonly SentFilter[] {
  if (!filtersDashboard(kind) || calls.length === 0) return [];
  const { before, after } = delivered();
  const known = before !== undefined && after !== undefined && before.dashboard === after.dashboard;
  return [...(after?.rows ?? [])].flatMap(([id, limit]) => {
    const was = known ? before.rows.get(id) : undefined;
    const shifts = was === undefined ? [firstShift(id, limit)] : filterShifts(id, was, limit);
    return shifts.map((shift) => ({ id, shift }));
  });
}

/** A schedule before a plan and after it; undefined where it does not exist, or is no longer known. */
export interface FollowingSchedule {
  readonly address: Address;
  readonly before: Delivery | undefined;
  readonly after: Delivery | undefined;
  /** The fields that were not sent since the adoption, as in the state; every declared field if the plan adopts the schedule. */
  readonly unread: readonly string[];
  /** True if the plan sends the whole schedule, which leaves nothing unread. */
  readonly isSent?: boolean;
}

/**
 * True if the dashboard decides which rows a filter leaves, before the plan or after it. An unread filter may be the dashboard's,
 * whatever the declarations or the state say of it.
 */
export function follows({ before, after, unread }: FollowingSchedule, dashboard: unknown, id: string): boolean {
  return [before, after].some(
    (each) => each !== undefined && each.dashboard === dashboard && mayFollow(each, unread, id),
  );
}

export function mayFollow({ rows }: Delivery, unread: readonly string[], id: string): boolean {
  return !rows.has(id) || unread.includes(pointerTo('filterConfig', id));
}

/** A plan, as far as the filters of its dashboards hang on it. */
interface PlannedFilters {
  readonly steps: readonly Step[];
  readonly document: Pick<Plan, 'operations'>;
  readonly inputs: Pick<PlanInputs, 'state'> & { readonly loaded: Pick<PlanInputs['loaded'], 'rows'> };
  readonly observation?: Pick<Observation, 'ownFilters'> | undefined;
}

interface PatchedDashboard {
  readonly step: Step;
  /** The ids of the filters that the step changes, or that a request whose answer was lost may have changed. */
  readonly ids: readonly string[];
  readonly dashboard: unknown;
  /** The names of the dashboard, also the one in the state: if it was renamed, its reports are recorded under that one. */
  readonly names: ReadonlySet<unknown>;
}

function patchedIn(steps: readonly Step[], state: State | undefined): readonly PatchedDashboard[] {
  const open = openByAddress(state);
  return steps.flatMap((step) => {
    const { address, previousAddress = address } = step.change;
    const { after } = step.delivered();
    // A request that was lost may have changed each of them, whatever the state says that they were.
    const isOpen = filtersDashboard(step.change.kind) && step.calls.length > 0 && open.has(previousAddress);
    const ids = isOpen ? [...(after?.rows.keys() ?? [])] : [...new Set(sentFilters(step).map(({ id }) => id))];
    const dashboard = after?.dashboard;
    const former = state?.resources[previousAddress]?.attributes['identifier'] ?? dashboard;
    return ids.length === 0 ? [] : [{ step, ids, dashboard, names: new Set([former, dashboard]) }];
  });
}

/**
 * The changes of filters of a dashboard, each with the tracked schedules whose rows it changes once the whole plan is applied. Also
 * those that the state records on its former name: only a look can tell whether it was renamed. Addresses as the state has them.
 */
export function followersOf(
  { steps, document: { operations } }: Omit<PlannedFilters, 'inputs'>,
  state: State | undefined,
): ReadonlyMap<Step, ReadonlyMap<Address, StateResource>> {
  // Operations core cannot ask who receives them.
  if (operations === 'core') return new Map();
  return new Map(
    [...followedIn(steps, state, ({ names }, identifier) => names.has(identifier))].map(([step, all]) => [
      step,
      new Map(all.map(({ address, resource }) => [address, resource])),
    ]),
  );
}

/** A tracked schedule whose rows a change of its dashboard decides. */
interface Follower {
  /** The address in the state. */
  readonly address: Address;
  readonly resource: StateResource;
  /** The filters that are changed and that it follows. */
  readonly ids: readonly string[];
}

/** The changes of filters of a dashboard, each with what follows them once the plan is applied. */
export function followedIn(
  steps: readonly Step[],
  state: State | undefined,
  isOn = ({ dashboard }: PatchedDashboard, identifier: unknown): boolean => identifier === dashboard,
): ReadonlyMap<Step, readonly Follower[]> {
  const patched = patchedIn(steps, state);
  if (patched.length === 0 || state === undefined) return new Map();
  const own = new Map(
    steps.flatMap((step) => {
      const { address, previousAddress = address, reason } = step.change;
      return reason === 'replaced' ? [] : [[previousAddress, step] as const];
    }),
  );
  const open = openByAddress(state);
  const tracked = Object.entries(state.resources).flatMap(([address, resource]) => {
    if (!deliversDashboard(kindAt(address)) || resource.id === undefined) return [];
    const step = own.get(address);
    const isWhole = step !== undefined && sendsDeclaration(step.calls);
    // A schedule that is sent whole leaves nothing unread, and nothing of earlier requests.
    const unread = isWhole ? [] : resource.unread;
    const lost = isWhole ? undefined : open.get(address);
    const after = step === undefined ? deliveryOf('schedule', resource.attributes) : step.delivered().after;
    return after === undefined || after.paused ? [] : [{ address, resource, shown: shownBy(after, unread, lost) }];
  });
  return new Map(
    patched.map((each) => [
      each.step,
      tracked.flatMap(({ address, resource, shown }) => {
        const near = shown.filter(({ dashboard }) => isOn(each, dashboard));
        const followed = each.ids.filter((id) => near.some((dashboard) => dashboard.mayFollow(id)));
        return followed.length === 0 ? [] : [{ address, resource, ids: followed }];
      }),
    ]),
  );
}

/**
 * The changes of filters of a dashboard, with those that have to come first: until they are done, somebody would get rows who gets
 * none, or others, once the whole plan is applied. What is left is never done.
 */
export function waitingSteps(steps: readonly Step[], state: State | undefined): ReadonlyMap<Step, readonly Step[]> {
  const opening = patchedIn(steps, state);
  if (opening.length === 0) return new Map();
  const open = openByAddress(state);
  // Before a test delivery, and after it, nothing of it is there.
  const sending = steps.filter(
    ({ change, calls, left }) =>
      deliversDashboard(change.kind) && change.action !== 'run' && (calls.length > 0 || left !== undefined),
  );
  const schedules = groupBy(
    sending.flatMap((step) => {
      const { address, previousAddress = address, reason } = step.change;
      const { before } = step.delivered();
      const lost = reason === 'replaced' ? undefined : open.get(previousAddress);
      return before === undefined ? [] : shownBy(before, step.unread, lost).map((shown) => ({ step, before, shown }));
    }),
    ({ shown }) => shown.dashboard,
  );
  return new Map(
    opening.flatMap(({ step, ids, names }) => {
      const near = [...names].flatMap((name) => schedules.get(name) ?? []);
      const first = near.flatMap(({ step: schedule, before, shown }) => {
        const { after } = schedule.delivered();
        const isFirst = ids.some((id) => shown.mayFollow(id) && isSpared(before, after, shown.dashboard, id));
        return isFirst ? [schedule] : [];
      });
      return first.length === 0 ? [] : [[step, [...new Set(first)]] as const];
    }),
  );
}

/**
 * The changes that set filters of their own which divide the rows of a dashboard, keyed by its name in Omni, if somebody who may
 * not have every row receives one of them: the first one is sent alone and read back. With operations core, nothing can be read.
 */
export function dividedBy({
  steps,
  document: { operations },
  inputs,
}: PlannedFilters): ReadonlyMap<string, readonly Step[]> {
  const { rows } = inputs.loaded;
  if (operations === 'core' || rows === undefined) return new Map();
  const { rules } = rows;
  const divides = new Set(rules.filters);
  const setting = steps.filter(
    ({ change: { kind }, calls, delivered }) =>
      deliversDashboard(kind) &&
      sendsDeclaration(calls) &&
      [...(delivered().after?.rows.keys() ?? [])].some((id) => divides.has(id)),
  );
  const isForOthers = ({ delivered }: Step) => {
    const { after } = delivered();
    return after !== undefined && isJudged('schedule', after, rules);
  };
  const byDashboard = groupBy(setting, ({ renamedTo, delivered }) => renamedTo ?? String(delivered().after?.dashboard));
  return new Map([...byDashboard].filter(([, each]) => each.some(isForOthers)));
}

/** A tracked report, with the filters that it sent and that divide rows. */
export interface SentFilters {
  /** Where the plan puts it. */
  readonly address: Address;
  readonly resource: StateResource;
  readonly sent: JsonObject;
}

/**
 * The changes of filters of a dashboard, each with the tracked reports whose own filter was equal to the former one of the
 * dashboard: only now their details tell whether Omni stores it. Those that the plan sends or ends are left out.
 */
export function toldByPatches({
  steps,
  document: { operations },
  inputs,
  observation,
}: PlannedFilters): ReadonlyMap<Step, readonly SentFilters[]> {
  const { state, loaded } = inputs;
  const { rows } = loaded;
  if (operations === 'core' || rows === undefined || state === undefined) return new Map();
  const patched = patchedIn(
    steps.filter(({ left }) => left === undefined),
    state,
  );
  if (patched.length === 0) return new Map();
  const groups = groupsOf(state);
  const addresses = new Map(
    steps.map(({ change: { address, previousAddress = address } }) => [previousAddress, address]),
  );
  const changed = new Set(
    steps.flatMap(({ change: { address, previousAddress = address }, calls }) =>
      calls.some((send) => send === 'post' || send === 'put' || send === 'delete') ? previousAddress : [],
    ),
  );
  const tracked = Object.entries(state.resources).flatMap(([address, resource]) => {
    const { id, attributes, unread = [] } = resource;
    if (!deliversDashboard(kindAt(address)) || id === undefined || changed.has(address)) return [];
    const delivery = deliveryOf(kindAt(address), attributes, groups);
    if (!isJudged(kindAt(address), delivery, rows.rules)) return [];
    const sent = Object.fromEntries(
      dividingIn(delivery, rows.rules.filters).filter(
        ([filter]) => !unread.includes(pointerTo('filterConfig', filter)),
      ),
    );
    return [{ address: addresses.get(address) ?? address, resource, sent, on: delivery.dashboard }];
  });
  return new Map(
    patched.map(({ step, ids, dashboard, names }) => {
      const own = observation?.ownFilters.get(String(dashboard));
      const { before } = step.delivered();
      const formerOf = (id: string) => own?.[id] ?? before?.rows.get(id)?.condition;
      const told = tracked.filter(
        ({ sent, on }) =>
          names.has(on) &&
          ids.some((id) => {
            const [condition, former] = [sent[id], formerOf(id)];
            return condition !== undefined && former !== undefined && isSameCondition(condition, former);
          }),
      );
      return [step, told];
    }),
  );
}

/** The filters of a delivery that divide rows, by id, as they are sent. */
export function dividingIn({ rows }: Delivery, filters: readonly string[]): readonly (readonly [string, JsonObject])[] {
  return [...rows].flatMap(([id, { condition }]) => (filters.includes(id) ? [[id, condition] as const] : []));
}

/** True if the details can be read once the change is sent: a test delivery leaves no schedule. */
export function isReadable({ change: { action } }: Step): boolean {
  return action !== 'run';
}

/** A dashboard that a schedule shows, and which filters of that it may follow. */
interface ShownDashboard {
  readonly dashboard: unknown;
  readonly mayFollow: (id: string) => boolean;
}

/** The dashboards of a delivery: the known one, and those that requests whose answers were lost may have put it on. */
function shownBy(
  known: Delivery,
  unread: readonly string[] = [],
  lost: OpenChange | undefined,
): readonly ShownDashboard[] {
  return [
    { dashboard: known.dashboard, mayFollow: (id) => mayFollow(known, unread, id) },
    ...sentNames(lost).map(({ identifier }) => ({ dashboard: identifier, mayFollow: () => true })),
  ];
}

/** True if, after the plan, somebody no longer gets by this delivery what the filter of the dashboard lets through. */
function isSpared(before: Delivery, after: Delivery | undefined, dashboard: unknown, id: string): boolean {
  if (after === undefined || after.rows.has(id) || after.dashboard !== dashboard) return true;
  return (after.paused && !before.paused) || losesReceiver({ before, after });
}
