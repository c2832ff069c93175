// Which entries of a dashboard a PATCH must carry: those that are new or changed. A partial update cannot remove what is
// no longer declared, so that stays as it is.

import { fieldApplies, fieldsOf, stateOnlyFields } from '../model/fields/fields.ts';
import { equalJson, isJsonObject, type Json, type JsonObject } from '../model/values/json.ts';
import type { DeclaredObject } from '../model/workspace/resource.ts';

export interface Patch {
  readonly filters: readonly string[];
  readonly controls: readonly string[];
  readonly filterOrder: boolean;
  readonly extra: boolean;
}

/** What differs; everything that is declared if there is nothing to compare with. */
export function patchBetween(prior: JsonObject, after: JsonObject): Patch {
  const extra = after['extra'] !== undefined && !equalJson(prior['extra'], after['extra']);
  // A PATCH must carry a filter, a control or an order: one for `extra` alone carries them all.
  const base = extra ? {} : prior;
  const filters = changedEntries(base['filters'], after['filters']);
  const controls = changedEntries(base['controls'], after['controls']);
  const filterOrder = after['filterOrder'] !== undefined && !equalJson(base['filterOrder'], after['filterOrder']);
  return { filters, controls, filterOrder, extra };
}

export function isEmptyPatch({ filters, controls, filterOrder, extra }: Patch): boolean {
  return filters.length === 0 && controls.length === 0 && !filterOrder && !extra;
}

function changedEntries(before: Json | undefined, after: Json | undefined): readonly string[] {
  if (!isJsonObject(after)) return [];
  const prior = isJsonObject(before) ? before : {};
  return Object.entries(after)
    .filter(([id, entry]) => !holds(prior[id], entry))
    .map(([id]) => id);
}

/** Whether setting `entry` on what was set before changes nothing. */
function holds(prior: Json | undefined, entry: Json): boolean {
  if (prior === undefined) return false;
  if (!isJsonObject(prior) || !isJsonObject(entry)) return equalJson(prior, entry);
  return Object.entries(entry).every(([key, value]) => equalJson(prior[key], value));
}

/** The attributes that a PATCH sends: the changed entries and the options of the request. */
export function pickPatch<V>(attributes: Readonly<Record<string, V>>, patch: Patch): Readonly<Record<string, V>> {
  const { filters, controls, filterOrder, extra, ...rest } = attributes;
  const options = Object.entries(rest).filter(([name]) => !stateOnlyFields.includes(name));
  return {
    ...(Object.fromEntries(options) as Record<string, V>),
    ...picked('filters', filters, patch.filters),
    ...picked('controls', controls, patch.controls),
    ...(patch.filterOrder && filterOrder !== undefined ? { filterOrder } : {}),
    ...(patch.extra && extra !== undefined ? { extra } : {}),
  };
}

function picked<V>(name: string, entries: V | undefined, ids: readonly string[]): Readonly<Record<string, V>> {
  if (ids.length === 0 || entries === undefined) return {};
  const wanted = new Set(ids);
  const kept = Object.fromEntries(Object.entries(entries as Record<string, unknown>).filter(([id]) => wanted.has(id)));
  return { [name]: kept as V };
}

/**
 * Fields that an update clears: they were applied, are no longer declared, and have a value that means none. The vendor's
 * sources disagree on whether the service keeps a field that an update leaves out.
 */
export function clearedFields(before: JsonObject | undefined, declared: DeclaredObject): JsonObject {
  if (before === undefined) return {};
  const removed = Object.keys(before).filter((name) => !Object.hasOwn(declared, name));
  const cleared = removed.flatMap((name) => {
    const field = Object.hasOwn(fieldsOf.schedule, name) ? fieldsOf.schedule[name] : undefined;
    return field?.cleared === undefined || !fieldApplies(field, declared) ? [] : [[name, field.cleared] as const];
  });
  return Object.fromEntries(cleared);
}
