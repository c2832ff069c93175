// The few requests that the action sends to GitHub. The token appears only in the header.

import type { Variables } from '../../../model/outside.ts';
import { pushAll } from '../../../model/values/collections.ts';
import type { PullHost } from '../comments/parts.ts';
import type { IssuesHost, KeptIssue } from '../issues/issue.ts';
import { allPages, HostFailure, maxPages, pauseOf, requestJson } from '../runner/http.ts';
import { isCommit, type PullOfGithub } from '../runner/inputs.ts';
import type { Step } from '../step.ts';

/** The author of everything written with a job's token. Comments and issues of others are neither read nor changed. */
export const ownLogin = 'github-actions[bot]';

export interface ListedPull {
  readonly number: number;
  readonly head: string | undefined;
  readonly base: string | undefined;
  readonly mergedAt: string | null | undefined;
  readonly merge: string | null | undefined;
  readonly comments: readonly EditedComment[];
}

/** A comment with its author and last editor, the time of its text, and whether it is hidden. */
export interface EditedComment {
  readonly body: string;
  readonly author: string;
  readonly editor: string | undefined;
  readonly at: string;
  readonly isHidden: boolean;
}

interface ListedText {
  readonly id: number;
  readonly body?: string | null;
  readonly user?: { readonly login?: string } | null;
}

interface ListedIssue extends Omit<ListedText, 'id'> {
  readonly number: number;
  readonly state?: string;
  readonly pull_request?: object;
}

export interface Github extends PullHost, IssuesHost {
  tipOf(branch: string): Promise<string | undefined>;
  /** The last commit that both have; undefined if they have none. */
  mergeBaseOf(one: string | undefined, other: string | undefined): Promise<string | undefined>;
  /** Leaves out pull requests, which GitHub lists among the issues. */
  ownIssues(): Promise<readonly KeptIssue[]>;
  pull(number: number): Promise<PullOfGithub>;
  pullsOf(commits: readonly string[]): Promise<readonly (readonly ListedPull[])[]>;
  openPullsFrom(head: string): Promise<readonly PullOfGithub[]>;
  rulesOf(branch: string): Promise<readonly { readonly type?: string }[]>;
}

export function connectGithub({ env }: Pick<Step, 'env'>): Github {
  const { GITHUB_API_URL: url, GITHUB_TOKEN: token, GITHUB_REPOSITORY: repository = '' } = env;
  const pause = pauseOf(env);
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) throw new HostFailure('GITHUB_REPOSITORY does not name a repository.');
  const base = `${url || 'https://api.github.com'}/repos/${repository}`;

  const request = async <T>(method: string, path: string, body?: object): Promise<T> =>
    (await requestJson('GitHub', method, `${base}${path}`, { headers: headersFor(token), body, pause })) as T;

  const list = <T>(path: string, query = ''): Promise<readonly T[]> =>
    allPages((page) => request<readonly T[]>('GET', `${path}?${query}${page}`));

  return {
    tipOf: async (branch) =>
      commitIn((await request<{ object?: { sha?: unknown } }>('GET', `/git/ref/heads/${inPath(branch)}`))?.object),
    mergeBaseOf: async (one, other) =>
      one === other
        ? one
        : commitIn(
            (await request<{ merge_base_commit?: { sha?: unknown } }>('GET', `/compare/${one}...${other}?per_page=1`))
              ?.merge_base_commit,
          ),
    words: { pull: 'pull request', base: 'base branch' },
    pullNow: async (pull) => {
      const { merged_at: mergedAt, head, base } = await request<PullOfGithub>('GET', `/pulls/${pull}`);
      return { isMerged: Boolean(mergedAt), head: head?.sha, base: base?.ref };
    },
    ownTexts: async (pull) =>
      (await list<ListedText>(`/issues/${pull}/comments`)).filter(({ user }) => user?.login === ownLogin),
    addComment: (pull, body) => request('POST', `/issues/${pull}/comments`, { body }),
    changeComment: (_, id, body) => request('PATCH', `/issues/comments/${id}`, { body }),
    removeComment: (_, id) => request('DELETE', `/issues/comments/${id}`),
    comesAfter: async (commit, other) => {
      try {
        return (
          (await request<{ status?: string }>('GET', `/compare/${other}...${commit}?per_page=1`)).status === 'ahead'
        );
      } catch (error) {
        if (error instanceof HostFailure && error.status === 404) return false;
        throw error;
      }
    },
    ownIssues: async () =>
      (await list<ListedIssue>('/issues', `state=all&creator=${encodeURIComponent(ownLogin)}&`))
        .filter(({ user, pull_request: pull }) => user?.login === ownLogin && pull === undefined)
        .map(({ number, body, state }) => ({ id: number, body, isOpen: state === 'open' })),
    ownWordsOn: async (issue) =>
      (await list<ListedText>(`/issues/${issue}/comments`)).flatMap(({ user, body }) =>
        user?.login === ownLogin ? [body] : [],
      ),
    addIssue: (issue) => request('POST', '/issues', issue),
    addToIssue: (number, body) => request('POST', `/issues/${number}/comments`, { body }),
    changeIssue: (number, { body, open }) =>
      request('PATCH', `/issues/${number}`, { body, state: open === undefined ? undefined : open ? 'open' : 'closed' }),
    pull: (number) => request('GET', `/pulls/${number}`),
    pullsOf: (commits) => pullsOf((text) => question({ repository, env }, text), commits),
    openPullsFrom: (head) => list('/pulls', `state=open&head=${encodeURIComponent(head)}&`),
    rulesOf: (branch) => list(`/rules/branches/${inPath(branch)}`),
  };
}

function commitIn(value: { readonly sha?: unknown } | undefined): string | undefined {
  return isCommit(value?.sha) ? value.sha : undefined;
}

function inPath(name: string): string {
  return name.split('/').map(encodeURIComponent).join('/');
}

/** The token is left out if the job has none. */
function headersFor(token: string | undefined): Readonly<Record<string, string>> {
  return {
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
    'user-agent': 'almanac-action',
    ...(token ? { authorization: `Bearer ${token}` } : {}),
  };
}

type Ask = (text: string) => Promise<Readonly<Record<string, unknown>>>;

/** GraphQL's answer about the repository. Throws HostFailure in GitHub's words. */
async function question(
  { repository, env }: { readonly repository: string; readonly env: Variables },
  text: string,
): Promise<Readonly<Record<string, unknown>>> {
  const url = env['GITHUB_GRAPHQL_URL'] || 'https://api.github.com/graphql';
  const [owner, name] = repository.split('/');
  const body = { query: `{ repository(owner: "${owner}", name: "${name}") { ${text} } }` };
  const [headers, pause] = [headersFor(env['GITHUB_TOKEN']), pauseOf(env)];
  const answer = await requestJson('GitHub', 'POST', url, { headers, body, reads: true, pause });
  const { data, errors } = (answer ?? {}) as {
    readonly data?: { readonly repository?: Readonly<Record<string, unknown>> };
    readonly errors?: readonly { readonly message?: unknown; readonly type?: unknown }[];
  };
  if (errors === undefined && data?.repository) return data.repository;
  const said = String(errors?.[0]?.message ?? errors?.[0]?.type ?? '').slice(0, 200);
  throw new HostFailure(`GitHub did not answer a question about what was merged${said === '' ? '.' : `: ${said}`}`);
}

/** The number of commits in one question. GitHub allows more nodes, but the time to answer limits it. */
const commitsAtOnce = 20;
/** A commit of a branch usually has only the one that brought it. */
const mostPulls = 10;

const commentsAfter = (cursor: unknown) => `comments(first: 100, after: ${JSON.stringify(cursor ?? null)}) {
  nodes { body createdAt lastEditedAt isMinimized author { login __typename } editor { login __typename } }
  pageInfo { hasNextPage endCursor }
}`;

interface Nodes<T> {
  readonly nodes?: readonly T[];
  readonly pageInfo?: { readonly hasNextPage?: boolean; readonly endCursor?: string | null };
}

interface AskedPull {
  readonly number: number;
  readonly mergedAt?: string | null;
  readonly mergeCommit?: { readonly oid?: string } | null;
  readonly headRefOid?: string;
  readonly baseRefName?: string;
  readonly comments?: Nodes<AskedComment>;
}

async function pullsOf(ask: Ask, commits: readonly string[]): Promise<readonly (readonly ListedPull[])[]> {
  const fields = `number mergedAt baseRefName headRefOid mergeCommit { oid } ${commentsAfter(null)}`;
  const pulls = `associatedPullRequests(first: ${mostPulls}) { nodes { ${fields} } pageInfo { hasNextPage } }`;
  const listed: (readonly ListedPull[])[] = [];
  for (let from = 0; from < commits.length; from += commitsAtOnce) {
    const some = commits.slice(from, from + commitsAtOnce);
    const answer = await ask(
      some.map((commit, at) => `c${at}: object(oid: "${commit}") { ... on Commit { ${pulls} } }`).join(' '),
    );
    for (const [at, commit] of some.entries()) {
      const { associatedPullRequests: found } = (answer[`c${at}`] ?? {}) as {
        readonly associatedPullRequests?: Nodes<AskedPull>;
      };
      if (!Array.isArray(found?.nodes) || found.pageInfo?.hasNextPage !== false)
        throw new HostFailure(`GitHub did not list the pull requests of ${commit}.`);
      const own: ListedPull[] = [];
      for (const pull of found.nodes) own.push(await listedPull(ask, pull));
      listed.push(own);
    }
  }
  return listed;
}

async function listedPull(ask: Ask, asked: AskedPull): Promise<ListedPull> {
  const { number, mergedAt, mergeCommit, headRefOid, baseRefName } = asked;
  if (!Number.isSafeInteger(number)) throw new HostFailure('GitHub lists a pull request without its number.');
  const comments: EditedComment[] = [];
  for (let page = 1, { comments: found } = asked; ; page += 1) {
    if (!Array.isArray(found?.nodes)) throw new HostFailure(`GitHub did not list the comments of #${number}.`);
    pushAll(comments, found.nodes.map(commentOf));
    if (found.pageInfo?.hasNextPage !== true) break;
    if (page === maxPages) throw new HostFailure(`The comments of #${number} are too many to read.`);
    const answer = await ask(`pullRequest(number: ${number}) { ${commentsAfter(found.pageInfo.endCursor)} }`);
    found = (answer['pullRequest'] as Pick<AskedPull, 'comments'> | undefined)?.comments;
  }
  return { number, head: headRefOid, base: baseRefName, mergedAt, merge: mergeCommit?.oid, comments };
}

interface AskedComment {
  readonly body?: string;
  readonly createdAt?: string;
  readonly lastEditedAt?: string | null;
  readonly isMinimized?: boolean;
  readonly author?: Actor | null;
  readonly editor?: Actor | null;
}

interface Actor {
  readonly login?: string;
  readonly __typename?: string;
}

function commentOf({ body, createdAt, lastEditedAt, isMinimized, author, editor }: AskedComment): EditedComment {
  return {
    body: String(body ?? ''),
    author: loginOf(author),
    editor: lastEditedAt || editor ? loginOf(editor) : undefined,
    at: String(lastEditedAt || createdAt),
    isHidden: isMinimized === true,
  };
}

/** The login as REST writes it; '' for a user who no longer exists. */
function loginOf(actor: Actor | null | undefined): string {
  if (!actor?.login) return '';
  return actor.__typename === 'Bot' ? `${actor.login}[bot]` : actor.login;
}
