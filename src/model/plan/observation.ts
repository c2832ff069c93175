// What a look at Omni has seen: the value that plans, reports and edits take from it. How it is asked for, the room observe says.

import type { Layouts } from '../service/documents.ts';
import type { ListedRow, ListedSchedule, Principal } from '../service/remote.ts';
import type { Address, Kind } from '../values/address.ts';
import type { JsonObject } from '../values/json.ts';
import type { Pointer } from '../values/pointer.ts';
import type { Finding } from '../workspace/diagnostic.ts';
import type { RecordedGroup } from './user-groups.ts';

/** Rows of the lists that were read, by kind; a kind whose lists nobody read is absent. */
export interface ListedRows extends Readonly<Partial<Record<Kind, readonly ListedRow[]>>> {
  readonly schedule?: readonly ListedSchedule[];
}

/** A user group that receives something. */
export interface ReadGroup {
  /** As it is declared, or would be. */
  readonly text: string;
  readonly emails: readonly string[];
}

/** An id that all schedules of a dashboard spell differently from its filters. */
export interface FilterSpelling {
  readonly identifier: string;
  readonly id: string;
}

/** By the dashboards that were read, their own filters by id. */
export type OwnFilters = ReadonlyMap<string, JsonObject>;

/** The receivers of a schedule by mail. */
export interface ReceiversOfSchedule {
  readonly groups: readonly RecordedGroup[];
  readonly emails: readonly string[];
  /** The groups with access to its dashboard, where they were asked for as well. */
  readonly access?: readonly Principal[] | undefined;
}

/**
 * What was observed of a tracked resource. Only what can be read back is here: a field that is not in `fields` says
 * nothing about what the service holds.
 */
export type ObservedResource =
  /** It is gone. */
  | { readonly found: false }
  | {
      readonly found: true;
      /** The fields that were read. One of them that `attributes` lacks is not set. */
      readonly fields: ReadonlySet<string>;
      /** In the form in which they are declared, secrets sealed. */
      readonly attributes: JsonObject;
      /** Required fields that were asked for and that the service does not return. */
      readonly unread?: readonly string[];
      /** All user groups that receive it; undefined if they were not read. */
      readonly groups?: readonly RecordedGroup[];
      /** The receivers; undefined if they were not asked for. */
      readonly received?: ReceiversOfSchedule;
      /** Its details as they were read, to compare with later ones; undefined if they were not read. */
      readonly asRead?: string;
      /** The name of its owner, where a declaration or the state names one. */
      readonly ownedBy?: string;
      /** Filters that an import left unread, and that equal those of the dashboard. */
      readonly asDashboard?: readonly Pointer[] | undefined;
      /** Of what is adopted: the declared filters as Omni has them, be they its own or those of the dashboard. */
      readonly inEffect?: JsonObject | undefined;
      /** What its dashboard was called as it was applied: it was renamed, and `attributes` has what it is called now. */
      readonly formerly?: string;
      /** What Omni calls its dashboard by, however that is renamed; undefined where it was not read. */
      readonly entityId?: string | undefined;
      /** The reason why its fate is unknown, and what to do: nothing is sent or read about it. */
      readonly doubt?: string;
      /** When the service last changed it, ISO 8601 by the service's clock; undefined if it was not read. */
      readonly updatedAt?: string;
    };

/** Whether it was found, and something of it was read. */
export function isSeen(observed: ObservedResource | undefined): boolean {
  return observed?.found === true && observed.doubt === undefined;
}

/** Resources that were not observed are missing. */
export type Observed = ReadonlyMap<Address, ObservedResource>;

/** What every look says that has found none of the tracked schedules. */
export const foundNoneWords =
  'None of the tracked schedules was found in Omni. A token of another organization, or one that may not see them, gives the same picture.';

export interface Observation {
  readonly observed: Observed;
  /** By the id of what is on a dashboard that was renamed, what that was called as it was sent there. */
  readonly formerly: ReadonlyMap<string, string>;
  readonly findings: readonly Finding[];
  /** No tracked schedule was found: a token that may not see them gets the same answer. */
  readonly foundNone: boolean;
  /** All that the service has of the kinds whose lists were read. */
  readonly listed: ListedRows;
  /** The number of schedules of which only the row in the list was compared. */
  readonly detailsNotCompared: number;
  /** The number of schedules with details that hold a secret which nothing could be compared with. */
  readonly secretsNotCompared: number;
  /** The number of schedules with details whose filters could not be compared, or not all of them. */
  readonly filtersNotCompared: number;
  readonly filterSpellings: readonly FilterSpelling[];
  readonly ownFilters: OwnFilters;
  /** What the dashboards are made of that were asked for it. */
  readonly layouts: Layouts;
  /** The user groups of schedules whose recipients were read. */
  readonly members: ReadonlyMap<Address, readonly ReadGroup[]>;
  /** Declared names that mean no user group, or several; empty if nobody looked them up. */
  readonly unknownGroups: readonly Finding[];
}
