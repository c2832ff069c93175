// The differences between two declarations, field by field: sets and lists by element, maps by entry, everything else
// as a whole. Values that mean the same do not differ; values are shown as written. A secret shows only that it differs,
// and an unknown one counts as unchanged.

import { diffArrays } from 'diff';
import { fieldsOf } from '../model/fields/fields.ts';
import type { FieldDiff } from '../model/plan/plan.ts';
import type { Kind } from '../model/values/address.ts';
import { equalJson, isJsonObject, type Json, type JsonObject } from '../model/values/json.ts';
import { type Pointer, pointerTo } from '../model/values/pointer.ts';
import { isSealedSecret, secretKey } from '../model/values/secret.ts';
import { comparable } from './comparable.ts';

/** Beyond this many edits a list is shown as changed as a whole. */
const maxEdits = 1000;

/** What a create sets: every field that is not its default, options of the request included. */
export function diffOfCreate(kind: Kind, attributes: JsonObject): readonly FieldDiff[] {
  const fields = comparable(kind, attributes, true);
  return inTableOrder(kind, Object.keys(fields)).flatMap((name) => added(pointerTo(name), attributes[name] ?? null));
}

/** `withOptions`: also the options of the request, which change nothing by themselves. */
export function diffAttributes(
  kind: Kind,
  before: JsonObject,
  after: JsonObject,
  withOptions = false,
): readonly FieldDiff[] {
  const [from, to] = [comparable(kind, before, withOptions), comparable(kind, after, withOptions)];
  const names = inTableOrder(kind, [...new Set([...Object.keys(from), ...Object.keys(to)])]);
  return names.flatMap((name) => {
    const path = pointerTo(name);
    if (fieldsOf[kind][name]?.set) return diffSets(path, from[name] ?? [], to[name] ?? []);
    if (equalJson(from[name], to[name])) return [];
    // Shown as written; a default that is left out on one side reads as absent there.
    const shown = (compared: Json | undefined, written: Json | undefined) =>
      compared === undefined ? undefined : written;
    return diffValues(path, shown(from[name], before[name]), shown(to[name], after[name]));
  });
}

function inTableOrder(kind: Kind, names: readonly string[]): readonly string[] {
  const order = Object.keys(fieldsOf[kind]);
  const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return [...names].sort((a, b) => rank(a) - rank(b));
}

function diffValues(path: Pointer, before: Json | undefined, after: Json | undefined): readonly FieldDiff[] {
  if (sameSecret(before, after)) return [];
  if (before === undefined) return after === undefined ? [] : added(path, after);
  if (after === undefined) return [removed(path, before)];
  if (equalJson(before, after)) return [];
  if (isSealedSecret(before) || isSealedSecret(after)) return [{ path, op: 'change', sensitive: true }];
  if (isJsonObject(before) && isJsonObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
    return names.flatMap((name) => diffValues(path + pointerTo(name), before[name], after[name]));
  }
  if (Array.isArray(before) && Array.isArray(after)) return diffLists(path, before, after);
  return [
    {
      path,
      op: 'change',
      ...plain('before', before),
      ...plain('after', after),
      sensitive: holdsSecret(before) || holdsSecret(after),
    },
  ];
}

/**
 * Secret elements come after the others and have no order of their own. Where one is reported depends on their number
 * and not on their values, so the digest is the same whether or not a value is known. An unknown secret may be any of
 * those that are gone, so it counts as one of them.
 */
function diffSets(path: Pointer, before: Json, after: Json): readonly FieldDiff[] {
  const [from, to] = [before as readonly Json[], after as readonly Json[]];
  const [plainFrom, plainTo] = [from, to].map((items) => items.filter((item) => !isSealedSecret(item))) as [
    Json[],
    Json[],
  ];
  const [old, now] = [fingerprintsIn(from), fingerprintsIn(to)];
  const unknown = now.filter((fingerprint) => fingerprint === null).length;
  const gone = Math.max(0, old.filter((fingerprint) => !now.includes(fingerprint)).length - unknown);
  const kept = old.length - gone;
  const at = (plain: readonly Json[], index: number) => path + pointerTo(plain.length + index);
  return [
    ...diffLists(path, plainFrom, plainTo),
    ...Array.from({ length: gone }, (_, index) => removedSecret(at(plainFrom, kept + index))),
    ...Array.from({ length: now.length - kept }, (_, index) => addedSecret(at(plainTo, kept + index))),
  ];
}

function fingerprintsIn(items: readonly Json[]): readonly (string | null)[] {
  return items.flatMap((item) => (isSealedSecret(item) ? [item[secretKey]] : []));
}

/** By element; the path of a removed one counts in the old list, of an added one in the new. */
function diffLists(path: Pointer, before: Json, after: Json): readonly FieldDiff[] {
  const [from, to] = [before as readonly Json[], after as readonly Json[]];
  const parts = diffArrays([...from], [...to], {
    comparator: (a, b) => sameSecret(a, b) || equalJson(a, b),
    maxEditLength: maxEdits,
  });
  if (parts === undefined)
    return [
      {
        path,
        op: 'change',
        ...plain('before', from),
        ...plain('after', to),
        sensitive: holdsSecret(from) || holdsSecret(to),
      },
    ];
  const diffs: FieldDiff[] = [];
  let [old, now] = [0, 0];
  for (const part of parts) {
    part.value.forEach((item, offset) => {
      if (part.removed) diffs.push(removed(path + pointerTo(old + offset), item));
      if (part.added) diffs.push(...added(path + pointerTo(now + offset), item));
    });
    if (!part.added) old += part.value.length;
    if (!part.removed) now += part.value.length;
  }
  return diffs;
}

/** A value that comes: as a whole, or where it holds a secret, entry by entry. */
function added(path: Pointer, after: Json): readonly FieldDiff[] {
  if (isSealedSecret(after)) return [addedSecret(path)];
  if (!holdsSecret(after)) return [{ path, op: 'add', after, sensitive: false }];
  const entries: readonly (readonly [string | number, Json])[] = Array.isArray(after)
    ? after.map((item: Json, index) => [index, item])
    : Object.entries(after as JsonObject);
  return entries.flatMap(([key, entry]) => added(path + pointerTo(key), entry));
}

function addedSecret(path: Pointer): FieldDiff {
  return { path, op: 'add', sensitive: true };
}

function removedSecret(path: Pointer): FieldDiff {
  return { path, op: 'remove', sensitive: true };
}

function removed(path: Pointer, before: Json): FieldDiff {
  return { path, op: 'remove', ...plain('before', before), sensitive: holdsSecret(before) };
}

function plain(side: 'before' | 'after', value: Json): Partial<Record<'before' | 'after', Json>> {
  return holdsSecret(value) ? {} : { [side]: value };
}

/** Whether both are secret and equal, as far as is known. */
export function sameSecret(before: Json | undefined, after: Json | undefined): boolean {
  if (!isSealedSecret(before) || !isSealedSecret(after)) return false;
  return after[secretKey] === null || before[secretKey] === after[secretKey];
}

export function holdsSecret(value: Json): boolean {
  if (isSealedSecret(value)) return true;
  if (Array.isArray(value)) return value.some(holdsSecret);
  return isJsonObject(value) && Object.values(value).some(holdsSecret);
}
