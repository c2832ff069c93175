// An item of a loop as read, the rules of its names, and what `${each.NAME}` means in its instance.

import { itemKey } from '../../model/fields/patterns.ts';
import type { Address } from '../../model/values/address.ts';
import type { Json, JsonObject } from '../../model/values/json.ts';
import { kebabOf } from '../../model/values/words.ts';
import type { Code } from '../../model/workspace/codes.ts';
import { below, type Finding, type Origin } from '../../model/workspace/diagnostic.ts';
import type { ValuePlace } from '../../model/workspace/origins.ts';
import { nearest } from '../findings/suggest.ts';

export interface LoopItem {
  readonly key: string;
  readonly values: Readonly<Record<string, Json>>;
  readonly origin: Origin;
  readonly line: number;
  /** The value is the entry itself. */
  readonly isSingle: boolean;
}

export interface LoopItems {
  readonly items: readonly LoopItem[];
  /** How many there are, those with a wrong key included. */
  readonly count: number;
  /** The values are not interpolated. */
  readonly isFinal: boolean;
  /** The names that references can have, `key` and those of the items. */
  readonly names: ReadonlySet<string>;
  /** They are the rows of a CSV file, and the names are its columns. */
  readonly isTable?: true;
}

/** More are an error, and are not read. */
export const mostItems = 5000;

export const noItems: LoopItems = { items: [], count: 0, isFinal: true, names: new Set() };

export interface LoopDeclaration {
  readonly value: JsonObject;
  readonly address: Address;
  readonly origin: Origin;
  /** The line of the entry with this key. */
  readonly lineOf: (key: string) => number;
}

export type Report = (finding: Finding) => void;

const keyPattern = new RegExp(itemKey);

export function isItemKey(key: string): boolean {
  return keyPattern.test(key);
}

export function badKey(key: string): Pick<Finding, 'code' | 'message' | 'hint'> {
  const suggested = kebabOf(key);
  return {
    code: 'for-each-key',
    message:
      'The key of an item starts with a letter or a digit, followed by letters, digits, `_` and `-`, with at most 64 characters. It is the last part of the address for ever, so it is never interpolated.',
    hint: isItemKey(suggested) ? `Write \`${suggested}\`, for example.` : 'Write a short name.',
  };
}

export function reservedName(name: string): Pick<Finding, 'code' | 'message' | 'hint'> {
  return {
    code: 'for-each-key',
    message: `\`\${each.${name}}\` is the ${name === 'key' ? 'key of the item' : 'item itself if it is not a map'}, so no value of an item can have the name \`${name}\`.`,
    hint: 'Give it another name.',
  };
}

/** What `${each.NAME}` means: a value of the item whose instance is made, or the item's key. */
export interface EachScope {
  readonly key: string;
  /** By name, as written; that of an item that is no map is called `value`. */
  readonly values: Readonly<Record<string, Json>>;
  /** The entry of the map, or the row. */
  readonly origin: Origin;
  /** Whether the values are the entry itself, and not the values of a map. */
  readonly isSingle: boolean;
  /** The values are not interpolated: they come from almanac.yaml or a CSV file. */
  readonly isFinal: boolean;
  /** The names that any item of the loop has. */
  readonly names: ReadonlySet<string>;
  /** The items are the rows of a CSV file, and the names are its columns. */
  readonly isTable?: true;
}

/** A value of an item, and its place. */
export interface EachValue {
  readonly each: EachScope;
  readonly name: string;
  readonly raw: Json;
  readonly place: Extract<ValuePlace, { readonly kind: 'item' }>;
}

interface EachProblem {
  readonly code: Code;
  readonly message: string;
  readonly hint: string;
  /** Where the item is, if that is where the mistake is. */
  readonly origin?: Origin;
  readonly at?: 'key';
}

export function eachValue(name: string, each: EachScope): EachValue | EachProblem {
  const { key, values, origin, isSingle, names, isTable } = each;
  if (name === 'key') return { each, name, raw: key, place: { kind: 'item', origin, name: key, part: 'key' } };
  if (Object.hasOwn(values, name)) {
    const at = isSingle ? origin : below(origin, name);
    const place = { kind: 'item', origin: at, name: key } as const;
    return { each, name, raw: values[name] ?? null, place: isTable === true ? { ...place, part: 'cell' } : place };
  }
  if (!names.has(name)) {
    const near = nearest(name, ['key', ...names]);
    const add = isTable === true ? columnWords([...names]) : `Add \`${name}\` to every item.`;
    return {
      code: 'for-each-missing',
      message: isTable === true ? `${origin.file} has no column \`${name}\`.` : `No item has a value \`${name}\`.`,
      hint: near === undefined ? add : `Did you mean \`\${each.${near}}\`?`,
    };
  }
  return {
    code: 'for-each-missing',
    message: `The item \`${key}\` has no value \`${name}\`, which the declaration uses.`,
    hint: `Add \`${name}\` to the item.`,
    origin,
    at: 'key',
  };
}

export function columnWords(names: readonly string[]): string {
  return `Its columns are ${names.map((name) => `\`${name}\``).join(', ')}.`;
}

/** `${each.NAME}` where there is no item. */
export function eachOutside(name: string, isInItem: boolean): EachProblem {
  const reference = `\${each.${name}}`;
  return isInItem
    ? {
        code: 'each-outside',
        message: `\`${reference}\` is in an item, and an item cannot use the values of an item.`,
        hint: 'Write the value itself, or put the reference into a field of the declaration.',
      }
    : {
        code: 'each-outside',
        message: `\`${reference}\` is a value of an item, and there is no \`forEach\` or \`forEachRow\` around it.`,
        hint: 'Put it into a field of a declaration with `forEach`, or write the value itself.',
      };
}
