// The items of a loop, the values it uses, and the fields items lack. An instance has no such field if its item lacks
// the value. Also finds values of such an item that were probably misspelled.

import { fieldsOf } from '../../model/fields/fields.ts';
import { itemKey } from '../../model/fields/patterns.ts';
import type { Address, Kind } from '../../model/values/address.ts';
import type { JsonObject } from '../../model/values/json.ts';
import { codeList, countOf, kebabOf } from '../../model/values/words.ts';
import { type Finding, type FindingWords, type Origin, placeOf, type Span } from '../../model/workspace/diagnostic.ts';
import type { RowChoice } from '../../model/workspace/resource.ts';
import { namesIn, referencesIn } from '../../yaml/references-in.ts';
import { nearest } from '../findings/suggest.ts';
import { type ItemForm, type LoopItem, nearestValue } from './resolve-reference.ts';

/** A field that an instance may lack, and the name of the item's value that gives all of it. */
export interface OptionalField {
  readonly field: string;
  readonly name: string;
}

export function optionalFields(kind: Kind, fields: JsonObject): readonly OptionalField[] {
  return Object.entries(fields).flatMap(([field, value]) => {
    if (typeof value !== 'string' || !Object.hasOwn(fieldsOf[kind], field) || !fieldsOf[kind][field]?.mayLack)
      return [];
    const { whole } = referencesIn(value);
    return whole?.namespace === 'each' ? [{ field, name: whole.name }] : [];
  });
}

/** True if an item lacks a value that another item has. In a row, an empty cell is not a value. */
export function lacks({ values, names, isTable }: LoopItem & ItemForm, name: string): boolean {
  return names.has(name) && (!Object.hasOwn(values, name) || (isTable === true && values[name] === ''));
}

/** The values of items that no field uses. A variable and a CSV file may have other readers. */
export function unreadValues(
  { items, isFinal, names, isTable }: LoopItems,
  fields: JsonObject,
  { kind, address }: LoopDeclaration & { readonly kind: Kind },
): readonly Finding[] {
  if (isTable === true) return [];
  const used = namesIn(fields, 'each');
  // The meaning of a misspelled reference is reported there.
  const meantNames = new Set([...used].map((name) => (names.has(name) ? name : nearestValue(name, names))));
  const optional = [...new Set(optionalFields(kind, fields).map(({ name }) => name))].filter((name) => names.has(name));
  const lackedBy = ({ values, isSingle }: LoopItem) =>
    isSingle ? [] : optional.filter((name) => !Object.hasOwn(values, name));
  return [...names]
    .filter((name) => !meantNames.has(name))
    .flatMap((name): readonly Finding[] => {
      const having = items.filter(({ values }) => Object.hasOwn(values, name));
      const lacking = having.filter(
        (item) => (isFinal ? nearest(name, lackedBy(item)) : lackedBy(item)[0]) !== undefined,
      );
      const otherItems = isFinal ? [] : having.filter((item) => !lacking.includes(item));
      return [
        ...unread(lacking, name, (item) => instead(item, name, lackedBy(item))),
        ...unread(otherItems, name, ({ isSingle }) => unused(isSingle ? 'the item itself' : `\`${name}\``, name)),
      ].map((finding) => ({ ...finding, address }));
    });
}

function unread(
  items: readonly LoopItem[],
  name: string,
  wordsFor: (item: LoopItem) => FindingWords,
): readonly Finding[] {
  const [first, ...more] = items;
  if (first === undefined) return [];
  const { message, ...words } = wordsFor(first);
  return [
    {
      ...words,
      message: more.length === 0 ? message : `${message} The same is true of ${countOf(more.length, 'other item')}.`,
      place: first.isSingle ? placeOf(first.origin) : placeOf(first.origin, 'key', name),
    },
  ];
}

function unused(what: string, name: string): FindingWords {
  return {
    code: 'for-each-unused',
    message: `No field of the declaration uses ${what}.`,
    hint: `Write \`\${each.${name}}\` where the value belongs, or remove it.`,
  };
}

/** An item that lacks a value and has an unused one: its report would go out as if it had none. */
function instead({ key }: LoopItem, name: string, lacked: readonly string[]): FindingWords {
  const near = nearest(name, lacked);
  return {
    code: 'for-each-missing',
    message: `The item \`${key}\` has no value ${codeList(lacked, 'or')}, and nothing uses its \`${name}\`.`,
    hint: `Did you mean ${codeList(near === undefined ? lacked : [near], 'or')}?`,
  };
}

// The items of a loop, and the rules for their keys and names.

export interface LoopItems extends ItemForm {
  readonly items: readonly LoopItem[];
  /** The number of items, including those with a wrong key. */
  readonly count: number;
  readonly rows?: RowChoice;
}

/** A larger number is an error, and is not read. */
export const maxItems = 5000;

export const noItems: LoopItems = { items: [], count: 0, isFinal: true, names: new Set() };

export interface LoopDeclaration {
  readonly value: JsonObject;
  readonly address: Address;
  readonly origin: Origin;
  /** The line of the entry with this key. */
  readonly lineOf: (key: string) => number;
  /** The span of `forEach` or `forEachRow`, if it is known. */
  readonly keySpan: (name: string) => Span | undefined;
}

export type Report = (finding: Finding) => void;

const keyPattern = new RegExp(itemKey);

export function isItemKey(key: string): boolean {
  return keyPattern.test(key);
}

export function badKey(key: string): FindingWords {
  if (isOfSpreadsheet(key))
    return {
      code: 'for-each-key',
      message: `\`${key}\` is how a spreadsheet writes a number or a day, so it may differ from what was typed.`,
      hint: 'Restore what was typed, and format the column as text.',
    };
  const suggested = kebabOf(key);
  return {
    code: 'for-each-key',
    message:
      'The key of an item starts with a letter or a digit, followed by letters, digits, `_` and `-`, with at most 64 characters. The key stays the last part of the address for ever, so it is never interpolated.',
    hint: isItemKey(suggested) ? `Write \`${suggested}\`, for example.` : 'Write a short name.',
  };
}

/** `1E+05`, `1,5E+05`, `01. Mrz`, `1/2/2026`: their original text is lost. */
export function isOfSpreadsheet(key: string): boolean {
  return /^\d(?:[.,]\d+)?E[+-]\d+$/i.test(key) || /^\d{1,2}[./ ]+(?:\d{1,2}[./]\d{2,4}|\p{L}{3,4}\.?)$/u.test(key);
}

export function reservedName(name: string): FindingWords {
  return {
    code: 'for-each-key',
    message: `\`\${each.${name}}\` is the ${name === 'key' ? 'key of the item' : 'item itself if it is not a map'}, so no value of an item can have the name \`${name}\`.`,
    hint: 'Give the value a different name.',
  };
}
