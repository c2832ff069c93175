// The state file: what was last applied, with the ids that the service gave back.

import type { Address } from '../values/address.ts';
import type { JsonObject } from '../values/json.ts';
import type { Action, Effect } from './action.ts';

/** The one version that is written and read. */
export const stateVersion = 2;

export interface StateResource {
  /** The service's id; a schedule that only ran, and a dashboard, have none. */
  readonly id?: string;
  /** The declaration as applied, secrets sealed. */
  readonly attributes: JsonObject;
  /** Values from the service's answer that people need, such as delivererRoleArn. */
  readonly outputs?: JsonObject;
  /** The fields that the service did not return when the resource was adopted and that were never sent since. */
  readonly unread?: readonly string[];
  /**
   * The recipients that it records were sent, to the sink of an environment. Without it nobody knows that they were: an
   * adoption sends nothing.
   */
  readonly throughSink?: true;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface Orphan {
  readonly id: string;
  readonly address: Address;
  readonly identifier: string;
  readonly name: string;
  readonly since: string;
  /** It was replaced, and deleting it is still open: the next apply with operations full does it. */
  readonly replaced?: true;
}

/** A request with an unknown outcome: of a change, or a trigger, which concerns nothing but the next trigger. */
export interface Unresolved {
  readonly address: Address;
  readonly action: Effect;
  readonly identifier?: string;
  readonly name?: string;
  /** By our clock. */
  readonly since: string;
  /** Of a schedule's POST: the ids that were on its dashboard before it was sent; undefined if nobody looked. */
  readonly existing?: readonly string[];
  /** What the state records for the resource if the change turns out to be carried out. */
  readonly attributes?: JsonObject;
  /** The id of the old schedule, if the replacement deletes it. */
  readonly replaced?: string;
}

/** A change with an unknown outcome. */
export interface OpenChange extends Unresolved {
  readonly action: Action;
}

/** The changes of a state that are unresolved: all that a plan, an apply or an import may know of. */
export function openChanges(state: Pick<State, 'unresolved'> | undefined): readonly OpenChange[] {
  return state?.unresolved.filter((open): open is OpenChange => open.action !== 'trigger') ?? [];
}

/** A state as Almanac writes it. */
export interface State {
  readonly version: typeof stateVersion;
  readonly lineage: string;
  readonly serial: number;
  readonly toolVersion: string;
  readonly baseUrl: string;
  /** Base64: what secrets' fingerprints are made with. */
  readonly salt: string;
  /** The first 16 hex digits of the SHA-256 of the key of the fingerprints; none for fingerprints without a key. */
  readonly secretKey?: string;
  /** The last commit whose declarations were all applied, as far as CI names it. What was reviewed since may be open. */
  readonly commit?: string;
  readonly resources: Readonly<Record<Address, StateResource>>;
  readonly orphans: readonly Orphan[];
  readonly unresolved: readonly Unresolved[];
}

/**
 * What the state tracks at an address. Addresses come from command lines, so one may be the name of a property that every
 * object inherits.
 */
export function trackedAt(state: Pick<State, 'resources'> | undefined, address: Address): StateResource | undefined {
  return state !== undefined && Object.hasOwn(state.resources, address) ? state.resources[address] : undefined;
}
