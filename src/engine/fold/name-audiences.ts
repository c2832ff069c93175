// The names of new audiences: what all schedules have in common that use one. People's addresses are in no name, because
// a name stays when a person leaves. The order of files and schedules does not matter.

import { groupBy } from '../../model/values/group-by.ts';
import { byCodeUnit } from '../../model/values/json.ts';
import { kebabOf } from '../../model/values/kebab.ts';
import { keyOf, takeName, withSuffix } from '../import/naming/kebab.ts';
import type { RecipientList } from './recipient-lists.ts';

/** What is known of the workspace. */
export interface NamingContext {
  /** The paths of all source files. */
  readonly paths: readonly string[];
  /** The keys of declared dashboards, by identifier. */
  readonly dashboards: ReadonlyMap<string, string>;
  /** Names that are in use. */
  readonly taken: ReadonlySet<string>;
}

/** By the set of addresses; `groups` holds the users of each. */
export function nameAudiences(
  groups: ReadonlyMap<string, readonly RecipientList[]>,
  context: NamingContext,
): ReadonlyMap<string, string> {
  const root = commonFolder(context.paths);
  const wishes = [...groups]
    .sort(([a], [b]) => byCodeUnit(a, b))
    .map(([set, uses]) => ({ set, ...wishesOf(uses, root, context) }));
  const counts = new Map<string, number>();
  for (const wish of wishes.flatMap((each) => each.wishes)) counts.set(wish, (counts.get(wish) ?? 0) + 1);
  const names = new Map<string, string>();
  const taken = new Set(context.taken);
  // First those with a name that means no other group, so that a number is the last resort.
  for (const { set, wishes: own } of wishes) {
    const name = own.find((wish) => counts.get(wish) === 1 && !taken.has(wish));
    if (name !== undefined) names.set(set, takeName([name], taken));
  }
  for (const { set, wishes: own, ofFirst } of wishes)
    if (!names.has(set)) names.set(set, takeName([...ofFirst, own[0] ?? 'recipients'], taken));
  return names;
}

interface Wishes {
  /** A name of these must mean no other group. */
  readonly wishes: readonly string[];
  /** Of the first user alone; better than a number. */
  readonly ofFirst: readonly string[];
}

function wishesOf(uses: readonly RecipientList[], root: readonly string[], { dashboards }: NamingContext): Wishes {
  const shared = <T>(of: (use: RecipientList) => T | undefined): T | undefined => {
    const values = new Set(uses.map(of));
    return values.size === 1 ? [...values][0] : undefined;
  };
  const path = shared(({ file }) => file);
  const folder = commonFolder(uses.map(({ file }) => file));
  const places = [
    shared(({ loop }) => loop) && uses[0]?.key,
    dashboards.get(shared(({ identifier }) => identifier) ?? ''),
    path && fileLabel(path),
    folder.length > root.length ? folder.at(-1) : undefined,
  ].flatMap((label) => (label === undefined || kebabOf(label) === '' ? [] : [keyOf(label, 'audience')]));
  const [place = ''] = places;
  const people = peopleIn(uses);
  const words = commonWords(uses, people);
  const domain = kebabOf(commonDomain(uses[0]?.emails ?? []) ?? '');
  const more = [words, domain].filter((label) => label !== '');
  const ofMost = place === '' ? [folderOfMost(uses, root), fileLabel(firstOf(uses).file)] : [];
  const namesOf = (labels: readonly string[]) =>
    labels
      .map((label) => without(people, kebabOf(label)))
      .filter((label) => /^[a-z]/.test(label))
      .map((label) => joined(place, label));
  return {
    wishes: [...new Set([...places, ...more.map((label) => joined(place, label)), ...namesOf(ofMost)])],
    ofFirst: namesOf(keyLabels(firstOf(uses))),
  };
}

function fileLabel(path: string): string {
  return path.replace(/^.*\//, '').replace(/\.[^.]*$/, '');
}

/** The key of an item says what sets it apart, in fewer words. */
function keyLabels({ key, address }: RecipientList): readonly string[] {
  const [, , item] = address.split('.');
  return item === undefined ? [key] : [item, `${key}-${item}`];
}

/** The one whose file gets the audience. */
function firstOf(uses: readonly RecipientList[]): RecipientList {
  const inOrder = [...uses].sort((a, b) => byCodeUnit(a.file, b.file) || byCodeUnit(a.address, b.address));
  return inOrder[0] as RecipientList;
}

/** The folder that holds more than half of the users; empty if there is none. */
function folderOfMost(uses: readonly RecipientList[], root: readonly string[]): string {
  const folders = groupBy(uses, ({ file }) => file.split('/').slice(root.length, -1)[0] ?? '');
  const [label = ''] = [...folders].find(([, own]) => own.length * 2 > uses.length) ?? [];
  return label;
}

function joined(place: string, label: string): string {
  const held = new Set(place.split('-'));
  const fresh = label.split('-').filter((word) => !held.has(word));
  return place === '' ? keyOf(label, 'audience') : withSuffix(place, fresh.join('-'));
}

function commonFolder(paths: readonly string[]): readonly string[] {
  const [first = [], ...others] = paths.map((path) => path.split('/').slice(0, -1));
  const end = first.findIndex((name, index) => others.some((other) => other[index] !== name));
  return end < 0 ? first : first.slice(0, end);
}

/** More words are no name. */
const mostWords = 3;

/** The words of the addresses: keys and paths may hold names of people. */
function peopleIn(uses: readonly RecipientList[]): ReadonlySet<string> {
  return new Set((uses[0]?.emails ?? []).flatMap((email) => kebabOf(email.replace(/@[^@]*$/, '')).split('-')));
}

function without(people: ReadonlySet<string>, label: string): string {
  const words = label.split('-');
  return words.filter((word) => !people.has(word)).join('-');
}

/** The words of all keys. */
function commonWords(uses: readonly RecipientList[], people: ReadonlySet<string>): string {
  const [first = [], ...others] = uses.map(({ key }) => kebabOf(key).split('-'));
  const sets = others.map((words) => new Set(words));
  const common = first.filter((word) => sets.every((words) => words.has(word)) && !people.has(word));
  return [...new Set(common)]
    .filter((word) => /^[a-z]/.test(word))
    .slice(0, mostWords)
    .join('-');
}

function commonDomain(emails: readonly string[]): string | undefined {
  const domains = new Set(emails.map((email) => email.slice(email.lastIndexOf('@') + 1).toLowerCase()));
  return domains.size === 1 ? [...domains][0] : undefined;
}
