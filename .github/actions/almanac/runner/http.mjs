// A request to a code host. Temporary failures are retried: too many requests, an error of the host, no answer at all.
// What a failure means is decided by whoever asked.

import { setTimeout as wait } from 'node:timers/promises';

const attempts = 4;
const longestWait = 60;
/** One second; tests use less. */
const unit = Number(process.env.ALMANAC_PAUSE_MS || 1000);

/**
 * Resolves to `{ ok, status, text, limited }`: the status is 0 if the host did not answer, and `limited` says that it
 * refused too many requests. A request that does not `read` is never repeated without an answer: it may have been
 * carried out, and a repeat could add a second comment. The next run finds it.
 */
export async function sendRepeatedly(method, url, { headers, body, reads = method !== 'POST' }) {
  for (let attempt = 1; ; attempt += 1) {
    const { response, text } = await send(method, url, headers, body);
    const status = response?.status ?? 0;
    const after = response?.headers.get('retry-after') ?? '';
    // Certainly not carried out.
    const limited = status === 429 || (status === 403 && (after !== '' || isSpent(response)));
    const isTemporary = limited || (reads && (status === 0 || status >= 500));
    if (!isTemporary || attempt === attempts) return { ok: response?.ok ?? false, status, text, limited };
    const seconds = Number.parseInt(after, 10);
    await wait(unit * Math.min(longestWait, Number.isNaN(seconds) ? 2 ** (attempt - 1) : seconds));
  }
}

const pageSize = 100;
export const mostPages = 50;

/** The items of all pages. `read` resolves to those of the page that its parameters name. */
export async function allPages(read) {
  const all = [];
  for (let page = 1; page <= mostPages; page += 1) {
    const items = await read(`per_page=${pageSize}&page=${page}`);
    all.push(...items);
    if (items.length < pageSize) break;
  }
  return all;
}

/** As GitHub says that nothing is left of the hourly limit. */
function isSpent(response) {
  return response.headers.get('x-ratelimit-remaining') === '0';
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
  } catch {
    return { response: undefined, text: '' };
  }
}
