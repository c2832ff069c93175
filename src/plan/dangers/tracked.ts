// What the state holds, as far as people may read it. A secret that a former version recorded without its text is read
// from the declaration, where that still has the same fingerprint.

import type { State } from '../../model/plan/state.ts';
import type { Address } from '../../model/values/address.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';
import { secretKey } from '../../model/values/secret.ts';
import type { Desired, SealedResource } from '../../model/workspace/resource.ts';

export type Tracked = ReadonlyMap<Address, JsonObject>;

export function trackedOf(state: State | undefined, { resources }: Desired<SealedResource>): Tracked {
  const declared = new Map(resources.map(({ address, attributes }) => [address, attributes]));
  return new Map(
    Object.entries(state?.resources ?? {}).map(([address, { attributes }]) => [
      address,
      readable(attributes, declared.get(address)),
    ]),
  );
}

function readable(applied: JsonObject, declared: JsonObject | undefined): JsonObject {
  if (declared === undefined) return applied;
  const unreadable = Object.entries(applied).filter(([field, value]) => isSameSecret(value, declared[field]));
  if (unreadable.length === 0) return applied;
  return { ...applied, ...Object.fromEntries(unreadable.map(([field]) => [field, declared[field] ?? null])) };
}

function isSameSecret(applied: Json, declared: Json | undefined): boolean {
  if (!isJsonObject(applied) || !isJsonObject(declared)) return false;
  const fingerprint = applied[secretKey];
  return typeof fingerprint === 'string' && applied['text'] === undefined && declared[secretKey] === fingerprint;
}
