// Any text as words that keys, files and environment variables can be made of.

/** The length of the longest key. */
export const mostLetters = 64;

/** Lower-case words joined by hyphens, such as `weekly-sales`; empty if no ASCII letter or digit is left. */
export function kebabOf(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replaceAll("'", '')
    .replaceAll('’', '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, mostLetters)
    .replace(/^-+|-+$/g, '');
}
