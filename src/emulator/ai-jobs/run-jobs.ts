// Moves a job through its states by the clock: each step is due at a fixed part of the whole duration. Steps add
// events, and the outbox sends them.

import type { Store, StoredJob } from '../store/store.ts';
import { addEvent } from '../webhooks/job-event.ts';

const way = [
  { part: 0.1, state: 'EXECUTING', message: 'Looking for fields that answer the question' },
  { part: 0.4, state: 'EXECUTING', message: 'A query returned 2 rows' },
  { part: 0.7, state: 'EXECUTING', message: 'Writing the summary' },
  { part: 0.9, state: 'DELIVERING' },
  { part: 1, state: 'COMPLETE' },
] as const;

/** The result of every query in the emulator. */
export const rows = ['Europe,678994', 'Americas,475072'];

/** A prompt that contains this text fails. */
const failing = '[emulator: fail]';

export function hasEnded({ status }: StoredJob): boolean {
  return status === 'COMPLETE' || status === 'FAILED' || status === 'CANCELLED';
}

export function endCancelled(job: StoredJob, instant: string): void {
  job.status = 'CANCELLED';
  job.cancelledAt = instant;
  job.updatedAt = instant;
}

/** Runs every step that is due; true if there was one. */
export function runJobs(store: Store, durationMs: number): boolean {
  let ran = false;
  for (const job of store.data.jobs) {
    for (let due = dueAt(job, durationMs); due !== undefined && due <= store.now(); due = dueAt(job, durationMs)) {
      takeStep(job, store, due);
      ran = true;
    }
  }
  if (ran) store.save();
  return ran;
}

/** Epoch milliseconds; undefined if no job has a step left. */
export function nextStepAt({ data }: Store, durationMs: number): number | undefined {
  const due = data.jobs.flatMap((job) => dueAt(job, durationMs) ?? []);
  return due.length === 0 ? undefined : Math.min(...due);
}

function dueAt(job: StoredJob, durationMs: number): number | undefined {
  const step = way[job.step ?? 0];
  if (hasEnded(job) || step === undefined) return undefined;
  return Date.parse(job.createdAt) + step.part * durationMs;
}

function takeStep(job: StoredJob, store: Store, at: number): void {
  const done = job.step ?? 0;
  const step = way[done];
  if (step === undefined) return;
  job.step = done + 1;
  const instant = new Date(at).toISOString();
  job.updatedAt = instant;
  if (job.cancelRequested) {
    endCancelled(job, instant);
    return;
  }
  const fails = step.state === 'DELIVERING' && String(job.fields['prompt']).includes(failing);
  job.status = fails ? 'FAILED' : step.state;
  if (step.state === 'EXECUTING') {
    job.executionStartedAt ??= instant;
    job.progress = { iteration: done + 1, message: step.message, updatedAt: instant };
    addEvent(job, store, 'progress');
  } else if (fails) {
    job.completedAt = instant;
    job.error = {
      code: 'QUERY_GENERATION_FAILED',
      message: 'No query could be made of the prompt',
      detail: `The prompt holds ${failing}`,
    };
    addEvent(job, store, 'job.failed');
  } else if (step.state === 'COMPLETE') {
    job.completedAt = instant;
    job.resultSummary = summaryOf(job);
    addEvent(job, store, 'job.complete');
  }
}

function summaryOf({ fields }: StoredJob): string {
  const [line = ''] = String(fields['prompt']).trim().split('\n');
  const question = line.length > 40 ? `${line.slice(0, 40).trimEnd()}…` : line;
  const found = rows.map((row, index) => `${index + 1}. ${row.replace(',', ': ')}`);
  return [`The emulator's answer to: ${question}`, '', ...found].join('\n');
}
