// What `almanac offboard EMAIL --format json` prints: what leaves with a person, and what is edited so that they can.

import type { Address } from '../values/address.ts';
import type { Delivery } from './who-document.ts';

export const offboardFormatVersion = 1;

export interface OffboardDocument {
  readonly formatVersion: typeof offboardFormatVersion;
  /** In lower case. */
  readonly email: string;
  /** Who takes over. */
  readonly to?: string;
  readonly owns: readonly OwnedSchedule[];
  /** One for each schedule, by address. */
  readonly receives: readonly Received[];
  /** By file and line. Proven, and with --write made. */
  readonly edits: readonly OffboardEdit[];
  /** What cannot be edited, by address. */
  readonly blocked: readonly BlockedAddress[];
}

export interface OwnedSchedule {
  readonly address?: Address;
  readonly id: string;
  readonly name?: string;
  readonly identifier?: string;
  readonly managed: boolean;
}

export interface Received extends Pick<Delivery, 'id' | 'name' | 'identifier' | 'managed' | 'via' | 'line'> {
  readonly address: Address;
  readonly file: string;
}

export interface OffboardEdit {
  readonly file: string;
  readonly line?: number;
  /** A JSON pointer inside the document; in a CSV file the row from 0 and the column. */
  readonly path: string;
  /** As written. */
  readonly before: string;
  /** Null where it is removed. */
  readonly after: string | null;
}

export interface BlockedAddress {
  /** Of a resource; `audiences.NAME` or `environments.NAME` where no resource is concerned. */
  readonly address: string;
  /** In full sentences. */
  readonly reason: string;
}
