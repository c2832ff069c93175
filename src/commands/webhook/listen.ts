// `almanac webhook listen`: receives the events of AI jobs until it is interrupted.

import { createHash } from 'node:crypto';
import type { Clock, ReceivedRequest, Reply } from '../../model/outside.ts';
import { parseUrl } from '../../model/values/urls.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { safeText } from '../../report/text/terminal-text.ts';
import { readEvent, type WebhookEvent } from '../../webhook/read-event.ts';
import { timestampHeader, verifyWebhook, type WebhookRefusal } from '../../webhook/verify-webhook.ts';
import type { Run } from '../base/run.ts';
import { aborted } from '../base/world.ts';
import { missingSecret, renderJsonLine, webhookEventLines, webhookSecret } from './verify.ts';
import type { WebhookListenOptions } from './webhook-command.ts';

export async function webhookListen(run: Run, options: WebhookListenOptions): Promise<number> {
  const { secretEnv, tolerance, port, host } = options;
  const secret = webhookSecret(run, secretEnv);
  if (secret === undefined && !options.insecure) {
    throw missingSecret(
      secretEnv,
      'Set it to the webhookSigningSecret of the jobs, name another variable with --secret-env, or accept events from anyone with --insecure.',
    );
  }
  const receiver = await run.openReceiver({
    port,
    host,
    largestBody: largestEvent,
    onRequest: receiveEvents({
      hosts: hostsOf(options),
      secret,
      tolerance,
      clock: run.clock,
      print: printerOf(run, options),
      report: (message) => warn(run, message),
      isQuiet: options.quiet === true,
    }),
  });
  run.stdout.data(renderJsonLine({ url: receiver.url }));
  if (secret === undefined) warn(run, 'Events are not verified: anyone who reaches this address can send them.');
  const { closed } = run.stdout;
  await Promise.race([aborted(run.signal), ...(closed === undefined ? [] : [aborted(closed)])]);
  await receiver.close();
  if (!closed?.aborted) return 0;
  // Otherwise events that nobody sees would be answered as accepted.
  warn(run, 'The output was closed, so no more events are accepted.');
  return 1;
}

function hostsOf({ host, publicHost: publicHosts = [] }: WebhookListenOptions): OwnHosts {
  const wrong = publicHosts.find((name) => hostName(name) === undefined);
  if (wrong === undefined) return { host, publicHosts };
  throw new Failure('usage', `--public-host must be a host name, and "${wrong}" is not one.`, {
    hint: 'Give the name without https:// and without a path, such as events.example.com.',
  });
}

function printerOf(run: Run, options: WebhookListenOptions): ReceiveOptions['print'] {
  const page = run.page();
  return (event, verified, at) => {
    if (options.format === 'json') {
      const { id, kind, jobId, status, payload } = event;
      const receivedAt = new Date(at).toISOString();
      run.stdout.data(renderJsonLine({ receivedAt, verified, id, kind, jobId, status, event: payload }));
    } else run.stdout.write(`${webhookEventLines(page, event, at, verified).join('\n')}\n`);
  };
}

function warn(run: Run, message: string): void {
  const { theme } = run.page(run.stderr);
  run.stderr.write(`${theme.warning('warning')}: ${safeText(message)}\n`);
}

// Judges each request that a listener receives, and prints each event once.

/** In bytes. */
const largestEvent = 1_000_000;

interface ReceiveOptions {
  /** Undefined if signatures are not checked. */
  readonly secret: string | undefined;
  /** In seconds. */
  readonly tolerance: number;
  /** The hosts whose requests are answered. */
  readonly hosts: OwnHosts;
  readonly clock: Clock;
  /** Called once for each event. */
  readonly print: (event: WebhookEvent, verified: boolean, at: number) => void;
  readonly report: (message: string) => void;
  /** True if repeats are not reported. */
  readonly isQuiet: boolean;
}

function receiveEvents(options: ReceiveOptions): (request: ReceivedRequest) => Promise<Reply> {
  const { clock, print, report } = options;
  const received = new Set<string>();
  return async (request) => {
    const checked = check(request, options, clock.now());
    if ('reply' in checked) {
      report(checked.why);
      return checked.reply;
    }
    const { event, body, verified } = checked;
    const key = event.id ?? digestOf(request, body);
    if (received.has(key)) {
      if (!options.isQuiet) report(`Received again and ignored: ${event.id ?? 'an event'}`);
      return { status: 200, body: { received: true, repeated: true } };
    }
    print(event, verified, clock.now());
    remember(received, key);
    return { status: 200, body: { received: true } };
  };
}

type Checked =
  | { readonly event: WebhookEvent; readonly body: Uint8Array; readonly verified: boolean }
  | { readonly reply: Reply; readonly why: string };

function check(request: ReceivedRequest, { secret, tolerance, hosts }: ReceiveOptions, now: number): Checked {
  const { method, headers, body } = request;
  const { host } = headers;
  if (!isOwnHost(typeof host === 'string' ? host : undefined, hosts)) return refuseForeign(String(host ?? ''));
  if (method !== 'POST') return refuse(405, 'not-a-post', `A ${method.slice(0, 20)} is not an event.`);
  if (body === undefined) return refuse(413, 'too-large', `A body of more than ${largestEvent} bytes is not an event.`);
  if (secret === undefined) {
    const event = readEvent(body);
    return event === undefined
      ? refuse(400, 'bad-body', 'The body is not a JSON object.')
      : { event, body, verified: false };
  }
  const verdict = verifyWebhook(body, headers, secret, { now, tolerance });
  if (verdict.ok) return { event: verdict.event, body, verified: true };
  return refuse(verdict.reason === 'bad-body' ? 400 : 401, verdict.reason, verdict.message);
}

/** The sender chose the name, so no more of it is repeated than a name can have. */
function refuseForeign(host: string): Checked {
  const message = `The request is addressed to another host: "${host.slice(0, 253)}". If that is your tunnel or proxy, start the listener with --public-host and its name.`;
  return refuse(421, 'foreign-host', message);
}

type Refusal = WebhookRefusal | 'foreign-host' | 'too-large' | 'not-a-post';

function refuse(status: number, reason: Refusal, message: string): Checked {
  const headers = status === 405 ? { Allow: 'POST' } : undefined;
  return { reply: { status, headers, body: { error: reason } }, why: `Refused (${reason}): ${message}` };
}

/** The key of an event without an id: the same bytes, signed at the same time, are the same event. */
function digestOf({ headers }: ReceivedRequest, body: Uint8Array): string {
  return createHash('sha256').update(`${headers[timestampHeader]}.`).update(body).digest('hex');
}

const maxRemembered = 10_000;

/** Forgets the oldest ones. @internal */
export function remember(keys: Set<string>, key: string, most = maxRemembered): void {
  keys.add(key);
  const [oldest] = keys;
  if (keys.size > most && oldest !== undefined) keys.delete(oldest);
}

interface OwnHosts {
  /** The address that is listened on. */
  readonly host: string;
  /** The names under which a tunnel or a proxy passes requests on. */
  readonly publicHosts: readonly string[];
}

const everyAddress = ['0.0.0.0', '::'];

/**
 * True if a request is addressed to this listener. A page in a browser can make its own host name lead here (DNS
 * rebinding), but the header Host then names that page's host. `header` is the request's `Host`, with or without a
 * port. @internal
 */
export function isOwnHost(header: string | undefined, { host, publicHosts }: OwnHosts): boolean {
  const name = hostName(header);
  if (name === undefined) return false;
  // A name can be made to lead anywhere; an address is the one to which the sender connected.
  if (isLoopback(name) || (everyAddress.includes(host) && isAddress(name))) return true;
  return [host.includes(':') ? `[${host}]` : host, ...publicHosts].some((own) => hostName(own) === name);
}

/** In lower case, without a port; undefined if the text names no host. */
function hostName(text = ''): string | undefined {
  if (!/^[^\s/?#@\\]+$/.test(text)) return undefined;
  return parseUrl(`http://${text}`)?.hostname.replace(/\.$/, '');
}

function isLoopback(name: string): boolean {
  return /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(name);
}

function isAddress(name: string): boolean {
  return /^(?:\[.*\]|\d+\.\d+\.\d+\.\d+)$/.test(name);
}
