// What a report about somebody who leaves is made from: the document, and what only people are told.

import type { OffboardDocument, OwnedSchedule } from '../../model/people/offboard-document.ts';

export interface OffboardReport {
  readonly document: OffboardDocument;
  /** The successor. */
  readonly to: string | undefined;
  /** Undefined where Omni was not asked. */
  readonly owned: OwnedReport | undefined;
  /** Of the blocked, those that would have no recipient left. */
  readonly lastOnes: ReadonlySet<string>;
  /** Where the files name the person all the same. */
  readonly still: readonly ShownPlace[];
  readonly writes: boolean;
  /** Who was probably meant, where nothing names the address. */
  readonly meant: string | undefined;
}

export interface OwnedReport {
  readonly schedules: readonly (OwnedSchedule & { readonly instead?: string })[];
  /** Whether anybody in the organization has the address. */
  readonly isMember: boolean;
  /** A whole sentence: why nothing can be transferred to the successor. */
  readonly whyNoOwner: string | undefined;
  /** They are transferred now, so nobody has to be told how. */
  readonly applies: boolean;
}

export interface ShownPlace {
  readonly file: string;
  readonly line: number;
  readonly isComment: boolean;
}
