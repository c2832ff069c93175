// What an apply did: the document that `apply --format json` prints (schemas/apply.schema.json), and the events that
// a progress display follows.

import type { RemoteAiJob } from '../service/remote.ts';
import type { Address } from '../values/address.ts';
import type { JsonObject } from '../values/json.ts';
import type { Code } from '../workspace/codes.ts';
import type { Action } from './action.ts';
import type { Change } from './plan.ts';
import type { Orphan } from './state.ts';

export type ResultStatus = 'applied' | 'failed' | 'skipped' | 'unknown';

export interface ApplyResult {
  readonly address: Address;
  readonly action: Action;
  readonly status: ResultStatus;
  readonly id?: string;
  readonly outputs?: JsonObject;
  /** Requests sent for it, repeats included. */
  readonly requests: number;
  readonly error?: { readonly code: string; readonly message: string; readonly hint?: string };
  /** How the AI job that it ran ended, if the apply waited for it. */
  readonly job?: JobEnd;
}

export interface JobEnd {
  /** COMPLETE, FAILED, CANCELLED; null if its end was not observed. */
  readonly state: string | null;
  readonly resultSummary?: string;
  readonly error?: { readonly code?: string; readonly message: string };
}

export interface ApplyDocument {
  readonly formatVersion: 1;
  readonly digest: string;
  readonly results: readonly ApplyResult[];
  readonly orphans: readonly Orphan[];
  readonly summary: Readonly<Record<ResultStatus, number>>;
}

/** The place of an entry of moved, adopt or removed that took effect. */
export interface FinishedEntry {
  readonly section: string;
  readonly file: string;
  readonly line: number;
}

/** The requests of a run, and the seconds that the rate limit makes the remaining ones take. */
export interface RunCost {
  /** In all, those of a refresh included. */
  readonly requests: number;
  /** How many of them were sent before, to see what exists. */
  readonly sent: number;
  readonly seconds: number;
}

/** What happens during an apply, in order. */
export type ApplyEvent =
  /** Before the confirmation, where no plan is shown that says it. */
  | ({
      readonly type: 'expected';
      /** Nobody knows yet how many more there are. */
      readonly isLeast?: boolean;
    } & RunCost)
  | { readonly type: 'started'; readonly changes: readonly Change[] }
  | { readonly type: 'change-started'; readonly change: Change }
  | { readonly type: 'change-ended'; readonly change: Change; readonly result: ApplyResult }
  /** After all changes: AI jobs are followed until they end. */
  | { readonly type: 'following'; readonly jobs: number }
  | { readonly type: 'job-progress'; readonly address: Address; readonly state: string; readonly message?: string }
  | { readonly type: 'job-ended'; readonly address: Address; readonly end: JobEnd }
  | { readonly type: 'waiting'; readonly seconds: number; readonly why: string }
  /** Before anything is sent; `code` if it is a diagnostic. */
  | { readonly type: 'note'; readonly code?: Code; readonly message: string };

/** What `almanac ai status|result|cancel --format json` print (schemas/ai-job.schema.json). */
export interface AiJobDocument extends RemoteAiJob {
  readonly formatVersion: 1;
  readonly address: Address;
  readonly id: string;
  /** As the service answers it; of `result` alone. */
  readonly result?: JsonObject;
}
