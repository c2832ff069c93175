// What an import did: the document that `import --format json` prints (schemas/import.schema.json), and the events that
// a progress display follows.

import type { Address } from '../values/address.ts';

/** A schedule by the service's id and name. */
export interface NamedSchedule {
  readonly id: string;
  readonly name: string;
  /** The dashboard's short identifier. */
  readonly identifier: string;
}

export interface ImportedSchedule extends NamedSchedule {
  readonly address: Address;
}

export interface SkippedSchedule extends NamedSchedule {
  /** Why no declaration can hold it, as a sentence. */
  readonly reason: string;
}

/** An environment variable that the written files refer to. */
export interface ImportedVariable {
  readonly name: string;
  /** Of a URL, Omni shows the secret. */
  readonly kind: 'password' | 'url';
  /** What it holds, in words and without the secret. */
  readonly holds: string;
  /** The schedules that refer to it. */
  readonly schedules: readonly Address[];
}

export interface ImportDocument {
  readonly formatVersion: 1;
  /** What was written, with how many resources each file declares. */
  readonly files: readonly { readonly path: string; readonly resources: number }[];
  /** The schema for editors, where it was written because the workspace had none. */
  readonly schema?: string;
  readonly imported: readonly ImportedSchedule[];
  readonly skipped: readonly SkippedSchedule[];
  /** What must be set where `almanac apply` runs. */
  readonly variables: readonly ImportedVariable[];
  /** Schedules that the state tracks already, or that an adopt entry names. */
  readonly tracked: number;
  /** Requests sent, repeats included. */
  readonly requests: number;
}

/** What happens during an import, in order. */
export type ImportEvent =
  /** Before the details are read: the remaining requests, and the seconds that they take under the rate limit. */
  | {
      readonly type: 'expected';
      readonly requests: number;
      readonly seconds: number;
      readonly schedules: number;
      readonly dashboards: number;
    }
  /** The details of one more schedule or dashboard, called `name`, are read. */
  | { readonly type: 'read'; readonly done: number; readonly total: number; readonly name: string }
  /** All that cannot be declared. */
  | { readonly type: 'skipped'; readonly schedules: readonly SkippedSchedule[] }
  | { readonly type: 'waiting'; readonly seconds: number; readonly why: string }
  | { readonly type: 'note'; readonly message: string }
  /** Notes of one kind. */
  | { readonly type: 'notes'; readonly messages: readonly string[] };
