// Chooses keys for imported schedules, as people would have written them. A key is the name of the schedule. If names
// collide, the dashboard is appended if they are on several, then the destination if they have several; a number is the
// last resort. The order of the schedules does not matter. Schedules that have a key already keep it, and are told
// apart from new ones, so that an import that is repeated later names only new ones.

import { groupBy } from '../../model/values/collections.ts';
import { byCodeUnit, byLetters } from '../../model/values/json.ts';
import { kebabOf } from '../../model/values/words.ts';
import { keyFrom, takeName, withSuffix } from '../base/kebab.ts';

export interface NamedBySchedule {
  readonly id: string;
  readonly name: string;
  /** The name of the dashboard. */
  readonly dashboard: string;
  readonly destination: string;
  /** ISO 8601; empty if it is not known. */
  readonly createdAt: string;
}

export interface KeyOptions {
  /** Need a key. */
  readonly schedules: readonly NamedBySchedule[];
  /** Have a key already. */
  readonly named?: readonly NamedBySchedule[];
  /** All keys in use, those of `named` included. */
  readonly taken?: ReadonlySet<string>;
}

interface Wish {
  readonly schedule: NamedBySchedule;
  readonly isNew: boolean;
  readonly base: string;
  readonly suffix: string;
}

/** Keyed by the id of the schedule. */
export function chooseKeys({ schedules, named = [], taken = new Set() }: KeyOptions): ReadonlyMap<string, string> {
  const ids = new Set(schedules.map(({ id }) => id));
  let wishes = [...schedules, ...named.filter(({ id }) => !ids.has(id))].map((schedule): Wish => {
    return { schedule, isNew: ids.has(schedule.id), base: keyFrom(schedule.name, 'schedule'), suffix: '' };
  });
  for (const label of ['dashboard', 'destination'] as const) {
    const alike = groupBy(wishes, ({ base, suffix }) => `${base} ${suffix}`);
    wishes = [...alike.values()].flatMap((group) => disambiguated(group, label, taken));
  }
  const used = new Set(taken);
  return new Map(
    wishes
      .filter(({ isNew }) => isNew)
      .sort(byWish)
      .map((wish) => [wish.schedule.id, takeName([keyIn(wish)], used)]),
  );
}

function keyIn({ base, suffix }: Wish): string {
  return withSuffix(base, suffix);
}

/** A schedule with exactly this name goes before one that needs more words for it. */
function byWish(a: Wish, b: Wish): number {
  return (
    Number(a.suffix !== '') - Number(b.suffix !== '') ||
    byCodeUnit(keyIn(a), keyIn(b)) ||
    byCodeUnit(a.schedule.createdAt, b.schedule.createdAt) ||
    byCodeUnit(a.schedule.id, b.schedule.id)
  );
}

/** Schedules of one wish, told apart by the words of their labels, or because another resource has that key. */
function disambiguated(
  group: readonly Wish[],
  label: 'dashboard' | 'destination',
  taken: ReadonlySet<string>,
): readonly Wish[] {
  const longer = group.map((wish) => {
    const words = newWords(kebabOf(wish.schedule[label]), `${wish.base}-${wish.suffix}`);
    return { ...wish, suffix: [wish.suffix, words].filter((text) => text !== '').join('-') };
  });
  const differ = new Set(longer.map(({ suffix }) => suffix)).size > 1;
  const isUsed = group.every((wish) => wish.isNew && taken.has(keyIn(wish)));
  return differ || isUsed ? longer : group;
}

const fillers = new Set(['a', 'an', 'and', 'by', 'for', 'in', 'of', 'on', 'per', 'the', 'to', 'vs', 'with']);

/** The words of a label that the key does not contain yet, each once. */
function newWords(label: string, key: string): string {
  const held = new Set(key.split('-'));
  const words = [...new Set(label.split('-'))].filter((word) => !held.has(word));
  while (fillers.has(words.at(-1) ?? '')) words.pop();
  while (fillers.has(words[0] ?? '')) words.shift();
  return words.join('-');
}

/** The order in which people sort names: letters regardless of case, and the numbers in them as numbers. */
export function byNature(a: string, b: string): number {
  return natural.compare(a, b) || byLetters(a, b);
}

/** Fixed to one language, so that the order is the same on every machine. */
const natural = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
