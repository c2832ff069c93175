// Escapes untrusted text in Markdown, and shortens Markdown that is too long.

import { markdownFence } from '../../../report/text/markdown-parts.ts';
import { safeText } from '../../../report/text/terminal-text.ts';

/** The most characters of an issue or a comment. GitHub allows 65,536. */
export const maxBodyLength = 65_000;
/** Reserved for closing a cut text, and for the note about it. */
const reserve = 600;

/** A text of several lines as a block of code, with invisible characters spelled out. */
export function fence(text: string): string {
  return markdownFence('text', [safeText(text.trimEnd(), { keepNewlines: true })]);
}

/** Text for a table cell or a sentence, escaped so that nothing in it is markup, a link or a mention. */
export function code(text: string): string {
  const plain = safeText(text.replace(/\s+/g, ' ').trim());
  const escaped = plain.replace(/[^\p{L}\p{N} ]/gu, (sign) => `&#${sign.codePointAt(0)};`);
  return escaped === '' ? '' : `<code>${escaped}</code>`;
}

export function folded(title: string, markdown: string): string {
  return `<details><summary>${title}</summary>\n\n${markdown}\n\n</details>`;
}

export const inBytes = (text: string): number => Buffer.byteLength(text);
/** At least the length that GitHub counts. */
export const inCharacters = (text: string): number => text.length;

/**
 * Limits a text to a number of bytes or characters. Cuts between lines, closes open fences and folds, and adds `words`,
 * which say that something is missing.
 */
export function cutMarkdown(
  markdown: string,
  {
    limit,
    words,
    sizeOf,
  }: { readonly limit: number; readonly words: string; readonly sizeOf: (text: string) => number },
): string {
  if (sizeOf(markdown) <= limit) return markdown;
  const room = limit - reserve - sizeOf(words);
  const keptLines: string[] = [];
  let size = 0;
  for (const line of markdown.split('\n')) {
    size += sizeOf(line) + 1;
    if (size > room) break;
    keptLines.push(line);
  }
  return [...keptLines, ...closing(keptLines), '', `**Cut here because it is too long.** ${words}`].join('\n');
}

/** Closes the fences and folds that are open after these lines. */
function closing(lines: readonly string[]): readonly string[] {
  let open: string | undefined;
  let folds = 0;
  for (const line of lines) {
    const [found, marks] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (open !== undefined) {
      const isEnd = marks !== undefined && marks[0] === open[0] && marks.length >= open.length;
      if (isEnd && line.slice(found?.length).trim() === '') open = undefined;
    } else if (marks !== undefined) {
      open = marks;
    } else {
      folds += line.split('<details').length - line.split('</details>').length;
    }
  }
  return [...(open === undefined ? [] : [open]), ...Array(Math.max(0, folds)).fill('\n</details>')];
}
