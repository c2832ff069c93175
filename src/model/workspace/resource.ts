// A declared resource after defaults, interpolation and validation: what the rest of Almanac means by "desired".

import type { Address, Kind } from '../values/address.ts';
import type { JsonObject, JsonScalar } from '../values/json.ts';
import { pointerTo } from '../values/pointer.ts';
import type { Secret } from '../values/secret.ts';
import type { Composed } from './composed.ts';
import type { Origin } from './source-file.ts';

/** A declared value: JSON in which secret texts are Secrets. */
export type Declared = JsonScalar | Secret | readonly Declared[] | DeclaredObject;
export interface DeclaredObject {
  readonly [key: string]: Declared;
}

export interface Resource {
  readonly kind: Kind;
  readonly address: Address;
  /** The fields as declared, under the API's names. */
  readonly attributes: DeclaredObject;
  readonly origin: Origin;
  /** The line of its key, from 1. */
  readonly line: number;
  /** For fields that came from defaults: the place of these defaults. */
  readonly inherited?: ReadonlyMap<string, Origin>;
  /** Places inside the resource. */
  readonly composed?: Composed;
}

/** The place of a field: in the resource, or in the default that provided it. */
export function originOf({ origin, inherited }: Pick<Resource, 'origin' | 'inherited'>, field: string): Origin {
  const holder = inherited?.get(field) ?? origin;
  return { ...holder, pointer: holder.pointer + pointerTo(field) };
}

/** A resource as the planner sees it: secrets are fingerprints. */
export interface SealedResource extends Omit<Resource, 'attributes'> {
  readonly attributes: JsonObject;
}

/** An entry of `moved`, `adopt` or `removed`. */
export interface Move {
  readonly from: Address;
  readonly to: Address;
  readonly origin: Origin;
}
export interface Adoption {
  readonly to: Address;
  readonly id: string;
  readonly origin: Origin;
}
export interface Removal {
  readonly from: Address;
  readonly origin: Origin;
}

/** Everything that a workspace declares. */
export interface Desired<R = Resource> {
  readonly resources: readonly R[];
  readonly moves: readonly Move[];
  readonly adoptions: readonly Adoption[];
  readonly removals: readonly Removal[];
}

export const nothingDeclared: Desired = { resources: [], moves: [], adoptions: [], removals: [] };
