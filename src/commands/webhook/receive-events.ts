// What a listener does with each request: refuses requests that are not events of the service, recognises repeats,
// forwards events, and only then confirms them. After a failure the sender sends the event again.

import { createHash } from 'node:crypto';
import type { Clock, ForwardRequest, ReceivedRequest, Reply } from '../../model/outside.ts';
import { isOwnHost, type OwnHosts } from '../../webhook/own-host.ts';
import { makeSeenEvents } from '../../webhook/seen-events.ts';
import { timestampHeader, verifyWebhook, type WebhookRefusal } from '../../webhook/verify-webhook.ts';
import { readEvent, type WebhookEvent } from '../../webhook/webhook-event.ts';

/** Bytes. */
export const largestEvent = 1_000_000;

/** What happened, in order. */
export type ListenEvent =
  | { readonly type: 'event'; readonly event: WebhookEvent; readonly verified: boolean; readonly at: number }
  | { readonly type: 'repeated'; readonly event: WebhookEvent; readonly at: number }
  | {
      readonly type: 'refused';
      readonly reason: WebhookRefusal | 'foreign-host' | 'too-large' | 'not-a-post';
      readonly message: string;
      readonly at: number;
    }
  | { readonly type: 'not-forwarded'; readonly event: WebhookEvent; readonly message: string; readonly at: number };

export interface ReceiveOptions {
  /** Undefined: signatures are not checked. */
  readonly secret: string | undefined;
  /** Seconds. */
  readonly tolerance: number;
  /** Only requests for these are answered. */
  readonly hosts: OwnHosts;
  readonly clock: Clock;
  readonly forward: { readonly url: string; readonly send: ForwardRequest } | undefined;
  readonly emit: (event: ListenEvent) => void;
}

type Whole = ReceivedRequest & { readonly body: Uint8Array };

export function receiveEvents(options: ReceiveOptions): (request: ReceivedRequest) => Promise<Reply> {
  const { clock, emit, forward } = options;
  const reported = makeSeenEvents();
  const confirmed = makeSeenEvents();
  const underWay = new Map<string, Promise<Reply>>();

  async function handle(key: string, event: WebhookEvent, verified: boolean, request: Whole): Promise<Reply> {
    if (!reported.has(key)) emit({ type: 'event', event, verified, at: clock.now() });
    reported.add(key);
    if (forward !== undefined) {
      const answer = await forward.send(forward.url, request);
      const problem = 'problem' in answer ? answer.problem : refusalOf(answer.status);
      if (problem !== undefined) {
        emit({ type: 'not-forwarded', event, message: problem, at: clock.now() });
        return { status: 502, body: { error: 'not-forwarded' } };
      }
    }
    confirmed.add(key);
    return { status: 200, body: { received: true } };
  }

  return async (request) => {
    const at = clock.now();
    const checked = check(request, options, at);
    if ('reply' in checked) {
      emit({ type: 'refused', reason: checked.reason, message: checked.message, at });
      return checked.reply;
    }
    const { event, whole, verified } = checked;
    const key = event.id ?? digestOf(whole);
    if (confirmed.has(key)) {
      emit({ type: 'repeated', event, at });
      return { status: 200, body: { received: true, repeated: true } };
    }
    const pending = underWay.get(key);
    if (pending !== undefined) return pending;
    const reply = handle(key, event, verified, whole).finally(() => underWay.delete(key));
    underWay.set(key, reply);
    return reply;
  };
}

type Checked =
  | { readonly event: WebhookEvent; readonly whole: Whole; readonly verified: boolean }
  | {
      readonly reply: Reply;
      readonly reason: Extract<ListenEvent, { type: 'refused' }>['reason'];
      readonly message: string;
    };

function check(request: ReceivedRequest, { secret, tolerance, hosts }: ReceiveOptions, now: number): Checked {
  const { method, headers, body } = request;
  const { host } = headers;
  if (!isOwnHost(typeof host === 'string' ? host : undefined, hosts)) return refuseForeign(String(host ?? ''));
  if (method !== 'POST') return refuse(405, 'not-a-post', `A ${method.slice(0, 20)} is not an event.`);
  if (body === undefined) return refuse(413, 'too-large', `A body of more than ${largestEvent} bytes is not an event.`);
  const whole = { ...request, body };
  if (secret === undefined) {
    const event = readEvent(body);
    return event === undefined
      ? refuse(400, 'bad-body', 'The body is not a JSON object.')
      : { event, whole, verified: false };
  }
  const verdict = verifyWebhook(body, headers, secret, { now, tolerance });
  if (verdict.ok) return { event: verdict.event, whole, verified: true };
  return refuse(verdict.reason === 'bad-body' ? 400 : 401, verdict.reason, verdict.message);
}

/** The sender chose the name, so no more of it is repeated than a name can have. */
function refuseForeign(host: string): Checked {
  const message = `The request is addressed to another host: "${host.slice(0, 253)}". If that is your tunnel or proxy, start the listener with --public-host and its name.`;
  return refuse(421, 'foreign-host', message);
}

function refuse(status: number, reason: Extract<Checked, { reason: unknown }>['reason'], message: string): Checked {
  const headers = status === 405 ? { Allow: 'POST' } : undefined;
  return { reply: { status, headers, body: { error: reason } }, reason, message };
}

function refusalOf(status: number): string | undefined {
  return status >= 200 && status < 300 ? undefined : `It was answered with ${status}.`;
}

/** The key of an event without an id: the same bytes, signed at the same time, are the same event. */
function digestOf({ headers, body }: Whole): string {
  return createHash('sha256').update(`${headers[timestampHeader]}.`).update(body).digest('hex');
}
