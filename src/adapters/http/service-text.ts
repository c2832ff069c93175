// Makes text from the service fit to show: removes control characters, masks secrets in every spelling, and limits the
// length. Masking comes before the cut; otherwise the first half of a secret would remain.

import { stripVTControlCharacters } from 'node:util';
import { isJsonObject, type Json } from '../../model/values/json.ts';
import { sensitive } from '../../model/values/secret.ts';

export type Mask = (text: string) => string;

const longest = 500;

/** Replaces every occurrence of the secrets: verbatim, and as encoded in JSON, URLs, forms and HTML. */
export function makeMask(secrets: readonly string[]): Mask {
  const spellings = [...new Set(secrets.flatMap(spellingsOf))].filter((text) => text.trim() !== '');
  if (spellings.length === 0) return (text) => text;
  spellings.sort((a, b) => b.length - a.length);
  const pattern = new RegExp(spellings.map(escapeForPattern).join('|'), 'gi');
  return (text) => text.replace(pattern, sensitive);
}

/** A single line without control sequences, direction marks and similar characters. */
export function cleanText(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}\s]+/gu, ' ')
    .trim();
}

/** The text of an unsuccessful answer: its detail, message or error, or else the whole body. */
export function readWords(text: string, mask: Mask): string {
  const words = mask(cleanText(mask(wordsOf(text))));
  if (words.length <= longest) return words;
  return `${cleanText(words.slice(0, longest))}…`;
}

function wordsOf(text: string): string {
  const answer = parseJson(text);
  if (!isJsonObject(answer)) return text;
  for (const name of ['detail', 'message', 'error']) {
    const words = answer[name];
    if (typeof words === 'string' && words.trim() !== '') return words;
    if (typeof words === 'object' && words !== null) return JSON.stringify(words);
  }
  return text;
}

/** The parsed JSON; undefined if the text is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function spellingsOf(secret: string): string[] {
  const json = jsonSpelling(secret);
  const ascii = jsonSpelling(secret, /[^ -~]/g);
  const wellFormed = secret.replace(/\p{Surrogate}/gu, '\ufffd');
  const url = encodeURIComponent(wellFormed);
  return [
    ...[secret, cleanText(secret), json, jsonSpelling(json), ascii, jsonSpelling(ascii), json.replaceAll('/', '\\/')],
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
  ];
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
