// The value of a table cell, and the cell for a list of receivers. A text has another value than itself only if it is
// all of a field or of a part of one.

import { receiversAt } from '../../model/fields/delivery.ts';
import type { Destination } from '../../model/fields/field.ts';
import { shapeAt } from '../../model/fields/fields.ts';
import type { Kind } from '../../model/values/address.ts';
import type { Json } from '../../model/values/json.ts';
import type { Pointer } from '../../model/values/pointer.ts';

/** A field of a kind, or a part of it. `destination` is the way of delivery, if that is known. */
interface CellPlace {
  readonly kind: Kind;
  readonly pointer: Pointer;
  readonly destination: Destination | undefined;
}

export function readCell(text: string, place: CellPlace): Json {
  const separator = separatorAt(place);
  if (separator !== undefined) return entriesOf(text, separator);
  switch (shapeAt(place.kind, place.pointer)?.type) {
    case 'boolean':
      return /^(?:true|false)$/i.test(text) ? text.toLowerCase() === 'true' : text;
    case 'integer':
      return /^\d{1,15}$/.test(text) ? Number(text) : text;
    default:
      return text;
  }
}

/** The cell that is read as this list of receivers; undefined if an entry would be split or changed. */
export function cellOfList(list: readonly Json[]): string | undefined {
  const text = list.join(';');
  return JSON.stringify(entriesOf(text, /;/)) === JSON.stringify(list) ? text : undefined;
}

export function addressesInCell(text: string): readonly string[] {
  return entriesOf(text, /[;,]/);
}

function entriesOf(text: string, separator: RegExp): readonly string[] {
  return text.split(separator).flatMap((entry) => entry.trim() || []);
}

/** The separator of the receivers in a cell. The name of a group may contain a comma; Slack gets one text. */
function separatorAt({ kind, pointer, destination }: CellPlace): RegExp | undefined {
  const { email, group } = receiversAt(kind);
  if (pointer === group) return /;/;
  return pointer === email && destination !== 'slack' ? /[;,]/ : undefined;
}
