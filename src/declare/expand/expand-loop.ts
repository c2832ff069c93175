// Turns the declaration of a loop into its instances' items. Also gives the meaning of `${each.…}` in each.

import { addressOf, type Kind } from '../../model/values/address.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import { wholeReference } from '../../model/values/references.ts';
import type { Code } from '../../model/workspace/codes.ts';
import { below, type Finding, type Origin, placeOf, type WithFindings } from '../../model/workspace/diagnostic.ts';
import type { Item, Loop } from '../../model/workspace/resource.ts';
import {
  badKey,
  isItemKey,
  type LoopDeclaration,
  type LoopItems,
  maxItems,
  noItems,
  type Report,
  reservedName,
  unreadValues,
} from './item-values.ts';
import { readRows } from './read-rows.ts';
import { type EachScope, type LoopItem, resolve, type Scope } from './resolve-reference.ts';

interface ExpandedLoop {
  readonly loop: Loop;
  /** The fields of the declaration, which all instances share. */
  readonly fields: JsonObject;
  readonly instances: readonly Instance[];
}

interface Instance {
  readonly address: string;
  readonly item: Item;
  readonly each: EachScope;
}

interface Declaration extends LoopDeclaration {
  readonly kind: Kind;
  readonly key: string;
  readonly line: number;
  /** The values that all of its instances have. */
  readonly shared: Pick<Loop, 'in' | 'destination'>;
}

/** `nearest` finds the name that was most likely meant. */
export function expandLoop(declaration: Declaration, scope: Scope): WithFindings<ExpandedLoop> {
  const findings: Finding[] = [];
  const { kind, key, line, address, origin, value, shared } = declaration;
  const { forEach: _, forEachRow: __, ...fields } = value;
  const read = readItems(declaration, scope, (finding) => findings.push(finding));
  const { items, isFinal, names, isTable, rows } = read;
  const keys = items.map((item) => item.key);
  const loop: Loop = { kind, address, origin, line, keys, ...shared, rows };
  for (const finding of unreadValues(read, fields, declaration)) findings.push(finding);
  const instances = items.map(
    (item): Instance => ({
      address: addressOf(kind, key, item.key),
      item: { key: item.key, origin: item.origin, loop, cells: isTable && item.values },
      each: { isFinal, names, isTable, ...item },
    }),
  );
  return { value: { loop, fields, instances }, findings };
}

/** The place of the key of an item in the file, if the map is there. */
export function itemPointer(section: string, key: string, item: string): string {
  return pointerTo(section, key, 'forEach', item);
}

/** The items of a loop: the entries of `forEach`, or the rows of the file that `forEachRow` names. */
export function isLoop(value: JsonObject): boolean {
  return Object.hasOwn(value, 'forEach') || Object.hasOwn(value, 'forEachRow');
}

/** Empty if the items cannot be read; `report` gets the mistakes. */
function readItems(declaration: LoopDeclaration, scope: Scope, report: Report): LoopItems {
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

/** A larger number is rarely intended. */
const usualItems = 500;

function limited(
  read: LoopItems | undefined,
  { value, address, origin, keySpan }: LoopDeclaration,
  report: Report,
): LoopItems {
  if (read === undefined) return noItems;
  const { count: length } = read;
  const name = Object.hasOwn(value, 'forEach') ? 'forEach' : 'forEachRow';
  const about = { address, place: { ...placeOf(origin, 'key', name), known: keySpan(name) } };
  if (length === 0) {
    report({
      code: 'for-each-empty',
      message: 'The loop has no items, so it declares nothing.',
      hint: 'Add an item, or remove the declaration.',
      ...about,
    });
  }
  if (length > usualItems) {
    report({
      code: 'for-each-many',
      message: `The loop has ${words(length)} items${length > maxItems ? `; a loop has at most ${words(maxItems)}` : ', and each is a report that somebody receives'}.`,
      hint: length > maxItems ? 'Split the loop.' : 'Check that this is the list that you mean.',
      severity: length > maxItems ? 'error' : undefined,
      ...about,
    });
  }
  return length > maxItems ? noItems : read;
}

/** Without Intl, whose data takes longer to load than a thousand items to read. */
function words(count: number): string {
  return count < 1000 ? String(count) : `${words(Math.floor(count / 1000))},${String(count % 1000).padStart(3, '0')}`;
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
  if (keys.length > maxItems) return { ...noItems, count: keys.length };
  const names = new Set<string>();
  const items: LoopItem[] = [];
  for (const [key, value] of Object.entries(map)) {
    const at = below(origin, key);
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

/** The CSV file that was named as the items of `forEach`. */
function tableIn(forEach: Json): string | undefined {
  const texts = isJsonObject(forEach) ? [forEach['file'], forEach['path']] : [forEach];
  const [, table] = texts.map((text) => /^(?:\$\{file\.)?([^${}]+\.csv)\}?$/i.exec(String(text))).find(Boolean) ?? [];
  return table;
}

/** The map of the items, which may be a variable. */
function entriesOf({ value, address, origin, lineOf }: LoopDeclaration, scope: Scope, report: Report) {
  const { forEach = null } = value;
  const complain = (code: Code, message: string, hint: string) =>
    report({ code, message, hint, address, place: placeOf(origin, 'value', 'forEach') });
  const at = below(origin, 'forEach');
  const table = tableIn(forEach);
  if (table !== undefined) {
    const hint = `Write \`forEachRow: { file: ${table}, key: COLUMN }\`, with the column that has the keys of the items.`;
    complain('for-each-list', 'The rows of a CSV file are items of `forEachRow`, not of `forEach`.', hint);
    return undefined;
  }
  if (isJsonObject(forEach)) return { map: forEach, origin: at, lineOf, isFinal: false } satisfies Entries;
  const inner = typeof forEach === 'string' ? wholeReference(forEach) : undefined;
  if (inner === undefined || !/^var\../.test(inner)) {
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
