// The parts that a PATCH must hold: those that are new or changed, entry by entry for a dashboard. A partial update cannot remove
// what is no longer declared, so that stays as it is.

import { fieldApplies, fieldsOf, stateOnlyFields } from '../model/fields/fields.ts';
import { equalJson, isJsonObject, type Json, type JsonObject } from '../model/values/json.ts';
import type { DeclaredObject } from '../model/workspace/resource.ts';

/** The fields of a kind that a PATCH treats specially; all others always go along. */
export interface PatchedFields {
  /** The maps from which it holds only the entries that are new or changed. */
  readonly inEntries: readonly string[];
  /** The fields that it holds as a whole if they are new or changed; `extra` is always one of them. */
  readonly whole: readonly string[];
  /** The service refuses one without any of these, so one for `extra` alone carries them all. */
  readonly needsOne?: true;
  /** The fields of `whole` that it empties once they are no longer declared, with the value that means none. */
  readonly emptied?: Readonly<Record<string, Json>>;
  /** The fields that it never holds. */
  readonly never?: readonly string[];
}

/** The fields that a PATCH may leave out, each with the entries that it holds, or with true if it holds the whole field. */
export type Patch = Readonly<Record<string, boolean | readonly string[]>>;

/**
 * The parts that differ; everything that is declared if there is nothing to compare with. `prior` is undefined if it is not known
 * what the service has.
 */
export function patchBetween(
  { inEntries, whole, needsOne, emptied = {}, never = [] }: PatchedFields,
  prior: JsonObject | undefined,
  after: JsonObject,
): Patch {
  const differs = (from: JsonObject, name: string) => after[name] !== undefined && !equalJson(from[name], after[name]);
  const isEmptied = (name: string) =>
    Object.hasOwn(emptied, name) && after[name] === undefined && (prior === undefined || prior[name] !== undefined);
  const extra = differs(prior ?? {}, 'extra');
  const base = prior === undefined || (extra && needsOne) ? {} : prior;
  return Object.fromEntries([
    ...inEntries.map((name) => [name, changedEntries(base[name], after[name])]),
    ...whole.map((name) => [name, differs(base, name) || isEmptied(name)]),
    ...never.map((name) => [name, false]),
    ['extra', extra],
  ]);
}

export function isEmptyPatch(patch: Patch): boolean {
  return !Object.values(patch).some(isInPatch);
}

/** True if a PATCH holds any part of the field. */
export function isInPatch(held: Patch[string] | undefined): boolean {
  return held === true || (held !== undefined && held !== false && held.length > 0);
}

function changedEntries(before: Json | undefined, after: Json | undefined): readonly string[] {
  if (!isJsonObject(after)) return [];
  const prior = isJsonObject(before) ? before : {};
  return Object.entries(after)
    .filter(([id, entry]) => !holds(prior[id], entry))
    .map(([id]) => id);
}

/** True if setting `entry` on what was set before changes nothing. */
function holds(prior: Json | undefined, entry: Json): boolean {
  if (prior === undefined) return false;
  if (!isJsonObject(prior) || !isJsonObject(entry)) return equalJson(prior, entry);
  return Object.entries(entry).every(([key, value]) => equalJson(prior[key], value));
}

/**
 * The attributes that a PATCH sends: what is new or changed, and all that it never leaves out, such as options of the request.
 * `emptied`: as in `PatchedFields`.
 */
export function pickPatch<V>(
  attributes: Readonly<Record<string, V>>,
  patch: Patch,
  emptied: Readonly<Record<string, V>> = {},
): Readonly<Record<string, V>> {
  const always = Object.entries(attributes).filter(
    ([name]) => !Object.hasOwn(patch, name) && !stateOnlyFields.includes(name),
  );
  const picked = Object.entries(patch).flatMap(([name, held]): (readonly [string, V])[] => {
    const value = attributes[name] ?? emptied[name];
    if (value === undefined || held === false) return [];
    if (held === true) return [[name, value]];
    return held.length === 0 ? [] : [[name, onlyEntries(value, held)]];
  });
  return Object.fromEntries([...always, ...picked]);
}

function onlyEntries<V>(entries: V, ids: readonly string[]): V {
  const wanted = new Set(ids);
  const kept = Object.entries(entries as Record<string, unknown>).filter(([id]) => wanted.has(id));
  return Object.fromEntries(kept) as V;
}

/**
 * Fields that an update clears: they were applied, are no longer declared, and have a value that means none. The vendor's
 * sources disagree on whether the service keeps a field that an update leaves out.
 */
export function clearedFields(before: JsonObject | undefined, declared: DeclaredObject): JsonObject {
  if (before === undefined) return {};
  const removed = Object.keys(before).filter((name) => !Object.hasOwn(declared, name));
  const cleared = removed.flatMap((name) => {
    // The one kind that a PUT updates.
    const field = Object.hasOwn(fieldsOf.schedule, name) ? fieldsOf.schedule[name] : undefined;
    return field?.cleared === undefined || !fieldApplies(field, declared) ? [] : [[name, field.cleared] as const];
  });
  return Object.fromEntries(cleared);
}
