// Names a loop by what its members share, and its items by what differs.

import type { Address } from '../../model/values/address.ts';
import { smallest } from '../../model/values/collections.ts';
import type { Json } from '../../model/values/json.ts';
import { kebabOf } from '../../model/values/words.ts';
import { keyFrom, takeName } from '../base/kebab.ts';
import type { Template } from './make-template.ts';
import type { Member } from './read-members.ts';

/** The words that all keys share, or else the file. Adds the result to `taken`, the keys of the section. */
export function loopName(members: readonly Member[], taken: Set<string>): string {
  const { before, after } = sharedWords(members.map(({ key }) => key));
  const shared = [...before, ...after].join('-');
  const label = members[0]?.file.replace(/^.*\//, '').replace(/\.[^.]*$/, '') ?? '';
  return takeName([/^[a-z]/i.test(shared) ? shared : keyFrom(label, 'loop')], taken);
}

export function itemKeys(members: readonly Member[], { values }: Template): readonly string[] {
  const keys = members.map(({ key }) => key);
  const { before, after } = sharedWords(keys);
  const rests = keys.map((key) =>
    wordsOfKey(key)
      .slice(before.length, wordsOfKey(key).length - after.length)
      .join('-'),
  );
  const isNumbered = rests.every((rest) => /^[\d-]*$/.test(rest));
  const ofValues = [...values]
    .sort(([a], [b]) => rankOf(a) - rankOf(b))
    .map(([name, each]) => each.map((value) => labelOf(name, value)));
  const candidates = [
    ...(before.length + after.length > 0 && !isNumbered ? [rests] : []),
    ...ofValues.filter((labels) => labels.every(({ length }) => length <= maxLabelLength)),
    ...(before.length + after.length > 0 ? [rests] : []),
  ];
  return candidates.find(areKeys) ?? keys;
}

/** A name says the most, and an identifier nothing. */
function rankOf(name: string): number {
  return name === 'name' ? 0 : ['identifier', 'modelId', 'userId'].includes(name) ? 2 : 1;
}

/** Longer texts are not names. */
const maxLabelLength = 32;

function areKeys(labels: readonly string[]): boolean {
  return new Set(labels).size === labels.length && labels.every((label) => /^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(label));
}

function labelOf(name: string, value: Json | undefined): string {
  if (typeof value !== 'string' || value.includes('${')) return '';
  return kebabOf(name === 'timezone' ? value.replace(/^.*\//, '') : value);
}

/** The words that all keys begin and end with; at least one word of each is left. */
function sharedWords(keys: readonly string[]): {
  readonly before: readonly string[];
  readonly after: readonly string[];
} {
  const words = keys.map(wordsOfKey);
  const [first = []] = words;
  const shortest = smallest(words.map(({ length }) => length));
  let [start, end] = [0, 0];
  while (start < shortest - 1 && words.every((each) => each[start] === first[start])) start += 1;
  while (end < shortest - 1 - start && words.every((each) => each.at(-1 - end) === first.at(-1 - end))) end += 1;
  return { before: first.slice(0, start), after: end === 0 ? [] : first.slice(-end) };
}

function wordsOfKey(key: string): readonly string[] {
  return key.split(/[-_]/);
}

/** The keys that a new loop must not have: those declared now, and those from before. */
export function takenKeys(addresses: Iterable<Address>): ReadonlyMap<string, Set<string>> {
  const taken = new Map<string, Set<string>>();
  for (const address of addresses) {
    const [section = '', key = ''] = address.split('.');
    const known = taken.get(section) ?? new Set();
    taken.set(section, known.add(key));
  }
  return taken;
}
