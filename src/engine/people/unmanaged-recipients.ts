// Who receives the schedules that Almanac does not manage: the list, and then one request for each schedule. What was
// read is kept in a file, so that nothing is asked twice after an interruption. Changes nothing in Omni.

import type { RecipientKind } from '../../model/people/who-document.ts';
import type { State } from '../../model/plan/state.ts';
import type { ListedSchedule } from '../../model/service/remote.ts';
import type { ProgressFile } from '../../ports/progress-file.ts';
import type { ImportReporter } from '../../ports/reporter.ts';
import type { Loaded } from '../load/load.ts';
import type { Service } from '../service/service.ts';

export interface UnmanagedRequest {
  /** Of a workspace without errors. What its `ignore` matches is left out. */
  readonly loaded: Loaded;
  readonly state: State | undefined;
  readonly service: Service;
  /** Keeps what was read; removed once everything is read. */
  readonly progress: ProgressFile;
  /** Continues what did not finish. Without it, and without `force`, a file that is there is refused. */
  readonly resume: boolean;
  /** Starts over. */
  readonly force: boolean;
  /** The most schedules that are asked in this run; undefined for all. */
  readonly limit: number | undefined;
  /** No request is sent for the others. */
  readonly mayReceive: (row: ListedSchedule) => boolean;
  /** Told of the requests and their time before the first one, and of each schedule that is read. */
  readonly reporter: ImportReporter;
  readonly signal: AbortSignal | undefined;
}

export interface UnmanagedRecipients {
  /** All schedules of the organization, managed or not. */
  readonly listed: readonly ListedSchedule[];
  /** Those that were read, by name and id. */
  readonly schedules: readonly UnmanagedSchedule[];
  /** How many are left for another run with `resume`: beyond the limit. */
  readonly left: number;
  /** Those whose recipients the service does not tell, with its words. */
  readonly refused: readonly { readonly row: ListedSchedule; readonly reason: string }[];
}

export interface UnmanagedSchedule {
  readonly row: ListedSchedule;
  /** Each once, for each of its reasons. */
  readonly receivers: readonly UnmanagedReceiver[];
}

export interface UnmanagedReceiver {
  /** E-mail addresses and hosts are in lower case. */
  readonly recipient: string;
  readonly kind: RecipientKind;
  /** The user group that they belong to; undefined where the schedule names them. */
  readonly group?: string;
  /** Omni knows nothing but the address; undefined where it does not say. */
  readonly emailOnly?: boolean;
}

/**
 * Throws Failure usage with operations core, refused for a file that is in the way, interrupted after the signal, and
 * what the api throws. After the first answer, the hint of each says how to continue.
 */
export async function readUnmanaged(request: UnmanagedRequest): Promise<UnmanagedRecipients> {
  throw new Error(`not read yet: ${request.progress.name}`);
}
