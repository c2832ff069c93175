// Finds out which of many edits hold together. All of them are proven at once; if that fails, those that are at fault
// are found and left out, with as few proofs as possible, because each proof loads the whole workspace.

import type { Address } from '../model/values/address.ts';
import { groupBy, largest, pushAll } from '../model/values/collections.ts';
import type { Reasoned } from '../model/values/refusal.ts';

/** The reasons why edits do not hold: at least one, each about the resources at fault, as far as these are known. */
export type EditFaults<R extends string> = readonly Reasoned<Address, R>[];

export type Proof<T, R extends string> =
  | { readonly holds: true; readonly result: T }
  | { readonly holds: false; readonly faults: EditFaults<R> };

interface HeldEdits<E, T, R extends string> {
  readonly keptEdits: readonly E[];
  /** The result of the proof of those that are kept; undefined if none is. */
  readonly result: T | undefined;
  readonly refused: readonly Reasoned<E, R>[];
}

export interface EditUnits<E> {
  /** The resources that an edit changes: the edits of one resource are parted only if they do not hold together. */
  readonly addressesOf: (edit: E) => readonly Address[];
  /** Edits that cannot be parted, out of those of one resource; each alone if left out. */
  readonly partsOf?: (unit: readonly E[]) => readonly (readonly E[])[];
}

export async function keepWhatHolds<E, T, R extends string>(
  edits: readonly E[],
  prove: (edits: readonly E[]) => Promise<Proof<T, R>>,
  { addressesOf, partsOf = (unit) => unit.map((edit) => [edit]) }: EditUnits<E>,
): Promise<HeldEdits<E, T, R>> {
  /** Edits that are kept or left out together. */
  type Unit = readonly E[];
  const keptEdits: E[] = [];
  const refused: Reasoned<E, R>[] = [];
  let result: T | undefined;
  const settle = async (units: readonly Unit[]): Promise<void> => {
    if (units.length === 0) return;
    const proof = await prove([...keptEdits, ...units.flat()]);
    if (proof.holds) {
      pushAll(keptEdits, units.flat());
      result = proof.result;
      return;
    }
    const [first] = proof.faults;
    if (first === undefined) throw new Error('edits do not hold, and no reason was given');
    // The first fault of a resource counts.
    const blame = new Map(
      proof.faults.flatMap((fault) => fault.about.map((each) => [each, fault] as const)).toReversed(),
    );
    const faultOf = (unit: Unit) =>
      unit.flatMap(addressesOf).flatMap((address) => blame.get(address) ?? [])[0] ??
      (units.length === 1 ? first : undefined);
    const blamed = units.filter((unit) => faultOf(unit) !== undefined);
    if (blamed.length < units.length) {
      const innocent = units.filter((unit) => !blamed.includes(unit));
      for (const some of blamed.length === 0 ? halvesOf(units) : [innocent, blamed]) await settle(some);
      return;
    }
    const several: (readonly Unit[])[] = [];
    for (const unit of units) {
      const parts = partsOf(unit);
      if (parts.length > 1) several.push(parts);
      else refused.push({ ...(faultOf(unit) ?? first), about: unit });
    }
    const [only, ...others] = several;
    // One unit may have thousands of parts, of which most hold.
    if (only !== undefined && others.length === 0) {
      for (const half of halvesOf(only)) await settle([half.flat()]);
      return;
    }
    // One part of each at a time, so that a part at fault does not spoil the others of its resource.
    const most = largest(several.map((parts) => parts.length));
    for (let part = 0; part < most; part += 1) await settle(several.flatMap((parts) => parts.slice(part, part + 1)));
  };
  await settle([...groupBy(edits, (edit) => addressesOf(edit)[0] ?? '').values()]);
  return { keptEdits, result, refused };
}

function halvesOf<T>(all: readonly T[]): readonly (readonly T[])[] {
  const half = Math.ceil(all.length / 2);
  return [all.slice(0, half), all.slice(half)];
}
