// Every danger of a plan, in the order in which reports list them. Judged against the state: the plan alone does not know
// what stays as it is. A new danger is a row of `dangerGravity` in model/plan/danger.ts, and is found here.

import { plainNames } from '../../model/fields/receiver.ts';
import {
  addressWords,
  concernedBySubject,
  type Danger,
  type DangerCode,
  type DangerItem,
  dangerGravity,
  type FoundDanger,
  foldedItems,
} from '../../model/plan/danger.ts';
import type { GonePart } from '../../model/plan/observation.ts';
import { type Change, leavesOrphan, type Plan, remainingOrphans } from '../../model/plan/plan.ts';
import { kinds } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/collections.ts';
import { countOf, inBackticks, maxEqual, nameSome } from '../../model/values/words.ts';
import { filtersIn } from '../drift.ts';
import type { EndedDelivery } from '../ended-lines.ts';
import type { PlanResult } from '../plan.ts';
import { plannedAs } from '../planned-as.ts';
import { unmeantDeletions } from '../unmeant-deletions.ts';
import { keptTexts } from './kept-texts.ts';
import { madeOfFilters } from './made-of-filters.ts';
import { rowsOfReceivers } from './new-rows.ts';
import { otherGroups } from './other-groups.ts';
import { otherAlerts, otherRows } from './other-rows.ts';
import { addedRecipients, newOwners, newPlaces, outsideRecipients, removedRecipients } from './receivers.ts';
import { lastElsewhere, movedSubmodules } from './reverted-changes.ts';
import { movedSecrets, removedPasswords, takenOutFilters, unreadFields, unreadFilters } from './unread.ts';
import { newWaivers, rowWaivers } from './waivers.ts';
import { type DangerContext, type DangerRule, type World, worldOf } from './world.ts';

const rules: readonly DangerRule[] = [
  (_, { fromBase = [] }) => fromBase,
  lastElsewhere,
  movedSubmodules,
  unmeantDeletions,
  (_, { plan }) => endedDangers(plan),
  otherRows,
  otherAlerts,
  keptTexts,
  (_, world) => goneDangers(world),
  (_, { plan }) => [goneFilters(plan)],
  (_, { ended = [] }) => [endedLines(ended)],
  madeOfFilters,
  outsideRecipients,
  addedRecipients,
  newPlaces,
  newOwners,
  otherGroups,
  movedSecrets,
  removedPasswords,
  removedRecipients,
  switched('paused'),
  switched('resumed'),
  unreadFields,
  unreadFilters,
  takenOutFilters,
  rowsOfReceivers,
  newWaivers,
  rowWaivers,
];

const order = Object.keys(dangerGravity);

/** Returns only the dangers that occur. */
export function findDangers(planned: Pick<PlanResult, 'plan' | 'steps'>, context: DangerContext): readonly Danger[] {
  const world = worldOf(planned, context);
  return withGravity(rules.flatMap((rule) => rule(planned.steps, world)));
}

/** The dangers of a list that occur, in their order. */
export function withGravity(found: readonly FoundDanger[]): readonly Danger[] {
  return (
    found
      // A line about recipients who may be outside, or about a base that nobody could read, names nothing.
      .filter(({ code, items }) => items.length > 0 || code === 'new-receiver' || code === 'base-unread')
      .map(({ code, gravity = dangerGravity[code], ...rest }) => ({ code, gravity, ...rest }))
      .sort((a, b) => rankOf(a) - rankOf(b))
  );
}

/** The graver first, and in the order of the table. */
function rankOf({ code, gravity }: Danger): number {
  return order.indexOf(code) + (gravity === 'grave' ? 0 : order.length);
}

/** Dashboards and tiles that Omni no longer has, with who receives nothing. */
function goneDangers({ gone = [], appliedAt }: World): readonly FoundDanger[] {
  const items = (parts: readonly GonePart[]) =>
    [...groupBy(parts, ({ identifier, tile = '' }) => JSON.stringify([identifier, tile]))].map(
      ([, same]): DangerItem => {
        const [{ identifier, tile }] = same;
        const receivers = same.flatMap(({ address }) => appliedAt(address)?.to.flatMap(plainNames) ?? []);
        const distinct = [...new Set(receivers)].map(inBackticks);
        const of = tile === undefined ? '' : `of the dashboard ${inBackticks(identifier)}: `;
        const whom =
          distinct.length === 0 ? '' : `; receives nothing: ${nameSome(distinct, distinct.length, maxEqual)}`;
        return {
          subject: tile ?? identifier,
          detail: `${of}${addressWords(same.map(({ address }) => address))}${whom}`,
        };
      },
    );
  const onDashboards = items(gone.filter(({ tile }) => tile === undefined));
  const onTiles = items(gone.filter(({ tile }) => tile !== undefined));
  return [
    {
      code: 'dashboard-gone',
      title: `${countOf(onDashboards.length, 'dashboard is', 'dashboards are')} gone from Omni`,
      items: onDashboards,
    },
    {
      code: 'tile-gone',
      title: `${countOf(onTiles.length, 'tile that is delivered or watched is', 'tiles that are delivered or watched are')} gone from ${onTiles.length === 1 ? 'its dashboard' : 'their dashboards'}`,
      items: onTiles,
    },
  ];
}

/** Filters that a look did not find any more on the dashboards of schedules that set them. */
function goneFilters({ drift }: Plan): FoundDanger {
  const found = concernedBySubject(
    drift.flatMap(({ address, diff }) => filtersIn(diff, 'gone').map((id) => [id, address] as const)),
  );
  const filters = countOf(found.size, 'filter is gone from its dashboard', 'filters are gone from their dashboards');
  const title = `${filters}: without ${found.size === 1 ? 'it' : 'them'} a report would show all rows`;
  return { code: 'filter-gone', title, items: foldedItems(found) };
}

/** Each plan reports a delivery by an ended line while it goes on: nothing else that is reviewed would. */
function endedLines(ended: readonly EndedDelivery[]): FoundDanger {
  const found = concernedBySubject(
    ended.map(({ address, receiver, line }) => [JSON.stringify([receiver.shown, line.at]), address] as const),
  );
  const lines = new Map(ended.map(({ receiver, line }) => [JSON.stringify([receiver.shown, line.at]), line]));
  const items = [...found].map(([key, addresses]): DangerItem => {
    const [subject = ''] = JSON.parse(key) as readonly string[];
    const { text = '', until, at } = lines.get(key) ?? {};
    return { subject, detail: `the line ${inBackticks(text)} ended on ${until}, ${at}: ${addressWords(addresses)}` };
  });
  const receivers = countOf(items.length, 'receiver gets reports by a line', 'receivers get reports by lines');
  return {
    code: 'permission-ended',
    title: `${receivers} of the table that ${items.length === 1 ? 'has' : 'have'} ended`,
    items,
  };
}

/** Schedules that a plan pauses, or resumes. */
function switched(code: 'paused' | 'resumed'): DangerRule {
  return (steps) => {
    const items = steps.flatMap(({ change: { address, kind, after: attributes }, delivered }) => {
      const { before, after } = delivered();
      if (!plannedAs[kind].byThemselves.paused || before === undefined || after === undefined) return [];
      const name = attributes?.['name'];
      const detail = typeof name === 'string' ? `${kinds[kind].words} ${inBackticks(name)}` : undefined;
      return before.paused === after.paused || after.paused !== (code === 'paused')
        ? []
        : [{ subject: address, detail }];
    });
    return [{ code, title: `${countOf(items.length, 'schedule is', 'schedules are')} ${code}`, items }];
  };
}

/** The dangers of what a plan ends, leaves running or cannot do: deletes, replacements, orphans, and changes that are blocked. */
function endedDangers(plan: Plan): readonly FoundDanger[] {
  const { changes, operations } = plan;
  const isOrphan = (change: Change) => leavesOrphan(change, operations);
  const of = (action: Change['action']) => changes.filter((change) => change.action === action && !isOrphan(change));
  const [blocked, unresolved] = [blockedBy(plan, false), blockedBy(plan, true)];
  const resources = (count: number) => countOf(count, 'resource is', 'resources are');
  return [
    danger('deleted', of('delete').map(lostOf), (count) => `${resources(count)} deleted`),
    danger(
      'blocked',
      blockedItems(blocked),
      () => `${countOf(blocked.length, 'change is', 'changes are')} blocked: apply refuses this plan`,
    ),
    danger(
      'unresolved',
      blockedItems(unresolved),
      () =>
        `${countOf(unresolved.length, 'change has', 'changes have')} an unknown outcome: apply looks in Omni first, and goes on`,
    ),
    danger('replaced', of('replace').map(named), (count) => `${resources(count)} replaced`),
    danger('orphaned', changes.filter(isOrphan).map(keptRunning), (count) =>
      countOf(count, 'schedule keeps running as an orphan', 'schedules keep running as orphans'),
    ),
    danger('forgotten', of('forget').map(named), (count) => `${resources(count)} no longer tracked`),
    danger('orphans', orphanItems(plan), orphansTitle),
  ];
}

function danger(code: DangerCode, items: readonly DangerItem[], titleOf: (count: number) => string): FoundDanger {
  return { code, title: titleOf(items.length), items };
}

function blockedBy({ changes }: Plan, isLookedFor: boolean): readonly Change[] {
  return changes.filter(({ blocked, lookedFor = false }) => blocked !== undefined && lookedFor === isLookedFor);
}

/** A reason that several have is said once. */
function blockedItems(changes: readonly Change[]): readonly DangerItem[] {
  return [...groupBy(changes, ({ blocked = '' }) => blocked)].map(([why, [first, ...others]]) => ({
    subject: first?.address ?? '',
    detail: others.length === 0 ? why : `and ${countOf(others.length, 'other change', 'other changes')}: ${why}`,
  }));
}

/** A resource that a replacement left is not the one that has its address now. */
function lostOf(change: Change): DangerItem {
  const { subject, detail } = named(change);
  return { subject, detail: change.reason === 'replaced' ? `${detail}, which was replaced earlier` : detail };
}

function keptRunning({ address, action, id = '' }: Change): DangerItem {
  const what = action === 'replace' ? 'replaced; the old schedule' : 'forgotten; the schedule';
  return { subject: address, detail: `${what} keeps running as \`${id}\`` };
}

function orphanItems(plan: Plan): readonly DangerItem[] {
  return remainingOrphans(plan).map(({ id, address, name }) => ({
    subject: id,
    detail: `${inBackticks(name)}, was \`${address}\``,
  }));
}

function orphansTitle(count: number): string {
  const made = countOf(count, 'orphan', 'orphans');
  return `${made} of earlier applies still ${count === 1 ? 'runs' : 'run'} in Omni`;
}

function named({ address, kind, before }: Change): DangerItem & { readonly detail: string } {
  const name = before?.['name'];
  return {
    subject: address,
    detail: typeof name === 'string' ? `${kinds[kind].words} ${inBackticks(name)}` : kinds[kind].words,
  };
}
