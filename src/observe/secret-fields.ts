// Compares secret fields, such as webhook addresses, with what the service returns. The returned text must not leave
// this file: it is compared by its fingerprint, and what takes its place says no more than the host.

import { fieldsOf } from '../model/fields/fields.ts';
import { allSent } from '../model/plan/open-change.ts';
import type { Unresolved } from '../model/plan/state.ts';
import { type Address, kindOf } from '../model/values/address.ts';
import { memoize } from '../model/values/collections.ts';
import type { Json, JsonObject } from '../model/values/json.ts';
import {
  holdsSecret,
  isSealedSecret,
  type SealedSecret,
  sealedSecret,
  secretKey,
  sensitive,
} from '../model/values/secret.ts';
import { parseUrl } from '../model/values/urls.ts';
import type { Desired, SealedResource } from '../model/workspace/resource.ts';

export interface SecretFields {
  /** Fields that are secret in the declaration, or in what may have been sent. */
  readonly of: (address: Address) => ReadonlySet<string>;
  /** The values of a field, secrets sealed, that are declared or may have been sent. */
  readonly valuesOf: (address: Address, field: string) => readonly Json[];
  /** Returns null if no fingerprint can be made that may be compared. */
  readonly fingerprint: (text: string) => Promise<string | null>;
}

/** Secret fields by address, as the state has them and as declared. `fingerprint` works as for the state. */
export function secretFieldsIn(
  { resources, moves }: Desired<SealedResource>,
  unresolved: readonly Unresolved[],
  fingerprint: SecretFields['fingerprint'],
): SecretFields {
  const known = new Map<Address, JsonObject[]>();
  const add = (address: Address, attributes: JsonObject): void => {
    known.set(address, [...(known.get(address) ?? []), attributes]);
  };
  for (const { address, attributes } of resources) add(address, attributes);
  for (const open of unresolved) for (const attributes of allSent(open)) add(open.address, attributes);
  const next = new Map(moves.map(({ from, to }) => [from, to]));
  const valuesAt = (address: Address) => wayFrom(address, next).flatMap((each) => known.get(each) ?? []);
  const of = memoize((address: Address): ReadonlySet<string> => {
    const entries = valuesAt(address).flatMap((attributes) => Object.entries(attributes));
    return new Set(entries.flatMap(([name, value]) => (holdsSecret(value) ? [name] : [])));
  });
  const valuesOf = (address: Address, field: string) => valuesAt(address).flatMap((each) => each[field] ?? []);
  return { of, valuesOf, fingerprint };
}

/** The address, and those that entries of `moved` lead to from it. */
function wayFrom(from: Address, next: ReadonlyMap<Address, Address>): readonly Address[] {
  const way = new Set<Address>();
  for (let at: Address | undefined = from; at !== undefined && !way.has(at); at = next.get(at)) way.add(at);
  return [...way];
}

export interface ComparedSecrets {
  /** The sealed values by field: as it was applied, as it is declared, or as something else. */
  readonly attributes: JsonObject;
  /** Some could not be compared. */
  readonly isIncomplete: boolean;
}

/** `found`: the texts that the service returned, by field. */
export async function compareSecrets(
  found: Readonly<Record<string, string>>,
  applied: JsonObject,
  address: Address,
  { valuesOf, fingerprint }: SecretFields,
): Promise<ComparedSecrets> {
  const attributes: Record<string, Json> = {};
  let isIncomplete = false;
  for (const [field, text] of Object.entries(found)) {
    const before = applied[field];
    const candidates = [...(before === undefined ? [] : [before]), ...valuesOf(address, field)];
    const print = await fingerprint(text);
    const same = candidates.find((each) => (isSealedSecret(each) ? isPrintOf(each, print) : each === text));
    // A value that was applied as plain text stays as it is in the state.
    if (typeof same === 'string' && same === before) continue;
    if (same !== undefined) attributes[field] = same;
    else if (print === null || isUnknown(before)) isIncomplete = true;
    else attributes[field] = sealedSecret(print, standInFor(address, field, text));
  }
  return { attributes, isIncomplete };
}

function isPrintOf({ [secretKey]: known }: SealedSecret, print: string | null): boolean {
  return print !== null && known === print;
}

/** True if nothing can be compared with what was applied: it was never sent, or fingerprinted with another key. */
function isUnknown(applied: Json | undefined): boolean {
  return isSealedSecret(applied) && !applied[secretKey];
}

/** The host of a URL, which says who receives something. */
function standInFor(address: Address, field: string, text: string): string {
  const kind = kindOf(address);
  const isUrl = kind !== undefined && fieldsOf[kind][field]?.secretsIn === 'path-and-query';
  const url = isUrl ? parseUrl(text) : undefined;
  return url === undefined || url.host === '' ? sensitive : `${url.protocol}//${url.host}/${sensitive}`;
}
