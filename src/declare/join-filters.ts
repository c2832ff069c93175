// Joins filters with those of defaults, and reads their conditions. A filter that gets lost shows the rows of others,
// and Omni refuses one that the dashboard does not have. So only those are joined that are known to be of the
// dashboard: their default names it, or another declaration of it chose them. Any other that a map leaves out is an
// error.

import { completed, isMap } from '../model/fields/complete-conditions.ts';
import { booleanKeys } from '../model/fields/filter-keys.ts';
import { define } from '../model/values/json.ts';
import { type Pointer, pointerTo } from '../model/values/pointer.ts';
import { codeList, quote } from '../model/values/words.ts';
import { type Finding, placeOf, type WithFindings } from '../model/workspace/diagnostic.ts';
import { findingAt } from '../model/workspace/field-place.ts';
import { joinOrigins, noLists, type Origins, placeIn, sourceOf, type ValueGiver } from '../model/workspace/origins.ts';
import type { Declared, DeclaredObject, LeftOutFilter, Resource } from '../model/workspace/resource.ts';
import { printString } from '../yaml/format/print-string.ts';
import { kindsOfDeclaration } from './kinds-of-declaration.ts';
import { dashboardName, filtersUsed } from './rows/judge-rows.ts';
import { deliveryFilters } from './rules/filter-shape.ts';

/** The resources with joined filters. `declared` are those whose filters are known to be on their dashboards. */
export function joinFilters(
  resources: readonly Resource[],
  declared: readonly Resource[] = resources,
): WithFindings<readonly Resource[]> {
  if (resources.every(({ leftOut }) => leftOut === undefined)) return { value: resources, findings: [] };
  const usedOn = filtersUsed(declared.filter(isChosen));
  const findings: Finding[] = [];
  const value = resources.map((resource) => {
    const { leftOut, ...rest } = resource;
    const { identifier } = resource.attributes;
    if (leftOut === undefined) return rest;
    // Nothing is known about a dashboard that no text names.
    if (typeof identifier !== 'string') {
      findings.push(droppedFrom(rest, [...leftOut]));
      return rest;
    }
    const used = usedOn(identifier);
    const isOfDashboard = ([id, filter]: readonly [string, LeftOutFilter]) =>
      used.has(id) ||
      (typeof filter.identifier === 'string' && dashboardName(filter.identifier) === dashboardName(identifier));
    const dropped = [...leftOut].filter((each) => !isOfDashboard(each));
    if (dropped.length > 0) findings.push(droppedFrom(rest, dropped));
    return [...leftOut].filter(isOfDashboard).reduce(joined, rest);
  });
  return { value: value.map((each, index) => (resources[index]?.leftOut ? withReadConditions(each) : each)), findings };
}

const { field } = deliveryFilters;

/** Not where a default gives the filters and something else the dashboard: nobody may have thought of the two together. */
function isChosen({ origins }: Resource): boolean {
  const [filters, dashboard] = [field, 'identifier'].map((name) => sourceOf(origins, pointerTo(name))?.place);
  return filters?.kind !== 'default' || (dashboard?.kind === 'default' && filters.origin === dashboard.origin);
}

function joined(resource: Resource, [id, { value, giver }]: readonly [string, LeftOutFilter]): Resource {
  const own = resource.attributes[field] ?? {};
  if (!isMap(own)) return resource;
  const filters: Record<string, Declared> = { ...own };
  define(filters, id, value);
  const origins = withGiver(resource.origins, pointerTo(field), id, giver);
  return { ...resource, attributes: { ...resource.attributes, [field]: filters }, origins };
}

/** An entry of the map at a place comes from another source than the rest of the map. */
function withGiver(origins: Origins | undefined, at: Pointer, id: string, giver: ValueGiver): Origins | undefined {
  const ofMap = sourceOf(origins, at);
  const by = ofMap === undefined ? giver : { ...ofMap, origins: withGiver(ofMap.origins, ofMap.at, id, giver) };
  const given = new Map([[ofMap === undefined ? at + pointerTo(id) : at, { isWhole: true, by: [by] }]]);
  return joinOrigins(origins, { given, lists: noLists });
}

function droppedFrom(resource: Resource, dropped: readonly (readonly [string, LeftOutFilter])[]): Finding {
  const { related = [], ...where } = findingAt(resource, pointerTo(field), { at: 'key' });
  const ids = dropped.map(([id]) => id);
  const givers = dropped.flatMap(([id, { giver }]) => {
    const place = placeIn(giver);
    return place.kind === 'text-file'
      ? []
      : [{ place: placeOf(place.origin, 'key'), message: `This gives ${quote(id)}.` }];
  });
  const [is, it] = ids.length === 1 ? ['it is', 'it'] : ['they are', 'them'];
  return {
    code: 'filter-dropped',
    message: `A default gives ${codeList(ids)}, which this map leaves out, and nothing says that ${is} on this dashboard.`,
    hint: `Repeat ${codeList(ids)} in this map, or write ${codeList(ids.map((id) => `${printString(id, { inFlow: true, isKey: true })}: null`))} where the report is not limited by ${it}.`,
    ...where,
    related: [...related, ...givers],
  };
}

// The conditions of filters as they are sent, with booleans read from text. The text may come from a cell, a quoted
// word or a variable. `is_negative` as a text would turn a filter round in a program that takes every text for true. An
// unreadable value stays as it is, and is an error. Conditions of a delivery are completed. All later steps see the
// whole condition.

/** The same resource if nothing had to be read. */
export function withReadConditions(resource: Resource): Resource {
  const { kind, attributes } = resource;
  const { field, limitsRows } = kindsOfDeclaration[kind].filters ?? {};
  const filters = field === undefined ? undefined : attributes[field];
  if (field === undefined || !isMap(filters)) return resource;
  const whole = changed(filters, (filter) => {
    const read = readCondition(filter);
    return limitsRows && isMap(read) ? completed(read) : read;
  });
  return whole === filters ? resource : { ...resource, attributes: { ...attributes, [field]: whole } };
}

function readCondition(condition: Declared): Declared {
  if (!isMap(condition)) return condition;
  return changed(condition, (value, key) => {
    if (booleanKeys.includes(key)) return booleanIn(value);
    return key === 'filters' && Array.isArray(value) ? listOf(value) : value;
  });
}

function listOf(conditions: readonly Declared[]): readonly Declared[] {
  const read = conditions.map(readCondition);
  return read.every((each, index) => each === conditions[index]) ? conditions : read;
}

/** Reads the forms of people, tables and programs: `TRUE`, `false`, 0, 1. */
function booleanIn(value: Declared): Declared {
  switch (typeof value === 'string' || typeof value === 'number' ? String(value).trim().toLowerCase() : '') {
    case 'true':
    case '1':
      return true;
    case 'false':
    case '0':
      return false;
    default:
      return value;
  }
}

/** Copies only if something changes. */
function changed(map: DeclaredObject, change: (value: Declared, key: string) => Declared): DeclaredObject {
  let copy: Record<string, Declared> | undefined;
  for (const key of Object.keys(map)) {
    const value = map[key] as Declared;
    const other = change(value, key);
    if (other === value) continue;
    copy ??= { ...map };
    define(copy, key, other);
  }
  return copy ?? map;
}
