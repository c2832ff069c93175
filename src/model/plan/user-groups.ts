// The user groups of a schedule, as recorded, and which one a declaration means.

import { groupById, groupIdIn, isGroupId } from '../fields/ids.ts';
import type { Principal } from '../service/remote.ts';
import { once } from '../values/collections.ts';
import { constant, count, described, listOf, nonEmptyText, record, type TypeOf, text } from '../values/schema.ts';
import { countOf } from '../values/words.ts';

const groupSchema = record({
  text: described(text, 'As declared; of a group that nothing declares, its name.'),
  id: nonEmptyText,
  'name?': described(text, 'As Omni called it last.'),
  'people?': described(count, 'How many members it had at the last read.'),
  'outside?': described(constant(true), 'A member was outside of safety.internalDomains at the last read.'),
});
/** A user group that receives a schedule. */
export type RecordedGroup = TypeOf<typeof groupSchema>;

export const groupsSchema = described(
  listOf(groupSchema),
  'The user groups that receive it, as far as plans and looks have named them.',
);

/**
 * Finds the one of a schedule's groups that a declaration means. The id of a name that was sent to before counts,
 * whatever Omni calls it by now; a name that was never declared is what Omni called one last.
 */
export function groupNamed(declared: string, groups: readonly RecordedGroup[]): RecordedGroup | undefined {
  const written = groupIdIn(declared);
  if (written !== undefined) return groups.find(({ id }) => id === written);
  return groups.find(({ text }) => text === declared) ?? groups.find(({ name }) => name === declared);
}

/** The groups of a schedule in Omni, and those with access to its dashboard; `access` is undefined where nobody asked for them. */
export interface GroupsInOmni {
  readonly groups: readonly Pick<RecordedGroup, 'id' | 'text' | 'name'>[];
  readonly access?: readonly Principal[] | undefined;
}

/** The fate of a recorded group and of its name. */
interface GroupNow {
  /** The present name of the group; undefined if Omni shows it nowhere. */
  readonly called: string | undefined;
  /** Other groups with access that have the declared name. If the recorded one is there as well, either may be meant. */
  readonly others: readonly string[];
}

/** The one judge of what a name means that was sent to before. */
export function groupNow({ id, text }: RecordedGroup, { groups, access = [] }: GroupsInOmni): GroupNow {
  const there = groups.find((group) => group.id === id);
  const named = isGroupId(text) ? [] : access.filter(({ name }) => name === text);
  return {
    called: there === undefined ? access.find((group) => group.id === id)?.name : (there.name ?? there.text),
    others: named.flatMap((other) => (other.id === id ? [] : other.id)),
  };
}

/** True if a recorded group is gone from Omni, and another one has its name. One that is only not shown may still have access by a folder. */
export function isReplaced(group: RecordedGroup, shown: GroupsInOmni | undefined): boolean {
  const { called, others = [] } = shown === undefined ? {} : groupNow(group, shown);
  return called === undefined && others.length > 0;
}

/** `of` is the resource that goes to the recorded group, if the sentence needs it. */
export function takenWords(text: string, { id, name }: Pick<RecordedGroup, 'id' | 'name'>, taken: string, of?: string) {
  const called = name === undefined || name === text ? '' : `, called \`${name}\` in Omni`;
  return {
    message: `A different user group${of === undefined ? '' : ` than that of \`${of}\``} is now called \`${text}\`: its id is ${taken}, and Almanac sent to ${id}${called}.`,
    hint: `Write \`userGroups: [${groupById(id)}]\` for the group that Almanac sent to, or \`userGroups: [${groupById(taken)}]\` for the group that has the name now.`,
  };
}

/** Finds what is known about the group that a declaration names, by its name or its id. */
export type Groups = (declared: string) => RecordedGroup | undefined;

export const noGroups: Groups = () => undefined;

/**
 * Finds groups for words about many schedules: by their declared names, then by Omni's last names for them. A name that
 * several groups have finds none. They are read when the first one is looked for.
 */
export function groupsIn(recorded: () => Iterable<RecordedGroup>): Groups {
  const index = once(() => indexOf(recorded()));
  return (declared) => {
    const { byId, ids } = index();
    const written = groupIdIn(declared);
    if (written !== undefined) return byId.get(written);
    const [id, ...others] = ids.text.get(declared) ?? ids.name.get(declared) ?? [];
    return id === undefined || others.length > 0 ? undefined : byId.get(id);
  };
}

function indexOf(recorded: Iterable<RecordedGroup>) {
  const byId = new Map<string, RecordedGroup>();
  const ids = { text: new Map<string, Set<string>>(), name: new Map<string, Set<string>>() };
  for (const group of recorded) {
    const { id } = group;
    // A group whose people were counted says more.
    if (group.people !== undefined || !byId.has(id)) byId.set(id, group);
    for (const by of ['text', 'name'] as const) {
      const named = group[by];
      if (named !== undefined) ids[by].set(named, (ids[by].get(named) ?? new Set()).add(id));
    }
  }
  return { byId, ids };
}

/** `Board (a group)`, or `Board (called Leadership in Omni, a group of 12 people)` as far as that is known. */
export function groupWords(
  declared: string,
  { people, name = declared }: Pick<RecordedGroup, 'people' | 'name'> = {},
): string {
  const called = name === declared ? '' : isGroupId(declared) ? `${name}, ` : `called ${name} in Omni, `;
  return `${declared} (${called}a group${people === undefined ? '' : ` of ${countOf(people, 'person', 'people')}`})`;
}

/** The groups of both, each once; the later one says more. */
export function mergeGroups(some: readonly RecordedGroup[], more: readonly RecordedGroup[]): readonly RecordedGroup[] {
  return [...new Map([...some, ...more].map((group) => [group.id, group])).values()];
}
