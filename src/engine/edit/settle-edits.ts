// Which of many edits hold together. All of them are proven at once; where that fails, those that are at fault are found
// and left out, with as few proofs as possible, because each proof loads the whole workspace.

import type { Address } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/group-by.ts';

export type SettledProof<R extends string> =
  | { readonly holds: true; readonly texts: ReadonlyMap<string, string> }
  | {
      readonly holds: false;
      readonly reason: R;
      readonly message: string;
      /** The resources that are at fault, as far as that is known, each with what is wrong with it. */
      readonly blame: ReadonlyMap<Address, string>;
    };

export interface SettledEdits<E, R> {
  readonly kept: readonly E[];
  /** The new texts of the files. */
  readonly texts: ReadonlyMap<string, string>;
  readonly refused: readonly { readonly edit: E; readonly reason: R; readonly message: string }[];
}

export interface Settling<E, R extends string> {
  readonly prove: (edits: readonly E[]) => Promise<SettledProof<R>>;
  /** The resources that an edit changes: the edits of one resource belong together. */
  readonly addressesOf: (edit: E) => readonly Address[];
  /** Edits that cannot be parted, out of those of one resource; each alone if left out. */
  readonly partsOf?: (unit: readonly E[]) => readonly (readonly E[])[];
}

export async function settleEdits<E, R extends string>(
  edits: readonly E[],
  { prove, addressesOf: addressesOfOne, partsOf = (unit) => unit.map((edit) => [edit]) }: Settling<E, R>,
): Promise<SettledEdits<E, R>> {
  /** Edits that are kept or left out together. */
  type Unit = readonly E[];
  const addressesOf = (unit: Unit) => [...new Set(unit.flatMap(addressesOfOne))];
  const kept: E[] = [];
  const refused: { edit: E; reason: R; message: string }[] = [];
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
      refused.push(...unit.map((edit) => ({ edit, reason, message: wordsFor(unit) ?? proof.message })));
    }
    const several = inParts.filter((parts) => parts.length > 1);
    const [only, ...others] = several;
    if (only !== undefined && others.length === 0) return settleHalves(only);
    // One part of each at a time, so that a part at fault does not spoil the others of its resource.
    const most = Math.max(0, ...several.map((parts) => parts.length));
    for (let part = 0; part < most; part += 1) await settle(several.flatMap((parts) => parts.slice(part, part + 1)));
  };
  /** Parts that do not hold together. One unit may have thousands, of which most hold. */
  const settleHalves = async (parts: readonly Unit[]): Promise<void> => {
    const half = Math.ceil(parts.length / 2);
    for (const some of [parts.slice(0, half), parts.slice(half)]) {
      const proof = await prove([...kept, ...some.flat()]);
      const [first = []] = some;
      if (proof.holds) {
        kept.push(...some.flat());
        texts = proof.texts;
      } else if (some.length > 1) await settleHalves(some);
      else {
        const message = addressesOf(first).flatMap((address) => proof.blame.get(address) ?? [])[0] ?? proof.message;
        refused.push(...first.map((edit) => ({ edit, reason: proof.reason, message })));
      }
    }
  };
  await settle(unitsOf(edits, addressesOfOne));
  return { kept, texts, refused };
}

/** Some fields of a resource are valid only beside others. In linear time: one edit may change ten thousand resources. */
function unitsOf<E>(edits: readonly E[], addressesOf: (edit: E) => readonly Address[]): readonly (readonly E[])[] {
  const firstWith = new Map<Address, number>();
  /** Of each edit another one of its unit, or itself. */
  const above: number[] = [];
  const topOf = (index: number): number => {
    let top = index;
    for (let next = above[top]; next !== undefined && next !== top; next = above[top]) {
      above[top] = above[next] ?? next;
      top = next;
    }
    return top;
  };
  for (const [index, edit] of edits.entries()) {
    above.push(index);
    for (const address of addressesOf(edit)) {
      const other = firstWith.get(address);
      if (other === undefined) firstWith.set(address, index);
      else above[topOf(index)] = topOf(other);
    }
  }
  return [...groupBy([...edits.entries()], ([index]) => topOf(index)).values()].map((unit) =>
    unit.map(([, edit]) => edit),
  );
}
