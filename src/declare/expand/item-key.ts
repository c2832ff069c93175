// An item of a loop as read, and the rules of its names.

import { itemKey } from '../../model/fields/patterns.ts';
import type { Address } from '../../model/values/address.ts';
import type { Json, JsonObject } from '../../model/values/json.ts';
import { kebabOf } from '../../model/values/kebab.ts';
import type { Finding } from '../../model/workspace/diagnostic.ts';
import type { Origin } from '../../model/workspace/source-file.ts';

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
