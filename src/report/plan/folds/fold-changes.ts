// Decides which changes share an entry of a report: those with the same action, reason and difference. The rest of the
// resources may differ. 90 schedules whose recipients lose the same person are one thing to review. So are the
// instances of one loop that come or go together, or in which the same fields change, each to a value of its own, and
// updates by the environment's sink: the recipients that it replaces are not news.

import { destinationOf, sinkFields } from '../../../model/fields/delivery.ts';
import type { Change, FieldDiff, PlanDocument } from '../../../model/plan/plan.ts';
import { type Address, groupOf, itemOf, type Kind } from '../../../model/values/address.ts';
import { groupBy } from '../../../model/values/collections.ts';
import { canonicalJson, type Json } from '../../../model/values/json.ts';
import { pointerSegments } from '../../../model/values/pointer.ts';
import { maxEqual, maxSingle } from '../../../model/values/words.ts';
import { setDifferences } from '../../fields/set-differences.ts';
import { shownKind } from '../../listed-facts.ts';
import type { TimedChange } from '../timed-plan.ts';
import { type Entry, entryOf, shownOf } from './entry.ts';

/** A change by others: once, or equally in several resources. */
export interface FoldedDrift {
  readonly kind: Kind;
  readonly addresses: readonly [Address, ...Address[]];
  readonly diff: readonly FieldDiff[];
}

/** In the order in which each first appears. */
export function foldDrift(drift: PlanDocument['drift']): readonly FoldedDrift[] {
  const keyed = ({ address, diff }: (typeof drift)[number]) => differenceKey(shownKind(address), diff);
  const equal = groupsOf(drift, keyed);
  const groups = new Set(drift.map((each) => groupWithMore(equal.get(each), maxEqual) ?? alone(each)));
  return [...groups].map(([{ address, diff }, ...others]) => {
    const kind = shownKind(address);
    return { kind, addresses: [address, ...others.map((each) => each.address)], diff: setDifferences(kind, diff) };
  });
}

/** In the order in which each first appears. */
export function foldChanges(changes: readonly TimedChange[]): readonly Entry[] {
  // If few differences occur in a loop, each of them is worth showing.
  const unlike = new Set([...new Set(groupsOf(changes, loopKeyOf).values())].filter(hasManyDifferences).flat());
  const equal = groupsOf(changes, (change) => (unlike.has(change) ? undefined : foldKeyOf(change)));
  const equalTo = (change: TimedChange) => groupWithMore(equal.get(change), maxAlone(change));
  const ofLoop = groupsOf(changes, (change) => (equalTo(change) === undefined ? loopKeyOf(change) : undefined));
  const loopOf = (change: TimedChange) => groupWithMore(ofLoop.get(change), maxEqual);
  const groups = new Set(changes.map((change) => loopOf(change) ?? equalTo(change) ?? alone(change)));
  return [...groups].map((group) => entryOf(group, loopOf(group[0]) === group));
}

type Group<T> = readonly [T, ...T[]];

const alone = <T>(item: T): Group<T> => [item];

function groupWithMore<T>(group: Group<T> | undefined, most: number): Group<T> | undefined {
  return group !== undefined && group.length > most ? group : undefined;
}

/** For each item, all items with the same key. An item without a key is left out. */
function groupsOf<T>(items: readonly T[], keyOf: (item: T) => string | undefined): ReadonlyMap<T, Group<T>> {
  const groups = [...groupBy(items, keyOf)].filter(([key]) => key !== undefined);
  return new Map(groups.flatMap(([, group]) => group.map((item) => [item, group] as const)));
}

function hasManyDifferences(loop: readonly TimedChange[]): boolean {
  return loop.length > maxEqual && groupBy(loop, differenceOf).size > maxEqual;
}

/** The number of equal changes that are still shown one by one. */
function maxAlone(change: Change): number {
  if (isAsDeclared(change)) return 1;
  return isStateOnly(change) ? maxSingle : maxEqual;
}

/** Undefined for a change that equals no other: it is blocked or left, or concerns the whole resource. */
function foldKeyOf(change: TimedChange): string | undefined {
  const { action, kind, diff, blocked, left, after } = change;
  if ((blocked ?? left) !== undefined) return undefined;
  // All of them get the same recipients.
  if (isOfSink(change))
    return keyWith(change, [
      diff.length === 0,
      after === null ? null : (destinationOf({ kind, attributes: after }) ?? null),
    ]);
  if (isStateOnly(change)) return keyWith(change, []);
  if ((action !== 'update' && action !== 'replace') || diff.length === 0) return undefined;
  return keyWith(change, [differenceOf(change)]);
}

/** Undefined for resources outside of loops, and for changes that are shown alone or folded in another way. */
function loopKeyOf(change: TimedChange): string | undefined {
  const { address, action, diff, blocked, left } = change;
  if ((blocked ?? left) !== undefined || itemOf(address) === undefined || isStateOnly(change) || isOfSink(change))
    return undefined;
  if ((action === 'update' || action === 'replace') && diff.length === 0) return undefined;
  const touched = new Set(shownOf(change).diff.map(({ path }) => pointerSegments(path)[0] ?? ''));
  return keyWith(change, [groupOf(address), [...touched].sort()]);
}

/** Kept values are described once for all of them. */
function keyWith({ action, kind, reason, previousAddress, kept = [], leftOut }: Change, more: readonly Json[]): string {
  const keptValues = kept.map((value): Json => ({ ...value }));
  return canonicalJson([
    action,
    kind,
    reason,
    previousAddress !== undefined,
    leftOut !== undefined,
    keptValues,
    ...more,
  ]);
}

function differenceOf(change: TimedChange): string {
  return differenceKey(change.kind, shownOf(change).diff);
}

function differenceKey(kind: Kind, diff: readonly FieldDiff[]): string {
  return canonicalJson([kind, setDifferences(kind, diff).map((each): Json => ({ ...each }))]);
}

/** Moves, adoptions, and changes that Omni has already: of many, only the names are worth reading. */
export function isStateOnly(change: Change): boolean {
  return change.action === 'move' || change.action === 'adopt' || isAsDeclared(change);
}

/** True if only the state is behind. */
export function isAsDeclared({ reason, previousAddress }: Change): boolean {
  return reason === 'as-declared' && previousAddress === undefined;
}

/** True if the sink of the environment replaces the recipients, and nothing else changes. */
export function isOfSink({ reason, diff }: Change): boolean {
  return reason === 'sink' && diff.every(({ path }) => sinkFields.includes(pointerSegments(path)[0] ?? ''));
}
