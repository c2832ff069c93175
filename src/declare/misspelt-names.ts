// A misspelt name makes more than one mistake: the field that was meant is missing, and whatever needs it complains. So the
// rest is checked as if the name were right.

import { isJsonObject, type Json } from '../model/values/json.ts';
import { isWithin, type Pointer, pointerTo, valueAt } from '../model/values/pointer.ts';
import type { RuleFinding } from './findings/rule.ts';
import { nearest } from './findings/suggest.ts';

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
    const meant = first(candidates, (free) => calledSo(name, free)) ?? first(candidates, (free) => nearest(name, free));
    if (meant === undefined) return [];
    taken.add(pointer + pointerTo(meant));
    return [{ pointer, name, meant }];
  });
}

function first(
  candidates: readonly (readonly string[])[],
  find: (names: readonly string[]) => string | undefined,
): string | undefined {
  for (const names of candidates) {
    const found = find(names);
    if (found !== undefined) return found;
  }
  return undefined;
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
