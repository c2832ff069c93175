// The user groups that receive something, in words, and what the last read of their members saw. A group is known by its id:
// its name, declared in one place, and its id, in another, are the same group.

import { namesIn } from '../../model/fields/attributes.ts';
import { deliveryOf } from '../../model/fields/schedule-form.ts';
import type { State } from '../../model/plan/state.ts';
import type { RecordedGroup } from '../../model/plan/user-groups.ts';
import type { Kind } from '../../model/values/address.ts';
import type { JsonObject } from '../../model/values/json.ts';
import { countOf } from '../../model/values/words.ts';

/** What the state knows of groups, by name and by id; a name that several groups have is left out. */
export type GroupsByName = ReadonlyMap<string, RecordedGroup>;

export function groupsByName(state: State | undefined): GroupsByName {
  const known = new Map<string, RecordedGroup>();
  const ambiguous = new Set<string>();
  for (const { groups = [] } of Object.values(state?.resources ?? {}))
    for (const group of groups) {
      const same = known.get(group.text);
      if (same !== undefined && same.id !== group.id) ambiguous.add(group.text);
      for (const text of [group.text, group.id])
        if (group.people !== undefined || !known.has(text)) known.set(text, group);
    }
  for (const name of ambiguous) known.delete(name);
  return known;
}

/** As declared: names and ids. */
export function groupNamesOf(kind: Kind, attributes: JsonObject): readonly string[] {
  const delivery = deliveryOf(kind, attributes);
  return delivery['destinationType'] === 'email' ? namesIn(delivery as JsonObject) : [];
}

/** `Board (a group)`, or `Board (a group of 12 people)` where they were counted. */
export function groupWords(name: string, group: Pick<RecordedGroup, 'people'> | undefined): string {
  const people = group?.people;
  return `${name} (a group${people === undefined ? '' : ` of ${countOf(people, 'person', 'people')}`})`;
}

/** Whether somebody in one of its groups was outside when their members were last read. */
export function hasOutsideGroup(kind: Kind, attributes: JsonObject, known: GroupsByName): boolean {
  return groupNamesOf(kind, attributes).some((name) => known.get(name)?.outside === true);
}
