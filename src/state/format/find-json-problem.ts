// Finds the place where a text stops being JSON. JSON.parse reports it only in words that differ between Node versions,
// and it silently drops the first of two equal keys, which a bad merge leaves. JSON.parse itself reads the values.

export type JsonProblem =
  /** The text ends too early. */
  | { readonly kind: 'cut-short'; readonly offset: number }
  | { readonly kind: 'not-json'; readonly offset: number }
  | { readonly kind: 'duplicate-key'; readonly offset: number; readonly key: string };

const space = /[ \t\n\r]*/y;
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
/** Could still become a number, a word or an escape if more text followed. */
const unfinished =
  /(?:-|-?(?:0|[1-9]\d*)(?:\.|\.?\d*[eE][+-]?)|t|tr|tru|f|fa|fal|fals|n|nu|nul|\\|\\u[0-9a-fA-F]{0,3})$/y;
const deepest = 1000;

export function findJsonProblem(text: string): JsonProblem | undefined {
  const reader: Reader = { text, at: 0, problem: undefined };
  if (readValue(reader, 0)) {
    match(reader, space);
    if (reader.at < text.length) fail(reader);
  }
  return reader.problem;
}

/** Read functions move `at` past what they read; on false they failed, and the first problem is recorded. */
interface Reader {
  readonly text: string;
  at: number;
  problem: JsonProblem | undefined;
}

function readValue(reader: Reader, depth: number): boolean {
  match(reader, space);
  const opening = reader.text[reader.at];
  if (opening === '"') return readString(reader);
  if (opening !== '{' && opening !== '[') return match(reader, scalar) || fail(reader);
  if (depth === deepest) return fail(reader);
  reader.at += 1;
  const closing = opening === '{' ? '}' : ']';
  if (take(reader, closing)) return true;
  const keys = new Set<string>();
  for (;;) {
    if (opening === '{' && !readKey(reader, keys)) return false;
    if (!readValue(reader, depth + 1)) return false;
    if (take(reader, closing)) return true;
    if (!take(reader, ',')) return fail(reader);
  }
}

/** A key that is new in its object, and its colon. */
function readKey(reader: Reader, keys: Set<string>): boolean {
  match(reader, space);
  const start = reader.at;
  if (!readString(reader)) return false;
  const key = String(JSON.parse(reader.text.slice(start, reader.at)));
  if (keys.has(key)) {
    reader.problem ??= { kind: 'duplicate-key', offset: start, key };
    return false;
  }
  keys.add(key);
  return take(reader, ':') || fail(reader);
}

function readString(reader: Reader): boolean {
  if (!take(reader, '"')) return fail(reader);
  for (;;) {
    const unit = reader.text.charCodeAt(reader.at);
    if (unit === 0x22) return take(reader, '"');
    if (unit === 0x5c) {
      if (!match(reader, escaped)) return fail(reader);
    } else if (unit >= 0x20) reader.at += 1;
    else return fail(reader); // a control character, or NaN: the end
  }
}

function take(reader: Reader, character: string): boolean {
  match(reader, space);
  if (reader.text[reader.at] !== character) return false;
  reader.at += 1;
  return true;
}

function match(reader: Reader, pattern: RegExp): boolean {
  pattern.lastIndex = reader.at;
  if (!pattern.test(reader.text)) return false;
  reader.at = pattern.lastIndex;
  return true;
}

function fail(reader: Reader): false {
  const start = reader.at;
  const { length } = reader.text;
  const cutShort = start >= length || match(reader, unfinished);
  reader.problem ??= cutShort ? { kind: 'cut-short', offset: length } : { kind: 'not-json', offset: start };
  return false;
}
