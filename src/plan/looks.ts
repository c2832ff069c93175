// The resources that an apply (operations full) looks at before it sends: schedules, routines and filters of dashboards that it
// touches, and schedules that follow a filter it changes. A plan counts the requests of these looks with those of its changes.

import { dashboardsToRead, judgedDashboards } from '../declare/rows/on-dashboards.ts';
import { identities, listKeyOf, namedOf, ownerOf, recordedName } from '../model/fields/identity.ts';
import { actions } from '../model/plan/action.ts';
import type { Observation } from '../model/plan/observation.ts';
import { openByAddress } from '../model/plan/open-change.ts';
import type { Plan } from '../model/plan/plan.ts';
import { type State, type StateResource, trackedAt } from '../model/plan/state.ts';
import { maxSchedulesOnAPage, mostListsOfDashboards } from '../model/service/remote.ts';
import {
  type Address,
  deliversDashboard,
  filtersDashboard,
  kindAt,
  kinds,
  type Life,
} from '../model/values/address.ts';
import { groupBy } from '../model/values/collections.ts';
import { isJsonObject, type Json } from '../model/values/json.ts';
import { userGroupsIn } from '../model/workspace/resource.ts';
import { dividedBy, followersOf, isReadable, toldByPatches } from './dashboard-filters.ts';
import { adoptedAs } from './drift.ts';
import { newNames } from './group-work.ts';
import type { PlanInputs } from './inputs.ts';
import { openReadBacks } from './not-read-back.ts';
import { type Step, sendsGroups } from './plan.ts';
import { plannedAs } from './planned-as.ts';
import { onlyTakes, sendsDeclaration } from './requests.ts';
import type { Selection } from './selection.ts';

interface ToApply {
  readonly steps: readonly Step[];
  readonly document: Pick<Plan, 'operations'>;
  readonly inputs: Pick<PlanInputs, 'state' | 'config' | 'loaded' | 'declared'>;
}

/** The resources that are asked for by their ids, or by their dashboards, as in the state. */
type LookedUp = ReadonlyMap<Address, StateResource>;

/** The touched resources, keyed by tracked address, or by declared one if adopted. Deletions and pauses take nothing but an id. */
export function touchedBy(
  { steps, document, inputs: { state } }: ToApply,
  actingUsers: ReadonlyMap<Address, string> = new Map(),
): LookedUp {
  const touched = new Map<Address, StateResource>();
  if (document.operations !== 'full') return touched;
  for (const { change, calls, after } of steps) {
    const { address, previousAddress = address, kind, reason, action, id } = change;
    if (action === 'adopt' && id !== undefined)
      touched.set(address, { ...adoptedAs(id, after ?? {}), madeBy: actingUsers.get(address) });
    // An update that is open is closed only after a look, whatever is sent for it.
    const isSettled = action === 'update' && openByAddress(state).has(previousAddress);
    const takesMore = isSettled || calls.some((call) => !onlyTakes(call) || call === 'remove');
    const recorded = trackedAt(state, previousAddress);
    if (recorded === undefined || reason === 'replaced' || !takesMore) continue;
    // Nothing is recorded about the filters of a dashboard by another name.
    const isThere = {
      recurring: recorded.id !== undefined && id !== undefined,
      settings: recorded.attributes['identifier'] === after?.['identifier'],
      once: false,
    } satisfies Record<Life, boolean>;
    if (isThere[kinds[kind].life]) touched.set(previousAddress, recorded);
  }
  return touched;
}

/** The resources that are touched or only follow a filter of a dashboard, except those that `observation` shows in depth. */
export function unseenBy(
  observation: Observation | undefined,
  proposal: ToApply,
  touched = touchedBy(proposal),
): LookedUp {
  const isRead = (address: Address) => {
    const observed = observation?.observed.get(address);
    return (
      observed !== undefined &&
      (!observed.found || observed.received !== undefined || !plannedAs[kindAt(address)].hasDetails)
    );
  };
  const followers = [...followersOf(proposal, proposal.inputs.state).values()].flatMap((each) => [...each]);
  return new Map([...followers, ...touched].filter(([address]) => !isRead(address)));
}

/** The dashboards of what is sent whole with filters of its own: those must compare what the dashboard's compare. */
export function filteredDashboards({ steps, document }: ToApply): ReadonlySet<string> {
  if (document.operations !== 'full') return new Set();
  return new Set(
    steps.flatMap(({ calls, after = {} }) => {
      const { identifier, filterConfig } = after;
      const isFiltered = isJsonObject(filterConfig) && Object.keys(filterConfig).length > 0;
      const isSent = isFiltered && sendsDeclaration(calls);
      return isSent && typeof identifier === 'string' ? identifier : [];
    }),
  );
}

/** The reports of a plan whose dashboards are asked for their layout: all, or those that `safety.rows` judges. */
type ReportsInQuestion = 'all' | 'judged';

/**
 * The dashboards of what is sent whole, and those whose filters change, where their layout says what a report has. Under a sink it
 * reaches nobody.
 */
export function dashboardsShown(
  { steps, document, inputs }: ToApply,
  concerned: ReportsInQuestion,
): ReadonlySet<string> {
  const { config, loaded } = inputs;
  const rules = loaded.rows?.rules;
  if (document.operations !== 'full' || config.deliver !== undefined) return new Set();
  if (concerned === 'judged' && rules === undefined) return new Set();
  const sending = steps.filter(({ calls }) => sendsDeclaration(calls) || calls.includes('patch'));
  const sent = new Set(sending.map(({ change }) => change.address));
  const filtered = new Set(
    sending.flatMap(({ change, after }) => (filtersDashboard(change.kind) ? (after?.['identifier'] ?? []) : [])),
  );
  if (sent.size === 0) return sent;
  const reports = loaded.desired.resources.filter(
    ({ address, attributes }) => sent.has(address) || filtered.has(attributes['identifier'] as Json),
  );
  const dividing = config.safety.rows?.filters ?? [];
  if (concerned === 'all') return dashboardsToRead(reports, dividing);
  return judgedDashboards(reports, dividing, rules);
}

/**
 * The requests of an apply if nothing fails, and if Omni has what the state has: its lists and its looks, whatever the plan has
 * seen, and what it sends. Questions about people and new names of dashboards are not counted.
 */
export function requestsOf(proposal: ToApply): number {
  const touched = touchedBy(proposal);
  const looks =
    requestsToList(proposal) +
    requestsToLook(unseenBy(undefined, proposal, touched), filteredDashboards(proposal)) +
    dashboardsShown(proposal, 'judged').size +
    dashboardsWithNewNames(proposal).size;
  const drafts = proposal.steps.filter((step) => discardsDraft(step, proposal)).length;
  return looks + drafts + requestsToReadAgain(proposal) + requestsToSend(proposal, touched);
}

/** The dashboards whose groups with access are asked for: a name that was not sent to before is looked up there. */
function dashboardsWithNewNames({ steps, document }: ToApply): ReadonlySet<unknown> {
  const sending = document.operations === 'full' ? steps.filter(sendsGroups) : [];
  return new Set(sending.flatMap(({ groups, after }) => (newNames(groups).length > 0 ? after?.['identifier'] : [])));
}

/** What was not read back is read before anything else, with the filters of its dashboards. */
function requestsToReadAgain({ document, inputs }: ToApply): number {
  const open = document.operations === 'full' ? openReadBacks(inputs) : [];
  const dashboards = new Set(
    open.map(({ resource: { entityId, attributes } }) => entityId ?? attributes['identifier']),
  );
  return open.length + dashboards.size;
}

/**
 * Counts the requests of a deep look at everything that is tracked, or at some of it: its lists, and what it reads of each. One
 * for its own sake also asks which groups have access to a dashboard.
 */
export function requestsToLookDeep(
  state: State | undefined,
  { targets, refresh }: Pick<Selection, 'targets' | 'refresh'> = {},
): number {
  const resources = Object.entries(state?.resources ?? {});
  const only = targets && new Set(targets);
  const looked = resources.filter(([address, { id }]) => {
    const isRead =
      kinds[kindAt(address)].life === 'settings' || (plannedAs[kindAt(address)].hasDetails && id !== undefined);
    return isRead && (only?.has(address) ?? true);
  });
  const pages = Math.ceil(resources.length / maxSchedulesOnAPage);
  if (looked.length === 0) return pages;
  const withGroups = looked.filter(([, { groups = [] }]) => refresh?.only && groups.length > 0);
  const onTiles = looked.filter(
    ([, { attributes }]) => (attributes['queryIdentifierMapKey'] ?? attributes['conditionQueryMapKey']) !== undefined,
  );
  const dashboardsOf = (some: typeof looked) => new Set(some.map(([, { attributes }]) => attributes['identifier']));
  return (
    pages + requestsToLook(new Map(looked), new Set()) + dashboardsOf(withGroups).size + dashboardsOf(onTiles).size
  );
}

/**
 * Counts the lists that show whether ids are still what the state says, and what is there where something is made or adopted: those
 * of dashboards and owners, or all pages of the one that shows everything.
 */
function requestsToList(proposal: ToApply): number {
  const { steps, document, inputs } = proposal;
  const { state } = inputs;
  if (document.operations !== 'full') return 0;
  const orphans = new Map(state?.orphans.map((each) => [each.id, each]));
  const relied = steps.flatMap(({ change, calls, after = {} }) => {
    const { kind, address, action, reason, id, requests, previousAddress = address } = change;
    const isNew = action === 'adopt' || (actions[action].findable === true && requests > 0);
    const isUsed = id !== undefined && calls.some((send) => send !== 'post');
    const recorded = recordedName(kind, trackedAt(state, previousAddress) ?? {});
    return [
      ...(isNew ? [{ kind, named: { ...namedOf(kind, after), madeBy: ownerOf(after) } }] : []),
      ...(isUsed ? [{ kind, named: reason === 'replaced' ? (orphans.get(id) ?? {}) : recorded }] : []),
    ];
  });
  const followers = [...followersOf(proposal, state).values()].flatMap((each) => [...each]);
  const read = followers.map(([address, each]) => ({
    kind: kindAt(address),
    named: recordedName(kindAt(address), each),
  }));
  const known = Object.entries(state?.resources ?? {}).filter(([address]) => deliversDashboard(kindAt(address)));
  const adopted = steps.filter(({ change }) => change.action === 'adopt').length;
  const knownByKey = groupBy(known, ([address, each]) =>
    listKeyOf(kindAt(address), recordedName(kindAt(address), each)),
  );
  const pagesOf = (schedules: number) => Math.ceil(schedules / maxSchedulesOnAPage) || 1;
  const keysByKind = groupBy([...relied, ...read], ({ kind }) => kind);
  return [...keysByKind].reduce((sum, [kind, named]) => {
    if (identities[kind].listedBy === undefined) return sum;
    const keys = new Set(named.map((each) => listKeyOf(kind, each.named)));
    if (!deliversDashboard(kind)) return sum + keys.size;
    if (keys.has(undefined) || keys.size > mostListsOfDashboards) return sum + pagesOf(known.length + adopted);
    return [...keys].reduce((pages, key) => pages + pagesOf(knownByKey.get(key)?.length ?? 0), sum);
  }, 0);
}

/**
 * The filters of each dashboard are read once. The details of a schedule show whom it goes to where that is by e-mail to no user
 * group; else its receivers are read as well. The row of a routine is in a list.
 */
function requestsToLook(unseen: LookedUp, filtered: ReadonlySet<string>): number {
  const schedules = [...unseen].flatMap(([address, each]) => (plannedAs[kindAt(address)].hasDetails ? each : []));
  const asked = [...unseen.values()].flatMap(({ attributes: { identifier } }) => identifier ?? []);
  const dashboards = new Set([...asked, ...filtered]);
  const showsReceivers = ({ attributes, groups = [] }: StateResource) =>
    attributes['destinationType'] === 'email' && groups.length + userGroupsIn(attributes).length === 0;
  return schedules.reduce((sum, each) => sum + (showsReceivers(each) ? 1 : 2), dashboards.size);
}

/**
 * Counts the requests once everything was looked at. A schedule whose turn comes more than ten minutes after its look is read
 * once more: at the rate limit, these are all that come after ten minutes' worth of requests. The first one of a dashboard that
 * sets a dividing filter is read back, and so are reports of which a change of their dashboard's filter tells something.
 */
export function requestsToSend(proposal: ToApply, touched = touchedBy(proposal)): number {
  const { rateLimit } = proposal.inputs.config.api;
  let sum = 0;
  let extraReads = 0;
  for (const { change, left } of proposal.steps) {
    const { address, previousAddress = address, kind, requests } = change;
    sum += requests;
    const isRead = plannedAs[kind].hasDetails && requests > 0 && left === undefined && touched.has(previousAddress);
    if (isRead && rateLimit > 0 && sum > 10 * rateLimit) extraReads += 1;
  }
  extraReads += proposal.steps.filter((step) => discardsDraft(step, proposal)).length;
  for (const steps of dividedBy(proposal).values()) {
    const unread = steps.filter(
      ({ change: { address, previousAddress = address } }) =>
        trackedAt(proposal.inputs.state, previousAddress)?.notReadBack !== undefined,
    );
    extraReads += Math.max(unread.length, steps.some(isReadable) ? 1 : 0);
  }
  for (const told of toldByPatches(proposal).values()) extraReads += told.length;
  return sum + extraReads;
}

/** True if the step would discard an unpublished draft. Only operations full can ask whose draft it is. */
export function discardsDraft(
  { change, calls, left }: Step,
  { inputs: { config, declared } }: Pick<ToApply, 'inputs'>,
): boolean {
  const sends = left === undefined && calls.includes('patch');
  return (
    config.api.operations === 'full' &&
    filtersDashboard(change.kind) &&
    sends &&
    declared(change.address)?.['clearExistingDraft'] === true
  );
}
