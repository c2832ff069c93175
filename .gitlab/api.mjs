// The few requests that the jobs send to GitLab: the notes of a merge request, and issues. Temporary failures are
// retried. The token appears only in the header.

import { setTimeout as wait } from 'node:timers/promises';
import { Refusal } from '../.github/actions/almanac/runner/inputs.mjs';

const attempts = 4;
const longestWait = 60;
/** One second; tests use less. */
const unit = Number(process.env.ALMANAC_PAUSE_MS || 1000);
const pageSize = 100;
const mostPages = 50;

/** The client for the token in ALMANAC_NOTE_TOKEN; undefined without one, as in the pipelines of forks. */
export function connectGitlab(env = process.env) {
  const token = env.ALMANAC_NOTE_TOKEN;
  if (!token) return undefined;
  const base = env.CI_API_V4_URL ?? '';
  const project = `/projects/${encodeURIComponent(env.CI_PROJECT_ID ?? '')}`;

  const request = async (method, path, body) => {
    for (let attempt = 1; ; attempt += 1) {
      const { response, text } = await send(method, `${base}${path}`, token, body);
      if (response?.ok) return text === '' ? undefined : JSON.parse(text);
      const status = response?.status ?? 0;
      // A POST without an answer may have been carried out: a repeat could add a second note. The next run finds it.
      const isTemporary = status === 429 || (method !== 'POST' && (status === 0 || status >= 500));
      if (!isTemporary || attempt === attempts) throw new Refusal(wordsFor(method, status, text));
      const seconds = Number.parseInt(response?.headers.get('retry-after') ?? '', 10);
      await wait(unit * Math.min(longestWait, Number.isNaN(seconds) ? 2 ** (attempt - 1) : seconds));
    }
  };

  const list = async (path) => {
    const all = [];
    const sign = path.includes('?') ? '&' : '?';
    for (let page = 1; page <= mostPages; page += 1) {
      const items = await request('GET', `${path}${sign}per_page=${pageSize}&page=${page}`);
      all.push(...items);
      if (items.length < pageSize) break;
    }
    return all;
  };

  const notes = (mergeRequest) => `${project}/merge_requests/${mergeRequest}/notes`;
  return {
    /** The user that the token belongs to, who is the author of what is written with it. */
    ownId: async () => (await request('GET', '/user')).id,
    notesOf: (mergeRequest) => list(notes(mergeRequest)),
    addNote: (mergeRequest, body) => request('POST', notes(mergeRequest), { body }),
    changeNote: (mergeRequest, id, body) => request('PUT', `${notes(mergeRequest)}/${id}`, { body }),
    removeNote: (mergeRequest, id) => request('DELETE', `${notes(mergeRequest)}/${id}`),
    issuesOf: (author) => list(`${project}/issues?scope=all&state=all&author_id=${author}`),
    openIssue: (issue) => request('POST', `${project}/issues`, issue),
    changeIssue: (iid, changes) => request('PUT', `${project}/issues/${iid}`, changes),
  };
}

/** Text in which no line is a quick action, which GitLab would carry out under the name of the token's user. */
export function withoutQuickActions(text) {
  return text.replace(/^\//gm, '\u200b/');
}

async function send(method, url, token, body) {
  try {
    const response = await fetch(url, {
      method,
      redirect: 'error',
      signal: AbortSignal.timeout(30_000),
      headers: {
        'private-token': token,
        'user-agent': 'almanac',
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
  if (status === 0) return `GitLab did not answer (${method}).`;
  let said = '';
  try {
    const { message, error } = JSON.parse(text);
    said = String(message ?? error ?? '').slice(0, 200);
  } catch {}
  return `GitLab answered ${status}${said === '' ? '' : `: ${said}`} (${method}).`;
}
