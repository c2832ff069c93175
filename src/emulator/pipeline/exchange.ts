// One request on its way through the pipeline, and the type of a pipeline step.

import type { IncomingMessage } from 'node:http';
import type { Store, StoredSchedule, Token } from '../store/store.ts';
import type { Answer } from './answer.ts';
import type { Fault } from './fault.ts';
import type { Quirks } from './quirks.ts';

/** The input of an operation, after the steps that all operations share. */
export interface Call {
  readonly store: Store;
  readonly quirks: Quirks;
  readonly caller: Token;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly runs: ScheduleRuns;
}

/** What schedules do by themselves. */
export interface ScheduleRuns {
  /** Carries out what was due by now. Call it before schedules are read, and before they are changed. */
  catchUp(schedules: readonly StoredSchedule[]): void;
  /** A run that begins now, in addition. */
  begin(schedule: StoredSchedule): void;
  isRunning(schedule: StoredSchedule): boolean;
}

export interface Operation {
  readonly method: 'GET' | 'PATCH' | 'POST' | 'PUT' | 'DELETE';
  /** Relative to `/api`; a segment in braces is a parameter. */
  readonly path: string;
  readonly hasBody: boolean;
  answer(call: Call): Answer;
}

export interface Exchange {
  readonly request: IncomingMessage;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  caller?: Token;
  route?: { readonly operation: Operation; readonly params: Readonly<Record<string, string>> };
  body?: unknown;
  /** The fault that strikes this request. */
  fault?: Fault;
}

/** Ends the request with an answer or a Rejection, or returns undefined to pass it on. */
export type Step = (exchange: Exchange) => Answer | undefined | Promise<Answer | undefined>;

export function openExchange(request: IncomingMessage): Exchange {
  // Split by hand: the URL parser would read a path that begins with two slashes as a host.
  const target = request.url ?? '/';
  const mark = target.indexOf('?');
  return {
    request,
    method: request.method ?? 'GET',
    path: mark < 0 ? target : target.slice(0, mark),
    query: new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1)),
  };
}
