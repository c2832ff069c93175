// Reads the details behind the list, several at once: the filters of each dashboard, and two answers per schedule. Each
// answer is stored as it arrives. If the service refuses a single resource the import continues; any other failure
// stops it.

import type { ListedSchedule } from '../../../model/service/remote.ts';
import { Failure, statusOf } from '../../../model/workspace/failure.ts';
import type { Api, CallOptions } from '../../../service/api.ts';
import { inParallel } from '../../../service/sending.ts';
import type { Answers } from './answers.ts';

export type ScheduleAnswer = 'schedule' | 'recipients';

export interface DetailsToRead {
  readonly schedules: readonly ListedSchedule[];
  /** What is asked of each schedule, one request each. */
  readonly answers: readonly ScheduleAnswer[];
  /** The identifiers of dashboards whose filters are wanted. */
  readonly dashboards: readonly string[];
}

export interface Reading {
  readonly api: Pick<Api, 'getSchedule' | 'getRecipients' | 'getFilters'>;
  readonly answers: Answers;
  readonly concurrency: number;
  /** Called after each schedule and each dashboard. */
  readonly onRead: (name: string) => void;
  readonly signal: AbortSignal | undefined;
}

/** The details that have not been read yet. */
export function detailsLeft(wanted: DetailsToRead, known: Answers): DetailsToRead {
  return {
    ...wanted,
    schedules: wanted.schedules.filter(({ id }) => callsLeft(id, wanted.answers, known) > 0),
    dashboards: wanted.dashboards.filter((id) => (known.get('filters', id) ?? known.get('refusal', id)) === undefined),
  };
}

export function requestsFor({ schedules, dashboards, answers }: DetailsToRead, known: Answers): number {
  return schedules.reduce((sum, { id }) => sum + callsLeft(id, answers, known), dashboards.length);
}

function callsLeft(id: string, wanted: readonly ScheduleAnswer[], known: Answers): number {
  if (known.get('refusal', id) !== undefined) return 0;
  return wanted.filter((of) => known.get(of, id) === undefined).length;
}

/** Throws the first failure that concerns more than one resource, or Failure interrupted after the signal. */
export async function readDetails(
  { schedules, dashboards, answers: wanted }: DetailsToRead,
  reading: Reading,
): Promise<void> {
  const halted = new AbortController();
  const halt = () => halted.abort();
  reading.signal?.addEventListener('abort', halt);
  if (reading.signal?.aborted) halt();
  const options = { signal: halted.signal };
  const jobs = [
    ...dashboards.map((id) => () => readDashboard(id, reading, options)),
    ...schedules.map((schedule) => () => readSchedule(schedule, wanted, reading, options)),
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
  wanted: readonly ScheduleAnswer[],
  { api, answers, onRead }: Reading,
  options: CallOptions,
): Promise<void> {
  await unlessRefused(id, answers, async () => {
    const isMissing = (of: ScheduleAnswer) => wanted.includes(of) && answers.get(of, id) === undefined;
    if (isMissing('schedule')) await answers.keep('schedule', id, await api.getSchedule(id, options));
    if (isMissing('recipients')) await answers.keep('recipients', id, await api.getRecipients(id, options));
  });
  onRead(name);
}

async function unlessRefused(id: string, answers: Answers, ask: () => Promise<void>): Promise<void> {
  try {
    await ask();
  } catch (error) {
    if (!(error instanceof Failure) || !concernsOneResource(statusOf(error))) throw error;
    await answers.keep('refusal', id, error.message);
  }
}

/** Whether a refusal concerns one resource and says nothing about other requests. */
function concernsOneResource(status: number | undefined): boolean {
  return status === 400 || status === 403 || status === 404 || status === 410;
}

/** The same failure, which also says how to continue. */
export function withResumeHint(error: Failure, done: number, total: number, file: string): Failure {
  const kept = `${file} keeps what was read, ${done} of ${total}: continue with --resume.`;
  const { code, message, hint, addresses, findings, source, cause } = error;
  return new Failure(code, message, {
    hint: hint === undefined ? kept : `${hint}\n${kept}`,
    addresses,
    source,
    findings,
    cause,
  });
}
