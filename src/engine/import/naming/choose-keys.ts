// The keys of imported schedules, as people would have written them. A key is the name of the schedule. Where names
// collide, what differs among exactly those is appended: the dashboard, if they are on several and the name does not
// say it; then the destination, the day, the time and so on; a number as the last resort.
//
// The order of the schedules does not matter. Schedules that have a key already keep it, and are told apart from new
// ones, so that an import that is repeated later names only what is new.

import { groupBy } from '../../../model/values/group-by.ts';
import { byCodeUnit } from '../../../model/values/json.ts';
import { kebabOf } from '../../../model/values/kebab.ts';
import { type Feature, featuresOf, type NamedBySchedule } from './features.ts';
import { keyOf, takeName, withSuffix } from './kebab.ts';

export interface KeyOptions {
  /** Need a key. */
  readonly schedules: readonly NamedBySchedule[];
  /** Have a key already. */
  readonly named?: readonly NamedBySchedule[];
  /** Keys that are in use, those of `named` included. */
  readonly taken?: ReadonlySet<string>;
}

/** By the id of the schedule. */
export function chooseKeys({ schedules, named = [], taken = new Set() }: KeyOptions): ReadonlyMap<string, string> {
  const isNew = new Set(schedules.map(({ id }) => id));
  const groups = groupBy([...schedules, ...named.filter(({ id }) => !isNew.has(id))], baseOf);
  const wishes = [...groups].flatMap(([base, group]) => {
    const news = group.filter(({ id }) => isNew.has(id));
    if (news.length === 0) return [];
    // A name that something else has: nothing is known about that, so every new one says more than its name.
    const isUsed = taken.has(base) && news.length === group.length;
    const suffixes = suffixesOf(group, base, isUsed);
    return news.map((schedule) => ({
      schedule,
      wish: withSuffix(base, suffixes.get(schedule.id)?.join('-') ?? ''),
      base,
    }));
  });
  // A schedule that is called so goes before one that needs more words for it.
  wishes.sort(
    (a, b) =>
      Number(a.wish !== a.base) - Number(b.wish !== b.base) ||
      byCodeUnit(a.wish, b.wish) ||
      byAge(a.schedule, b.schedule),
  );
  const used = new Set(taken);
  const bases = new Map<string, string>();
  const keys = wishes.map(({ schedule, wish, base }): [string, string] => {
    // One that differs in nothing gets a number; one that meets another name says its dashboard as well.
    const isTwin = bases.get(wish) === base;
    const longer = isTwin ? wish : withSuffix(wish, without(kebabOf(schedule.dashboard), wish));
    bases.set(wish, bases.get(wish) ?? base);
    return [schedule.id, takeName([wish, longer], used)];
  });
  return new Map(keys);
}

function baseOf({ name }: NamedBySchedule): string {
  return keyOf(name, 'schedule');
}

function byAge(a: NamedBySchedule, b: NamedBySchedule): number {
  return byCodeUnit(a.createdAt, b.createdAt) || byCodeUnit(a.id, b.id);
}

type Suffixes = Map<string, string[]>;

function suffixesOf(group: readonly NamedBySchedule[], base: string, isUsed: boolean): Suffixes {
  const suffixes: Suffixes = new Map(group.map(({ id }) => [id, []]));
  const features = featuresOf(group);
  const dashboard: Feature = { labelOf: ({ dashboard }) => without(kebabOf(dashboard), base) };
  const dashboards = new Set(group.map(({ identifier }) => identifier));
  if (dashboards.size === 1 && !isUsed) split(group, features, base, suffixes);
  else if (group.length === 1) {
    const label = [dashboard, ...features].map(({ labelOf }) => labelOf(group[0] as NamedBySchedule)).find(Boolean);
    suffixes.get(group[0]?.id ?? '')?.push(label ?? '');
  } else for (const part of append(group, dashboard, base, suffixes)) split(part, features, base, suffixes);
  return suffixes;
}

/** Tells the members apart by one feature if one is enough, otherwise by the first that differs, and so on. */
function split(
  group: readonly NamedBySchedule[],
  features: readonly Feature[],
  base: string,
  suffixes: Suffixes,
): void {
  if (group.length < 2) return;
  const kinds = features.map((feature) => new Set(group.map((each) => feature.labelOf(each))).size);
  const enough = kinds.indexOf(group.length);
  const index = enough < 0 ? kinds.findIndex((count) => count > 1) : enough;
  const feature = features[index];
  if (feature === undefined) return;
  for (const part of append(group, feature, base, suffixes)) split(part, features.slice(index + 1), base, suffixes);
}

/** Appends the label of each member, and returns the members that have the same one. */
function append(
  group: readonly NamedBySchedule[],
  { labelOf }: Feature,
  base: string,
  suffixes: Suffixes,
): readonly (readonly NamedBySchedule[])[] {
  const parts = [...groupBy(group, labelOf)];
  // A label whose words the key holds already says nothing new. It is left out where the others stay different.
  const soFar = [base, ...(suffixes.get(group[0]?.id ?? '') ?? [])].join('-');
  const short = parts.map(([label]) => (without(label, soFar) === '' ? '' : label));
  const isClear = new Set(short).size === parts.length;
  for (const [index, [label, members]] of parts.entries()) {
    const word = isClear ? (short[index] ?? '') : label;
    if (word !== '') for (const { id } of members) suffixes.get(id)?.push(word);
  }
  return parts.map(([, members]) => members);
}

const fillers = new Set(['a', 'an', 'and', 'by', 'for', 'in', 'of', 'on', 'per', 'the', 'to', 'vs', 'with']);

/** The words that the key does not hold yet, each once. */
function without(label: string, key: string): string {
  const held = new Set(key.split('-'));
  const words = [...new Set(label.split('-'))].filter((word) => !held.has(word));
  while (fillers.has(words.at(-1) ?? '')) words.pop();
  while (fillers.has(words[0] ?? '')) words.shift();
  return words.join('-');
}
