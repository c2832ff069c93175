// Equal changes as one entry of a report: same action, same reason and same difference, whatever else the resources
// hold. 90 schedules whose recipients lose the same person are one thing to review. So are the instances of one loop
// that come or go together, or in which the same fields change, each to a value of its own.

import type { Change, FieldDiff, PlanDocument } from '../../../model/plan/plan.ts';
import { type Address, groupOf, itemOf, type Kind } from '../../../model/values/address.ts';
import { groupBy } from '../../../model/values/group-by.ts';
import { canonicalJson, type Json, type JsonObject } from '../../../model/values/json.ts';
import { isWithin, type Pointer, pointerTo } from '../../../model/values/pointer.ts';
import { mostEqual, mostSingle } from '../../../model/values/words.ts';
import { changedLeaves, declaredLeaves, labelOf } from '../../fields/field-paths.ts';
import { setDifferences, shownDiff } from '../../fields/set-differences.ts';
import { shownKind } from '../../kinds.ts';
import { bodyOf } from '../change-body.ts';
import { commonTiming, type TimedChange, type Timings } from '../timed-plan.ts';
import { alikeIn, differingFields, sharedAttributes, sharedDiff, touchedFields } from './shared-differences.ts';
import { receivedOf, sinkKeyOf } from './sink-updates.ts';

/** One change, or several that are equal. */
export interface FoldedChanges {
  readonly first: TimedChange;
  /** All of them, the first included. */
  readonly changes: readonly TimedChange[];
  /**
   * What they have in common: nothing for moves and adoptions; of a set what it loses and gains, without positions. Of
   * instances of a loop that are not equal, a value that differs by item is left out: `note` is removed from all of them.
   */
  readonly diff: readonly FieldDiff[];
  /** As far as all of them agree. */
  readonly timings: Timings;
  /** Of instances of one loop that are not equal. */
  readonly byItem?: {
    /** The names of the fields that differ. */
    readonly fields: readonly string[];
    /** What all declare, where they come or go as a whole. */
    readonly attributes?: JsonObject;
  };
}

/** What others changed: once, or equally in several resources. */
export interface FoldedDrift {
  readonly kind: Kind;
  readonly addresses: readonly [Address, ...Address[]];
  readonly diff: readonly FieldDiff[];
}

/** In the order in which each first appears. */
export function foldDrift(drift: PlanDocument['drift']): readonly FoldedDrift[] {
  const groups = groupsOf(drift, (each) => differenceKey(shownKind(each.address), each.diff));
  return drift.flatMap((first) => {
    const group = groups.get(first) ?? [];
    const kind = shownKind(first.address);
    const { address, diff } = first;
    if (group.length <= mostEqual) return [{ kind, addresses: [address], diff }];
    const others = group.slice(1).map((each) => each.address);
    return group[0] === first ? [{ kind, addresses: [address, ...others], diff: setDifferences(kind, diff) }] : [];
  });
}

/** In the order in which each first appears. */
export function foldChanges(changes: readonly TimedChange[]): readonly FoldedChanges[] {
  const loops = groupsOf(changes, loopKeyOf);
  // Where few differences occur in a loop, each of them says more than that they differ.
  const differsMuch = new Map([...new Set(loops.values())].map((group) => [group, hasManyDifferences(group)]));
  const isOfLoop = (change: Change) => differsMuch.get(loops.get(change) ?? []) === true;
  const equal = groupsOf(changes, (change) => (isOfLoop(change) ? undefined : keyOf(change)));
  const isAlone = (change: Change) => (equal.get(change)?.length ?? 0) <= mostAlone(change);
  const rest = groupsOf(changes, (change) => (isAlone(change) ? loopKeyOf(change) : undefined));
  return changes.flatMap((first) => {
    const loop = rest.get(first) ?? [];
    if (loop.length > mostEqual) return loop[0] === first ? [foldedLoop(first, loop)] : [];
    const group = equal.get(first) ?? [];
    if (isAlone(first)) return [folded(first, [first])];
    return group[0] === first ? [folded(first, group)] : [];
  });
}

function hasManyDifferences(loop: readonly Change[]): boolean {
  return loop.length > mostEqual && groupBy(loop, differenceOf).size > mostEqual;
}

/** How many alike are shown one by one. */
function mostAlone(change: Change): number {
  if (isAsDeclared(change)) return 1;
  return isStateOnly(change) ? mostSingle : mostEqual;
}

function folded(first: TimedChange, changes: readonly TimedChange[]): FoldedChanges {
  // What each adoption declares is its own.
  const own = isStateOnly(first) && changes.length > 1 ? [] : shownDiff(first);
  const diff = changes.length > 1 && sinkKeyOf(first) !== undefined ? receivedOf(own) : own;
  return { first, changes, diff, timings: commonTimings(changes) };
}

function foldedLoop(first: TimedChange, changes: readonly TimedChange[]): FoldedChanges {
  const { kind } = first;
  const base = { first, changes, timings: commonTimings(changes) };
  if (bodyOf(first).shows === 'difference') {
    const diffs = changes.map(shownDiff);
    const differing = differingFields(diffs.map((diff) => changedLeaves(kind, diff)));
    const alike = differing.flatMap((segments) => alikeIn(changes, pointerTo(...segments)) ?? []);
    const isSaid = (path: Pointer) => alike.some((entry) => isWithin(path, entry.path));
    const others = differing.filter((segments) => !isSaid(pointerTo(...segments)));
    const diff = [...sharedDiff(diffs).filter(({ path }) => !isSaid(path)), ...alike];
    return { ...base, diff, byItem: { fields: others.map(labelOf) } };
  }
  const declared = changes.map(declaredBy);
  const fields = differingFields(declared.map((attributes) => declaredLeaves(kind, attributes))).map(labelOf);
  const byItem = { fields, attributes: sharedAttributes(declared) };
  return { ...base, diff: [], byItem };
}

function declaredBy(change: Change): JsonObject {
  const body = bodyOf(change);
  return body.shows === 'difference' ? {} : body.attributes;
}

function commonTimings(changes: readonly TimedChange[]): Timings {
  const common = (side: keyof Timings) => commonTiming(changes.map(({ timings }) => timings?.[side]));
  return { before: common('before'), after: common('after') };
}

/** For each item, all items with the same key. An item without a key is left out. */
function groupsOf<T>(items: readonly T[], keyOf: (item: T) => string | undefined): ReadonlyMap<T, readonly T[]> {
  const groups = [...groupBy(items, keyOf)].filter(([key]) => key !== undefined);
  return new Map(groups.flatMap(([, group]) => group.map((item) => [item, group] as const)));
}

/** Undefined for what equals nothing else: it is blocked for reasons of its own, or comes, goes or runs as a whole. */
function keyOf(change: Change): string | undefined {
  const { action, kind, reason, diff, blocked, previousAddress } = change;
  if (blocked !== undefined) return undefined;
  const ofSink = sinkKeyOf(change);
  if (ofSink !== undefined) return ofSink;
  if (isStateOnly(change)) return canonicalJson([action, kind, reason, keptOf(change)]);
  if ((action !== 'update' && action !== 'replace') || diff.length === 0) return undefined;
  return canonicalJson([action, reason, previousAddress !== undefined, differenceOf(change), keptOf(change)]);
}

/** Undefined for what no loop declares, and for what is shown alone or folded in another way. */
function loopKeyOf(change: Change): string | undefined {
  const { address, action, reason, diff, blocked, previousAddress } = change;
  if (blocked !== undefined || itemOf(address) === undefined || isStateOnly(change)) return undefined;
  if (sinkKeyOf(change) !== undefined) return undefined;
  if (bodyOf(change).shows === 'difference' && diff.length === 0) return undefined;
  return canonicalJson([
    groupOf(address),
    action,
    reason,
    previousAddress !== undefined,
    touchedBy(change),
    keptOf(change),
  ]);
}

/** What is kept is said of all of them at once. */
function keptOf({ kept = [] }: Change): Json {
  return kept.map((value): Json => ({ ...value }));
}

function touchedBy(change: Change): readonly string[] {
  return bodyOf(change).shows === 'difference' ? touchedFields(change.diff) : [];
}

function differenceOf(change: Change): string {
  return differenceKey(change.kind, shownDiff(change));
}

function differenceKey(kind: Kind, diff: readonly FieldDiff[]): string {
  return canonicalJson([kind, setDifferences(kind, diff).map((each): Json => ({ ...each }))]);
}

/** Moves, adoptions, and what Omni has already: of many, only the names are worth reading. */
export function isStateOnly(change: Change): boolean {
  return change.action === 'move' || change.action === 'adopt' || isAsDeclared(change);
}

/** Nothing but the state is behind. */
export function isAsDeclared({ reason, previousAddress }: Change): boolean {
  return reason === 'as-declared' && previousAddress === undefined;
}
