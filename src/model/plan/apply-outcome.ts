// The outcome of an apply: the document of `apply --format json` (schemas/apply.schema.json), and the events that a
// progress display follows.

import { aiJobRows } from '../service/remote.ts';
import type { Address } from '../values/address.ts';
import {
  count,
  countRows,
  described,
  formatVersion,
  instant,
  listOf,
  map,
  oneOf,
  orNull,
  record,
  type TypeOf,
  text,
} from '../values/schema.ts';
import type { Code } from '../workspace/codes.ts';
import { failureRows } from '../workspace/diagnostic.ts';
import { actionSchema } from './action.ts';
import type { Change } from './plan.ts';
import { orphanSchema } from './state.ts';

const endSchema = record({
  state: described(orNull(text), 'COMPLETE, FAILED or CANCELLED; null if its end was not observed.'),
  'resultSummary?': text,
  'error?': record({ 'code?': text, message: text }),
});
export type JobEnd = TypeOf<typeof endSchema>;

const resultStatuses = ['applied', 'failed', 'skipped', 'unknown'] as const;

const resultSchema = record({
  address: text,
  action: actionSchema,
  status: oneOf(...resultStatuses),
  'id?': text,
  'outputs?': map,
  // The number of requests, repeats included.
  requests: count,
  'error?': record(failureRows),
  // The end of the AI job that it ran, if the apply waited for it.
  'job?': endSchema,
});
export type ApplyResult = TypeOf<typeof resultSchema>;
export type ResultStatus = ApplyResult['status'];

export const notReadBackRows = described(
  listOf(
    record({
      address: text,
      id: text,
      since: described(instant, 'When the filters were sent.'),
      'other?': described(text, 'What Omni showed in their place; omitted if nothing has been read yet.'),
      message: text,
      hint: text,
    }),
  ),
  'Reports of which nobody has seen that Omni stores the filters that divide rows as they were sent.',
);
/** A report that was not read back as it was sent. */
export type NotReadBackRow = TypeOf<typeof notReadBackRows>[number];

export const applySchema = record({
  formatVersion,
  digest: text,
  results: listOf(resultSchema),
  'notReadBack?': notReadBackRows,
  orphans: listOf(orphanSchema),
  summary: record(countRows(resultStatuses)),
});
export type ApplyDocument = TypeOf<typeof applySchema>;

/** The place of an entry of moved, adopt or removed that took effect. */
export interface FinishedEntry {
  readonly section: string;
  readonly file: string;
  readonly line: number;
}

/** The requests of a run, and the seconds that the rate limit makes the remaining ones take. */
export interface RunCost {
  /** The number of all requests, including those of a refresh. */
  readonly requests: number;
  /** The number of requests that were sent before, to see what exists. */
  readonly sent: number;
  readonly seconds: number;
}

/** The events of a run, in order. */
export type ApplyEvent =
  /** Comes before the confirmation, if no plan is shown that says it. */
  | ({
      readonly type: 'expected';
      /** It is not known yet how many more there are. */
      readonly isLeast?: boolean;
    } & RunCost)
  /** Comes before details are read one by one. `of` names them in words. */
  | { readonly type: 'to-read'; readonly of: string; readonly requests: number; readonly seconds: number }
  /** One more of them, called `name`; `what` is the noun for all. */
  | {
      readonly type: 'read';
      readonly done: number;
      readonly total: number;
      readonly what: string;
      readonly name: string;
    }
  | { readonly type: 'started'; readonly changes: readonly Change[] }
  | { readonly type: 'change-started'; readonly change: Change }
  | { readonly type: 'change-ended'; readonly change: Change; readonly result: ApplyResult }
  /** Comes after all changes: AI jobs are followed until they end. */
  | { readonly type: 'following'; readonly jobs: number }
  | { readonly type: 'job-progress'; readonly address: Address; readonly state: string; readonly message?: string }
  | { readonly type: 'job-ended'; readonly address: Address; readonly end: JobEnd }
  | { readonly type: 'waiting'; readonly seconds: number; readonly why: string }
  /** Comes before anything is sent; `code` if it is a diagnostic. */
  | { readonly type: 'note'; readonly code?: Code; readonly message: string };

export const aiJobSchema = record({
  formatVersion,
  address: text,
  id: text,
  ...aiJobRows,
  // Only of `result`.
  'result?': described(map, 'As returned by the service.'),
});
/** The document that `almanac ai status|result|cancel --format json` prints (schemas/ai-job.schema.json). */
export type AiJobDocument = TypeOf<typeof aiJobSchema>;
