// Reads the details behind the list, several at once: the filters of each dashboard, then two answers for each of its
// schedules, because the two are compared, and people may change the dashboard meanwhile. Each answer is stored as it arrives.
// If the service refuses a single resource the import continues; any other failure stops it.

import type { ProgressFile } from '../../../model/outside.ts';
import { mostOnAPage } from '../../../model/service/documents.ts';
import type { ListedSchedule, RemoteFilters, RemoteRecipients, RemoteSchedule } from '../../../model/service/remote.ts';
import { groupBy } from '../../../model/values/group-by.ts';
import { define, isJsonObject, type Json, type JsonObject } from '../../../model/values/json.ts';
import { record, type TypeOf, text } from '../../../model/values/schema.ts';
import { Failure, statusOf } from '../../../model/workspace/failure.ts';
import type { Api, CallOptions } from '../../../service/api.ts';
import { concernsOneResource, inParallel } from '../../../service/sending.ts';
import { type Service, secondsUntilSent } from '../../../service/service.ts';
import type { ImportReporter } from '../import-document.ts';
import type { Answers } from './answers.ts';

type ScheduleAnswer = 'schedule' | 'recipients';

export interface DetailsToRead {
  readonly schedules: readonly ListedSchedule[];
  /** What is asked of each schedule, one request each. */
  readonly answers: readonly ScheduleAnswer[];
  /** The identifiers of dashboards whose filters are wanted. */
  readonly dashboards: readonly string[];
}

interface Reading {
  readonly service: Service;
  readonly answers: Answers;
  /** Told of the requests and their time before the first one, and of each schedule and dashboard that is read. */
  readonly reporter: ImportReporter;
  /** Keeps what was read. */
  readonly progress: ProgressFile;
  readonly signal: AbortSignal | undefined;
}

/** The details that have not been read yet; the filters of a dashboard again, where a schedule on it is to be read. */
export function detailsLeft(wanted: DetailsToRead, known: Answers): DetailsToRead {
  const schedules = wanted.schedules.filter(({ id }) => callsLeft(id, wanted.answers, known) > 0);
  const unread = schedules.filter(({ id }) => known.get('schedule', id) === undefined);
  const waiting = new Set(unread.map(({ identifier }) => identifier));
  const isRead = (id: string) => (known.get('filters', id) ?? known.get('refusal', id)) !== undefined;
  return { ...wanted, schedules, dashboards: wanted.dashboards.filter((id) => !isRead(id) || waiting.has(id)) };
}

export function requestsFor({ schedules, dashboards, answers }: DetailsToRead, known: Answers): number {
  return schedules.reduce((sum, { id }) => sum + callsLeft(id, answers, known), dashboards.length);
}

function callsLeft(id: string, wanted: readonly ScheduleAnswer[], known: Answers): number {
  if (known.get('refusal', id) !== undefined) return 0;
  return wanted.filter((of) => known.get(of, id) === undefined).length;
}

/**
 * Reads what is left of the details. Throws the first failure that concerns more than one resource, or Failure interrupted
 * after the signal: its hint says how to continue.
 */
export async function readDetails(left: DetailsToRead, reading: Reading): Promise<void> {
  const { service, answers, reporter, progress } = reading;
  const requests = requestsFor(left, answers);
  const [schedules, dashboards] = [left.schedules.length, left.dashboards.length];
  const total = schedules + dashboards;
  const seconds = secondsUntilSent(requests, service);
  reporter.emit({ type: 'expected', requests, seconds, schedules, dashboards });
  let done = 0;
  const onRead = (name: string) => {
    done += 1;
    reporter.emit({ type: 'read', done, total, name });
  };
  try {
    await readInParallel(left, { ...reading, api: await service.api(), onRead });
  } catch (error) {
    throw error instanceof Failure ? withResumeHint(error, done, total, progress.name) : error;
  }
}

interface Asking extends Reading {
  readonly api: Api;
  readonly onRead: (name: string) => void;
}

async function readInParallel(
  { schedules, dashboards, answers: wanted }: DetailsToRead,
  reading: Asking,
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

async function readDashboard(id: string, { api, answers, onRead }: Asking, options: CallOptions): Promise<void> {
  await keepingRefusal(id, answers, async () => answers.keep('filters', id, await api.getFilters(id, options)));
  onRead(id);
}

async function readSchedule(
  { id, name }: ListedSchedule,
  wanted: readonly ScheduleAnswer[],
  { api, answers, onRead }: Asking,
  options: CallOptions,
): Promise<void> {
  await keepingRefusal(id, answers, async () => {
    const isMissing = (of: ScheduleAnswer) => wanted.includes(of) && answers.get(of, id) === undefined;
    if (isMissing('schedule')) await answers.keep('schedule', id, await api.getSchedule(id, options));
    if (isMissing('recipients')) await answers.keep('recipients', id, await api.getRecipients(id, options));
  });
  onRead(name);
}

async function keepingRefusal(id: string, answers: Answers, ask: () => Promise<void>): Promise<void> {
  try {
    await ask();
  } catch (error) {
    if (!(error instanceof Failure) || !concernsOneResource(statusOf(error))) throw error;
    await answers.keep('refusal', id, error.message);
  }
}

/** The same failure, which also says how to continue. */
export function withResumeHint(error: Failure, done: number, total: number, file: string): Failure {
  const kept = `${file} keeps what was read, ${done} of ${total}: continue with --resume.`;
  return error.with({ hint: error.hint === undefined ? kept : `${error.hint}\n${kept}` });
}

// Collects what the service knows about a schedule from three answers, under the field names of a declaration.

/** Everything that was read about one schedule. */
export interface ReadSchedule {
  readonly listed: ListedSchedule;
  readonly schedule: RemoteSchedule;
  readonly recipients: RemoteRecipients;
  /** The current filters of its dashboard; undefined if they cannot be read. */
  readonly filters: RemoteFilters | undefined;
}

/** The fields that the service returned. A null or an empty text counts as not set. */
export function knownFields({ listed, schedule, recipients }: ReadSchedule): JsonObject {
  const known: Record<string, Json> = {};
  const add = (fields: Readonly<Record<string, Json | undefined>>) => {
    for (const [name, value] of Object.entries(fields))
      if (value !== undefined && value !== null && value !== '') define(known, name, value);
  };
  const [destination] = schedule.destinations;
  add(schedule.metadata);
  add(destination?.metadata ?? {});
  add(recipients.settings);
  add({
    identifier: listed.identifier,
    name: schedule.name,
    schedule: schedule.schedule || listed.schedule,
    timezone: schedule.timezone || listed.timezone,
    format: destination?.format || listed.format,
    destinationType: destinationOf({ listed, schedule, recipients }),
    recipients: recipientsOf(recipients),
    slackRecipientType: (recipients.slackRecipientType ?? listed.slackRecipientType)?.toLowerCase(),
    fanOut: schedule.fanOut,
    killJobsOnFailure: schedule.killJobsOnFailure,
    conditionType: schedule.conditionType ?? listed.conditionType,
    conditionQueryMapKey: schedule.conditionQueryMapKey,
    filterConfig: schedule.filterConfig,
    paused: schedule.paused,
    testNow: false,
  });
  return known;
}

/** The destination type from the list, or else from the details. */
export function destinationOf({ listed, schedule, recipients }: Omit<ReadSchedule, 'filters'>): string {
  return listed.destinationType || schedule.destinations[0]?.type || recipients.type;
}

/** A Slack channel is a single id; all other recipients are a list. */
function recipientsOf({ emails, slackIds, slackRecipientType }: RemoteRecipients): Json | undefined {
  const ids = emails ?? slackIds;
  if (ids === undefined || ids.length === 0) return undefined;
  return emails === undefined && slackRecipientType?.toLowerCase() !== 'users' && ids.length === 1
    ? (ids[0] as string)
    : ids;
}

/** Whether the answers contain any setting of the destination, or any option of the format. */
export function isDescribed(part: 'destination' | 'options', { schedule, recipients }: ReadSchedule): boolean {
  if (part === 'options') return Object.keys(schedule.metadata).length > 0;
  const { type: _, ...rest } = schedule.destinations[0]?.metadata ?? {};
  return Object.keys(rest).length + Object.keys(recipients.settings).length > 0;
}

const suspicious = /pass(?:word|phrase)|secret|token|credential|private.?key/i;

/** Removes everything that may be a secret: the documentation does not say whether the service returns secrets. */
export function withoutSecrets<T extends RemoteSchedule | RemoteRecipients>(answer: T): T {
  if ('settings' in answer) return { ...answer, settings: stripped(answer.settings) };
  const destinations = answer.destinations.map((each) => ({ ...each, metadata: stripped(each.metadata) }));
  return { ...answer, metadata: stripped(answer.metadata), destinations };
}

function stripped(given: JsonObject): JsonObject {
  const kept: Record<string, Json> = {};
  for (const [name, value] of Object.entries(given))
    if (!suspicious.test(name)) define(kept, name, isJsonObject(value) ? stripped(value) : value);
  return kept;
}

/**
 * What Omni says about dashboards beside their schedules: the folder, the owner and the name. One request for a hundred
 * documents. An import works without: then the files stand in one folder.
 */
export const knownDashboardSchema = record({
  identifier: text,
  name: text,
  // The path of its folder, with `/`.
  'folder?': text,
  // The name of its owner.
  'owner?': text,
});
export type KnownDashboard = TypeOf<typeof knownDashboardSchema>;

/** Empty, with a note, where the token may not list documents. */
export async function listDashboards(
  service: Service,
  onNote: (message: string) => void,
): Promise<readonly KnownDashboard[]> {
  const everything = {
    include: [],
    labels: [],
    pageSize: mostOnAPage,
    sortField: 'name',
    sortDirection: 'asc',
  } as const;
  try {
    const { documents } = await (await service.api()).listDocuments(everything, service.call);
    return documents.map(({ identifier, name, folder, owner }) => ({
      identifier,
      name,
      folder: folder?.path,
      owner: owner?.name || undefined,
    }));
  } catch (error) {
    if (!(error instanceof Failure) || ![400, 403, 404].includes(statusOf(error) ?? 0)) throw error;
    onNote(`The folders and owners of dashboards are not known, so all files are in one folder. ${error.message}`);
    return [];
  }
}
