// The few requests that the action sends to GitHub. The token appears only in the header.

import { allPages, mostPages, sendRepeatedly } from '../runner/http.mjs';
import { parsed } from '../runner/json.mjs';

/** GitHub refused the request, or did not answer: `status` is then 0. */
export class GithubFailure extends Error {
  constructor(status, message, { limited = false } = {}) {
    super(message);
    this.status = status;
    this.limited = limited;
  }

  /** Whether the token lacks the permission, as in runs for pull requests from forks, or the repository has no issues. */
  get isForbidden() {
    return !this.limited && [403, 404, 410].includes(this.status);
  }
}

export function connectGithub({ url = process.env.GITHUB_API_URL, token = process.env.GITHUB_TOKEN } = {}) {
  const repository = process.env.GITHUB_REPOSITORY ?? '';
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository))
    throw new GithubFailure(0, 'GITHUB_REPOSITORY does not name a repository.');
  const base = `${url || 'https://api.github.com'}/repos/${repository}`;

  const request = async (method, path, body) => {
    const text = await answer(method, `${base}${path}`, { token, body });
    return text === '' ? undefined : jsonOf(method, text);
  };

  const list = (path, query = '') => allPages((page) => request('GET', `${path}?${query}${page}`));

  /** The text of a file in a commit; undefined if the commit has none. */
  const fileAt = async (path, commit) => {
    const accept = 'application/vnd.github.raw+json';
    try {
      return await answer('GET', `${base}/contents/${inPath(path)}?ref=${commit}`, { token, accept });
    } catch (error) {
      if (error instanceof GithubFailure && error.status === 404) return undefined;
      throw error;
    }
  };

  return {
    fileAt,
    commitAt: (commit) => request('GET', `/git/commits/${commit}`),
    commentsOf: (pull) => list(`/issues/${pull}/comments`),
    /** With who wrote and who last edited each comment, which only GraphQL tells, and when its text was written. */
    editedCommentsOf: (pull) => editedComments({ repository, pull, token }),
    addComment: (pull, body) => request('POST', `/issues/${pull}/comments`, { body }),
    changeComment: (id, body) => request('PATCH', `/issues/comments/${id}`, { body }),
    removeComment: (id) => request('DELETE', `/issues/comments/${id}`),
    issuesBy: (author) => list('/issues', `state=all&creator=${encodeURIComponent(author)}&`),
    addIssue: (issue) => request('POST', '/issues', issue),
    changeIssue: (number, issue) => request('PATCH', `/issues/${number}`, issue),
    pull: (number) => request('GET', `/pulls/${number}`),
    pullsOf: (commit) => list(`/commits/${commit}/pulls`),
    openPullsFrom: (head) => list('/pulls', `state=open&head=${encodeURIComponent(head)}&`),
    rulesOf: (branch) => list(`/rules/branches/${inPath(branch)}`),
  };
}

function inPath(name) {
  return name.split('/').map(encodeURIComponent).join('/');
}

/** Resolves to the text of the answer. A POST that `reads` changes nothing, so it can be repeated. */
async function answer(method, url, { token, body, accept = 'application/vnd.github+json', reads }) {
  const headers = {
    accept,
    'x-github-api-version': '2022-11-28',
    'user-agent': 'almanac-action',
    ...(token ? { authorization: `Bearer ${token}` } : {}),
  };
  const { ok, status, text, limited } = await sendRepeatedly(method, url, { headers, body, reads });
  if (ok) return text;
  throw new GithubFailure(status, wordsFor(method, status, text), { limited });
}

function jsonOf(method, text) {
  const value = parsed(text);
  if (value === undefined) throw new GithubFailure(200, `GitHub answered with something other than JSON (${method}).`);
  return value;
}

const commentsQuery = `query($owner: String!, $name: String!, $pull: Int!, $after: String) {
  repository(owner: $owner, name: $name) { pullRequest(number: $pull) { comments(first: 100, after: $after) {
    nodes { body createdAt lastEditedAt author { login __typename } editor { login __typename } }
    pageInfo { hasNextPage endCursor }
  } } }
}`;

async function editedComments({ repository, pull, token }) {
  const url = process.env.GITHUB_GRAPHQL_URL || 'https://api.github.com/graphql';
  const [owner, name] = repository.split('/');
  const all = [];
  let after = null;
  for (let page = 1; page <= mostPages; page += 1) {
    const body = { query: commentsQuery, variables: { owner, name, pull, after } };
    const { data, errors } = jsonOf('POST', await answer('POST', url, { token, body, reads: true }));
    const found = data?.repository?.pullRequest?.comments;
    if (errors !== undefined || !Array.isArray(found?.nodes))
      throw new GithubFailure(200, `GitHub did not list the comments of #${pull}.`);
    for (const { body: text, createdAt, lastEditedAt, author, editor } of found.nodes)
      all.push({
        body: String(text ?? ''),
        author: loginOf(author),
        editor: lastEditedAt || editor ? loginOf(editor) : undefined,
        at: String(lastEditedAt || createdAt),
      });
    if (found.pageInfo?.hasNextPage !== true) return all;
    after = found.pageInfo.endCursor;
  }
  throw new GithubFailure(200, `The comments of #${pull} are too many to read.`);
}

/** As REST writes it; '' for a user who no longer exists. */
function loginOf(actor) {
  if (!actor?.login) return '';
  return actor.__typename === 'Bot' ? `${actor.login}[bot]` : actor.login;
}

function wordsFor(method, status, text) {
  if (status === 0) return `GitHub did not answer (${method}).`;
  const said = String(parsed(text)?.message ?? '').slice(0, 200);
  return `GitHub answered ${status}${said === '' ? '' : `: ${said}`} (${method}).`;
}
