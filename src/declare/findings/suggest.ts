// "Did you mean": the name that was most likely meant, and a value as if its names were those.

import { isJsonObject, type Json } from '../../model/values/json.ts';
import { isWithin, type Pointer, pointerTo, valueAt } from '../../model/values/pointer.ts';
import type { RuleFinding } from './rule.ts';

const longestWord = 64;
const mostEdits = 4;

/** The closest name, if one is close enough; for ties, the first in alphabetical order. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  const lower = word.toLowerCase();
  const sameLetters = first(names.filter((name) => name.toLowerCase() === lower));
  if (sameLetters !== undefined || word.length > longestWord) return sameLetters;

  const folded = fold(word);
  const sameWords = first(names.filter((name) => fold(name) === folded && folded !== ''));
  if (sameWords !== undefined) return sameWords;
  // `weekly-sales` for `schedules.weekly-sales`, `board` for `tag:board`.
  const inSection = word === '' ? undefined : first(names.filter((name) => afterSection(name) === word));
  if (inSection !== undefined) return inSection;

  let best: string | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const allowed = editsAllowed(word, name);
    // If the lengths differ by more, there is no need to count.
    if (name.length > longestWord || Math.abs(name.length - word.length) > allowed) continue;
    const edits = countEdits(lower, name.toLowerCase());
    if (edits > allowed || edits > fewest) continue;
    if (edits < fewest || best === undefined || name < best) best = name;
    fewest = edits;
  }
  return best;
}

/** `Did you mean …?`; undefined if no other name is close. */
export function didYouMean(word: string, names: readonly string[]): string | undefined {
  const name = nearest(word, names);
  return name === undefined || name === word ? undefined : `Did you mean \`${name}\`?`;
}

/** What to write instead of an environment that does not exist. */
export function environmentHint(name: string, known: readonly string[]): string {
  if (known.length === 0) return 'Declare it under `environments` in almanac.yaml.';
  return didYouMean(name, known) ?? `Declared: ${known.join(', ')}.`;
}

/**
 * One typo per three letters, but never so many that nothing of the word remains. Two short names at one domain are two
 * people, so there only the letters before the domain count.
 */
function editsAllowed(word: string, name: string): number {
  const third = Math.floor(Math.max(lengthOf(word), lengthOf(name)) / 3);
  return Math.min(Math.max(1, third), mostEdits, Math.min(word.length, name.length) - 1);
}

function lengthOf(text: string): number {
  const at = text.lastIndexOf('@');
  return at > 0 ? at : text.length;
}

/** Damerau-Levenshtein; each pair is transposed at most once. Three rows, at most 64 by 64. */
function countEdits(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      let edits = Math.min(at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + (same ? 0 : 1));
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (swapped) edits = Math.min(edits, at(beforeLast, column - 2) + 1);
      current.push(edits);
    }
    [beforeLast, last] = [last, current];
  }
  return at(last, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}

/** `max-row-limit`, `max_row_limit` and `maxRowLimit` are the same words. */
function fold(name: string): string {
  return name.replaceAll(/[-_ ]/g, '').toLowerCase();
}

function afterSection(name: string): string {
  return name.slice(name.search(/[.:]/) + 1);
}

function first(names: readonly string[]): string | undefined {
  return names.toSorted()[0];
}

/**
 * A misspelt name makes more than one mistake: the field that was meant is missing, and whatever needs it complains. So the
 * rest is checked as if the name were right.
 */
export interface Misspelt {
  /** The place of the object that has the name. */
  readonly pointer: Pointer;
  readonly name: string;
  readonly meant: string;
}

export interface UnknownName {
  readonly pointer: Pointer;
  readonly name: string;
  /** The names that the object may have, and those of them that it must have and has not. */
  readonly names: readonly string[];
  readonly missing: readonly string[];
}

/** Whether a default gives a field. */
export type Inherited = (field: string) => boolean;

/** Which of the unknown names stand for a name that is not written. A name that is missing is the likeliest. */
export function misspeltNames(
  value: Json,
  unknown: readonly UnknownName[],
  inherited?: Inherited,
): readonly Misspelt[] {
  const taken = new Set<string>();
  return unknown.flatMap(({ pointer, name, names, missing }) => {
    const holder = valueAt(value, pointer);
    const isWritten = (other: string) =>
      isJsonObject(holder) && Object.hasOwn(holder, other) && !(pointer === '' && inherited?.(other));
    const isFree = (other: string) => !isWritten(other) && !taken.has(pointer + pointerTo(other));
    const candidates = [missing.filter(isFree), names.filter(isFree)];
    const found = [calledSo, nearest].flatMap((find) => candidates.map((free) => find(name, free)));
    const meant = found.find((each) => each !== undefined);
    if (meant === undefined) return [];
    taken.add(pointer + pointerTo(meant));
    return [{ pointer, name, meant }];
  });
}

/** The value with the names that were meant. */
export function withMeantNames(value: Json, misspelt: readonly Misspelt[], pointer: Pointer = ''): Json {
  const inside = misspelt.filter((each) => isWithin(each.pointer, pointer));
  if (inside.length === 0) return value;
  const below = (entry: Json, key: string | number) => withMeantNames(entry, inside, pointer + pointerTo(key));
  if (Array.isArray(value)) return value.map((entry: Json, index) => below(entry, index));
  if (!isJsonObject(value)) return value;
  const names = new Map(inside.flatMap((each) => (each.pointer === pointer ? [[each.name, each.meant] as const] : [])));
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [names.get(key) ?? key, below(entry, key)]));
}

/** Whether a finding about the value with the names that were meant is about the value under such a name. */
export function isAboutMisspelt({ pointer }: Pick<RuleFinding, 'pointer'>, misspelt: readonly Misspelt[]): boolean {
  return misspelt.some((each) => isWithin(pointer, each.pointer + pointerTo(each.meant)));
}

/** Words of other tools, and of people, for fields. Each has one meaning here, so the error names the field. */
const byField: Readonly<Record<string, readonly string[]>> = {
  identifier: ['dashboard', 'dashboardId', 'dashboardIdentifier', 'documentId'],
  name: ['title', 'label'],
  schedule: ['cron', 'crontab', 'cronExpression', 'when', 'every'],
  timezone: ['tz', 'zone'],
  format: ['fileType', 'output'],
  destinationType: ['destination', 'deliverTo', 'via'],
  recipients: ['to', 'emails', 'email', 'addresses', 'channel', 'slackChannel', 'users'],
  textBody: ['body', 'message', 'text'],
  url: ['webhook', 'webhookUrl', 'endpoint'],
  address: ['host', 'hostname', 'server'],
  username: ['user', 'login'],
  path: ['folder', 'directory'],
  passwordUnencrypted: ['password'],
  bucketName: ['bucket', 's3Bucket'],
  roleArn: ['role', 'arn', 'iamRole'],
  keyPrefix: ['prefix'],
  filterConfig: ['filters', 'filterValues'],
  maxRowLimit: ['limit', 'rowLimit', 'maxRows'],
  paperOrientation: ['orientation'],
  paperFormat: ['paper', 'paperSize', 'pageSize'],
  prompt: ['question', 'query'],
};

/** The field that people call so, of those that are possible. */
function calledSo(word: string, names: readonly string[]): string | undefined {
  const plain = word.replaceAll(/[-_]/g, '').toLowerCase();
  return names.find((name) =>
    (Object.hasOwn(byField, name) ? byField[name] : [])?.some((synonym) => synonym.toLowerCase() === plain),
  );
}
