// Keys made from names in Omni.

import { kebabOf, maxLetters, trimEndOf } from '../../model/values/words.ts';

/** A key: starts with a letter, at most 64 characters. `noun` replaces a name that has no usable character. */
export function keyFrom(text: string, noun: string): string {
  const words = kebabOf(text);
  if (/^[a-z]/.test(words)) return words;
  return trimEndOf((words === '' ? noun : `${noun}-${words}`).slice(0, maxLetters), /-/);
}

/** How many of its own characters a key keeps if a long suffix needs the room. */
const fewestLetters = 20;

/** `key-suffix`. If that is too long, the key loses its end, and then the suffix its first words. */
export function withSuffix(key: string, suffix: string): string {
  if (suffix === '') return key;
  const keptStart = trimEndOf(key.slice(0, Math.max(maxLetters - 1 - suffix.length, fewestLetters)), /-/);
  const room = maxLetters - 1 - keptStart.length;
  const end = suffix.length <= room ? suffix : suffix.slice(-room).replace(/^[^-]*-+/, '');
  return `${keptStart}-${end}`;
}

/** The first free name, or else the first name with a number appended, as in a key. Adds the result to `taken`. */
export function takeName(
  [first = '', ...others]: readonly string[],
  taken: Set<string>,
  withNumber: (name: string, number: string) => string = withSuffix,
): string {
  let name = [first, ...others].find((each) => !taken.has(each));
  for (let number = 2; name === undefined; number += 1) {
    const numbered = withNumber(first, String(number));
    if (!taken.has(numbered)) name = numbered;
  }
  taken.add(name);
  return name;
}
