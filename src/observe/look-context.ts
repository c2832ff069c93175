// The shared parts of all looks. They are what a look is given, what it has seen, and what a refusal means.

import type { Clock } from '../model/outside.ts';
import type { ListedRows, ObservedResource } from '../model/plan/observation.ts';
import type { Refresh } from '../model/plan/plan.ts';
import type { Orphan, State, StateResource } from '../model/plan/state.ts';
import type { ListedRoutine, ListedSchedule, RemoteSchedule } from '../model/service/remote.ts';
import type { Address } from '../model/values/address.ts';
import type { Config } from '../model/workspace/config.ts';
import type { Finding } from '../model/workspace/diagnostic.ts';
import type { Failure } from '../model/workspace/failure.ts';
import type { Desired, SealedResource } from '../model/workspace/resource.ts';
import type { Api } from '../omni/api.ts';
import type { FilterLook } from './filters.ts';
import type { SeenGroups } from './observed-groups.ts';
import type { SecretFields } from './secret-fields.ts';
import { leavesOpen } from './sending.ts';
import type { Service } from './service.ts';

export interface ObserveOptions {
  readonly config: Config;
  readonly desired: Desired<SealedResource>;
  /** The state with its fingerprints as far as they can be compared. */
  readonly state: State | undefined;
  /** Makes fingerprints as those of the state are made. */
  readonly fingerprint: SecretFields['fingerprint'];
  /** With `only`, the schedules to adopt are not looked for. */
  readonly refresh: Refresh;
  /** The addresses to look at, as the state has them; undefined for all. */
  readonly only?: ReadonlySet<Address>;
  /** Adopted resources are looked at as if they were tracked, in place of what the state has. */
  readonly adopted?: ReadonlyMap<Address, StateResource>;
  /** Ask also for the tiles of the dashboards on which a single tile is delivered or watched. */
  readonly tiles?: boolean;
  /** The types that the filters of these dashboards compare are read, even if nothing on them is looked at. */
  readonly dashboards?: ReadonlySet<string>;
  /** Read the list of schedules even if none of them is tracked. */
  readonly lists?: boolean;
  /** This run has looked before: what it has read of dashboards is read again. */
  readonly rereadDashboards?: true | undefined;
  /** The rows, as far as they are needed; they are read where a kind is left out. */
  readonly listed?: ListedRows;
  /** Schedules that a replacement has left on a dashboard that may have been renamed. */
  readonly orphans?: readonly Orphan[];
  readonly service: Service;
  readonly clock: Clock;
}

export interface LookContext extends ObserveOptions {
  readonly api: Api;
  /** The schedules by id. */
  readonly rows: ReadonlyMap<string, ListedSchedule>;
  readonly ownerLists: OwnerLists;
  readonly secrets: SecretFields;
}

/** The routines by id, or the reason why the list cannot be read. */
export type OwnerList = ReadonlyMap<string, ListedRoutine> | Failure;

export interface OwnerLists {
  /** The list of the member for whom something was made, or else of the token. Throws what concerns all lists. */
  readonly of: (owner: string | undefined) => Promise<OwnerList>;
  /** Reads it once more: what was just created is listed a moment later. */
  readonly reread: (owner: string | undefined) => Promise<OwnerList>;
  /** True for an active member; undefined if the token may not ask. */
  readonly isActive: (owner: string) => Promise<boolean | undefined>;
}

export type Look = (address: Address, resource: StateResource, looking: LookContext) => Promise<SeenResource>;

export interface SeenResource {
  /** The resource as seen; undefined if it cannot be observed, or the service does not answer. */
  readonly resource?: ObservedResource;
  /** The owner of a schedule, as far as the service says it. */
  readonly ownerId?: string;
  readonly ownerName?: string;
  readonly finding?: Finding | readonly Finding[];
  /** The user groups, if they were read. */
  readonly groups?: SeenGroups | undefined;
  /** The details, if they were read. */
  readonly read?: RemoteSchedule;
  readonly isRowAlone?: boolean;
  /** It has a secret that could not be compared. */
  readonly isSecretLeft?: boolean;
  /** The filters, to be judged with those of the other schedules of its dashboard. */
  readonly filters?: FilterLook | undefined;
  /** The filters could not be compared, or not all of them. */
  readonly areFiltersLeft?: boolean;
}

/** A refusal of this one says nothing about the others; any other failure ends the observation. */
export function unobserved(address: Address, what: string, error: unknown): Finding {
  if (!leavesOpen(error)) throw error;
  return { code: 'not-read', message: `Almanac cannot tell ${what}. ${error.message}`, hint: error.hint, address };
}
