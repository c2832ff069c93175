// The user groups that receive a schedule, as a state and a journal keep them, and which of them a declaration means.

import * as patterns from '../fields/patterns.ts';
import { once } from '../values/memoize.ts';
import { constant, count, described, listOf, nonEmptyText, record, type TypeOf, text } from '../values/schema.ts';
import { countOf } from '../values/words.ts';

const groupSchema = record({
  text: described(text, 'As declared; of a group that nothing declares, its name.'),
  id: nonEmptyText,
  'name?': described(text, 'As Omni called it last.'),
  'gone?': described(constant(true), 'Omni knows no group with this id any more, so nothing is sent to it.'),
  'people?': described(count, 'How many are in it, as the last read saw.'),
  'outside?': described(constant(true), 'One of them is outside of safety.internalDomains, as the last read saw.'),
  'found?': described(
    constant(true),
    'In a request: it was on the schedule before, no plan has named it, and it stays.',
  ),
});
/** A user group that receives a schedule. */
export type RecordedGroup = TypeOf<typeof groupSchema>;

export const groupsSchema = described(
  listOf(groupSchema),
  'The user groups that receive it. Without it, it has none if `unread` is an empty list, and otherwise nobody has read them.',
);

const uuid = new RegExp(patterns.uuid);

export function isGroupId(text: string): boolean {
  return uuid.test(text);
}

/** Whether a declared name or id means the group. The id of a name that the state has counts from then on. */
export function isNamedBy(declared: string, { id, text }: Pick<RecordedGroup, 'id' | 'text'>): boolean {
  return isGroupId(declared) ? declared.toLowerCase() === id.toLowerCase() : declared === text;
}

/** What is known of the group that a declaration names, by its name or its id. */
export type Groups = (declared: string) => RecordedGroup | undefined;

export const noGroups: Groups = () => undefined;

/**
 * By what they were declared as, then by what Omni called them last. A name that several groups have finds none. They are read
 * when the first one is looked for.
 */
export function groupsIn(recorded: () => Iterable<RecordedGroup>): Groups {
  const index = once(() => indexOf(recorded()));
  return (declared) => {
    const { byId, ids } = index();
    if (isGroupId(declared)) return byId.get(declared.toLowerCase());
    const [id, ...others] = ids.text.get(declared) ?? ids.name.get(declared) ?? [];
    return id === undefined || others.length > 0 ? undefined : byId.get(id);
  };
}

function indexOf(recorded: Iterable<RecordedGroup>) {
  const byId = new Map<string, RecordedGroup>();
  const ids = { text: new Map<string, Set<string>>(), name: new Map<string, Set<string>>() };
  for (const group of recorded) {
    const id = group.id.toLowerCase();
    // The one whose people were counted says more.
    if (group.people !== undefined || !byId.has(id)) byId.set(id, group);
    for (const by of ['text', 'name'] as const) {
      const named = group[by];
      if (named !== undefined) ids[by].set(named, (ids[by].get(named) ?? new Set()).add(id));
    }
  }
  return { byId, ids };
}

/** `Board (a group)`, or `Board (a group of 12 people)` where they were counted. */
export function groupWords(name: string, group: Pick<RecordedGroup, 'people'> | undefined): string {
  const people = group?.people;
  return `${name} (a group${people === undefined ? '' : ` of ${countOf(people, 'person', 'people')}`})`;
}

/** The groups of both, each once; the later one says more. */
export function mergeGroups(some: readonly RecordedGroup[], more: readonly RecordedGroup[]): readonly RecordedGroup[] {
  return [...new Map([...some, ...more].map((group) => [group.id, group])).values()];
}

/** The user groups of a schedule, as the state knows them. */
export interface KnownGroups {
  readonly groups: readonly RecordedGroup[];
  /** It has no others. */
  readonly isWhole: boolean;
}

/** The part of a resource of the state that tells of its groups. */
interface Receiving {
  readonly groups?: readonly RecordedGroup[] | undefined;
  readonly unread?: readonly string[] | undefined;
}

/** The field of `unread` where other groups may receive it as well. */
const unreadGroups = 'userGroups';

export function knownGroups(resource: Receiving | undefined): KnownGroups {
  const { groups, unread } = resource ?? {};
  return groups === undefined
    ? { groups: [], isWhole: unread?.length === 0 }
    : { groups, isWhole: unread?.includes(unreadGroups) !== true };
}

/** The same as a state or a journal records it. `unread`: what else is unread. */
export function recordedGroups({ groups, isWhole }: KnownGroups, unread: readonly string[] = []): Receiving {
  const others = unread.filter((field) => field !== unreadGroups);
  if (groups.length > 0) {
    const left = isWhole ? others : [...others, unreadGroups];
    return { groups, unread: left.length > 0 ? left : undefined };
  }
  return { unread: isWhole ? others : others.length > 0 ? others : undefined };
}
