// Hides secrets in text that somebody else wrote, in every spelling in which they may come back: Omni may quote a request.

import { once } from './memoize.ts';
import { sensitive } from './secret.ts';

export type Mask = (text: string) => string;

/** An echo may be cut short: so many first characters of a spelling are masked as well. */
const shortestEcho = 12;

/**
 * Replaces every occurrence of the secrets: verbatim, as encoded in JSON, URLs, forms, HTML, base64 and hexadecimal, and
 * the beginnings of all these. The spellings are worked out when the first text comes: most requests show none.
 */
export function makeMask(secrets: readonly string[]): Mask {
  const mask = once(() => maskOf(secrets));
  return (text) => mask()(text);
}

/** For documents, where a short secret would garble ids, addresses and ordinary words. */
export function makeMaskOfLong(secrets: readonly string[]): Mask {
  return makeMask(secrets.filter(({ length }) => length >= 8));
}

function maskOf(secrets: readonly string[]): Mask {
  const spellings = [...new Set(secrets.flatMap(spellingsOf))].filter((text) => text.trim() !== '');
  if (spellings.length === 0) return (text) => text;
  // Those that begin alike are told apart once their beginning is found.
  const byBeginning = new Map<string, string[]>();
  for (const spelling of spellings.map(lowerCase)) {
    const beginning = spelling.slice(0, shortestEcho);
    byBeginning.set(beginning, [...(byBeginning.get(beginning) ?? []), spelling]);
  }
  const beginnings = [...byBeginning.keys()].sort((one, other) => other.length - one.length);
  const pattern = new RegExp(beginnings.map(escapeForPattern).join('|'), 'g');
  return (text) => maskEchoes(text, lowerCase(text), pattern, byBeginning);
}

function maskEchoes(
  text: string,
  lower: string,
  pattern: RegExp,
  byBeginning: ReadonlyMap<string, readonly string[]>,
): string {
  let masked = '';
  let end = 0;
  pattern.lastIndex = 0;
  for (let found = pattern.exec(lower); found !== null; found = pattern.exec(lower)) {
    const start = found.index;
    const lengths = (byBeginning.get(found[0]) ?? []).map((spelling) => commonLength(spelling, lower, start));
    masked += `${text.slice(end, start)}${sensitive}`;
    end = start + Math.max(found[0].length, ...lengths);
    pattern.lastIndex = end;
  }
  return masked + text.slice(end);
}

function commonLength(spelling: string, text: string, start: number): number {
  let length = 0;
  while (length < spelling.length && spelling[length] === text[start + length]) length += 1;
  return length;
}

/** In lower case; the length stays the same, so that places in the text do. */
function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** As text of the service is shown. */
function onOneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}\s]+/gu, ' ').trim();
}

function spellingsOf(secret: string): string[] {
  const json = jsonSpelling(secret);
  const ascii = jsonSpelling(secret, /[^ -~]/g);
  const wellFormed = secret.replace(/\p{Surrogate}/gu, '\ufffd');
  const url = encodeURIComponent(wellFormed);
  return [
    ...[secret, onOneLine(secret), json, jsonSpelling(json), ascii, jsonSpelling(ascii), json.replaceAll('/', '\\/')],
    ...[
      url,
      url.replaceAll('%20', '+'),
      encodeURI(wellFormed),
      new URLSearchParams({ a: wellFormed }).toString().slice(2),
    ],
    ...[
      htmlSpelling(secret, '&#39;', '&#34;'),
      htmlSpelling(secret, '&#x27;', '&quot;'),
      htmlSpelling(secret, "'", '"'),
    ],
    ...base64Spellings(wellFormed),
    Buffer.from(wellFormed).toString('hex'),
  ];
}

/** Shorter pieces of base64 occur in ordinary text. */
const shortestBase64 = 6;

/**
 * In base64 a text looks different at each of three distances from the beginning; what its neighbours decide is left out.
 * Both alphabets, with and without padding.
 */
function base64Spellings(text: string): string[] {
  const bytes = Buffer.from(text);
  const alone = bytes.toString('base64');
  const pieces = [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const isOpen = (before + bytes.length) % 3 > 0;
    const first = Math.ceil((before * 4) / 3);
    return whole.replace(/=+$/, '').slice(first, isOpen ? -1 : undefined);
  });
  const all = [alone, alone.replace(/=+$/, ''), ...pieces].filter((each) => each.length >= shortestBase64);
  return all.flatMap((each) => [each, each.replaceAll('+', '-').replaceAll('/', '_')]);
}

function jsonSpelling(text: string, escaped?: RegExp): string {
  const json = JSON.stringify(text).slice(1, -1);
  if (escaped === undefined) return json;
  return json.replace(escaped, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function htmlSpelling(text: string, apostrophe: string, quote: string): string {
  const marks = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return marks.replaceAll("'", apostrophe).replaceAll('"', quote);
}

function escapeForPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
