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
    /**
     * The comments of each of these pull requests, with who wrote and who last edited each one, which only GraphQL tells,
     * when its text was written, and whether it is hidden.
     */
    editedCommentsOf: async (pulls) => {
      const ask = (text, more) => question({ repository, env }, text, more);
      const listed = [];
      for (const some of groupsOf(pulls, pullsAtOnce)) listed.push(...(await editedComments(ask, some)));
      return listed;
    },
    addComment: (pull, body) => request('POST', `/issues/${pull}/comments`, { body }),
    changeComment: (_, id, body) => request('PATCH', `/issues/comments/${id}`, { body }),
    removeComment: (_, id) => request('DELETE', `/issues/comments/${id}`),
    /** Whether a commit comes after another one; false if that is not known. */
    comesAfter: async (commit, other) => {
      try {
        return (await request('GET', `/compare/${other}...${commit}?per_page=1`)).status === 'ahead';
      } catch (error) {
        if (error instanceof HostFailure && error.status === 404) return false;
        throw error;
      }
    },
    /** Without pull requests, which GitHub lists among the issues. */
    ownIssues: async () =>
      (await list('/issues', `state=all&creator=${encodeURIComponent(ownLogin)}&`))
        .filter(({ user, pull_request: pull }) => user?.login === ownLogin && pull === undefined)
        .map(({ number, body, state }) => ({ id: number, body, isOpen: state === 'open' })),
    ownWordsOn: async (issue) =>
      (await list(`/issues/${issue}/comments`)).flatMap(({ user, body }) => (user?.login === ownLogin ? [body] : [])),
    addIssue: (issue) => request('POST', '/issues', issue),
    addToIssue: (number, body) => request('POST', `/issues/${number}/comments`, { body }),
    changeIssue: (number, { body, open }) =>
      request('PATCH', `/issues/${number}`, { body, state: open === undefined ? undefined : open ? 'open' : 'closed' }),
    pull: (number) => request('GET', `/pulls/${number}`),
    /** The pull requests of each of these commits, as `{ number, head, base, mergedAt, merge }`. */
    pullsOf: async (commits) => {
      const ask = (text) => question({ repository, env }, text);
      const listOf = async (commit) => (await list(`/commits/${commit}/pulls`)).map(ofRest);
      const listed = [];
      for (const some of groupsOf(commits, commitsAtOnce)) listed.push(...(await pullsOfAll(ask, some, listOf)));
      return listed;
    },
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

/** How many a question is about. GitHub takes more nodes; what limits it is the time that it takes to answer. */
const commitsAtOnce = 50;
const pullsAtOnce = 20;

function groupsOf(items, size) {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}

/** What GraphQL answers about the repository. `more` are variables, each with its type. Throws HostFailure in GitHub's words. */
async function question({ repository, env }, text, more = {}) {
  const url = env.GITHUB_GRAPHQL_URL || 'https://api.github.com/graphql';
  const [owner, name] = repository.split('/');
  const types = { owner: 'String!', name: 'String!', ...mapped(more, ({ type }) => type) };
  const declared = Object.entries(types).map(([key, type]) => `$${key}: ${type}`);
  const query = `query(${declared.join(', ')}) { repository(owner: $owner, name: $name) { ${text} } }`;
  const body = { query, variables: { owner, name, ...mapped(more, ({ value }) => value) } };
  const [headers, pause] = [headersFor(env.GITHUB_TOKEN), pauseOf(env)];
  const { data, errors } = (await requestJson('GitHub', 'POST', url, { headers, body, reads: true, pause })) ?? {};
  if (errors === undefined && data?.repository) return data.repository;
  const said = String(errors?.[0]?.message ?? errors?.[0]?.type ?? '').slice(0, 200);
  throw new HostFailure(`GitHub did not answer a question about what was merged${said === '' ? '.' : `: ${said}`}`);
}

const mapped = (object, of) => Object.fromEntries(Object.entries(object).map(([key, value]) => [key, of(value)]));

/** A commit that is the only one, or that has more pull requests than the answer holds, is asked about by itself. */
async function pullsOfAll(ask, commits, listOf) {
  if (commits.length === 1) return [await listOf(commits[0])];
  const fields = 'number mergedAt baseRefName headRefOid mergeCommit { oid }';
  const pulls = `associatedPullRequests(first: 10) { nodes { ${fields} } pageInfo { hasNextPage } }`;
  const parts = commits.map((commit, at) => `c${at}: object(oid: "${commit}") { ... on Commit { ${pulls} } }`);
  const answer = await ask(parts.join(' '));
  const listed = [];
  for (const [at, commit] of commits.entries()) {
    const found = answer[`c${at}`]?.associatedPullRequests;
    if (!Array.isArray(found?.nodes)) throw new HostFailure(`GitHub did not list the pull requests of ${commit}.`);
    listed.push(found.pageInfo?.hasNextPage === false ? found.nodes.map(ofGraphql) : await listOf(commit));
  }
  return listed;
}

function ofRest({ number, merged_at: mergedAt, merge_commit_sha: merge, head, base }) {
  return numbered({ number, head: head?.sha, base: base?.ref, mergedAt, merge });
}

function ofGraphql({ number, mergedAt, mergeCommit, headRefOid, baseRefName }) {
  return numbered({ number, head: headRefOid, base: baseRefName, mergedAt, merge: mergeCommit?.oid });
}

function numbered(pull) {
  if (!Number.isSafeInteger(pull.number)) throw new HostFailure('GitHub lists a pull request without its number.');
  return pull;
}

const commentsPage = `comments(first: 100, after: $after) {
  nodes { body createdAt lastEditedAt isMinimized author { login __typename } editor { login __typename } }
  pageInfo { hasNextPage endCursor }
}`;

/** The first page of all of them at once, and more of those that have more. */
async function editedComments(ask, pulls) {
  const after = (value) => ({ after: { type: 'String', value } });
  const askOne = async (pull, cursor) => {
    const variables = { ...after(cursor), pull: { type: 'Int!', value: pull } };
    return (await ask(`pullRequest(number: $pull) { ${commentsPage} }`, variables)).pullRequest?.comments;
  };
  const parts = pulls.map((pull, at) => `p${at}: pullRequest(number: ${pull}) { ${commentsPage} }`);
  const first = pulls.length === 1 ? undefined : await ask(parts.join(' '), after(null));
  const listed = [];
  for (const [at, pull] of pulls.entries()) {
    const all = [];
    let found = first === undefined ? await askOne(pull, null) : first[`p${at}`]?.comments;
    for (let page = 1; ; page += 1) {
      if (!Array.isArray(found?.nodes)) throw new HostFailure(`GitHub did not list the comments of #${pull}.`);
      all.push(...found.nodes.map(commentOf));
      if (found.pageInfo?.hasNextPage !== true) break;
      if (page === mostPages) throw new HostFailure(`The comments of #${pull} are too many to read.`);
      found = await askOne(pull, found.pageInfo.endCursor);
    }
    listed.push(all);
  }
  return listed;
}

function commentOf({ body, createdAt, lastEditedAt, isMinimized, author, editor }) {
  return {
    body: String(body ?? ''),
    author: loginOf(author),
    editor: lastEditedAt || editor ? loginOf(editor) : undefined,
    at: String(lastEditedAt || createdAt),
    isHidden: isMinimized === true,
  };
}

/** As REST writes it; '' for a user who no longer exists. */
function loginOf(actor) {
  if (!actor?.login) return '';
  return actor.__typename === 'Bot' ? `${actor.login}[bot]` : actor.login;
}
