// A request to a code host. Temporary failures are retried: too many requests, an error of the host, no answer at all.
// What a failure means is decided by whoever asked.

import { setTimeout as wait } from 'node:timers/promises';
import { Refusal } from './inputs.mjs';
import { parsed } from './json.mjs';

const attempts = 4;
const longestWait = 60;

/** The host refused the request, or did not answer: `status` is then 0. `limited` says that it refused too many requests. */
export class HostFailure extends Refusal {
  constructor(message, { status = 0, limited = false } = {}) {
    super(message);
    this.status = status;
    this.limited = limited;
  }

  /** Whether the token lacks the permission, as in runs for pull requests from forks, or the repository has no issues. */
  get isForbidden() {
    return !this.limited && [403, 404, 410].includes(this.status);
  }
}

/** Resolves to the value of the answer; undefined if it is empty. `host` is the name for failures. */
export async function requestJson(host, method, url, options) {
  const text = await requestText(host, method, url, options);
  const value = text === '' ? undefined : parsed(text);
  if (text !== '' && value === undefined)
    throw new HostFailure(`${host} answered with something other than JSON (${method}).`, { status: 200 });
  return value;
}

/** Resolves to the text of the answer. The options are those of `sendRepeatedly`. */
export async function requestText(host, method, url, options) {
  const { ok, status, text, limited, why } = await sendRepeatedly(method, url, options);
  if (ok) return text;
  if (status === 0)
    throw new HostFailure(`${host} did not answer (${method}, ${why}).${isUntrusted.test(why) ? wayOut : ''}`);
  const { message, error } = parsed(text) ?? {};
  const said = String(message ?? error ?? '').slice(0, 200);
  throw new HostFailure(`${host} answered ${status}${said === '' ? '' : `: ${said}`} (${method}).`, {
    status,
    limited,
  });
}

/** Codes for a certificate that is not trusted. */
const isUntrusted = /^(?:CERT_|ERR_TLS_CERT|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/;
const wayOut = ' Its certificate is not trusted: set NODE_EXTRA_CA_CERTS to the file of the authority that signed it.';

/**
 * Resolves to `{ ok, status, text, limited, why }`: the status is 0 if the host did not answer, and `why` is then the code of
 * the error. A request that does not `read` is
 * never repeated without an answer: it may have been carried out, and a repeat could add a second comment. The next run
 * finds it.
 */
async function sendRepeatedly(method, url, { headers, body, reads = method !== 'POST', pause }) {
  for (let attempt = 1; ; attempt += 1) {
    const { response, text, why = '' } = await send(method, url, headers, body);
    const status = response?.status ?? 0;
    const after = response?.headers.get('retry-after') ?? '';
    // Nothing is left of GitHub's hourly limit.
    const isSpent = response?.headers.get('x-ratelimit-remaining') === '0';
    // Certainly not carried out.
    const limited = status === 429 || (status === 403 && (after !== '' || isSpent));
    const isTemporary = limited || (reads && (status === 0 ? !isUntrusted.test(why) : status >= 500));
    if (!isTemporary || attempt === attempts) return { ok: response?.ok ?? false, status, text, limited, why };
    const seconds = Number.parseInt(after, 10);
    await wait(pause * Math.min(longestWait, Number.isNaN(seconds) ? 2 ** (attempt - 1) : seconds));
  }
}

/** Milliseconds that a step waits where it waits a second; tests use less. */
export function pauseOf({ ALMANAC_PAUSE_MS: pause }) {
  return Number(pause || 1000);
}

const pageSize = 100;
export const mostPages = 50;

/**
 * The items of all pages. `read` resolves to those of the page that its parameters name. Throws HostFailure for more than
 * are read: a part would be taken for all, and what is beyond it made a second time.
 */
export async function allPages(read) {
  const all = [];
  for (let page = 1; page <= mostPages; page += 1) {
    const items = await read(`per_page=${pageSize}&page=${page}`);
    all.push(...items);
    if (items.length < pageSize) return all;
  }
  throw new HostFailure(
    `The host lists more than ${mostPages * pageSize} comments, issues or pull requests: too many to read.`,
  );
}

async function send(method, url, headers, body) {
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
    return { response: undefined, text: '', why: String(error.cause?.code ?? error.cause?.message ?? error.name) };
  }
}
