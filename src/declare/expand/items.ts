// The items of a loop, and the rules for their keys and names.

import { itemKey } from '../../model/fields/patterns.ts';
import type { Address } from '../../model/values/address.ts';
import type { JsonObject } from '../../model/values/json.ts';
import { kebabOf } from '../../model/values/words.ts';
import type { Finding, FindingWords, Origin, Span } from '../../model/workspace/diagnostic.ts';
import type { RowChoice } from '../../model/workspace/resource.ts';
import type { ItemForm, LoopItem } from './resolve-reference.ts';

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
function isOfSpreadsheet(key: string): boolean {
  return /^\d(?:[.,]\d+)?E[+-]\d+$/i.test(key) || /^\d{1,2}[./ ]+(?:\d{1,2}[./]\d{2,4}|\p{L}{3,4}\.?)$/u.test(key);
}

export function reservedName(name: string): FindingWords {
  return {
    code: 'for-each-key',
    message: `\`\${each.${name}}\` is the ${name === 'key' ? 'key of the item' : 'item itself if it is not a map'}, so no value of an item can have the name \`${name}\`.`,
    hint: 'Give the value a different name.',
  };
}
