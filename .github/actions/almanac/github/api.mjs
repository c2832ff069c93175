// The few requests that the action sends to GitHub. Temporary failures (too many requests, an error of GitHub) are
// retried. The token appears only in the header.

import { setTimeout as wait } from 'node:timers/promises';

const attempts = 4;
const longestWait = 60;
/** One second; tests use less. */
const unit = Number(process.env.ALMANAC_PAUSE_MS || 1000);
const pageSize = 100;
const mostPages = 50;

/** GitHub refused the request, or did not answer: `status` is then 0. */
export class GithubFailure extends Error {
  constructor(status, message, { limited = false } = {}) {
    super(message);
    this.status = status;
    this.limited = limited;
  }

  /** Whether the token lacks the permission, as in runs for pull requests from forks. */
  get isForbidden() {
    return !this.limited && (this.status === 403 || this.status === 404);
  }
}

export function connectGithub({ url = process.env.GITHUB_API_URL, token = process.env.GITHUB_TOKEN } = {}) {
  const repository = process.env.GITHUB_REPOSITORY ?? '';
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository))
    throw new GithubFailure(0, 'GITHUB_REPOSITORY does not name a repository.');
  const base = `${url || 'https://api.github.com'}/repos/${repository}`;

  const request = async (method, path, body) => {
    const text = await answer(method, path, { body });
    return text === '' ? undefined : JSON.parse(text);
  };

  const answer = async (method, path, { body, accept } = {}) => {
    for (let attempt = 1; ; attempt += 1) {
      const { response, text } = await send(method, `${base}${path}`, { token, body, accept });
      if (response?.ok) return text;
      const status = response?.status ?? 0;
      const after = response?.headers.get('retry-after') ?? '';
      // Refused because of too many requests, so certainly not carried out.
      const limited = status === 429 || (status === 403 && (after !== '' || isSpent(response)));
      // A POST without an answer may have been carried out: a repeat could add a second comment. The next run finds it.
      const failed = method !== 'POST' && (status === 0 || status >= 500);
      if (!(limited || failed) || attempt === attempts)
        throw new GithubFailure(status, wordsFor(method, status, text), { limited });
      const seconds = Number.parseInt(after, 10);
      await wait(unit * Math.min(longestWait, Number.isNaN(seconds) ? 2 ** (attempt - 1) : seconds));
    }
  };

  const list = async (path) => {
    const all = [];
    for (let page = 1; page <= mostPages; page += 1) {
      const items = await request('GET', `${path}?per_page=${pageSize}&page=${page}`);
      all.push(...items);
      if (items.length < pageSize) break;
    }
    return all;
  };

  /** The text of a file in a commit; undefined if the commit has none. */
  const fileAt = async (path, commit) => {
    const encoded = path.split('/').map(encodeURIComponent).join('/');
    try {
      return await answer('GET', `/contents/${encoded}?ref=${commit}`, { accept: 'application/vnd.github.raw+json' });
    } catch (error) {
      if (error instanceof GithubFailure && error.status === 404) return undefined;
      throw error;
    }
  };

  return {
    fileAt,
    commitAt: (commit) => request('GET', `/git/commits/${commit}`),
    commentsOf: (pull) => list(`/issues/${pull}/comments`),
    addComment: (pull, body) => request('POST', `/issues/${pull}/comments`, { body }),
    changeComment: (id, body) => request('PATCH', `/issues/comments/${id}`, { body }),
    removeComment: (id) => request('DELETE', `/issues/comments/${id}`),
    pullsOf: (commit) => list(`/commits/${commit}/pulls`),
  };
}

function isSpent(response) {
  return response.headers.get('x-ratelimit-remaining') === '0';
}

async function send(method, url, { token, body, accept = 'application/vnd.github+json' }) {
  try {
    const response = await fetch(url, {
      method,
      redirect: 'error',
      signal: AbortSignal.timeout(30_000),
      headers: {
        accept,
        'x-github-api-version': '2022-11-28',
        'user-agent': 'almanac-action',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { response, text: await response.text() };
  } catch {
    return { response: undefined, text: '' };
  }
}

function wordsFor(method, status, text) {
  if (status === 0) return `GitHub did not answer (${method}).`;
  let said = '';
  try {
    said = String(JSON.parse(text).message ?? '').slice(0, 200);
  } catch {}
  return `GitHub answered ${status}${said === '' ? '' : `: ${said}`} (${method}).`;
}
