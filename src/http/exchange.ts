// One request over undici and its whole answer: once, without redirects or repeats, within a time and a size. A body that is
// a file goes to a sink as it comes, and may take as long as it keeps coming. Without an answer it says whether the request
// reached an open connection: one that certainly did not may be repeated whatever its method. With it the connections that a
// run opens, direct or through a proxy, and how words that are not ours may be shown.

import { stripVTControlCharacters } from 'node:util';
import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import type { Variables } from '../model/outside.ts';
import type { Mask } from '../model/values/secret.ts';
import { decodeLeniently, parseUrl } from '../model/values/urls.ts';
import { oneLine } from '../model/values/words.ts';
import { Failure } from '../model/workspace/failure.ts';

export type Method = 'GET' | 'PUT' | 'DELETE' | 'PATCH' | 'POST';

export interface HttpRequest {
  readonly method: Method;
  readonly origin: string;
  /** The path with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string | undefined;
}

/**
 * Takes a body piece by piece, so that none of it is held. It has taken a piece when it returns: undici 7 fails an assertion,
 * outside of any promise, where a connection ends while its parser is paused.
 */
export interface BodySink {
  /** Forgets what it has, before a body begins. */
  restart(): void;
  write(piece: Uint8Array): void;
}

interface Limits {
  readonly timeoutMs: number;
  readonly mostBytes: number;
  /** Ends it at once, or after `graceMs`: an answer that is on its way would have to be asked for again. */
  readonly signal?: AbortSignal | undefined;
  readonly graceMs?: number | undefined;
  /** Asked as the head is written. */
  readonly maySend?: (() => boolean) | undefined;
  /** Takes the body of a 200, of any size. `timeoutMs` is then how long nothing of it may come. */
  readonly sink?: BodySink | undefined;
}

export interface Answer {
  readonly type: 'answer';
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly bytes: Uint8Array;
  /** `whole` if the bytes are the whole body; otherwise the reason why they are not. */
  readonly body: 'whole' | 'broken' | 'too-large';
}

/** If `started` is true, it is not known whether the request was carried out. */
export interface NoAnswer {
  readonly type: 'none';
  readonly code: string;
  readonly why: string;
  readonly started: boolean;
}

/** `withheld`: `maySend` said no, so nothing was sent. */
export type Exchange = Answer | NoAnswer | { readonly type: 'withheld' };

export function isSuccess(exchange: Exchange): boolean {
  return exchange.type === 'answer' && exchange.status >= 200 && exchange.status < 300;
}

export function bodyText({ bytes }: Answer): string {
  return new TextDecoder().decode(bytes);
}

/** Epoch milliseconds; undefined for what is no date of HTTP. */
export function httpDate(text: string): number | undefined {
  const time = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** Throws nothing but what the sink throws. */
export function exchange(dispatcher: Dispatcher, request: HttpRequest, limits: Limits): Promise<Exchange> {
  const { timeoutMs, mostBytes, signal, graceMs = 0, maySend, sink } = limits;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let started = false;
    let head: Pick<Answer, 'status' | 'headers'> | undefined;
    let controller: Dispatcher.DispatchController | undefined;
    let ended = false;

    const end = (result: Exchange, stop?: Error): void => {
      if (ended) return;
      ended = true;
      clearTimeout(timer);
      clearTimeout(grace);
      signal?.removeEventListener('abort', interrupt);
      if (stop !== undefined) controller?.abort(stop);
      resolve(result);
    };
    const answer = (body: Answer['body']): Exchange | undefined =>
      head && { type: 'answer', ...head, bytes: Buffer.concat(chunks), body };
    const fail = (error: Error): void => end(answer('broken') ?? { type: 'none', ...readError(error), started }, error);
    const late = failed('ETIMEDOUT', `no answer within ${timeoutMs / 1000} s`);
    const stop = (): void => fail(failed('ABORT_ERR', 'interrupted'));
    let grace: NodeJS.Timeout | undefined;
    const interrupt = (): void => {
      if (graceMs === 0) stop();
      else grace = setTimeout(stop, graceMs);
    };
    const timer = setTimeout(() => fail(late), timeoutMs);
    signal?.addEventListener('abort', interrupt, { once: true });
    if (signal?.aborted) interrupt();

    /** Counts what came, but not the time that it took to take it. */
    const pass = (work: () => void): void => {
      try {
        work();
        timer.refresh();
      } catch (error) {
        reject(error);
        end({ type: 'withheld' }, failed('EIO', 'what came could not be kept'));
      }
    };

    const { method, origin, path, headers, body = null } = request;
    dispatcher.dispatch(
      { origin, path, method, headers: { ...headers }, body },
      {
        onRequestStart: (given) => {
          controller = given;
          // undici writes the head directly after this, in the same turn: what is asked here is still true then.
          // The request ended while its connection was being opened, so it must not be sent now.
          if (ended) given.abort(late);
          else if (maySend?.() === false) end({ type: 'withheld' }, new Error('withheld'));
          else started = true;
        },
        onResponseStart: (_controller, status, given) => {
          if (status >= 200) head = { status, headers: firstOfEach(given) };
          if (status === 200 && sink !== undefined) pass(() => sink.restart());
        },
        onResponseData: (_controller, chunk) => {
          if (ended) return;
          if (head?.status === 200 && sink !== undefined) return pass(() => sink.write(chunk));
          size += chunk.length;
          if (size <= mostBytes) chunks.push(chunk);
          else end(answer('too-large') as Exchange, new Error('The body is too large.'));
        },
        onResponseEnd: () => end(answer('whole') as Exchange),
        onResponseError: (_controller, error) => fail(error),
      },
    );
  });
}

function failed(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

function firstOfEach(headers: Readonly<Record<string, unknown>>): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      String(Array.isArray(value) ? value[0] : value),
    ]),
  );
}

/** Each address of a host can fail separately; the first error represents them all. */
function readError(error: Error & { code?: unknown; errors?: unknown }): Pick<NoAnswer, 'code' | 'why'> {
  const first: unknown = Array.isArray(error.errors) ? error.errors[0] : undefined;
  const code = typeof error.code === 'string' ? error.code : 'UNKNOWN';
  return { code, why: error.message || (first instanceof Error ? first.message : '') || code };
}

/**
 * `started`: the request reached an open connection. Some codes can occur before and after that point. A certificate is not
 * trusted the next time either, and a password that a proxy refuses again and again may lock an account.
 */
export function judgeError(code: string, started: boolean): 'unsent' | 'lost' | 'refused' {
  if (started) return 'lost';
  if (isCertificateCode(code) || code === refusedByProxy) return 'refused';
  const early = codesBeforeSending.has(code) || prefixesBeforeSending.some((prefix) => code.startsWith(prefix));
  return early ? 'unsent' : 'lost';
}

const codesBeforeSending: ReadonlySet<string> = new Set(
  [
    'ECONNREFUSED ECONNRESET ECONNABORTED EHOSTUNREACH EHOSTDOWN ENETUNREACH ENETDOWN ETIMEDOUT EADDRNOTAVAIL EPIPE',
    'EPROTO ENOTFOUND ENODATA UND_ERR_CONNECT_TIMEOUT UND_ERR_PRX_TLS ABORT_ERR',
    'INVALID_PURPOSE',
  ].flatMap((codes) => codes.split(' ')),
);

/** Errors of DNS and handshakes. */
const prefixesBeforeSending = ['EAI_', 'ERR_TLS_', 'ERR_SSL_'];

/** True if an error code means an untrusted certificate. */
function isCertificateCode(code: string): boolean {
  return /^(CERT_|ERR_TLS_CERT|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_CA)/.test(code);
}

/** A proxy that refuses its tunnel, if the request did not start. */
const refusedByProxy = 'UND_ERR_ABORTED';

export const proxyHint =
  'The proxy of HTTPS_PROXY or HTTP_PROXY refuses the connection. With 407, check the user and the password in its URL, http://USER:PASSWORD@HOST:PORT, in which special characters are %-escapes. With 403, it does not let this host through.';

/** Advice about a request that was certainly not sent, and is not sent again; undefined for anything else. */
export function connectionHint(code: string): string | undefined {
  if (code === refusedByProxy) return proxyHint;
  return isCertificateCode(code)
    ? 'The certificate is not trusted. Behind a proxy that intercepts TLS, or with an authority of your own, set NODE_EXTRA_CA_CERTS to the file of its certificate.'
    : undefined;
}

export interface Base {
  readonly origin: string;
  readonly host: string;
  /** The path without a trailing slash. */
  readonly path: string;
  readonly loopback: boolean;
}

interface DispatcherOptions {
  readonly base: Base;
  /** Seconds for a whole request. */
  readonly timeout: number;
  readonly connections: number;
  readonly environment: Variables;
}

/**
 * The connections of a run, direct or through a proxy, without automatic retries. Only this room imports undici, and it is
 * loaded only when a run sends or receives requests: the import takes a tenth of a second.
 */
export async function makeDispatcher({
  base,
  timeout,
  connections,
  environment,
}: DispatcherOptions): Promise<Dispatcher> {
  const milliseconds = timeout * 1000;
  const agentOptions = {
    connections,
    pipelining: 1,
    headersTimeout: milliseconds,
    bodyTimeout: milliseconds,
    connect: { timeout: milliseconds },
    // The service may close an idle connection just as a request is written to it, and a POST would be lost. So we
    // close idle connections earlier than any server does.
    keepAliveTimeout: 2000,
    keepAliveMaxTimeout: 2000,
  };
  const proxies = proxiesOf(environment);
  // Loopback never goes through a proxy: an unencrypted token must not leave the machine.
  if (base.loopback || (proxies.httpProxy === '' && proxies.httpsProxy === '')) return new Agent(agentOptions);
  // undici would speak SOCKS with a warning that it is experimental.
  if ([proxies.httpProxy, proxies.httpsProxy].some((proxy) => /^socks/i.test(proxy))) throw notAProxy();
  try {
    return new EnvHttpProxyAgent({ ...agentOptions, ...proxies });
  } catch {
    // No cause: it contains the proxy's URL, which may contain a password.
    throw notAProxy();
  }
}

function notAProxy(): Failure {
  return new Failure('usage', 'HTTPS_PROXY or HTTP_PROXY is not the URL of an HTTP proxy.', {
    hint: 'Write it as http://HOST:PORT. Almanac does not use SOCKS proxies.',
  });
}

/**
 * Empty texts instead of undefined: otherwise undici would read the environment of the process. As for curl, a variable that
 * is empty is not set.
 */
function proxiesOf(environment: Variables): { httpProxy: string; httpsProxy: string; noProxy: string } {
  const read = (name: string): string => environment[name.toLowerCase()] || environment[name] || '';
  return { httpProxy: read('HTTP_PROXY'), httpsProxy: read('HTTPS_PROXY'), noProxy: read('NO_PROXY') };
}

/** The passwords in proxy URLs, for masking. */
export function proxySecrets(environment: Variables): readonly string[] {
  const { httpProxy, httpsProxy } = proxiesOf(environment);
  return [httpProxy, httpsProxy].flatMap((text) => {
    const password = parseUrl(text)?.password ?? '';
    return password === '' ? [] : [password, decodeLeniently(password)];
  });
}

/** A single line, also without control sequences. */
export function cleanText(text: string): string {
  return oneLine(stripVTControlCharacters(text));
}

/** Any text that is not ours, as it may be shown. `mask` covers every secret that it could repeat. */
export function shownText(text: string, mask: Mask, longest = 500): string {
  const words = mask(cleanText(mask(text)));
  return words.length <= longest ? words : `${cleanText(words.slice(0, longest))}…`;
}
