// The few requests that the action sends to GitHub. The token appears only in the header.

import { isCommit } from '../runner/event.mjs';
import { allPages, HostFailure, mostPages, pauseOf, requestJson, requestText } from '../runner/http.mjs';

/** Who writes with the token of a job. Comments and issues of others are neither read nor changed. */
export const ownLogin = 'github-actions[bot]';

export function connectGithub({ env }) {
  const { GITHUB_API_URL: url, GITHUB_TOKEN: token, GITHUB_REPOSITORY: repository = '' } = env;
  const pause = pauseOf(env);
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) throw new HostFailure('GITHUB_REPOSITORY does not name a repository.');
  const base = `${url || 'https://api.github.com'}/repos/${repository}`;

  const request = (method, path, body) =>
    requestJson('GitHub', method, `${base}${path}`, { headers: headersFor(token), body, pause });

  const list = (path, query = '') => allPages((page) => request('GET', `${path}?${query}${page}`));

  /** The text of a file in a commit; undefined if the commit has none. */
  const fileAt = async (path, commit) => {
    const headers = headersFor(token, 'application/vnd.github.raw+json');
    try {
      return await requestText('GitHub', 'GET', `${base}/contents/${inPath(path)}?ref=${commit}`, { headers, pause });
    } catch (error) {
      if (error instanceof HostFailure && error.status === 404) return undefined;
      throw error;
    }
  };

  return {
    fileAt,
    commitAt: (commit) => request('GET', `/git/commits/${commit}`),
    /** The commit at the end of a branch. */
    tipOf: async (branch) => commitIn((await request('GET', `/git/ref/heads/${inPath(branch)}`))?.object),
    /** The last commit that both have; undefined where they have none. */
    mergeBaseOf: async (one, other) =>
      one === other
        ? one
        : commitIn((await request('GET', `/compare/${one}...${other}?per_page=1`))?.merge_base_commit),
    commentsOf: (pull) => list(`/issues/${pull}/comments`),
    /** With who wrote and who last edited each comment, which only GraphQL tells, when its text was written, and whether it is hidden. */
    editedCommentsOf: (pull) => editedComments({ repository, pull, env }),
    addComment: (pull, body) => request('POST', `/issues/${pull}/comments`, { body }),
    changeComment: (_, id, body) => request('PATCH', `/issues/comments/${id}`, { body }),
    removeComment: (_, id) => request('DELETE', `/issues/comments/${id}`),
    /** Without pull requests, which GitHub lists among the issues. */
    ownIssues: async () =>
      (await list('/issues', `state=all&creator=${encodeURIComponent(ownLogin)}&`))
        .filter(({ user, pull_request: pull }) => user?.login === ownLogin && pull === undefined)
        .map(({ number, body, state }) => ({ id: number, body, isOpen: state === 'open' })),
    addIssue: (issue) => request('POST', '/issues', issue),
    changeIssue: (number, { body, open }) =>
      request('PATCH', `/issues/${number}`, { body, state: open === undefined ? undefined : open ? 'open' : 'closed' }),
    pull: (number) => request('GET', `/pulls/${number}`),
    pullsOf: (commit) => list(`/commits/${commit}/pulls`),
    openPullsFrom: (head) => list('/pulls', `state=open&head=${encodeURIComponent(head)}&`),
    rulesOf: (branch) => list(`/rules/branches/${inPath(branch)}`),
  };
}

function commitIn(value) {
  return isCommit(value?.sha) ? value.sha : undefined;
}

function inPath(name) {
  return name.split('/').map(encodeURIComponent).join('/');
}

/** A token is left out where the job has none. */
function headersFor(token, accept = 'application/vnd.github+json') {
  return {
    accept,
    'x-github-api-version': '2022-11-28',
    'user-agent': 'almanac-action',
    ...(token ? { authorization: `Bearer ${token}` } : {}),
  };
}

const commentsQuery = `query($owner: String!, $name: String!, $pull: Int!, $after: String) {
  repository(owner: $owner, name: $name) { pullRequest(number: $pull) { comments(first: 100, after: $after) {
    nodes { body createdAt lastEditedAt isMinimized author { login __typename } editor { login __typename } }
    pageInfo { hasNextPage endCursor }
  } } }
}`;

async function editedComments({ repository, pull, env }) {
  const url = env.GITHUB_GRAPHQL_URL || 'https://api.github.com/graphql';
  const [owner, name] = repository.split('/');
  const [headers, pause] = [headersFor(env.GITHUB_TOKEN), pauseOf(env)];
  const all = [];
  let after = null;
  for (let page = 1; page <= mostPages; page += 1) {
    const body = { query: commentsQuery, variables: { owner, name, pull, after } };
    const { data, errors } = (await requestJson('GitHub', 'POST', url, { headers, body, reads: true, pause })) ?? {};
    const found = data?.repository?.pullRequest?.comments;
    if (errors !== undefined || !Array.isArray(found?.nodes))
      throw new HostFailure(`GitHub did not list the comments of #${pull}.`);
    for (const { body: text, createdAt, lastEditedAt, isMinimized, author, editor } of found.nodes)
      all.push({
        body: String(text ?? ''),
        author: loginOf(author),
        editor: lastEditedAt || editor ? loginOf(editor) : undefined,
        at: String(lastEditedAt || createdAt),
        isHidden: isMinimized === true,
      });
    if (found.pageInfo?.hasNextPage !== true) return all;
    after = found.pageInfo.endCursor;
  }
  throw new HostFailure(`The comments of #${pull} are too many to read.`);
}

/** As REST writes it; '' for a user who no longer exists. */
function loginOf(actor) {
  if (!actor?.login) return '';
  return actor.__typename === 'Bot' ? `${actor.login}[bot]` : actor.login;
}
