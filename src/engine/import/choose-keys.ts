// The names that an import gives: keys of resources, files and environment variables, made from what people call things
// in Omni. The same names in the same order give the same keys.

const mostLetters = 64;

/** Words in lower case with hyphens between, such as `weekly-sales`; empty where no letter or digit of ASCII is left. */
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

/** A key: begins with a letter, at most 64 characters. `noun` stands for a name of which nothing can be used. */
export function keyOf(text: string, noun: string): string {
  const words = kebabOf(text);
  if (/^[a-z]/.test(words)) return words;
  return (words === '' ? noun : `${noun}-${words}`).slice(0, mostLetters).replace(/-+$/, '');
}

/** The first of the names that is free, else the first with a number behind it; it is taken from then on. */
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

/** `WEEKLY_SALES_SUBJECT` of the key `weekly-sales` and the field `subject`. */
export function variableOf(key: string, field: string): string {
  const words = field.replace(/([a-z0-9])([A-Z])/g, '$1_$2');
  return `${key}_${words}`.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase();
}
