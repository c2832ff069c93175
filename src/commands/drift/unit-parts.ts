// What is refused, or kept, together: the fields of an edit, and the edits of companions.

import type { NotWrittenField } from '../../model/plan/drift-document.ts';
import type { Address } from '../../model/values/address.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import { refusal } from './drift-goals.ts';
import type { PlaceEdit } from './place-edit.ts';

export function refuseAll(
  { goals }: PlaceEdit,
  { reason, message }: Pick<NotWrittenField, 'reason' | 'message'>,
): readonly NotWrittenField[] {
  return goals.map(({ resource, field }) => refusal(resource.address, pointerTo(field), reason, message));
}

export function addressesOf({ goals }: PlaceEdit): readonly Address[] {
  return goals.map(({ resource }) => resource.address);
}

/** Fields of which one is not valid without the other. */
const companions: readonly ReadonlySet<string>[] = [
  new Set(['conditionType', 'conditionQueryMapKey']),
  new Set(['slackRecipientType', 'recipients']),
];

/** The edits of one resource that hold or fail together. */
export function partsOf(unit: readonly PlaceEdit[]): readonly (readonly PlaceEdit[])[] {
  const isIn = (fields: ReadonlySet<string>) => (edit: PlaceEdit) => edit.goals.every(({ field }) => fields.has(field));
  const pairs = companions.map((fields) => unit.filter(isIn(fields))).filter((pair) => pair.length > 0);
  const alone = unit.filter((edit) => !pairs.some((pair) => pair.includes(edit)));
  return [...pairs, ...alone.map((edit) => [edit])];
}
