// The part of GitHub's API that the action calls: pull requests, their comments by REST and by GraphQL, issues, files, and
// the rules of a branch. It refuses what GitHub refuses, and keeps every request.

import { type Answer, type Asked, type FakeHost, isAhead, openHost, page } from './fake-host.ts';
import { githubToken, headCommit } from './fake-runner.ts';
import type { Repository } from './repository.ts';

export interface Comment {
  readonly id: number;
  /** The number of the pull request; 7 if left out. */
  readonly pull?: number;
  body: string;
  readonly user: { readonly login: string };
  /** Who last edited it; null for a user who no longer exists. */
  editor?: string | null;
  /** When its text was written. */
  at?: string;
  /** Somebody hid it. */
  readonly isMinimized?: boolean;
}

export interface Pull {
  readonly number: number;
  readonly head: { readonly sha: string };
  readonly base: { readonly ref: string; readonly sha?: string };
  /** `OWNER:BRANCH`. */
  readonly from?: string;
  merged_at: string | null;
  merge_commit_sha: string | null;
  /** The commits on the branch that it brought, if not only its merge commit. */
  readonly commits?: readonly string[];
}

export interface FakeIssue {
  readonly number: number;
  title: string;
  body: string;
  state: 'open' | 'closed';
  labels: readonly string[];
  readonly user: { readonly login: string };
  /** GitHub lists pull requests among the issues. */
  readonly pull_request?: object;
}

export interface FakeGithub extends FakeHost {
  /** The address of the two APIs and the token, for a step. */
  readonly env: Readonly<Record<string, string>>;
  readonly comments: Comment[];
  readonly pulls: Pull[];
  /** Undefined where the repository has none. */
  issues: FakeIssue[] | undefined;
  /** The files of the commit `baseCommit`, by path; undefined where the token may not read them. */
  files: Readonly<Record<string, string>> | undefined;
  /** What answers for branches, commits and their files, if a test has real git. */
  repository: Repository | undefined;
  /** The rules of the branch almanac-state; undefined where GitHub does not tell them. */
  rules: readonly { readonly type: string }[] | undefined;
  readOnly: boolean;
  /** What GraphQL says instead of an answer. */
  refusal: string | undefined;
  /** Somebody locked the conversation. */
  isLocked: boolean;
  /** The commits of the base branch, the oldest first. */
  order: readonly string[];
}

export const bot = { login: 'github-actions[bot]' };
export const baseCommit = 'b'.repeat(40);
const longestBody = 65_536;

export async function openGithub(): Promise<FakeGithub> {
  const answered = ({ method, url, headers, text }: Asked): Answer => {
    if (headers.authorization !== `Bearer ${githubToken}`) return [401, { message: 'Bad credentials' }];
    if (url === '/graphql') return [200, answerQuestion(github, text)];
    if (github.readOnly && method !== 'GET') return [403, { message: 'Resource not accessible by integration' }];
    return handle(github, method, url, text);
  };
  const host = await openHost(answered);
  const env = {
    GITHUB_API_URL: host.url,
    GITHUB_GRAPHQL_URL: `${host.url}/graphql`,
    GITHUB_TOKEN: githubToken,
  };
  const github: FakeGithub = {
    ...host,
    env,
    comments: [],
    pulls: [],
    issues: [],
    files: {},
    repository: undefined,
    rules: [],
    readOnly: false,
    refusal: undefined,
    isLocked: false,
    order: [],
  };
  return github;
}

const missing: Answer = [404, { message: 'Not Found' }];
const locked: Answer = [403, { message: 'Unable to create comment because issue is locked.' }];

function handle(github: FakeGithub, method: string, url: string, text: string): Answer {
  const { pathname, searchParams } = new URL(url, 'http://github');
  const { body = '' } = text === '' ? {} : (JSON.parse(text) as { body?: string });
  if (body.length > longestBody) return [422, { message: 'Body is too long (maximum is 65536 characters)' }];
  const path = /^\/repos\/acme\/reports(\/.*)$/.exec(pathname)?.[1] ?? '';
  const issue = /^\/issues(?:\/(\d+))?$/.exec(path);
  if (issue !== null) return handleIssue(github.issues, method, issue[1], searchParams, text);
  const id = Number(/^\/issues\/comments\/(\d+)$/.exec(path)?.[1]);
  const pull = Number(/^\/issues\/(\d+)\/comments$/.exec(path)?.[1]);
  const writes = ['POST', 'PATCH'].includes(method) && (!Number.isNaN(pull) || !Number.isNaN(id));
  if (github.isLocked && writes) return locked;
  if (!Number.isNaN(pull)) return commentsByRest(github, method, pull, body, searchParams);
  if (!Number.isNaN(id)) return changeComment(github, method, id, body);
  return method === 'GET' ? read(github, path, searchParams) : missing;
}

function read(github: FakeGithub, path: string, query: URLSearchParams): Answer {
  const commit = /^\/commits\/([0-9a-f]{40})\/pulls$/.exec(path)?.[1];
  if (commit !== undefined) return [200, page(pullsOf(github, commit), query)];
  const number = Number(/^\/pulls\/(\d+)$/.exec(path)?.[1]);
  if (!Number.isNaN(number)) return [200, github.pulls.find((pull) => pull.number === number) ?? openPull(number)];
  const ofRepository = /^\/(?:compare|git|contents)\//.test(path);
  if (github.repository !== undefined && ofRepository) return readRepository(github.repository, path, query);
  const [, one, two] = /^\/compare\/([0-9a-f]{40})\.\.\.([0-9a-f]{40})$/.exec(path) ?? [];
  if (one !== undefined && two !== undefined) {
    const isLater = isAhead(github.order, one, two);
    return isLater === undefined ? missing : [200, { status: isLater ? 'ahead' : 'behind' }];
  }
  if (path === '/pulls') {
    const isAsked = ({ from, merged_at: merged }: Pull) => merged === null && from === query.get('head');
    return [200, page(github.pulls.filter(isAsked), query)];
  }
  if (path === '/rules/branches/almanac-state')
    return github.rules === undefined ? missing : [200, page(github.rules, query)];
  if (path === `/git/commits/${baseCommit}`) return github.files === undefined ? missing : [200, { sha: baseCommit }];
  const file = /^\/contents\/(.+)$/.exec(path)?.[1];
  const content =
    file !== undefined && query.get('ref') === baseCommit ? github.files?.[decodeURIComponent(file)] : undefined;
  return content === undefined ? missing : [200, content];
}

function readRepository({ ask }: Repository, path: string, query: URLSearchParams): Answer {
  const branch = /^\/git\/ref\/heads\/(.+)$/.exec(path)?.[1];
  if (branch !== undefined) {
    const sha = ask('rev-parse', '--verify', '--quiet', `refs/heads/${decodeURIComponent(branch)}`);
    return sha === undefined ? missing : [200, { ref: `refs/heads/${branch}`, object: { type: 'commit', sha } }];
  }
  const [, one, other] = /^\/compare\/([0-9a-f]{40})\.\.\.([0-9a-f]{40})$/.exec(path) ?? [];
  if (one !== undefined && other !== undefined) {
    const sha = ask('merge-base', one, other);
    const status = sha === one ? (sha === other ? 'identical' : 'ahead') : sha === other ? 'behind' : 'diverged';
    return sha === undefined ? missing : [200, { status, merge_base_commit: { sha }, commits: [] }];
  }
  const commit = /^\/git\/commits\/([0-9a-f]{40})$/.exec(path)?.[1];
  if (commit !== undefined)
    return ask('cat-file', '-e', `${commit}^{commit}`) === undefined ? missing : [200, { sha: commit }];
  const file = /^\/contents\/(.+)$/.exec(path)?.[1];
  const content = file && ask('show', `${query.get('ref')}:${decodeURIComponent(file)}`);
  return content === undefined ? missing : [200, `${content}\n`];
}

function commentsByRest(
  github: FakeGithub,
  method: string,
  pull: number,
  body: string,
  query: URLSearchParams,
): Answer {
  if (method === 'GET') return [200, page(github.comments.filter(on(pull)), query)];
  const id = 1000 + github.comments.length;
  github.comments.push({ id, pull, body, user: bot, at: timeOf(github) });
  return [201, {}];
}

function changeComment(github: FakeGithub, method: string, id: number, body: string): Answer {
  const comment = github.comments.find((each) => each.id === id);
  if (comment === undefined) return missing;
  if (method === 'DELETE') {
    github.comments.splice(github.comments.indexOf(comment), 1);
    return [204];
  }
  comment.body = body;
  comment.editor = bot.login;
  comment.at = timeOf(github);
  return [200, {}];
}

/** Each request takes a second. */
export function timeOf({ requests }: FakeGithub): string {
  return new Date(Date.UTC(2026, 2, 1) + requests.length * 1000).toISOString();
}

function pullsOf({ pulls }: FakeGithub, commit: string): readonly Pull[] {
  return pulls.filter(({ merge_commit_sha: merge, commits = [] }) => merge === commit || commits.includes(commit));
}

/** What GraphQL takes of one question. */
const mostNodes = 500_000;

/** The questions that the action asks: the pull requests of commits with their comments, and more comments of one. */
function answerQuestion(github: FakeGithub, text: string): unknown {
  const { query } = JSON.parse(text) as { query: string };
  const refused = (message: string) => ({ data: { repository: null }, errors: [{ type: 'REFUSED', message }] });
  if (github.refusal !== undefined) return refused(github.refusal);
  const sizes = [...query.matchAll(/\(first: (\d+)/g)].map(([, size]) => Number(size));
  if (sizes.some((size) => size > 100)) return refused('Requesting more than 100 records on a connection is refused.');
  if (sizes.reduce((sum, size) => sum + size, 0) > mostNodes) return refused('This query is too large.');
  const repository: Record<string, unknown> = {};
  for (const [, alias = '', commit = ''] of query.matchAll(/(\w+): object\(oid: "([0-9a-f]{40})"\)/g)) {
    const found = pullsOf(github, commit);
    const nodes = found.slice(0, sizes[0]).map((pull) => ({
      comments: commentsByGraphql(github, pull.number, 0),
      number: pull.number,
      mergedAt: pull.merged_at,
      baseRefName: pull.base.ref,
      headRefOid: pull.head.sha,
      mergeCommit: pull.merge_commit_sha === null ? null : { oid: pull.merge_commit_sha },
    }));
    const pageInfo = { hasNextPage: found.length > nodes.length };
    repository[alias] = { associatedPullRequests: { nodes, pageInfo } };
  }
  const [, asked, after] = /pullRequest\(number: (\d+)\) \{ comments\(first: 100, after: "(\d+)"\)/.exec(query) ?? [];
  if (asked !== undefined)
    repository['pullRequest'] = { comments: commentsByGraphql(github, Number(asked), Number(after)) };
  return { data: { repository } };
}

/** As GraphQL writes them: a bot has no `[bot]` at its end. */
function commentsByGraphql(github: FakeGithub, pull: number, from: number): unknown {
  const found = github.comments.filter(on(pull));
  const actor = (login: string | null | undefined) =>
    login === null || login === undefined
      ? null
      : { login: login.replace('[bot]', ''), __typename: login.endsWith('[bot]') ? 'Bot' : 'User' };
  const nodes = found
    .slice(from, from + 100)
    .map(({ body, user, editor, isMinimized = false, at = '2026-03-01T00:00:00Z' }) => ({
      body,
      author: actor(user.login),
      editor: actor(editor),
      createdAt: at,
      isMinimized,
      lastEditedAt: editor === undefined ? null : at,
    }));
  return { nodes, pageInfo: { hasNextPage: found.length > from + 100, endCursor: String(from + 100) } };
}

const on = (number: number) => (comment: Comment) => (comment.pull ?? 7) === number;

/** What the token writes belongs to the bot of the workflow. */
function handleIssue(
  issues: FakeIssue[] | undefined,
  method: string,
  number: string | undefined,
  query: URLSearchParams,
  text: string,
): Answer {
  if (issues === undefined) return [410, { message: 'Issues has been disabled in this repository.' }];
  if (method === 'GET') return [200, page(listed(issues, query), query)];
  const given = JSON.parse(text) as Partial<FakeIssue>;
  if (number === undefined) {
    const next = 1 + Math.max(0, ...issues.map((each) => each.number));
    issues.push({ title: '', body: '', labels: [], ...given, number: next, user: bot, state: 'open' });
    return [201, { number: next }];
  }
  const issue = issues.find((each) => each.number === Number(number));
  return issue === undefined ? missing : [200, Object.assign(issue, given)];
}

/** The newest first, as GitHub sorts them. */
function listed(issues: readonly FakeIssue[], query: URLSearchParams): readonly FakeIssue[] {
  const [state, creator] = [query.get('state') ?? 'open', query.get('creator')];
  return issues
    .filter((issue) => (state === 'all' || issue.state === state) && (creator === null || issue.user.login === creator))
    .sort((one, other) => other.number - one.number);
}

/** One that nobody has pushed to since. */
function openPull(number: number): Pull {
  return mergedPull({ number, merged_at: null, merge_commit_sha: null, head: { sha: headCommit } });
}

/** A pull request that was merged after every plan, where nothing else is said. */
export function mergedPull(more: Partial<Pull> = {}): Pull {
  return {
    number: 7,
    merged_at: '2026-04-01T00:00:00Z',
    merge_commit_sha: headCommit,
    base: { ref: 'main' },
    head: { sha: 'c'.repeat(40) },
    ...more,
  };
}
