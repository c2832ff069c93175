// The few requests that the jobs send to GitLab: the notes of a merge request, and issues. The token appears only in the
// header.

import { allPages, sendRepeatedly } from '../.github/actions/almanac/runner/http.mjs';
import { Refusal } from '../.github/actions/almanac/runner/inputs.mjs';
import { parsed } from '../.github/actions/almanac/runner/json.mjs';

/** The client for the token in ALMANAC_NOTE_TOKEN; undefined without one, as in the pipelines of forks. */
export function connectGitlab(env = process.env) {
  const token = env.ALMANAC_NOTE_TOKEN;
  if (!token) return undefined;
  const base = env.CI_API_V4_URL ?? '';
  const project = `/projects/${encodeURIComponent(env.CI_PROJECT_ID ?? '')}`;

  const request = async (method, path, body) => {
    const headers = { 'private-token': token, 'user-agent': 'almanac' };
    const { ok, status, text } = await sendRepeatedly(method, `${base}${path}`, { headers, body });
    if (!ok) throw new Refusal(wordsFor(method, status, text));
    if (text === '') return undefined;
    const value = parsed(text);
    if (value === undefined) throw new Refusal(`GitLab answered with something other than JSON (${method}).`);
    return value;
  };

  const list = (path, query = '') => allPages((page) => request('GET', `${path}?${query}${page}`));

  const notes = (mergeRequest) => `${project}/merge_requests/${mergeRequest}/notes`;
  return {
    /** The user that the token belongs to, who is the author of what is written with it. */
    ownId: async () => (await request('GET', '/user')).id,
    notesOf: (mergeRequest) => list(notes(mergeRequest)),
    addNote: (mergeRequest, body) => request('POST', notes(mergeRequest), { body }),
    changeNote: (mergeRequest, id, body) => request('PUT', `${notes(mergeRequest)}/${id}`, { body }),
    removeNote: (mergeRequest, id) => request('DELETE', `${notes(mergeRequest)}/${id}`),
    issuesOf: (author) => list(`${project}/issues`, `scope=all&state=all&author_id=${author}&`),
    openIssue: (issue) => request('POST', `${project}/issues`, issue),
    changeIssue: (iid, changes) => request('PUT', `${project}/issues/${iid}`, changes),
  };
}

/** Text in which no line is a quick action, which GitLab would carry out under the name of the token's user. */
export function withoutQuickActions(text) {
  return text.replace(/^\//gm, '\u200b/');
}

function wordsFor(method, status, text) {
  if (status === 0) return `GitLab did not answer (${method}).`;
  const { message, error } = parsed(text) ?? {};
  const said = String(message ?? error ?? '').slice(0, 200);
  return `GitLab answered ${status}${said === '' ? '' : `: ${said}`} (${method}).`;
}
