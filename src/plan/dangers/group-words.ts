// The user groups that receive something, in words, and what the last read of their members saw. A group is known by its id:
// its name, declared in one place, and its id, in another, are the same group.

import { namesIn } from '../../model/fields/attributes.ts';
import { deliveryOf } from '../../model/fields/schedule-form.ts';
import type { RecordedGroup } from '../../model/plan/user-groups.ts';
import type { Kind } from '../../model/values/address.ts';
import type { JsonObject } from '../../model/values/json.ts';
import { countOf } from '../../model/values/words.ts';

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
