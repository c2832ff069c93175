// AI jobs: created, run, read and cancelled, with the events that are posted meanwhile.

import { type Answer, Rejection } from './answers.ts';
import {
  aBoolean,
  aNonEmptyString,
  anId,
  aString,
  aStringUpTo,
  checkFields,
  isUuid,
  needed,
  readQuery,
} from './checks.ts';
import { anHttpUrl } from './formats.ts';
import { requireModel } from './models.ts';
import { type Operation, type OperationInput, readActingMember, sameId } from './requests.ts';
import {
  anEmulatedObject,
  type EmulatedObject,
  type JobEvent,
  type Store,
  type StoredJob,
  type Token,
} from './store.ts';

/** Finds the job that a path names. Everyone with a token of the organization may read it. */
function findJob(call: OperationInput): StoredJob {
  readQuery(call.query, {});
  const { store, id } = call;
  if (!isUuid(id)) throw new Rejection(400, 'Bad Request: jobId: Invalid uuid');
  const job = store.data.jobs.find((known) => sameId(known.id, id));
  if (job === undefined) throw new Rejection(404, `AI job with id ${id} does not exist`);
  return job;
}

function chatUrl({ conversationId }: Pick<StoredJob, 'conversationId'>, { data }: Store): string {
  return `${data.organization.url}/chat/${conversationId}`;
}

const prefix = 'Bad Request: ';

const fields = {
  modelId: needed(anId),
  prompt: needed(aNonEmptyString),
  conversationId: { check: anId },
  branchId: { check: anId },
  topicName: { check: aStringUpTo(256) },
  progressWebhookEnabled: { check: aBoolean },
  webhookUrl: { check: anHttpUrl },
  webhookSigningSecret: { check: aString },
  webhookMetadata: { check: anEmulatedObject },
} as const;

/** POST /v1/ai/jobs: queues a job, which `runJobs` then runs. A conversation has at most one unfinished job. */
export function createAiJob(call: OperationInput): Answer {
  const { store } = call;
  const ownerId = readActingMember(call, anId, prefix);
  const { webhookSigningSecret, ...job } = checkFields(call.body, fields, prefix);
  if (job.progressWebhookEnabled === true && job.webhookUrl === undefined) {
    throw new Rejection(400, `${prefix}webhookUrl: Required when progressWebhookEnabled is true`);
  }
  requireModel(job, store);
  const conversationId = job.conversationId?.toLowerCase();
  if (conversationId !== undefined) checkConversation(conversationId, store);
  const stored = {
    id: store.newId(),
    conversationId: conversationId ?? store.newId(),
    status: 'QUEUED' as const,
    ownerId,
    createdAt: store.time(),
    hasSigningSecret: webhookSigningSecret !== undefined,
    fields: job,
  };
  store.data.jobs.push(stored);
  if (webhookSigningSecret !== undefined) store.signingSecrets.set(stored.id, webhookSigningSecret);
  store.save();
  const { id: jobId, conversationId: conversation } = stored;
  return { status: 201, body: { jobId, conversationId: conversation, omniChatUrl: chatUrl(stored, store) } };
}

function checkConversation(id: string, store: Store): void {
  const jobs = store.data.jobs.filter((job) => job.conversationId === id);
  if (jobs.length === 0) throw new Rejection(404, `Conversation with id ${id} does not exist`);
  if (jobs.some((job) => !hasEnded(job))) {
    throw new Rejection(409, `Conversation ${id} already has an active job`);
  }
}

/**
 * GET /v1/ai/jobs/{jobId}: the status of a job. It includes the progress while the job executes, and the summary once
 * it is complete.
 */
function getAiJob(call: OperationInput): Answer {
  const { store } = call;
  const job = findJob(call);
  const given = (name: string): EmulatedObject[string] => job.fields[name] ?? null;
  return {
    status: 200,
    body: {
      id: job.id,
      state: job.status,
      prompt: given('prompt'),
      conversationId: job.conversationId,
      modelId: given('modelId'),
      branchId: given('branchId'),
      organizationId: store.data.organization.id,
      // A job of the organization has its id as the user, like a schedule as its owner.
      userId: job.ownerId ?? store.data.organization.id,
      topicName: given('topicName'),
      omniChatUrl: chatUrl(job, store),
      createdAt: job.createdAt,
      updatedAt: job.updatedAt ?? job.createdAt,
      ...(job.status === 'EXECUTING' && { progress: job.progress }),
      executionStartedAt: job.executionStartedAt,
      ...(job.status === 'FAILED' && { error: job.error, completedAt: job.completedAt }),
      ...(job.status === 'COMPLETE' && { resultSummary: job.resultSummary, completedAt: job.completedAt }),
      ...(job.status === 'CANCELLED' && { cancelledAt: job.cancelledAt, cancelledBy: job.cancelledBy }),
    },
  };
}

const keptMs = 14 * 86_400_000;

/** GET .../result: the result of a complete job, available for fourteen days. */
function getAiJobResult(call: OperationInput): Answer {
  const { store } = call;
  const job = findJob(call);
  if (job.status !== 'COMPLETE') throw new Rejection(404, `AI job ${job.id} has no result: it is ${job.status}`);
  const completedAt = job.completedAt ?? job.createdAt;
  if (Date.parse(completedAt) + keptMs <= store.now()) {
    throw new Rejection(404, `The result of AI job ${job.id} is no longer kept`);
  }
  const resultSummary = job.resultSummary ?? '';
  return {
    status: 200,
    body: {
      actions: [
        {
          type: 'generate_query',
          message: 'A query by region answers this.',
          timestamp: completedAt,
          result: {
            queryName: 'Sales by region',
            status: 'success',
            query: {},
            csvResult: ['Region,Sales', ...rows].join('\n'),
            csvResultWasTruncated: false,
            hasResults: true,
            totalRowCount: rows.length,
          },
        },
      ],
      message: resultSummary,
      resultSummary,
      topic: job.fields['topicName'] ?? 'order_items',
      omniChatUrl: chatUrl(job, store),
    },
  };
}

/**
 * POST .../cancel: ends a queued job at once, and an executing job after its current iteration. Repeatable: for a job
 * that has ended it only returns the state.
 */
function cancelAiJob(call: OperationInput): Answer {
  const { store } = call;
  const job = findJob(call);
  refuseOtherMembers(job, call.caller);
  if (job.status === 'DELIVERING') {
    throw new Rejection(409, `AI job ${job.id} delivers its result and can no longer be cancelled`);
  }
  if (!hasEnded(job))
    job.cancelledBy = call.caller.kind === 'personal' ? call.caller.memberId : store.data.organization.id;
  if (job.status === 'QUEUED') endCancelled(job, store.time());
  else if (job.status === 'EXECUTING') job.cancelRequested = true;
  store.save();
  return { status: 200, body: { jobId: job.id, state: job.status } };
}

/** Members may read the jobs of others, but not end them. */
function refuseOtherMembers({ ownerId }: StoredJob, caller: Token): void {
  if (caller.kind !== 'personal' || ownerId === caller.memberId) return;
  throw new Rejection(403, 'Permission denied: must be job owner or organization admin');
}

const way = [
  { part: 0.1, state: 'EXECUTING', message: 'Looking for fields that answer the question' },
  { part: 0.4, state: 'EXECUTING', message: 'A query returned 2 rows' },
  { part: 0.7, state: 'EXECUTING', message: 'Writing the summary' },
  { part: 0.9, state: 'DELIVERING' },
  { part: 1, state: 'COMPLETE' },
] as const;

/** The result of every query in the emulator. */
const rows = ['Europe,678994', 'Americas,475072'];

/** A prompt that contains this text fails. */
const failing = '[emulator: fail]';

function hasEnded({ status }: StoredJob): boolean {
  return status === 'COMPLETE' || status === 'FAILED' || status === 'CANCELLED';
}

function endCancelled(job: StoredJob, instant: string): void {
  job.status = 'CANCELLED';
  job.cancelledAt = instant;
  job.updatedAt = instant;
}

/**
 * Moves a job through its states by the clock: each step is due at a fixed part of the whole duration. Steps add events,
 * and the outbox sends them. Runs every step that is due; true if there was one.
 */
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

/**
 * Adds an event of a job as it is posted, unless the job does not want events of this kind. The payload of terminal
 * events is documented. That of progress events is not, so it contains the status in the same frame.
 */
function addEvent(job: StoredJob, store: Store, kind: JobEvent['kind']): void {
  const { webhookUrl, progressWebhookEnabled } = job.fields;
  if (typeof webhookUrl !== 'string') return;
  if (kind === 'progress' && progressWebhookEnabled !== true) return;
  const at = job.updatedAt ?? job.createdAt;
  const id = eventIdOf(job, kind, at);
  const body = JSON.stringify({ event_id: id, ...payloadOf(job, kind) });
  store.data.events ??= [];
  store.data.events.push({ id, jobId: job.id, kind, at, body, url: webhookUrl, attempts: [], dueAt: at });
}

function eventIdOf({ id, status, progress }: StoredJob, kind: JobEvent['kind'], at: string): string {
  const tail = kind === 'progress' ? `PROGRESS_${progress?.iteration ?? 0}` : status;
  return `evt_${id}_${tail}_${Math.floor(Date.parse(at) / 1000)}`;
}

function payloadOf(job: StoredJob, kind: JobEvent['kind']): object {
  const metadata = job.fields['webhookMetadata'] ?? null;
  const { id: jobId, status } = job;
  if (kind === 'progress') return { jobId, status, progress: job.progress, metadata };
  return {
    jobId,
    status,
    result_summary: job.resultSummary ?? null,
    error: job.error,
    metadata,
    completed_at: job.completedAt,
  };
}

/** The operations on an AI job that exists. The one that creates it belongs to the documented minimum. */
const job = '/v1/ai/jobs/{jobId}';

export const aiJobOperations: readonly Operation[] = [
  { method: 'GET', path: job, answer: getAiJob },
  { method: 'GET', path: `${job}/result`, answer: getAiJobResult },
  { method: 'POST', path: `${job}/cancel`, answer: cancelAiJob },
];
