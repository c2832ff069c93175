// Names that Omni gave for ids, and declarations that nobody has applied. The ids are of dashboards, models, branches
// and user groups. Reports show a name beside its id. No digest holds a name, and no request is sent for one.

import { groupIdIn, idKey } from '../fields/ids.ts';
import { byCodeUnit, type Json, type JsonObject } from '../values/json.ts';
import { isWithin, type Pointer, valueAt } from '../values/pointer.ts';
import { count, described, listOf, mapOf, oneOf, record, type TypeOf, text } from '../values/schema.ts';

export const namesByIdSchema = described(
  mapOf(text),
  'By id, the names that Omni gave last to dashboards, models, their branches and user groups.',
);
export type NamesById = TypeOf<typeof namesByIdSchema>;

/** Finds the name for an id; undefined if no answer has told it. */
export type NameOf = (id: string) => string | undefined;

export const noNames: NameOf = () => undefined;

/** Names that later answers have told take precedence. `noNames` if none has told any. */
export function nameIn(...known: readonly (NamesById | undefined)[]): NameOf {
  if (known.every((each) => each === undefined)) return noNames;
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

// The declarations that nobody has applied, as status and drift show them.

export const unappliedSchema = described(
  record({
    merged: described(
      listOf(text),
      'By address: the changes that were open in the same field a day ago already, by the newest commit that is older. What runs once, and what needs a variable that is not set, is not counted.',
    ),
    takingAway: described(count, 'How many of these remove a recipient, who still receives until they are applied.'),
    recent: described(count, 'How many other changes are not applied.'),
    left: described(
      listOf(record({ address: text, reason: text })),
      'The changes that an apply would not send, or would refuse, and why, of any age.',
    ),
    'notTold?': described(
      oneOf('no-git', 'shallow', 'errors', 'unread', 'lfs'),
      'Why it is not known what was declared a day ago; all changes then count as recent. A shallow clone lacks the history, the files of then may have errors, or git or Git LFS does not have them.',
    ),
  }),
  'The changes that the files declare and nobody applied; omitted for none.',
);
export type Unapplied = TypeOf<typeof unappliedSchema>;
