// JSON as a type, and the two questions asked of it everywhere: are two values equal, and what is the one spelling of
// a value (sorted keys) that a digest is taken of.

export type JsonScalar = string | number | boolean | null;
export type Json = JsonScalar | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** More levels than anything that is read has, and fewer than whoever goes through them can stand. */
const deepest = 500;

/** Returns undefined for a text that is not JSON, or is nested more deeply than any that is meant. */
export function parseJson(text: string): Json | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return isDeeper(value, deepest) ? undefined : value;
  } catch {
    return undefined;
  }
}

export function isDeeper(value: Json | undefined, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((entry) => isDeeper(entry, levels - 1));
}

/** The value of a map's own key; undefined if it has none, or is no map. */
export function ownValue(map: unknown, key: string): Json | undefined {
  return isJsonObject(map) && Object.hasOwn(map, key) ? map[key] : undefined;
}

/** The map at the end of a path of keys; empty if there is none. */
export function mapAt(value: Json | undefined, ...way: readonly string[]): JsonObject {
  const [name, ...rest] = way;
  if (name !== undefined) return mapAt(ownValue(value, name), ...rest);
  return isJsonObject(value) ? value : {};
}

export function pick(map: JsonObject, keys: Iterable<string>): JsonObject {
  const picked = new Set(keys);
  return Object.fromEntries(Object.entries(map).filter(([key]) => picked.has(key)));
}

/** Undefined for anything but a text. */
export function stringIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Order by UTF-16 code unit, the same on every machine and locale. */
export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** An order without regard to case, for lists that people read: `apples` comes before `Bananas`. */
export function byLetters(a: string, b: string): number {
  return byCodeUnit(a.toLowerCase(), b.toLowerCase()) || byCodeUnit(a, b);
}

/** Order of names: the numbers in them by their size, so that `01` comes before `11` and `week-2` before `week-10`. */
export function byName(a: string, b: string): number {
  const [some, otherParts] = [a.split(/(\d+)/), b.split(/(\d+)/)];
  for (const [index, part] of some.entries()) {
    const other = otherParts[index] ?? '';
    const bySize = index % 2 === 0 ? byCodeUnit(part, other) : Number(part) - Number(other);
    if (bySize !== 0) return bySize;
  }
  return some.length - otherParts.length || byCodeUnit(a, b);
}

/** An entry that is undefined counts as absent. */
export function equalJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length !== b.length) return false;
    for (let index = 0; index < a.length; index += 1) if (!equalJson(a[index], b[index])) return false;
    return true;
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  // Counted without a list of the keys: a plan compares thousands of objects.
  let count = 0;
  for (const key in a) {
    if (a[key] === undefined) continue;
    if (!Object.hasOwn(b, key) || !equalJson(a[key], b[key])) return false;
    count += 1;
  }
  for (const key in b) if (b[key] !== undefined) count -= 1;
  return count === 0;
}

/** A copy whose objects list their keys by code unit; entries that are undefined are left out. */
export function sortKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isJsonObject(value)) return value;
  const sorted: Record<string, Json> = {};
  for (const key of inOrder(Object.keys(value))) {
    const entry = value[key];
    if (entry !== undefined) define(sorted, key, sortKeys(entry));
  }
  return sorted;
}

/** The text that is the same for all equal values. */
export function canonicalJson(value: Json): string {
  let inside = '';
  if (Array.isArray(value)) {
    for (const item of value) inside += `${inside === '' ? '' : ','}${canonicalJson(item ?? null)}`;
    return `[${inside}]`;
  }
  if (!isJsonObject(value)) return JSON.stringify(value);
  for (const key of inOrder(Object.keys(value))) {
    const entry = value[key];
    if (entry !== undefined) inside += `${inside === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(entry)}`;
  }
  return `{${inside}}`;
}

/** Sorts a list of its own by code unit. Few keys are sorted by hand: `sort` takes a kilobyte for each of a million maps. */
function inOrder(keys: string[]): readonly string[] {
  if (keys.length > 20) return keys.sort(byCodeUnit);
  for (let end = 1; end < keys.length; end += 1) {
    const key = keys[end] as string;
    let at = end;
    for (; at > 0 && (keys[at - 1] as string) > key; at -= 1) keys[at] = keys[at - 1] as string;
    keys[at] = key;
  }
  return keys;
}

/** The value with something else in place of some of its parts. Only what holds one is copied: most values hold none. */
export function replaceIn(value: Json, replace: (part: Json) => Json): Json {
  const replaced = replace(value);
  if (replaced !== value || typeof value !== 'object' || value === null) return replaced;
  if (Array.isArray(value)) {
    let items: Json[] | undefined;
    for (let index = 0; index < value.length; index += 1) {
      const item = replaceIn(value[index], replace);
      if (item === value[index]) continue;
      items ??= [...value];
      items[index] = item;
    }
    return items ?? value;
  }
  const map = value as JsonObject;
  let copy: Record<string, Json> | undefined;
  for (const key in map) {
    const entry = replaceIn(map[key] as Json, replace);
    if (entry === map[key]) continue;
    copy ??= { ...map };
    define(copy, key, entry);
  }
  return copy ?? map;
}

/**
 * A copy with further entries behind its own. A literal that begins with a spread and adds names does the same, but V8 as of
 * Node 20 gives each of its objects a hidden class of its own: 200 bytes, and slow to read. So what is made for thousands is
 * made here, or where the order of the names means nothing, by a literal in which the spread is not the first.
 */
export function withEntries<T>(
  object: Readonly<Record<string, T>>,
  more: Readonly<Record<string, T>>,
): Record<string, T> {
  const copy: Record<string, T> = {};
  for (const from of [object, more]) for (const key in from) define(copy, key, from[key] as T);
  return copy;
}

/** Sets an own property, `__proto__` included: keys come from users' files. */
export function define<T>(object: Record<string, T>, key: string, value: T): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    object[key] = value;
  }
}
