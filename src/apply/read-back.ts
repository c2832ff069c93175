// What Omni shows of the first change of a dashboard that sets filters which divide its rows: whether they are stored as they were
// sent. That says nothing of what the dashboard makes of them. The details of a schedule show the filters in effect, so a filter
// that was not stored looks like the one of the dashboard.

import { quote } from '../declare/formats/quote.ts';
import { completed } from '../model/fields/complete-conditions.ts';
import {
  conditionOf,
  differingKeys,
  filterWords,
  isSameCondition,
  isUnset,
  textOf,
} from '../model/fields/conditions.ts';
import { conditionFields, isKnownKind } from '../model/fields/filter-keys.ts';
import type { RemoteSchedule } from '../model/service/remote.ts';
import type { Json, JsonObject } from '../model/values/json.ts';
import { codeList, inBackticks } from '../model/values/words.ts';

/** With words that are part of a sentence: what Omni shows and what was sent; its other spelling; why nobody can tell. */
export type Stored =
  | { readonly is: 'as-sent' }
  | { readonly is: 'other' | 'respelled' | 'untold'; readonly words: string };

/** Conditions as they are sent, by the ids of their filters. */
export type SentConditions = ReadonlyMap<string, JsonObject>;

/** `own`: the filters of the dashboard itself; undefined where they were not read. */
export function storedOf(
  sent: SentConditions,
  { filterConfig: shown }: Pick<RemoteSchedule, 'filterConfig'>,
  own: JsonObject | undefined,
): Stored {
  if (shown === undefined) return { is: 'untold', words: 'Omni shows no filters of it' };
  const others = [...sent].flatMap(([id, condition]) => {
    const found = entryIn(shown, id);
    return found === undefined || isOther(condition, conditionOf(found))
      ? otherWords(id, condition, found, entryIn(own, id))
      : [];
  });
  if (others.length > 0) return { is: 'other', words: others.join('; ') };
  const respelled = [...sent].flatMap(([id, condition]) => spelling(id, condition, conditionOf(shown[id] ?? null)));
  if (respelled.length > 0) return { is: 'respelled', words: respelled.join('; ') };
  if (own === undefined) return { is: 'untold', words: 'the filters of the dashboard itself could not be read' };
  if (differsFrom(own, sent)) return { is: 'as-sent' };
  return { is: 'untold', words: `the dashboard itself has the same ${codeList([...sent.keys()])}` };
}

/** Whether Omni would show something else if it stored nothing of what is sent. */
export function differsFrom(own: JsonObject, sent: SentConditions): boolean {
  return [...sent].some(([id, condition]) => !isSameCondition(condition, entryIn(own, id) ?? null));
}

/** Whether it lets other rows through. A type or a kind that nobody knows, or that is left out, is another spelling. */
function isOther(sent: JsonObject, shown: JsonObject): boolean {
  return differingKeys(completed(sent), completed(shown)).some((key) => {
    const { holdsValue, negates, opens } = conditionFields[key] ?? {};
    if (key === 'kind') return isKnownKind(shown[key] ?? null);
    if (holdsValue || negates || opens) return true;
    // Omni may leave out what does not limit by itself.
    return Object.hasOwn(conditionFields, key) && !spelledKeys.includes(key) && Object.hasOwn(shown, key);
  });
}

const spelledKeys: readonly string[] = ['kind', 'type', 'ui_type'];

function otherWords(id: string, sent: JsonObject, shown: Json | undefined, own: Json | undefined): string {
  const filter = inBackticks(id);
  const wanted = wordsOf(sent);
  if (shown === undefined) return `Omni shows no filter ${filter}, and ${wanted} was sent`;
  const found = wordsOf(shown);
  if (own !== undefined && isSameCondition(shown, own))
    return `Omni shows the dashboard's own ${filter} (${found}), and ${wanted} was sent`;
  // Of long lists, the words show only the beginning.
  const keys = found === wanted ? `, and they differ in ${codeList(differingKeys(sent, shown))}` : '';
  return `Omni shows ${found} as ${filter}, and ${wanted} was sent${keys}`;
}

function wordsOf(filter: Json): string {
  return isUnset(filter) ? 'no value' : quote(filterWords(filter));
}

function spelling(id: string, sent: JsonObject, shown: JsonObject): string | readonly string[] {
  const nameIn = (condition: JsonObject, key: string) => textOf(condition[key] ?? '').toUpperCase();
  const keys = ['kind', 'type'].filter((key) => sent[key] !== undefined && nameIn(sent, key) !== nameIn(shown, key));
  const found = keys.map((key) =>
    shown[key] === undefined ? `no ${inBackticks(key)}` : inBackticks(`${key}: ${textOf(shown[key])}`),
  );
  return keys.length === 0 ? [] : `${inBackticks(id)} has ${found.join(' and ')}`;
}

function entryIn(entries: JsonObject | undefined, id: string): Json | undefined {
  return entries !== undefined && Object.hasOwn(entries, id) ? entries[id] : undefined;
}
