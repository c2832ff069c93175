// What a look at Omni has seen: the value that plans, reports and edits take from it. How it is asked for, the room observe says.

import type { ListedRow, ListedSchedule, Observed } from '../service/remote.ts';
import type { Address, Kind } from '../values/address.ts';
import type { Finding } from '../workspace/diagnostic.ts';

/** Rows of the lists that were read, by kind; without a kind whose lists nobody read. */
export interface Listed extends Readonly<Partial<Record<Kind, readonly ListedRow[]>>> {
  readonly schedule?: readonly ListedSchedule[];
}

/** A user group that receives something. */
export interface ReadGroup {
  /** As it is declared, or would be. */
  readonly text: string;
  readonly emails: readonly string[];
}

/** An id that reads otherwise in all schedules of a dashboard than in its filters. */
export interface FilterSpelling {
  readonly identifier: string;
  readonly id: string;
}

export interface Observation {
  readonly observed: Observed;
  readonly findings: readonly Finding[];
  /** No tracked schedule was found: a token that may not see them gets the same answer. */
  readonly foundNone: boolean;
  /** All that the service has of the kinds whose lists were read. */
  readonly listed: Listed;
  /** The schedules of which only the row in the list was compared. */
  readonly detailsNotCompared: number;
  /** The schedules whose details were read and hold a secret that nothing could be compared with. */
  readonly secretsNotCompared: number;
  /** The schedules whose details were read, and whose filters could not be compared, or not all of them. */
  readonly filtersNotCompared: number;
  readonly filterSpellings: readonly FilterSpelling[];
  /** The user groups of schedules whose recipients were read. */
  readonly members: ReadonlyMap<Address, readonly ReadGroup[]>;
  /** Declared names that mean no user group, or several; none where nobody looked them up. */
  readonly unknownGroups: readonly Finding[];
}
