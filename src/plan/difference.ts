// The difference between what is declared and what was applied, field by field: sets and lists by element, maps by entry,
// everything else as a whole. Values that mean the same do not differ; values are shown as written. Of a secret its text is shown, which
// names its variables: another text is a change, and where the text is the same, another value, as far as it is known.

import { diffArrays } from 'diff/lib/diff/array.js';
import { comparable, comparedFields, withUnixEnds } from '../declare/comparable.ts';
import type { Field } from '../model/fields/field.ts';
import { fieldsOf, inTableOrder } from '../model/fields/fields.ts';
import { namesAnother } from '../model/fields/identity.ts';
import type { FieldDiff } from '../model/plan/plan.ts';
import type { StateResource } from '../model/plan/state.ts';
import type { Kind } from '../model/values/address.ts';
import { define, equalJson, isJsonObject, type Json, type JsonObject } from '../model/values/json.ts';
import { isWithin, type Pointer, pointerSegments, pointerTo } from '../model/values/pointer.ts';
import { holdsSecret, isSealedSecret, isWholeText, maskSealed, secretKey } from '../model/values/secret.ts';
import type { SealedResource } from '../model/workspace/resource.ts';
import { type IgnoredValues, ignoredValues, withIgnored } from './kept.ts';
import { type Patch, patchBetween } from './patch.ts';
import { plannedAs } from './planned-as.ts';

/** A declaration, and what was applied of it. */
interface VersionsToCompare {
  readonly desired?: SealedResource | undefined;
  readonly prior?: Pick<StateResource, 'attributes'> | undefined;
}

export interface Difference {
  readonly diff: readonly FieldDiff[];
  /** The declared attributes, with the applied values that stay. */
  readonly after: JsonObject | undefined;
  /** The values that stay in place of the declared ones, under ignoreChanges; undefined removes the field. */
  readonly ignored: IgnoredValues;
  readonly patch?: Patch;
}

interface Comparison {
  readonly uncertain: boolean;
  /**
   * Secrets of which only the value differs wait for another change. Not in what leads to a request, which cannot hold an
   * applied secret, because its text is not known.
   */
  readonly secretsWait: boolean;
}

export function differenceOf({ desired, prior }: VersionsToCompare, comparison: Comparison): Difference {
  if (desired === undefined) return { diff: [], after: undefined, ignored: {} };
  if (prior === undefined) {
    const { attributes: after, kind } = desired;
    const { patched } = plannedAs[kind];
    return { diff: diffOfCreate(kind, after), after, ignored: {}, patch: patched && patchBetween(patched, {}, after) };
  }
  const { patched } = plannedAs[desired.kind];
  const isSame = patched === undefined && equalJson(prior.attributes, desired.attributes);
  if (isSame || (prior.attributes === desired.attributes && !comparison.uncertain))
    return { diff: [], after: desired.attributes, ignored: {} };
  const ignored = ignoredValues(desired.kind, desired.attributes, prior.attributes);
  const secrets = comparison.secretsWait ? waitingSecrets(desired.attributes, prior.attributes) : {};
  const after = withIgnored(desired.attributes, { ...secrets, ...ignored });
  const diff = equalJson(prior.attributes, after) ? [] : diffAttributes(desired.kind, prior.attributes, after);
  if (patched === undefined) return { diff, after, ignored };
  const isWhole = comparison.uncertain || namesAnother(desired.kind, prior.attributes, after);
  const known = isWhole ? undefined : withUnixEnds(prior.attributes);
  const patch = patchBetween(patched, known, withUnixEnds(after));
  return { diff, after, ignored, patch };
}

/** Adds the options of the request, so people review what is sent. */
export function withOptions({ prior, desired }: VersionsToCompare, { diff, after }: Difference): readonly FieldDiff[] {
  if (prior === undefined || desired === undefined || after === undefined) return diff;
  return diffAttributes(desired.kind, prior.attributes, after, true);
}

/** Adds the keys that a whole request adds to filters which Omni has in a short form: equal, and yet set by the request. */
export function withCompletedFilters(
  { prior, desired }: VersionsToCompare,
  diff: readonly FieldDiff[],
  after: JsonObject | undefined,
): readonly FieldDiff[] {
  if (prior === undefined || desired === undefined || after === undefined) return diff;
  const { kind } = desired;
  const completions = Object.entries<Field>(fieldsOf[kind]).flatMap(([name, { isConditions }]) => {
    const isShown = diff.some(({ path }) => isWithin(path, pointerTo(name)));
    return isConditions && !isShown ? diffValues(pointerTo(name), prior.attributes[name], after[name]) : [];
  });
  return completions.length === 0 ? diff : [...diff, ...completions].sort(byField(kind));
}

function byField(kind: Kind): (a: FieldDiff, b: FieldDiff) => number {
  const fieldOf = ({ path }: FieldDiff) => pointerSegments(path)[0] ?? '';
  const inOrder = inTableOrder(kind);
  return (a, b) => inOrder(fieldOf(a), fieldOf(b));
}

function waitingSecrets(after: JsonObject, before: JsonObject): JsonObject {
  const waiting: Record<string, Json> = {};
  for (const [name, value] of Object.entries(after)) {
    const applied = before[name];
    if (applied !== undefined && mayWait(applied, value)) define(waiting, name, applied);
  }
  return waiting;
}

/** True if only the value of a secret differs, or may differ: the value of one that was never sent is not known. */
function mayWait(before: Json | undefined, after: Json | undefined): boolean {
  if (!isSealedSecret(before) || !isSealedSecret(after) || before.text !== after.text) return false;
  return before[secretKey] === null || isWholeText(after.text);
}

/** The texts of secrets that are known to have another value than the one that was applied. */
export function otherValues({ desired, prior }: VersionsToCompare): readonly string[] {
  const before = prior?.attributes ?? {};
  const attributes = desired?.attributes ?? {};
  const secrets = Object.keys(attributes).filter((name) => isSealedSecret(attributes[name]));
  return secrets.flatMap((name) => {
    const [applied, after] = [before[name], attributes[name]];
    if (!mayWait(applied, after) || sameSecret(applied, after)) return [];
    return isSealedSecret(applied) && isSealedSecret(after) && applied[secretKey] !== null ? (after.text ?? []) : [];
  });
}

/** An owner that is no longer declared stays as it is. */
export function isTransferred(diff: readonly FieldDiff[]): boolean {
  return diff.some(({ path, op }) => path === '/owner' && op !== 'remove');
}

/** Beyond this many edits a list is shown as changed as a whole. */
const maxEdits = 1000;

/** Lists the fields that a create sets: those that differ from their defaults, options of the request included. */
function diffOfCreate(kind: Kind, attributes: JsonObject): readonly FieldDiff[] {
  return [...comparedFields(kind, attributes, true)]
    .sort(inTableOrder(kind))
    .map((name) => added(pointerTo(name), attributes[name] ?? null));
}

/** `withOptions`: also the options of the request, which change nothing by themselves. */
export function diffAttributes(
  kind: Kind,
  before: JsonObject,
  after: JsonObject,
  withOptions = false,
): readonly FieldDiff[] {
  const [from, to] = [comparable(kind, before, withOptions), comparable(kind, after, withOptions)];
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])].sort(inTableOrder(kind));
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

/** Compares lists by element; the path of a removed one counts in the old list, that of an added one in the new. */
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
 * True if both are secret and equal, as far as is known. A secret that was applied with an unknown value, as by an import,
 * differs from every known one: it was never sent.
 */
export function sameSecret(before: Json | undefined, after: Json | undefined): boolean {
  if (!isSealedSecret(before) || !isSealedSecret(after)) return false;
  if (before.text !== after.text) return false;
  const [old, now] = [before[secretKey], after[secretKey]];
  return now === null || old === now;
}
