// The result of a look at Omni, for plans, reports and edits. The room observe knows how Omni is asked.

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
  /** The receiver as it is declared, or would be. */
  readonly text: string;
  readonly emails: readonly string[];
}

/** An id that all schedules of a dashboard spell differently from its filters. */
export interface FilterSpelling {
  readonly identifier: string;
  readonly id: string;
}

/** The own filters of the dashboards that were read, by the dashboard and then by the filter's id. */
export type OwnFilters = ReadonlyMap<string, JsonObject>;

export interface ReceiversOfSchedule {
  readonly groups: readonly RecordedGroup[];
  readonly emails: readonly string[];
  /** The groups with access to its dashboard, where they were asked for as well. */
  readonly access?: readonly Principal[] | undefined;
}

/**
 * A tracked resource as it was observed. Only what can be read back is here: a field that is not in `fields` says
 * nothing about what the service holds.
 */
export type ObservedResource =
  /** It is gone. */
  | { readonly found: false }
  | {
      readonly found: true;
      /** The fields that were read. One of them that `attributes` lacks is not set. */
      readonly fields: ReadonlySet<string>;
      /** The attributes in the form in which they are declared, with sealed secrets. */
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
      /** An adopted resource's declared filters as Omni has them, its own or those of the dashboard. */
      readonly inEffect?: JsonObject | undefined;
      /** The dashboard's identifier as it was applied, if it was renamed since; `attributes` has the present one. */
      readonly formerly?: string;
      /** Omni's permanent id for its dashboard, however that is renamed; undefined if it was not read. */
      readonly entityId?: string | undefined;
      /** The reason why its fate is unknown, and what to do: nothing is sent or read about it. */
      readonly doubt?: string;
      /** The time of the last change, ISO 8601 by the service's clock; undefined if it was not read. */
      readonly updatedAt?: string;
    };

/** True if it was found, and something of it was read. */
export function isSeen(observed: ObservedResource | undefined): boolean {
  return observed?.found === true && observed.doubt === undefined;
}

/** Resources that were not observed are missing. */
export type Observed = ReadonlyMap<Address, ObservedResource>;

/** The words of every look that has found none of the tracked schedules. */
export const foundNoneWords =
  'None of the tracked schedules was found in Omni. A token of another organization, or one that may not see them, gives the same picture.';

/** A dashboard, or a tile of it, that Omni no longer has, and a schedule that hangs on it. */
export interface GonePart {
  readonly address: Address;
  readonly identifier: string;
  /** The key of the tile that is delivered or watched; undefined if the dashboard is gone. */
  readonly tile?: string;
}

export interface Observation {
  readonly observed: Observed;
  /** The former identifiers of renamed dashboards, by the id of the resource on them that was sent under them. */
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
  /** The dashboards and tiles that Omni says are gone, of those that schedules show or watch. */
  readonly gone: readonly GonePart[];
  readonly filterSpellings: readonly FilterSpelling[];
  readonly ownFilters: OwnFilters;
  /** The tiles, filters and pages of the dashboards that were asked for them. */
  readonly layouts: Layouts;
  /** The user groups of schedules whose recipients were read. */
  readonly members: ReadonlyMap<Address, readonly ReadGroup[]>;
  /** Declared names that mean no user group, or several; empty if nobody looked them up. */
  readonly unknownGroups: readonly Finding[];
}

// The verdict on what Omni shows and a run could not read. What Omni never shows is a column of the table of fields.

/** Omni shows it, and this run could not read it. It never counts as right, and is never silent. */
export interface NotRead {
  readonly is: 'not-read';
  /** The code of the failure. */
  readonly code: string;
  /** The reason, as a sentence. */
  readonly message: string;
  /** True if Omni answered and refused, or answered nonsense; false if nothing answered. */
  readonly isRefused: boolean;
}
