// Where a text stops being JSON. JSON.parse says so only in words that differ from one Node to the next, and it drops
// the first of two equal keys in silence: what a bad merge leaves. Values are JSON.parse's business.

export type JsonProblem =
  /** The text ends too early. */
  | { readonly kind: 'cut-short'; readonly offset: number }
  | { readonly kind: 'not-json'; readonly offset: number }
  | { readonly kind: 'duplicate-key'; readonly offset: number; readonly key: string };

const space = /[ \t\n\r]*/y;
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
/** What may still become a number, a word or an escape when more text follows. */
const unfinished =
  /(?:-|-?(?:0|[1-9]\d*)(?:\.|\.?\d*[eE][+-]?)|t|tr|tru|f|fa|fal|fals|n|nu|nul|\\|\\u[0-9a-fA-F]{0,3})$/y;
const deepest = 1000;

export function findJsonProblem(text: string): JsonProblem | undefined {
  let at = 0;
  let problem: JsonProblem | undefined;

  const match = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    at = pattern.lastIndex;
    return true;
  };
  const fail = (): false => {
    const start = at;
    const cutShort = start >= text.length || match(unfinished);
    problem ??= cutShort ? { kind: 'cut-short', offset: text.length } : { kind: 'not-json', offset: start };
    return false;
  };
  const take = (character: string): boolean => {
    match(space);
    if (text[at] !== character) return false;
    at += 1;
    return true;
  };

  const string = (): boolean => {
    if (!take('"')) return fail();
    for (;;) {
      const unit = text.charCodeAt(at);
      if (unit === 0x22) return take('"');
      if (unit === 0x5c) {
        if (!match(escaped)) return fail();
      } else if (unit >= 0x20) at += 1;
      else return fail(); // a control character, or NaN: the end
    }
  };

  const member = (keys: Set<string>): boolean => {
    match(space);
    const start = at;
    if (!string()) return false;
    const key = String(JSON.parse(text.slice(start, at)));
    if (keys.has(key)) {
      problem ??= { kind: 'duplicate-key', offset: start, key };
      return false;
    }
    keys.add(key);
    return take(':') || fail();
  };

  const value = (depth: number): boolean => {
    match(space);
    const opening = text[at];
    if (opening === '"') return string();
    if (opening !== '{' && opening !== '[') return match(scalar) || fail();
    if (depth === deepest) return fail();
    at += 1;
    const closing = opening === '{' ? '}' : ']';
    if (take(closing)) return true;
    const keys = new Set<string>();
    for (;;) {
      if (opening === '{' && !member(keys)) return false;
      if (!value(depth + 1)) return false;
      if (take(closing)) return true;
      if (!take(',')) return fail();
    }
  };

  if (value(0)) {
    match(space);
    if (at < text.length) fail();
  }
  return problem;
}
