// The items of a loop: the entries of `forEach`, or the rows of the file that `forEachRow` names.

import { isJsonObject, type JsonObject } from '../../model/values/json.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import type { Code } from '../../model/workspace/codes.ts';
import { type Origin, placeOf } from '../../model/workspace/source-file.ts';
import {
  badKey,
  isItemKey,
  type LoopDeclaration,
  type LoopItem,
  type LoopItems,
  mostItems,
  noItems,
  type Report,
  reservedName,
} from './item-key.ts';
import { readRows } from './read-rows.ts';
import { resolve, type Scope } from './resolve-reference.ts';

export function isLoop(value: JsonObject): boolean {
  return Object.hasOwn(value, 'forEach') || Object.hasOwn(value, 'forEachRow');
}

/** No items if they cannot be read; `report` gets what is wrong. */
export function readItems(declaration: LoopDeclaration, scope: Scope, report: Report): LoopItems {
  const { value, address, origin } = declaration;
  if (!Object.hasOwn(value, 'forEachRow')) return limited(itemsOfMap(declaration, scope, report), declaration, report);
  if (!Object.hasOwn(value, 'forEach')) return limited(readRows(declaration, scope, report), declaration, report);
  report({
    code: 'for-each-list',
    message: 'The items come from `forEach` or from `forEachRow`, not from both.',
    hint: 'Remove one of the two.',
    address,
    place: placeOf(origin, 'key', 'forEachRow'),
  });
  return noItems;
}

/** More are rarely meant. */
const usualItems = 500;

function limited(read: LoopItems | undefined, { value, address, origin }: LoopDeclaration, report: Report): LoopItems {
  if (read === undefined) return noItems;
  const { count: length } = read;
  const about = { address, place: placeOf(origin, 'key', Object.hasOwn(value, 'forEach') ? 'forEach' : 'forEachRow') };
  if (length === 0) {
    report({
      code: 'for-each-empty',
      message: 'There is no item, so this declares nothing.',
      hint: 'Add an item, or remove the declaration.',
      ...about,
    });
  }
  if (length > usualItems) {
    report({
      code: 'for-each-many',
      message: `There are ${words(length)} items${length > mostItems ? `; a loop has at most ${words(mostItems)}` : ', and each is a report that somebody receives'}.`,
      hint: length > mostItems ? 'Split the loop.' : 'Check that the list is the one that you mean.',
      severity: length > mostItems ? 'error' : undefined,
      ...about,
    });
  }
  return length > mostItems ? noItems : read;
}

function words(count: number): string {
  return count.toLocaleString('en');
}

interface Entries {
  readonly map: JsonObject;
  readonly origin: Origin;
  readonly lineOf: (key: string) => number;
  readonly isFinal: boolean;
}

function itemsOfMap(declaration: LoopDeclaration, scope: Scope, report: Report): LoopItems | undefined {
  const entries = entriesOf(declaration, scope, report);
  if (entries === undefined) return undefined;
  const { map, origin, lineOf, isFinal } = entries;
  const keys = Object.keys(map);
  if (keys.length > mostItems) return { ...noItems, count: keys.length };
  const names = new Set<string>();
  const items: LoopItem[] = [];
  for (const [key, value] of Object.entries(map)) {
    const at = { ...origin, pointer: origin.pointer + pointerTo(key) };
    if (!isItemKey(key)) {
      report({ ...badKey(key), address: declaration.address, place: placeOf(at, 'key') });
      continue;
    }
    const isMap = isJsonObject(value);
    const values = isMap ? value : value === null ? {} : { value };
    for (const name of Object.keys(values)) names.add(name);
    for (const name of isMap ? ['key', 'value'] : [])
      if (Object.hasOwn(values, name))
        report({ ...reservedName(name), address: declaration.address, place: placeOf(at, 'key', name) });
    items.push({ key, values, origin: at, line: lineOf(key), isSingle: !isMap });
  }
  return { items, count: keys.length, isFinal, names };
}

/** The map of the items, which may be a variable. */
function entriesOf({ value, address, origin, lineOf }: LoopDeclaration, scope: Scope, report: Report) {
  const { forEach = null } = value;
  const complain = (code: Code, message: string, hint: string) =>
    report({ code, message, hint, address, place: placeOf(origin, 'value', 'forEach') });
  const at = { ...origin, pointer: origin.pointer + pointerTo('forEach') };
  if (isJsonObject(forEach)) return { map: forEach, origin: at, lineOf, isFinal: false } satisfies Entries;
  const [, inner] = typeof forEach === 'string' ? (/^\$\{(var\.[^}\n]+)\}$/.exec(forEach) ?? []) : [];
  if (inner === undefined) {
    const isList = Array.isArray(forEach);
    complain(
      'for-each-list',
      isList
        ? 'The items of `forEach` need names: their place in a list would name the reports, and a reordered list would rename them.'
        : '`forEach` is a map of items, or one variable of almanac.yaml that is a map.',
      isList
        ? 'Give each item a name: `emea: Europe` instead of `- Europe`.'
        : 'Write an item a line, such as `emea: { region: Europe }`.',
    );
    return undefined;
  }
  const variable = resolve(inner, true, scope);
  if ('code' in variable) {
    complain(variable.code, variable.message, variable.hint ?? '');
    return undefined;
  }
  if (!('value' in variable) || !isJsonObject(variable.value)) {
    complain(
      'for-each-list',
      `The variable \`${inner.slice('var.'.length)}\` is not a map, so its items have no names.`,
      'Give each item a name in almanac.yaml.',
    );
    return undefined;
  }
  const place = scope.variablePlace?.(inner.slice('var.'.length));
  return {
    map: variable.value,
    origin: place?.origin ?? at,
    lineOf: place?.lineOf ?? (() => lineOf('')),
    isFinal: true,
  } satisfies Entries;
}
