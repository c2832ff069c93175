// Text for a terminal: made harmless, measured, wrapped and cut. Names, messages and paths come from files and from the
// service; none of them may move the cursor or turn a line around.

import { sections } from '../../model/values/address.ts';
import { pushAll } from '../../model/values/collections.ts';
import { splitAtCommands } from '../../model/values/command.ts';
import { visibleText } from './visible-values.ts';

const plain = /^[ -~]*$/;

/**
 * Untrusted text in which everything that a terminal obeys, or a reader cannot see, is spelled out. Tabs become spaces,
 * and line ends too unless they are kept.
 */
export function safeText(text: string, options: { readonly keepNewlines?: boolean } = {}): string {
  if (plain.test(text)) return text;
  const lines = text.replace(/\r\n?/g, '\n').replaceAll('\t', ' ').split('\n').map(visibleText);
  return lines.join(options.keepNewlines ? '\n' : ' ');
}

/** Replaces a space at which no line is broken. A harmless text has none of its own. */
const glue = '\u00a0';

/** The result of `safeText`, with each command glued to one word for `wrap`. */
export function gluedText(text: string, options: { readonly keepNewlines?: boolean } = {}): string {
  return splitAtCommands(text)
    .map((piece, index) => (index % 2 === 1 ? safeText(piece).replaceAll(' ', glue) : safeText(piece, options)))
    .join('');
}

export function unglued(text: string): string {
  return text.replaceAll(glue, ' ');
}

const zeroWidth = /^[\p{Mark}\p{Cf}\u1160-\u11ff]$/u;
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]$|^\p{Emoji_Presentation}$/u;

/** The columns that a text takes; where terminals differ, the wider count. */
export function displayWidth(text: string): number {
  if (plain.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

function characterWidth(character: string): number {
  // Requests the wide picture of the character before it.
  if (character === '\ufe0f') return 1;
  if (zeroWidth.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

/** The beginning of a text that fits, with `…` where text is missing. */
export function truncate(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  return width < 1 ? '' : `${splitAt(text, width - 1)[0]}…`;
}

export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

/**
 * Lines of at most `width` columns, each after `indent`. Breaks at spaces; a word that is too long is broken unless
 * people copy it (a URL, an address, an id, a glued command): that one stays whole, alone on its line.
 */
export function wrap(text: string, width: number, indent = ''): readonly string[] {
  const room = Math.max(8, width - displayWidth(indent));
  return text.split('\n').flatMap((line) => wrapLine(line, room).map((part) => (part === '' ? '' : indent + part)));
}

/** An indented line of a text is YAML, to be pasted unchanged. */
function isLaidOut(line: string): boolean {
  return /^ {2,}\S/.test(line);
}

function wrapLine(text: string, room: number): readonly string[] {
  if (displayWidth(text) <= room || isLaidOut(text)) return [text];
  const lines: string[] = [];
  let line: string | undefined;
  let used = 0;
  for (const word of splitWords(text).flatMap((word) => breakWord(word, room))) {
    const width = displayWidth(word);
    if (line === undefined) {
      line = word;
      used = width;
    } else if (used + 1 + width <= room) {
      line += ` ${word}`;
      used += 1 + width;
    } else {
      lines.push(line);
      line = word;
      used = width;
    }
  }
  if (line !== undefined) lines.push(line);
  return lines;
}

/** The words between spaces; a short text in quotes is one word. */
function splitWords(text: string): readonly string[] {
  const parts = text.split(/((?<=^| )"[^"]{1,40}"(?= |$))/);
  const words: string[] = [''];
  parts.forEach((part, index) => {
    const [first = '', ...others] = index % 2 === 1 ? [part] : part.split(' ');
    words.push(`${words.pop()}${first}`);
    pushAll(words, others);
  });
  return words;
}

// URLs, ARNs, addresses of resources and of e-mail, ids and digests, places in files: useless in two pieces.
const copied = new RegExp(
  String.raw`://|^\W*arn:|^\W*(?:${sections.join('|')})\.[A-Za-z]|^[^@]{1,64}@[^@]{1,255}$|^["'(]*[0-9A-Fa-f-]{32,128}["'),.;]*$|:\d+\W*$`,
);

function breakWord(word: string, room: number): readonly string[] {
  if (displayWidth(word) <= room || word.includes(glue) || copied.test(word)) return [word];
  const pieces: string[] = [];
  let rest = word;
  while (rest !== '') {
    const [piece, after] = splitAt(rest, room);
    pieces.push(piece);
    rest = after;
  }
  return pieces;
}

/** The longest beginning that fits into `width` columns, and the rest. */
function splitAt(text: string, width: number): readonly [string, string] {
  let end = 0;
  let used = 0;
  for (const character of text) {
    used += characterWidth(character);
    if (used > width) break;
    end += character.length;
  }
  return [text.slice(0, end), text.slice(end)];
}
