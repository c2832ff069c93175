// A request to a code host. Temporary failures are retried: too many requests, an error of the host, no answer at all.
// One status has several causes, so the words of the host decide where the status does not.

import { setTimeout as wait } from 'node:timers/promises';
import type { Variables } from '../../../model/outside.ts';
import { pushAll } from '../../../model/values/collections.ts';
import { parseJson } from '../../../model/values/json.ts';
import { Failure } from '../../../model/workspace/failure.ts';

const attempts = 4;
/** In seconds. A longer wait would only hold the runner. */
const maxWaitSeconds = 300;
/** In seconds, for a host that does not say how long its limit lasts. */
const waitAfterLimit = 60;

/** The host refused the request, or did not answer: `status` is then 0. `said` are its words. */
export class HostFailure extends Failure {
  readonly status: number;
  readonly said: string;

  constructor(message: string, { status = 0, said = '' }: { readonly status?: number; readonly said?: string } = {}) {
    super('usage', message);
    this.status = status;
    this.said = said;
  }

  get isMissing(): boolean {
    return [404, 410].includes(this.status);
  }

  /**
   * True if the token lacks the permission, or the repository has no issues. A text that existed a moment ago may be
   * gone instead: `wasThere` sorts that out.
   */
  get lacksPermission(): boolean {
    return this.isMissing || (this.status === 403 && this.said.includes('Resource not accessible by integration'));
  }
}

/** Waits for a request about a text that was listed. Resolves to false if somebody has deleted the text meanwhile. */
export async function wasThere(request: Promise<unknown>): Promise<boolean> {
  try {
    await request;
    return true;
  } catch (error) {
    if (error instanceof HostFailure && error.isMissing) return false;
    throw error;
  }
}

interface RequestOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object;
  /** True if it may be repeated without an answer; by default, all methods but POST are. */
  readonly reads?: boolean;
  /** The milliseconds to wait for each second. */
  readonly pause: number;
}

/** Resolves to the value of the answer; undefined if it is empty. `host` is the name for failures. */
export async function requestJson(
  host: string,
  method: string,
  url: string,
  options: RequestOptions,
): Promise<unknown> {
  const text = await requestText(host, method, url, options);
  const value = text === '' ? undefined : parseJson(text);
  if (text !== '' && value === undefined)
    throw new HostFailure(`${host} answered with something other than JSON (${method}).`, { status: 200 });
  return value;
}

export async function requestText(host: string, method: string, url: string, options: RequestOptions): Promise<string> {
  const { ok, status, text, said, why, until } = await sendRepeatedly(method, url, options);
  if (ok) return text;
  if (status === 0)
    throw new HostFailure(`${host} did not answer (${method}, ${why}).${isUntrusted.test(why) ? wayOut : ''}`);
  const more =
    until !== undefined ? ` It allows no request before ${until}.` : method === 'POST' && status >= 500 ? lost : '';
  throw new HostFailure(`${host} answered ${status}${said === '' ? '' : `: ${said}`} (${method}).${more}`, {
    status,
    said,
  });
}

const lost = ' The request may have been carried out all the same: the next run finds out.';

/** A message may be a text, a list, or an object of lists by field. */
function saidIn(text: string): string {
  const { message, error, errors } = (parseJson(text) ?? {}) as Readonly<Record<string, unknown>>;
  return asText(message ?? error ?? errors ?? '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 200);
}

function asText(said: unknown): string {
  if (Array.isArray(said)) return said.map(asText).join('; ');
  if (typeof said !== 'object' || said === null) return String(said ?? '');
  if ('message' in said && typeof said.message === 'string') return said.message;
  return Object.entries(said)
    .map(([field, words]) => `${field} ${asText(words)}`)
    .join('; ');
}

/** Codes for a certificate that is not trusted. */
const isUntrusted = /^(?:CERT_|ERR_TLS_CERT|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/;
const wayOut = ' Its certificate is not trusted: set NODE_EXTRA_CA_CERTS to the file of the authority that signed it.';

interface HttpAnswer {
  readonly ok: boolean;
  readonly status: number;
  readonly text: string;
  readonly said: string;
  readonly why: string;
  readonly until?: string;
}

/**
 * Resolves to `{ ok, status, text, said, why, until }`: the status is 0 if the host did not answer, and `why` is then
 * the code of the error; `until` is the time before which the host wants no request, if that is too far away to wait. A
 * request that does not `read` is never repeated without an answer: it may have been carried out, and a repeat could
 * add a second comment. The next run finds it.
 */
async function sendRepeatedly(
  method: string,
  url: string,
  { headers, body, reads = method !== 'POST', pause }: RequestOptions,
): Promise<HttpAnswer> {
  for (let attempt = 1; ; attempt += 1) {
    const { response, text, why = '' } = await send(method, url, headers, body);
    const status = response?.status ?? 0;
    // GraphQL puts its errors into an answer of 200.
    const said = response?.ok && !(method === 'POST' && reads) ? '' : saidIn(text);
    const askedWait = waitAskedIn(response);
    // Such a request was certainly not carried out. GitHub may report a secondary limit in words alone.
    const limited = status === 429 || (status === 403 && askedWait !== undefined) || /\brate limit/i.test(said);
    const ok = response?.ok === true && !limited;
    const isTemporary = limited || (reads && (status === 0 ? !isUntrusted.test(why) : status >= 500));
    const seconds = askedWait ?? (limited ? waitAfterLimit : 2 ** (attempt - 1));
    if (isTemporary && seconds > maxWaitSeconds) return { ok, status, text, said, why, until: timeIn(seconds) };
    if (!isTemporary || attempt === attempts) return { ok, status, text, said, why };
    await wait(pause * seconds);
  }
}

/** The seconds that an answer asks to wait; undefined if it does not say. */
function waitAskedIn(response: Response | undefined): number | undefined {
  const after = response?.headers.get('retry-after') ?? '';
  const fromNow = (milliseconds: number) => Math.max(0, Math.ceil((milliseconds - Date.now()) / 1000));
  if (/^\d+$/.test(after)) return Number(after);
  if (!Number.isNaN(Date.parse(after))) return fromNow(Date.parse(after));
  // GitHub's hourly limit is used up.
  if (response === undefined || response.headers.get('x-ratelimit-remaining') !== '0' || response.ok) return undefined;
  const reset = Number(response.headers.get('x-ratelimit-reset') ?? '');
  return reset > 0 ? fromNow(reset * 1000) : waitAfterLimit;
}

function timeIn(seconds: number): string {
  return `${new Date(Date.now() + seconds * 1000).toISOString().slice(0, 19)}Z`;
}

/** The milliseconds to wait for each second; tests use less. */
export function pauseOf({ ALMANAC_PAUSE_MS: pause }: Variables): number {
  return Number(pause || 1000);
}

const pageSize = 100;
export const maxPages = 50;

/**
 * The items of all pages. `read` resolves to those of the page that its parameters name. Throws HostFailure if there
 * are too many pages: a part would be taken for all, and the items beyond it created a second time.
 */
export async function allPages<T>(read: (page: string) => Promise<readonly T[]>): Promise<readonly T[]> {
  const all: T[] = [];
  for (let page = 1; page <= maxPages; page += 1) {
    const items = await read(`per_page=${pageSize}&page=${page}`);
    pushAll(all, items);
    if (items.length < pageSize) return all;
  }
  throw new HostFailure(
    `The host lists more than ${maxPages * pageSize} comments, issues or pull requests: too many to read.`,
  );
}

async function send(
  method: string,
  url: string,
  headers: RequestOptions['headers'],
  body: object | undefined,
): Promise<{ readonly response?: Response; readonly text: string; readonly why?: string }> {
  try {
    const response = await fetch(url, {
      method,
      redirect: 'error',
      signal: AbortSignal.timeout(30_000),
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { response, text: await response.text() };
  } catch (error) {
    const { cause, name } = error as Error & { readonly cause?: { readonly code?: string; readonly message?: string } };
    return { text: '', why: String(cause?.code ?? cause?.message ?? name) };
  }
}
