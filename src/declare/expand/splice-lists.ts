// Splices a list into the list that refers to it. What both lists have in common is taken once: whoever is in two teams
// receives one e-mail.

import { once } from '../../model/values/memoize.ts';
import { wholeReference } from '../../model/values/references.ts';
import { Secret } from '../../model/values/secret.ts';
import type { SplicedItem } from '../../model/workspace/origins.ts';
import type { Declared } from '../../model/workspace/resource.ts';

/** Whether an item of a list is a reference to a list, or to an audience, which may be one text. */
export function standsForItems(written: Declared | undefined, value: Declared | undefined): boolean {
  if (typeof written !== 'string' || written === value) return false;
  return (
    Array.isArray(value) || (typeof value === 'string' && wholeReference(written)?.startsWith('audience.') === true)
  );
}

/**
 * An empty value of an item counts as no items, so that some rows can have fewer recipients than others. A list of filter
 * values that lost its last one would let everything through, so it keeps its empty texts.
 */
export function withoutEmptyCells(
  list: readonly Declared[],
  written: readonly Declared[],
  mayBeEmpty: boolean,
): readonly Declared[] {
  const isEmpty = list.map((value, index) => {
    const reference = written[index];
    return value === '' && typeof reference === 'string' && wholeReference(reference)?.startsWith('each.') === true;
  });
  if (!isEmpty.includes(true) || (!mayBeEmpty && !isEmpty.includes(false))) return list;
  return list.map((value, index) => (isEmpty[index] === true ? [] : value));
}

interface SplicedList {
  readonly list: readonly Declared[];
  /** Made when it is asked for: lists of thousands of people stand in hundreds of resources, and few are asked about. */
  readonly items: () => readonly SplicedItem[];
}

/** `values`: what the written items are worth; `isReference`: whether one stands for the items of another list. */
export function spliceList(
  values: readonly Declared[],
  isReference: (index: number) => boolean,
  ignoresCase: boolean,
): SplicedList {
  const splice = () => joinItems(values, isReference, ignoresCase);
  const { list } = splice();
  const [only] = values;
  const isTaken = values.length === 1 && only !== undefined && isList(only) && only.length === list.length;
  return { list: isTaken ? only : list, items: once(() => splice().items) };
}

function joinItems(values: readonly Declared[], isReference: (index: number) => boolean, ignoresCase: boolean) {
  const list: Declared[] = [];
  const items: SplicedItem[] = [];
  const first = new Map<string, { readonly index: number; readonly isWritten: boolean }>();
  const add = (value: Declared, from: Pick<SplicedItem, 'written' | 'item'>, isWritten: boolean): void => {
    const key = keyOf(value, ignoresCase);
    const known = key === undefined ? undefined : first.get(key);
    // What is written twice is a mistake that validation reports.
    const isDropped = known !== undefined && !(isWritten && known.isWritten);
    const index = isDropped ? known.index : list.length;
    if (!isDropped) list.push(value);
    if (key !== undefined && known === undefined) first.set(key, { index, isWritten });
    items.push({ ...from, index });
  };
  values.forEach((value, written) => {
    if (!isReference(written)) add(value, { written }, true);
    else if (!isList(value)) add(value, { written }, false);
    else for (const [item, entry] of value.entries()) add(entry, { written, item }, false);
  });
  return { list, items };
}

function isList(value: Declared): value is readonly Declared[] {
  return Array.isArray(value);
}

/** Undefined for what cannot be compared. */
function keyOf(value: Declared, ignoresCase: boolean): string | undefined {
  if (value instanceof Secret) return undefined;
  return JSON.stringify(typeof value === 'string' && ignoresCase ? value.toLowerCase() : value);
}
