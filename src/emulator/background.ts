// The emulator's work between requests: jobs take their steps, and events and deliveries are posted. Timers trigger it;
// with a manual clock the test triggers it.

import { createHmac } from 'node:crypto';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { nextStepAt, runJobs } from './ai-jobs.ts';
import type { Quirks } from './faults.ts';
import { isThisMachine, parsedUrl } from './formats.ts';
import { renderDashboard } from './render-dashboard.ts';
import type { Delivery, JobEvent, Store } from './store.ts';

export interface BackgroundOptions extends Omit<OutboxOptions, 'onDone'> {
  /** The duration of a job in milliseconds; 6,000 by default. */
  readonly jobDurationMs?: number;
}

export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

interface Background {
  /** Checks whether something is due. Does nothing without timers. */
  poke(): void;
  /** Does everything that is due now, including follow-up work; resolves when it is done. */
  tick(): Promise<void>;
  close(): Promise<void>;
}

const defaultDurationMs = 6000;

/** Without `sleep` nothing happens by itself. */
export function makeBackground(store: Store, options: BackgroundOptions, sleep: Sleep | undefined): Background {
  const duration = options.jobDurationMs ?? defaultDurationMs;
  const outbox = makeOutbox(store, { ...options, onDone: poke });
  let timer: AbortController | undefined;
  let closed = false;

  function runDue(): boolean {
    const ran = runJobs(store, duration);
    return outbox.sendDue() || ran;
  }

  function poke(): void {
    if (sleep === undefined || closed) return;
    runDue();
    arm(sleep);
  }

  function arm(wait: Sleep): void {
    timer?.abort();
    timer = undefined;
    const due = [nextStepAt(store, duration), outbox.nextAt()].filter((at) => at !== undefined);
    if (due.length === 0) return;
    const mine = new AbortController();
    timer = mine;
    void wait(Math.max(0, Math.min(...due) - store.now()), mine.signal).then(() => {
      if (!mine.signal.aborted) poke();
    });
  }

  return {
    poke,
    tick: async () => {
      while (runDue()) await outbox.settled();
      await outbox.settled();
    },
    close: async () => {
      closed = true;
      timer?.abort();
      await outbox.close();
    },
  };
}

/** Does not keep the process alive. */
export const sleepByTimer: Sleep = (milliseconds, signal) =>
  wait(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);

/** A request to a webhook. */
type WebhookPost = Pick<JobEvent, 'url' | 'attempts' | 'dueAt' | 'withheld'>;

interface OutboxOptions extends Quirks {
  /** Pauses before the second attempt, the third and so on. */
  readonly retryMs?: readonly number[];
  /** True to post to other hosts than this machine, too. */
  readonly postAnywhere?: boolean;
  /** Called when an attempt has ended. */
  readonly onDone: () => void;
}

interface Outbox {
  /** Starts everything that is due; true if there was something. */
  sendDue(): boolean;
  /** The time of the next posting in epoch milliseconds; undefined if nothing waits. */
  nextAt(): number | undefined;
  /** Resolves when nothing is being sent. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

const defaultRetryMs = [1000, 5000, 30_000, 120_000];

interface WebhookAttempt {
  readonly posting: WebhookPost;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** Pauses before further attempts. */
  readonly retryMs: readonly number[];
}

/**
 * Posts events and deliveries, and records their attempts. The events of a job are sent one at a time, in order: a progress
 * event is tried once, a terminal event several times with growing pauses, signed again each time. A delivery to a webhook is
 * tried once.
 */
function makeOutbox(store: Store, options: OutboxOptions): Outbox {
  const underWay = new Map<WebhookPost, Promise<void>>();
  const closing = new AbortController();

  /** The next event of each job and every delivery that wait and are not being sent. */
  function waiting(): (JobEvent | (Delivery & WebhookPost))[] {
    const firsts = new Map<string, JobEvent>();
    for (const event of store.data.events ?? []) {
      if (event.dueAt !== undefined && !firsts.has(event.jobId)) firsts.set(event.jobId, event);
    }
    const deliveries = store.data.deliveries.filter(
      (delivery): delivery is Delivery & WebhookPost => delivery.dueAt !== undefined,
    );
    return [...firsts.values(), ...deliveries].filter((posting) => !underWay.has(posting));
  }

  async function send(sending: WebhookAttempt): Promise<void> {
    const { posting, retryMs: pauses } = sending;
    const at = store.time();
    const { status, error } = await post(sending, closing.signal);
    if (closing.signal.aborted) return;
    posting.attempts.push({ at, status, error });
    const isTaken = status !== null && status >= 200 && status < 300;
    const pause = isTaken ? undefined : pauses[posting.attempts.length - 1];
    if (pause === undefined) delete posting.dueAt;
    else posting.dueAt = new Date(store.now() + pause).toISOString();
    store.save();
  }

  function begin(posting: JobEvent | (Delivery & WebhookPost)): void {
    const why = whyWithheld(posting, store, options.postAnywhere ?? false);
    if (why !== undefined) {
      posting.withheld = why;
      delete posting.dueAt;
      store.save();
      return;
    }
    const sending = 'jobId' in posting ? attemptOfEvent(posting, store, options) : attemptOf(posting, store, options);
    const done = send(sending).finally(() => {
      underWay.delete(posting);
      if (!closing.signal.aborted) options.onDone();
    });
    underWay.set(posting, done);
  }

  return {
    sendDue: () => {
      const due = waiting().filter(({ dueAt = '' }) => Date.parse(dueAt) <= store.now());
      for (const posting of due) begin(posting);
      return due.length > 0;
    },
    nextAt: () => {
      const times = waiting().map(({ dueAt = '' }) => Date.parse(dueAt));
      return times.length === 0 ? undefined : Math.min(...times);
    },
    settled: async () => {
      await Promise.all(underWay.values());
    },
    close: async () => {
      closing.abort();
      await Promise.all(underWay.values());
    },
  };
}

function attemptOfEvent(event: JobEvent, store: Store, options: OutboxOptions): WebhookAttempt {
  const { retryMs = defaultRetryMs, signatureEncoding = 'hex' } = options;
  const secret = store.signingSecrets.get(event.jobId);
  const signed = secret === undefined ? {} : signatureOf(event.body, secret, store.now(), signatureEncoding);
  return {
    posting: event,
    headers: { 'Content-Type': 'application/json', ...signed },
    body: event.body,
    retryMs: event.kind === 'progress' ? [] : retryMs,
  };
}

function attemptOf(delivery: Delivery & WebhookPost, store: Store, options: OutboxOptions): WebhookAttempt {
  const link = `${store.data.organization.url}/dashboards/${delivery.identifier}`;
  const linked = { type: 'application/json', bytes: JSON.stringify({ url: link }) };
  const made = renderDashboard({ ...delivery, tile: delivery.queryIdentifierMapKey }, store, options);
  const { type, bytes: body } = made ?? linked;
  const named = made && { 'X-Filename': encodeURIComponent(`${delivery.name}.${made.extension}`) };
  return { posting: delivery, headers: { 'Content-Type': type, ...named }, body, retryMs: [] };
}

function whyWithheld(
  posting: JobEvent | (Delivery & WebhookPost),
  store: Store,
  postAnywhere: boolean,
): string | undefined {
  if (!postAnywhere && !isThisMachine(parsedUrl(posting.url)?.hostname)) return 'It would leave this machine.';
  if (!('jobId' in posting) || store.signingSecrets.has(posting.jobId)) return undefined;
  const job = store.data.jobs.find(({ id }) => id === posting.jobId);
  return job?.hasSigningSecret ? 'The signing secret was lost when the emulator stopped.' : undefined;
}

function signatureOf(
  body: string,
  secret: string,
  now: number,
  encoding: 'hex' | 'base64',
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(now / 1000));
  const digest = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest(encoding);
  return { 'X-Omni-Signature-Timestamp': timestamp, 'X-Omni-Signature': `sha256=${digest}` };
}

const timeoutMs = 10_000;

/**
 * Sends one POST to a webhook: follows no redirect, and reads only the status of the answer. Resolves to the status, or to
 * the reason why there is none. Never throws.
 */
function post(
  { posting: { url }, headers, body }: WebhookAttempt,
  signal: AbortSignal,
): Promise<{ status: number | null; error?: string }> {
  return new Promise((resolve) => {
    const send = url.toLowerCase().startsWith('https:') ? requestHttps : requestHttp;
    const bytes = Buffer.from(body);
    const fail = (error: Error): void => resolve({ status: null, error: error.message || 'no connection' });
    try {
      const request = send(url, {
        method: 'POST',
        agent: false,
        signal,
        timeout: timeoutMs,
        headers: { 'User-Agent': 'almanac-emulator', ...headers, 'Content-Length': bytes.length },
      });
      request.on('timeout', () => request.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)));
      request.on('error', fail);
      request.on('response', (response) => {
        response.resume();
        response.on('error', fail);
        resolve({ status: response.statusCode ?? null });
      });
      request.end(bytes);
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)));
    }
  });
}
