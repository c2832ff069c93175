// What `almanac offboard EMAIL --format json` prints: what leaves with a person, and what is edited so that they can.

import type { Address } from '../values/address.ts';
import type { DeliveryVia } from './who-document.ts';

export const offboardFormatVersion = 1;

export interface OffboardDocument {
  readonly formatVersion: typeof offboardFormatVersion;
  /** In lower case. */
  readonly email: string;
  /** Managed ones first, by address. Empty where Omni was not asked. */
  readonly owns: readonly OwnedSchedule[];
  /** One for each schedule: by address, and then those that are untracked, by name. */
  readonly receives: readonly Received[];
  /** By file and line. Proven, and with --write made. */
  readonly edits: readonly OffboardEdit[];
  /** What cannot be edited, by address. */
  readonly blocked: readonly BlockedAddress[];
  /** With --apply: what became of each schedule that was to be transferred. */
  readonly transfers?: readonly Transferred[];
}

export interface OwnedSchedule {
  readonly address?: Address;
  readonly id: string;
  readonly name?: string;
  readonly identifier?: string;
  readonly managed: boolean;
}

/** `skipped`: not sent. `unknown`: the answer was lost, and the list could not be read. */
export const transferStatuses = ['transferred', 'failed', 'unknown', 'skipped'] as const;

export interface Transferred extends Pick<OwnedSchedule, 'address' | 'id' | 'name'> {
  readonly status: (typeof transferStatuses)[number];
  readonly message?: string;
  readonly hint?: string;
}

/** What is untracked has an id, and neither an address nor a place. */
export interface Received {
  readonly address?: Address;
  readonly id?: string;
  readonly name?: string;
  readonly identifier?: string;
  readonly managed: boolean;
  readonly via: DeliveryVia;
  readonly file?: string;
  readonly line?: number;
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
