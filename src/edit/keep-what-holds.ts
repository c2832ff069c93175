// Which of many edits hold together. All of them are proven at once; where that fails, those that are at fault are found and
// left out, with as few proofs as possible, because each proof loads the whole workspace.

import type { Address } from '../model/values/address.ts';
import { groupBy, largest, pushAll } from '../model/values/collections.ts';

/** Why edits do not hold. */
export interface EditFault<R extends string> {
  readonly reason: R;
  /** A whole sentence. */
  readonly message: string;
  /** The resources that are at fault, as far as that is known, each with what is wrong with it. */
  readonly blame: ReadonlyMap<Address, string>;
}

export type Proof<T, R extends string> =
  | { readonly holds: true; readonly result: T }
  | ({ readonly holds: false } & EditFault<R>);

interface HeldEdits<E, T, R> {
  readonly kept: readonly E[];
  /** Of the proof of those that are kept; undefined if none is. */
  readonly result: T | undefined;
  readonly refused: readonly { readonly edit: E; readonly reason: R; readonly message: string }[];
}

/** How edits belong together. */
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
  const kept: E[] = [];
  const refused: { edit: E; reason: R; message: string }[] = [];
  let result: T | undefined;
  const settle = async (units: readonly Unit[]): Promise<void> => {
    if (units.length === 0) return;
    const proof = await prove([...kept, ...units.flat()]);
    if (proof.holds) {
      pushAll(kept, units.flat());
      result = proof.result;
      return;
    }
    const wordsFor = (unit: Unit) =>
      unit.flatMap(addressesOf).flatMap((address) => proof.blame.get(address) ?? [])[0] ??
      (units.length === 1 ? proof.message : undefined);
    const blamed = units.filter((unit) => wordsFor(unit) !== undefined);
    if (blamed.length < units.length) {
      const innocent = units.filter((unit) => !blamed.includes(unit));
      for (const some of blamed.length === 0 ? halvesOf(units) : [innocent, blamed]) await settle(some);
      return;
    }
    const several: (readonly Unit[])[] = [];
    for (const unit of units) {
      const parts = partsOf(unit);
      if (parts.length > 1) several.push(parts);
      else
        pushAll(
          refused,
          unit.map((edit) => ({ edit, reason: proof.reason, message: wordsFor(unit) ?? proof.message })),
        );
    }
    const [only, ...others] = several;
    // One unit may have thousands of parts, of which most hold.
    if (only !== undefined && others.length === 0) {
      for (const half of halvesOf(only)) await settle([half.flat()]);
      return;
    }
    // One part of each at a time, so that a part at fault does not spoil the others of its resource.
    const most = largest(
      0,
      several.map((parts) => parts.length),
    );
    for (let part = 0; part < most; part += 1) await settle(several.flatMap((parts) => parts.slice(part, part + 1)));
  };
  await settle([...groupBy(edits, (edit) => addressesOf(edit)[0] ?? '').values()]);
  return { kept, result, refused };
}

function halvesOf<T>(all: readonly T[]): readonly (readonly T[])[] {
  const half = Math.ceil(all.length / 2);
  return [all.slice(0, half), all.slice(half)];
}
