// Reads the details behind the list, several at once: the filters of each dashboard, then two answers for each of its
// schedules, because the two are compared, and people may change the dashboard meanwhile. Each answer is stored as it arrives.
// If the service refuses a single resource the import continues; any other failure stops it.

import type { ProgressFile, Reporter } from '../../model/outside.ts';
import type { ListedSchedule } from '../../model/service/remote.ts';
import { groupBy } from '../../model/values/collections.ts';
import { countOf } from '../../model/values/words.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Api, CallOptions } from '../../omni/api.ts';
import { recipientsIn } from '../look-at-schedule.ts';
import { inParallel, refusesOne } from '../sending.ts';
import { type Service, secondsUntilSent } from '../service.ts';
import type { Answers } from './answers.ts';

type ScheduleAnswer = 'schedule' | 'recipients';

export interface DetailsToRead {
  readonly schedules: readonly ListedSchedule[];
  /** The answers that are wanted about each schedule, one request each. */
  readonly answers: readonly ScheduleAnswer[];
  /** The identifiers of dashboards whose filters are wanted. */
  readonly dashboards: readonly string[];
}

interface DetailsInput {
  readonly service: Service;
  readonly answers: Answers;
  /** Told of the requests and their time before the first one, and of each schedule and dashboard that is read. */
  readonly reporter: Reporter;
  /** Keeps what was read; undefined where nothing is kept. */
  readonly progress?: ProgressFile;
  readonly signal: AbortSignal | undefined;
}

/** The details that have not been read yet; the filters of a dashboard again, where a schedule on it is to be read. */
export function detailsLeft(wanted: DetailsToRead, known: Answers): DetailsToRead {
  const schedules = wanted.schedules.filter((row) => callsLeft(row, wanted.answers, known) > 0);
  const unread = schedules.filter(({ id }) => known.get('schedule', id) === undefined);
  const waiting = new Set(unread.map(({ identifier }) => identifier));
  const isRead = (id: string) => (known.get('filters', id) ?? known.get('refusal', id)) !== undefined;
  return { ...wanted, schedules, dashboards: wanted.dashboards.filter((id) => !isRead(id) || waiting.has(id)) };
}

export function requestsFor({ schedules, dashboards, answers }: DetailsToRead, known: Answers): number {
  return schedules.reduce((sum, row) => sum + callsLeft(row, answers, known), dashboards.length);
}

/** The details of an e-mail show who receives it, unless a user group does. */
function callsLeft({ id, destinationType }: ListedSchedule, wanted: readonly ScheduleAnswer[], known: Answers): number {
  if (known.get('refusal', id) !== undefined) return 0;
  const { length } = wanted.filter((of) => known.get(of, id) === undefined);
  return length === 2 && destinationType === 'email' ? 1 : length;
}

/**
 * Reads what is left of the details. Throws the first failure that concerns more than one resource, or Failure interrupted
 * after the signal: its hint says how to continue.
 */
export async function readDetails(detailsToRead: DetailsToRead, reading: DetailsInput): Promise<void> {
  const { service, answers, reporter, progress } = reading;
  const requests = requestsFor(detailsToRead, answers);
  const [schedules, dashboards] = [detailsToRead.schedules.length, detailsToRead.dashboards.length];
  const total = schedules + dashboards;
  const seconds = secondsUntilSent(requests, service);
  const of = [
    ...(schedules > 0 ? [countOf(schedules, 'schedule')] : []),
    ...(dashboards > 0 ? [`the filters of ${countOf(dashboards, 'dashboard')}`] : []),
  ].join(' and ');
  const what = dashboards > 0 ? 'schedules and dashboards' : 'schedules';
  reporter.emit({ type: 'to-read', of, requests, seconds });
  let done = 0;
  const onRead = (name: string) => {
    done += 1;
    reporter.emit({ type: 'read', done, total, what, name });
  };
  try {
    await readInParallel(detailsToRead, { ...reading, api: await service.api(), onRead });
  } catch (error) {
    const isKept = error instanceof Failure && progress !== undefined;
    throw isKept ? withResumeHint(error, done, total, progress.name) : error;
  }
}

interface ReadingPorts extends DetailsInput {
  readonly api: Api;
  readonly onRead: (name: string) => void;
}

async function readInParallel(
  { schedules, dashboards, answers: wanted }: DetailsToRead,
  reading: ReadingPorts,
): Promise<void> {
  const halted = new AbortController();
  const halt = () => halted.abort();
  reading.signal?.addEventListener('abort', halt);
  if (reading.signal?.aborted) halt();
  const options = { signal: halted.signal };
  const onDashboard = groupBy(schedules, ({ identifier }) => identifier);
  const jobs = [...new Set([...dashboards, ...onDashboard.keys()])].flatMap((id) => [
    ...(dashboards.includes(id) ? [() => readDashboard(id, reading, options)] : []),
    ...(onDashboard.get(id) ?? []).map((schedule) => () => readSchedule(schedule, wanted, reading, options)),
  ]);
  let failure: unknown;
  const attempt = async (job: () => Promise<void>) => {
    if (halted.signal.aborted) return;
    await job().catch((error: unknown) => {
      failure ??= error;
      halt();
    });
  };
  try {
    await inParallel(jobs, reading.service.concurrency, attempt);
  } finally {
    reading.signal?.removeEventListener('abort', halt);
  }
  if (reading.signal?.aborted) throw new Failure('interrupted', 'Interrupted while reading.');
  if (failure !== undefined) throw failure;
}

async function readDashboard(id: string, { api, answers, onRead }: ReadingPorts, options: CallOptions): Promise<void> {
  await keepingRefusal(id, answers, async () => answers.keep('filters', id, await api.getFilters(id, options)));
  onRead(id);
}

async function readSchedule(
  row: ListedSchedule,
  wanted: readonly ScheduleAnswer[],
  { api, answers, onRead }: ReadingPorts,
  options: CallOptions,
): Promise<void> {
  const { id, name } = row;
  await keepingRefusal(id, answers, async () => {
    const isMissing = (of: ScheduleAnswer) => wanted.includes(of) && answers.get(of, id) === undefined;
    const details = isMissing('schedule') ? await api.getSchedule(id, options) : undefined;
    if (details !== undefined) await answers.keep('schedule', id, details);
    if (!isMissing('recipients')) return;
    // A list that was read after the details proves nothing of them.
    const shown = details && recipientsIn(details, row);
    await answers.keep('recipients', id, shown ?? (await api.getRecipients(id, options)));
  });
  onRead(name);
}

async function keepingRefusal(id: string, answers: Answers, ask: () => Promise<void>): Promise<void> {
  try {
    await ask();
  } catch (error) {
    if (!refusesOne(error)) throw error;
    await answers.keep('refusal', id, error.message);
  }
}

/** The same failure, which also says how to continue. */
export function withResumeHint(error: Failure, done: number, total: number, file: string): Failure {
  const kept = `${file} keeps what was read, ${done} of ${total}: continue with --resume.`;
  return error.with({ hint: error.hint === undefined ? kept : `${error.hint}\n${kept}` });
}
