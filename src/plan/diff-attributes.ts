// The differences between two declarations, field by field: sets and lists by element, maps by entry, everything else
// as a whole. Values that mean the same do not differ; values are shown as written. Of a secret its text is shown, which
// names its variables: another text is a change, and where the text is the same, another value, as far as it is known.

import { diffArrays } from 'diff';
import { fieldsOf } from '../model/fields/fields.ts';
import type { FieldDiff } from '../model/plan/plan.ts';
import type { Kind } from '../model/values/address.ts';
import { equalJson, isJsonObject, type Json, type JsonObject } from '../model/values/json.ts';
import { type Pointer, pointerTo } from '../model/values/pointer.ts';
import { anyFingerprint, isSealedSecret, maskSealed, secretKey } from '../model/values/secret.ts';
import { comparable } from './comparable.ts';

/** Beyond this many edits a list is shown as changed as a whole. */
const maxEdits = 1000;

/** What a create sets: every field that is not its default, options of the request included. */
export function diffOfCreate(kind: Kind, attributes: JsonObject): readonly FieldDiff[] {
  const fields = comparable(kind, attributes, true);
  return inTableOrder(kind, Object.keys(fields)).map((name) => added(pointerTo(name), attributes[name] ?? null));
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
    if (fieldsOf[kind][name]?.set) return diffLists(path, from[name] ?? [], to[name] ?? []);
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
  if (before === undefined) return after === undefined ? [] : [added(path, after)];
  if (after === undefined) return [removed(path, before)];
  if (equalJson(before, after)) return [];
  const isMap = (value: Json): value is JsonObject => isJsonObject(value) && !isSealedSecret(value);
  if (isMap(before) && isMap(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
    return names.flatMap((name) => diffValues(path + pointerTo(name), before[name], after[name]));
  }
  if (Array.isArray(before) && Array.isArray(after)) return diffLists(path, before, after);
  return [changed(path, before, after)];
}

/** By element; the path of a removed one counts in the old list, of an added one in the new. */
export function diffLists(path: Pointer, before: Json, after: Json): readonly FieldDiff[] {
  const [from, to] = [before as readonly Json[], after as readonly Json[]];
  const parts = diffArrays([...from], [...to], {
    comparator: (a, b) => sameSecret(a, b) || equalJson(a, b),
    maxEditLength: maxEdits,
  });
  if (parts === undefined) return [changed(path, from, to)];
  const diffs: FieldDiff[] = [];
  let [old, now] = [0, 0];
  for (const part of parts) {
    part.value.forEach((item, offset) => {
      if (part.removed) diffs.push(removed(path + pointerTo(old + offset), item));
      if (part.added) diffs.push(added(path + pointerTo(now + offset), item));
    });
    if (!part.added) old += part.value.length;
    if (!part.removed) now += part.value.length;
  }
  return diffs;
}

function added(path: Pointer, after: Json): FieldDiff {
  return { path, op: 'add', after: maskSealed(after), sensitive: holdsSecret(after) };
}

function removed(path: Pointer, before: Json): FieldDiff {
  return { path, op: 'remove', before: maskSealed(before), sensitive: holdsSecret(before) };
}

function changed(path: Pointer, before: Json, after: Json): FieldDiff {
  const sensitive = holdsSecret(before) || holdsSecret(after);
  return { path, op: 'change', before: maskSealed(before), after: maskSealed(after), sensitive };
}

/**
 * Whether both are secret and equal, as far as is known. A text that an older state does not have may be any. What was
 * applied with an unknown value, such as an import, differs from every known one: it was never sent.
 */
export function sameSecret(before: Json | undefined, after: Json | undefined): boolean {
  if (!isSealedSecret(before) || !isSealedSecret(after)) return false;
  if (before.text !== undefined && after.text !== undefined && before.text !== after.text) return false;
  const [old, now] = [before[secretKey], after[secretKey]];
  return now === null || old === anyFingerprint || old === now;
}

export function holdsSecret(value: Json): boolean {
  if (Array.isArray(value)) return value.some(holdsSecret);
  if (!isJsonObject(value)) return false;
  if (isSealedSecret(value)) return true;
  for (const key in value) if (holdsSecret(value[key] as Json)) return true;
  return false;
}
