// The reasons why a value is not written, as sentences with advice. An instance of a loop has its own words: they name the
// file of the loop and the item.

import { fieldsOf } from '../../model/fields/fields.ts';
import { command } from '../../model/values/command.ts';
import { isJsonObject, type Json } from '../../model/values/json.ts';
import type { SealedResource } from '../../model/workspace/resource.ts';

type Reason = 'partly-reference' | 'layout' | 'used-elsewhere' | 'no-value';

export class NotEditable extends Error {
  readonly reason: Reason | 'items' | 'read-only';
  /** Full sentences, if more is known than the reason. */
  readonly words: string | undefined;

  constructor(
    ...[reason, words]:
      | readonly [reason: Reason, words?: string]
      | readonly [reason: 'items' | 'read-only', words: string]
  ) {
    super(words ?? reason);
    this.reason = reason;
    this.words = words;
  }
}

const wordsOf: Readonly<Record<Reason, string>> = {
  'no-value': 'Omni has no value, and a default or an anchor sets one. The field cannot be unset here.',
  'partly-reference':
    'The declared value is partly a reference, so what Omni has cannot be split up. Change the value yourself.',
  'used-elsewhere':
    'Other resources share this anchor and did not get the same change. Move the anchor, or change the value yourself.',
  layout: 'The value is written in a form that cannot be edited in part. Change the value yourself.',
};

export function refusalWords(
  { reason, words }: Pick<NotEditable, 'reason' | 'words'>,
  { origin, item }: SealedResource,
): string {
  if (words !== undefined || reason === 'items' || reason === 'read-only') return words ?? '';
  if (item === undefined) return wordsOf[reason];
  // The same for all instances, so that a report can fold them.
  const instance = `its item in ${item.origin.file}`;
  const isOneFile = item.origin.file === origin.file;
  switch (reason) {
    case 'no-value':
      return `Omni has no value, and ${origin.file} gives one to every instance, which ${isOneFile ? 'its item' : instance} cannot unset. Remove the field in ${origin.file} if no instance needs it, or declare this instance outside of the loop.`;
    case 'partly-reference':
      return `The declared value is partly a reference, so what Omni has cannot be split up. Write the value into ${instance} yourself.`;
    case 'used-elsewhere':
      return `Something else uses the same text and did not get the same change. Give ${instance} a value of its own, or change the text yourself.`;
    case 'layout':
      return `The value is written in a form that cannot be edited in part. Change ${isOneFile ? `its item or its declaration in ${origin.file}` : `${instance}, or its declaration in ${origin.file},`} yourself.`;
  }
}

/** For a value of the item that other fields have too: `otherFields` in backticks. */
export function sharedValueWords({ item }: SealedResource, field: string, name: string, otherFields: string): string {
  const { file = '' } = item?.origin ?? {};
  const [value, another] = file.endsWith('.csv')
    ? [`The column \`${name}\` of ${file}`, `Add a column of its own for \`${field}\` to ${file}`]
    : [
        `The value \`${name}\` of its item in ${file}`,
        `Give every item in ${file} a value of its own for \`${field}\``,
      ];
  return `${value} gives ${otherFields} as well, so it cannot hold what Omni has for \`${field}\` alone. ${another}, or change all of it yourself.`;
}

/** For a field that a loop's declaration gives to all its instances; `value` is the item as it is written. */
export function itemsWords({ kind, address, origin, item }: SealedResource, field: string, value: Json | undefined) {
  const { file = '' } = item?.origin ?? {};
  const why = `One text gives \`${field}\` to all instances of \`${item?.loop.address ?? address}\`, so it cannot hold what Omni has for one of them.`;
  const add = file.endsWith('.csv')
    ? `Add a column \`${field}\` to ${file}`
    : value === null || isJsonObject(value ?? null)
      ? `Give every item in ${file} a \`${field}\``
      : `Make every item in ${file} a map with a \`${field}\``;
  const outside = `eclare this one outside of the loop: \`${command('show', '--resolved', address)}\`.`;
  if (fieldsOf[kind][field]?.literal) return `${why} D${outside}`;
  const where = file === origin.file ? 'beside `forEach`' : `in ${origin.file}`;
  return `${why} ${add}, and write \`${field}: \${each.${field}}\` ${where}. Or d${outside}`;
}
