// Which of many edits hold together. All of them are proven at once; where that fails, those that are at fault are found
// and left out, with as few proofs as possible, because each proof loads the whole workspace.

import type { NotWrittenField } from '../../model/plan/drift-document.ts';
import type { Address } from '../../model/values/address.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import { refusal } from './drift-goals.ts';
import type { PlaceEdit } from './place-edit.ts';
import type { Proof } from './prove-edits.ts';

export interface SettledEdits {
  readonly kept: readonly PlaceEdit[];
  /** The new texts of the files. */
  readonly texts: ReadonlyMap<string, string>;
  readonly refused: readonly NotWrittenField[];
}

/** Edits that are kept or left out together. */
type Unit = readonly PlaceEdit[];

export async function settleEdits(
  edits: readonly PlaceEdit[],
  prove: (edits: readonly PlaceEdit[]) => Promise<Proof>,
): Promise<SettledEdits> {
  const kept: PlaceEdit[] = [];
  const refused: NotWrittenField[] = [];
  let texts: ReadonlyMap<string, string> = new Map();
  const settle = async (units: readonly Unit[]): Promise<void> => {
    if (units.length === 0) return;
    const proof = await prove([...kept, ...units.flat()]);
    if (proof.holds) {
      kept.push(...units.flat());
      texts = proof.texts;
      return;
    }
    const wordsFor = (unit: Unit) =>
      addressesOf(unit).flatMap((address) => proof.blame.get(address) ?? [])[0] ??
      (units.length === 1 ? proof.message : undefined);
    const blamed = units.filter((unit) => wordsFor(unit) !== undefined);
    if (blamed.length < units.length) {
      const half = Math.ceil(units.length / 2);
      const [first, second] =
        blamed.length === 0
          ? [units.slice(0, half), units.slice(half)]
          : [units.filter((unit) => !blamed.includes(unit)), blamed];
      await settle(first);
      return settle(second);
    }
    const inParts = units.map(partsOf);
    for (const [index, unit] of units.entries()) {
      if (inParts[index]?.length !== 1) continue;
      const { reason } = proof;
      refused.push(...unit.flatMap((edit) => refuseAll(edit, { reason, message: wordsFor(unit) ?? proof.message })));
    }
    // One part of each at a time, so that a part at fault does not spoil the others of its resource.
    const several = inParts.filter((parts) => parts.length > 1);
    const most = Math.max(0, ...several.map((parts) => parts.length));
    for (let part = 0; part < most; part += 1) await settle(several.flatMap((parts) => parts.slice(part, part + 1)));
  };
  await settle(unitsOf(edits));
  return { kept, texts, refused };
}

export function refuseAll(
  { goals }: PlaceEdit,
  { reason, message }: Pick<NotWrittenField, 'reason' | 'message'>,
): readonly NotWrittenField[] {
  return goals.map(({ resource, field }) => refusal(resource.address, pointerTo(field), reason, message));
}

function addressesOf(unit: Unit): readonly Address[] {
  return [...new Set(unit.flatMap(({ goals }) => goals.map(({ resource }) => resource.address)))];
}

/** The edits of one resource belong together: some fields are valid only beside others. */
function unitsOf(edits: readonly PlaceEdit[]): readonly Unit[] {
  const unitOf = new Map<Address, Set<PlaceEdit>>();
  for (const edit of edits) {
    const addresses = addressesOf([edit]);
    const unit = new Set([...addresses.flatMap((address) => [...(unitOf.get(address) ?? [])]), edit]);
    for (const address of addressesOf([...unit])) unitOf.set(address, unit);
  }
  return [...new Set(unitOf.values())].map((unit) => [...unit]);
}

/** Fields of which one is not valid without the other. */
const companions: readonly ReadonlySet<string>[] = [
  new Set(['conditionType', 'conditionQueryMapKey']),
  new Set(['slackRecipientType', 'recipients']),
];

function partsOf(unit: Unit): readonly Unit[] {
  const isIn = (fields: ReadonlySet<string>) => (edit: PlaceEdit) => edit.goals.every(({ field }) => fields.has(field));
  const pairs = companions.map((fields) => unit.filter(isIn(fields))).filter((pair) => pair.length > 0);
  const alone = unit.filter((edit) => !pairs.some((pair) => pair.includes(edit)));
  return [...pairs, ...alone.map((edit) => [edit])];
}
