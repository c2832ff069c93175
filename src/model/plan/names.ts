// Names that Omni's answers gave for the ids in declarations. The ids are of dashboards, models, branches and user
// groups. Reports show a name beside its id. No digest holds a name, and no request is sent for one.

import { groupIdIn, idKey } from '../fields/ids.ts';
import { byCodeUnit, type Json, type JsonObject } from '../values/json.ts';
import { isWithin, type Pointer, valueAt } from '../values/pointer.ts';
import { described, mapOf, type TypeOf, text } from '../values/schema.ts';

export const namesByIdSchema = described(
  mapOf(text),
  'By id, the names that Omni gave last to dashboards, models, their branches and user groups.',
);
export type NamesById = TypeOf<typeof namesByIdSchema>;

/** Finds the name for an id; undefined if no answer has told it. */
export type NameOf = (id: string) => string | undefined;

export const noNames: NameOf = () => undefined;

/** Names that later answers have told take precedence. */
export function nameIn(...known: readonly (NamesById | undefined)[]): NameOf {
  const names = new Map(known.flatMap((each = {}) => Object.entries(each)));
  return (id) => names.get(idKey(id));
}

/** The places where a declaration of any kind holds an id that has a name. */
const idsAt: readonly Pointer[] = ['/identifier', '/modelId', '/branchId', '/userGroups', '/destination/userGroupIds'];

/** The places of user groups, which may be declared by names: a dashboard may have the same text as its identifier. */
const groupsAt: readonly Pointer[] = ['/userGroups', '/destination/userGroupIds'];

export function idsUnder(at: Pointer, value: Json | undefined): readonly string[] {
  const place = idsAt.find((each) => isWithin(at, each));
  if (place === undefined) return [];
  return groupsAt.includes(place)
    ? textsIn(value).flatMap((text) => groupIdIn(text) ?? (at.startsWith('/destination') ? text : []))
    : textsIn(value);
}

export function idsIn(attributes: JsonObject): readonly string[] {
  return idsAt.flatMap((at) => idsUnder(at, valueAt(attributes, at)));
}

export function textsIn(value: Json | undefined): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each: Json) => textsIn(each));
  return typeof value === 'string' ? [value] : [];
}

/** The names of these ids; undefined if none has one. */
export function namesOf(ids: Iterable<string>, nameOf: NameOf): NamesById | undefined {
  const named = [...new Set(ids)].flatMap((id) => {
    const name = nameOf(id);
    return name === undefined ? [] : [[idKey(id), name] as const];
  });
  return named.length === 0 ? undefined : Object.fromEntries(named.sort(([a], [b]) => byCodeUnit(a, b)));
}
