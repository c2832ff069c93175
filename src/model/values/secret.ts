// Secret values. A Secret holds the plain text where nothing prints it by accident: JSON, template strings and
// console show what people may see. Few files call reveal(), which the test of the architecture lists. A sealed secret
// is what the state and the planner see instead: a fingerprint, or null where the value is not known.
//
// What is secret is the value of a variable, not the text around it. So both carry a text for people: the declared one
// with the names of variables in place of their values, `https://hooks.example.com/${env.HOOK_KEY}`.

import { groupBy, largest, once } from './collections.ts';
import { isJsonObject, type Json, type JsonObject, replaceIn } from './json.ts';
import { oneLine, trimEndOf } from './words.ts';

/** The text of a secret that is written in a file, and of one whose text is not known. */
export const sensitive = '(sensitive)';
export const knownAtApply = '(known at apply)';

/** Masking shorter parts would hide half of every text; they are not secrets. */
export const shortestPart = 4;

export class Secret {
  readonly #text: string | undefined;
  readonly #parts: readonly string[];
  /** The environment variables it is made of; empty for a literal, and where a reference could not be resolved. */
  readonly variables: readonly string[];
  /** The text with the names of variables in place of their values; undefined where a reference could not be resolved. */
  readonly shown: string | undefined;

  /** `parts` are the values of those variables, if they are known. */
  constructor(text: string | undefined, variables: readonly string[], parts: readonly string[] = [], shown?: string) {
    this.#text = text;
    this.#parts = parts;
    this.variables = variables;
    this.shown = shown;
  }

  /** A secret that is written in a file. */
  static literal(text: string): Secret {
    return new Secret(text, [], [], sensitive);
  }

  /** A value about which nothing is known, because its reference is wrong. */
  static unknown(): Secret {
    return new Secret(undefined, []);
  }

  get known(): boolean {
    return this.#text !== undefined;
  }

  /** The plain text; undefined where an environment variable is missing, or where a reference could not be resolved. */
  reveal(): string | undefined {
    return this.#text;
  }

  /** The texts that a mask covers: its variables' values, or the whole text if one is very short or there is none. */
  revealAll(): readonly string[] {
    const long = this.#parts.filter((part) => part.length >= shortestPart);
    const isCovered = this.#parts.length > 0 && long.length === this.#parts.length;
    return this.#text === undefined || isCovered ? long : [this.#text, ...long];
  }

  toString(): string {
    return this.known ? sensitive : knownAtApply;
  }

  toJSON(): string {
    return this.toString();
  }
}

/** The key that marks a sealed secret; users' data may not contain it. */
export const secretKey = '$secret';

/** `text` is the text as declared, with the names of its variables. Where somebody took it out of a state, it differs from any. */
export type SealedSecret = { readonly [secretKey]: string | null; readonly text?: string };

export function sealedSecret(fingerprint: string | null, text?: string): SealedSecret {
  return { [secretKey]: fingerprint, ...(text === undefined ? {} : { text }) };
}

export function isSealedSecret(value: unknown): value is SealedSecret {
  if (!isJsonObject(value) || !Object.hasOwn(value, secretKey)) return false;
  return Object.entries(value).every(
    ([key, entry]) => key === secretKey || (key === 'text' && typeof entry === 'string'),
  );
}

/** True if a value is, or holds, a sealed secret. */
export function holdsSecret(value: Json): boolean {
  if (Array.isArray(value)) return value.some(holdsSecret);
  if (!isJsonObject(value)) return false;
  if (isSealedSecret(value)) return true;
  for (const key in value) if (holdsSecret(value[key] as Json)) return true;
  return false;
}

/** The value with something else in place of every sealed secret. */
export function mapSealed(value: Json, replace: (secret: SealedSecret) => Json): Json {
  return replaceIn(value, (part) => (isSealedSecret(part) ? replace(part) : part));
}

/** A sealed value as people may see it. */
export function maskSealed(value: Json): Json {
  return mapSealed(value, shownText);
}

/** Sealed attributes of a resource, in the same way. */
export function maskAttributes(attributes: JsonObject): JsonObject {
  return maskSealed(attributes) as JsonObject;
}

function shownText({ [secretKey]: fingerprint, text }: SealedSecret): string {
  return text ?? (fingerprint === null ? knownAtApply : sensitive);
}

/** A text itself, or the text around the variables of a secret, sealed or not; undefined if only a mask is known. */
export function knownText(value: unknown): string | undefined {
  const text = value instanceof Secret ? value.shown : isMarked(value) ? value['text'] : value;
  return typeof text !== 'string' || isMask(text) ? undefined : text;
}

/** True if nothing but the mask of a value is known. */
function isMask(text: string): boolean {
  return text === sensitive || text === knownAtApply;
}

/** True if a value is a secret, whether declared, sealed or masked. */
export function isSecret(value: unknown): boolean {
  return value instanceof Secret || isMarked(value) || (typeof value === 'string' && isMask(value));
}

function isMarked(value: unknown): value is JsonObject {
  return isJsonObject(value) && Object.hasOwn(value, secretKey);
}

export function variablesIn(text: string): readonly string[] {
  const named = [...text.matchAll(/\$\$\{|\$\{env\.([A-Za-z_][A-Za-z0-9_]*)\}/g)];
  return named.flatMap(([, name]) => name ?? []);
}

/** True if the text of a secret says everything but the values of its variables. */
export function isWholeText(text: string | undefined): text is string {
  return text !== undefined && variablesIn(text).length > 0 && !text.includes(sensitive);
}

/**
 * Hides secrets in text that somebody else wrote, in every spelling in which they may come back: Omni may quote a request.
 */
export type Mask = (text: string) => string;

/** An echo may be cut short: the first characters of a spelling, as many as this, are masked as well. */
const shortestEcho = 12;

/**
 * Replaces every occurrence of the secrets: verbatim, as encoded in JSON, URLs, forms, HTML, base64 and hexadecimal, and
 * the beginnings of all these. The spellings are worked out when the first text comes: most requests show none.
 */
export function makeMask(secrets: readonly string[]): Mask {
  const mask = once(() => maskOf(secrets));
  return (text) => mask()(text);
}

/** A mask for documents, where a short secret would garble ids, addresses and ordinary words. */
export function makeMaskOfLong(secrets: readonly string[]): Mask {
  return makeMask(secrets.filter(({ length }) => length >= 8));
}

function maskOf(secrets: readonly string[]): Mask {
  const spellings = [...new Set(secrets.flatMap(spellingsOf))].filter((text) => text.trim() !== '');
  if (spellings.length === 0) return (text) => text;
  // Spellings with the same beginning are told apart once their beginning is found.
  const byBeginning = groupBy(spellings.map(lowerCase), (spelling) => spelling.slice(0, shortestEcho));
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
    end = start + largest(lengths, found[0].length);
    pattern.lastIndex = end;
  }
  return masked + text.slice(end);
}

function commonLength(spelling: string, text: string, start: number): number {
  let length = 0;
  while (length < spelling.length && spelling[length] === text[start + length]) length += 1;
  return length;
}

/** The text in lower case and of the same length, so that places in it stay valid. */
function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function spellingsOf(secret: string): string[] {
  const json = jsonSpelling(secret);
  const ascii = jsonSpelling(secret, /[^ -~]/g);
  const wellFormed = secret.replace(/\p{Surrogate}/gu, '\ufffd');
  const url = encodeURIComponent(wellFormed);
  return [
    ...[secret, oneLine(secret), json, jsonSpelling(json), ascii, jsonSpelling(ascii), json.replaceAll('/', '\\/')],
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
 * A text has a different base64 form at each of three distances from the beginning; what its neighbours decide is left
 * out. Both alphabets are there, with and without padding.
 */
function base64Spellings(text: string): string[] {
  const bytes = Buffer.from(text);
  const alone = bytes.toString('base64');
  const pieces = [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const isOpen = (before + bytes.length) % 3 > 0;
    const first = Math.ceil((before * 4) / 3);
    return trimEndOf(whole, /=/).slice(first, isOpen ? -1 : undefined);
  });
  const all = [alone, trimEndOf(alone, /=/), ...pieces].filter((each) => each.length >= shortestBase64);
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
