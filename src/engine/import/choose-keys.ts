// The names that an import chooses: keys of resources, files and environment variables, made from the names in Omni.
// The same names in the same order give the same keys.

import { isReservedVariable } from '../../model/fields/reserved-variables.ts';

const mostLetters = 64;

/** Lower-case words joined by hyphens, such as `weekly-sales`; empty if no ASCII letter or digit is left. */
export function kebabOf(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, mostLetters)
    .replace(/^-+|-+$/g, '');
}

/** A key: starts with a letter, at most 64 characters. `noun` replaces a name that has no usable character. */
export function keyOf(text: string, noun: string): string {
  const words = kebabOf(text);
  if (/^[a-z]/.test(words)) return words;
  return (words === '' ? noun : `${noun}-${words}`).slice(0, mostLetters).replace(/-+$/, '');
}

/** The first free name, or else the first name with a number appended. Adds the result to `taken`. */
export function takeName([first = '', ...others]: readonly string[], taken: Set<string>): string {
  const isFree = (name: string) => !taken.has(name);
  let name = [first, ...others].find(isFree);
  for (let number = 2; name === undefined; number += 1) {
    const suffix = `-${number}`;
    const numbered = first.slice(0, mostLetters - suffix.length).replace(/-+$/, '') + suffix;
    if (isFree(numbered)) name = numbered;
  }
  taken.add(name);
  return name;
}

/** The environment variable of a password: `SFTP_EXAMPLE_COM_ALMANAC_PASSWORD` for `almanac` at `sftp.example.com`. */
export function passwordVariable(owner: string): string {
  const words = kebabOf(owner).replaceAll('-', '_').toUpperCase();
  const name = `${words}${words === '' ? '' : '_'}PASSWORD`;
  return /^[A-Z]/.test(name) && !isReservedVariable(name) ? name : `SFTP_${name}`;
}
