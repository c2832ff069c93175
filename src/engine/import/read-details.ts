// The requests behind the list: the filters of each dashboard, and two for each schedule. Several at once; each answer
// is kept as it comes. What the service refuses of one schedule is no reason to stop; anything else is.

import type { ListedSchedule } from '../../model/service/remote.ts';
import { statusOf } from '../../model/service/service-error.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Api, CallOptions } from '../../ports/api.ts';
import { inParallel } from '../service/in-parallel.ts';
import type { Answers } from './answers.ts';

export interface DetailsToRead {
  readonly schedules: readonly ListedSchedule[];
  /** The identifiers of dashboards whose filters are wanted. */
  readonly dashboards: readonly string[];
}

export interface Reading {
  readonly api: Api;
  readonly answers: Answers;
  readonly concurrency: number;
  /** Told after each schedule and each dashboard. */
  readonly onRead: (name: string) => void;
  readonly signal: AbortSignal | undefined;
}

/** What is not read yet. */
export function detailsLeft({ schedules, dashboards }: DetailsToRead, answers: Answers): DetailsToRead {
  return {
    schedules: schedules.filter(({ id }) => callsLeft(id, answers) > 0),
    dashboards: dashboards.filter((id) => (answers.get('filters', id) ?? answers.get('refusal', id)) === undefined),
  };
}

export function requestsFor({ schedules, dashboards }: DetailsToRead, answers: Answers): number {
  return schedules.reduce((sum, { id }) => sum + callsLeft(id, answers), dashboards.length);
}

function callsLeft(id: string, answers: Answers): number {
  if (answers.get('refusal', id) !== undefined) return 0;
  return (['schedule', 'recipients'] as const).filter((of) => answers.get(of, id) === undefined).length;
}

/** Throws the first failure that is not of one schedule alone; Failure interrupted where the signal came. */
export async function readDetails({ schedules, dashboards }: DetailsToRead, reading: Reading): Promise<void> {
  const halted = new AbortController();
  const halt = () => halted.abort();
  reading.signal?.addEventListener('abort', halt);
  if (reading.signal?.aborted) halt();
  const options = { signal: halted.signal };
  const jobs = [
    ...dashboards.map((id) => () => readDashboard(id, reading, options)),
    ...schedules.map((schedule) => () => readSchedule(schedule, reading, options)),
  ];
  let failure: unknown;
  const attempt = async (job: () => Promise<void>) => {
    if (halted.signal.aborted) return;
    await job().catch((error: unknown) => {
      failure ??= error;
      halt();
    });
  };
  try {
    await inParallel(jobs, reading.concurrency, attempt);
  } finally {
    reading.signal?.removeEventListener('abort', halt);
  }
  if (reading.signal?.aborted) throw new Failure('interrupted', 'Interrupted while reading.');
  if (failure !== undefined) throw failure;
}

async function readDashboard(id: string, { api, answers, onRead }: Reading, options: CallOptions): Promise<void> {
  await unlessRefused(id, answers, async () => answers.keep('filters', id, await api.getFilters(id, options)));
  onRead(id);
}

async function readSchedule(
  { id, name }: ListedSchedule,
  { api, answers, onRead }: Reading,
  options: CallOptions,
): Promise<void> {
  await unlessRefused(id, answers, async () => {
    if (answers.get('schedule', id) === undefined)
      await answers.keep('schedule', id, await api.getSchedule(id, options));
    if (answers.get('recipients', id) === undefined)
      await answers.keep('recipients', id, await api.getRecipients(id, options));
  });
  onRead(name);
}

async function unlessRefused(id: string, answers: Answers, ask: () => Promise<void>): Promise<void> {
  try {
    await ask();
  } catch (error) {
    if (!(error instanceof Failure) || !isOfOne(statusOf(error))) throw error;
    await answers.keep('refusal', id, error.message);
  }
}

/** A refusal that says nothing about other requests. */
function isOfOne(status: number | undefined): boolean {
  return status === 400 || status === 403 || status === 404 || status === 410;
}
