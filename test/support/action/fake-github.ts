// The part of GitHub's API that the action calls: pull requests, their comments by REST and by GraphQL, issues, files, and
// the rules of a branch. It refuses what GitHub refuses, and keeps every request.

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { answerAboutIssues, type FakeIssue } from './fake-issues.ts';
import { githubToken, headCommit } from './fake-runner.ts';

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

export interface FakeGithub {
  readonly url: string;
  /** The address of the two APIs and the token, for a step. */
  readonly env: Readonly<Record<string, string>>;
  readonly comments: Comment[];
  readonly pulls: Pull[];
  /** Undefined where the repository has none. */
  issues: FakeIssue[] | undefined;
  readonly requests: string[];
  /** The files of the base branch, by path; undefined where the token may not read them. */
  files: Readonly<Record<string, string>> | undefined;
  /** The rules of the branch almanac-state; undefined where GitHub does not tell them. */
  rules: readonly { readonly type: string }[] | undefined;
  /** Answers the next requests of a method with these statuses instead. */
  failNext(method: string, ...statuses: readonly number[]): void;
  readOnly: boolean;
}

export const bot = { login: 'github-actions[bot]' };
export const baseCommit = 'b'.repeat(40);
const longestBody = 65_536;

export async function openGithub(): Promise<FakeGithub> {
  const failures: { method: string; status: number }[] = [];
  const github: FakeGithub & { url: string; env: Readonly<Record<string, string>> } = {
    url: '',
    env: {},
    comments: [],
    pulls: [],
    issues: [],
    requests: [],
    files: {},
    rules: [],
    readOnly: false,
    failNext: (method, ...statuses) => {
      failures.push(...statuses.map((status) => ({ method, status })));
    },
  };
  const server = createServer(async (request, response) => {
    const text = await bodyOf(request);
    const { method = '', url = '' } = request;
    github.requests.push(`${method} ${url}`);
    const answered = (): Answer => {
      const failing = failures.findIndex((failure) => failure.method === method);
      if (failing >= 0) return [failures.splice(failing, 1)[0]?.status ?? 500, { message: 'as asked' }];
      if (request.headers.authorization !== `Bearer ${githubToken}`) return [401, { message: 'Bad credentials' }];
      if (url === '/graphql') return [200, commentsByGraphql(github, text)];
      if (github.readOnly && method !== 'GET') return [403, { message: 'Resource not accessible by integration' }];
      return handle(github, method, url, text);
    };
    const [status, body] = answered();
    const wait = status === 429 || status >= 500 ? { 'retry-after': '0' } : {};
    response.writeHead(status, { 'content-type': 'application/json', ...wait });
    response.end(body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  github.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  github.env = {
    GITHUB_API_URL: github.url,
    GITHUB_GRAPHQL_URL: `${github.url}/graphql`,
    GITHUB_TOKEN: githubToken,
  };
  return github;
}

/** A status, and what is sent: a file as it is, anything else as JSON. */
type Answer = readonly [status: number, body?: unknown];

const missing: Answer = [404, { message: 'Not Found' }];

function handle(github: FakeGithub, method: string, url: string, text: string): Answer {
  const { pathname, searchParams } = new URL(url, 'http://github');
  const { body = '' } = text === '' ? {} : (JSON.parse(text) as { body?: string });
  if (body.length > longestBody) return [422, { message: 'Body is too long (maximum is 65536 characters)' }];
  const aboutIssues = answerAboutIssues(github.issues, method, pathname, searchParams, text);
  if (aboutIssues !== undefined) return aboutIssues;
  const path = /^\/repos\/acme\/reports(\/.*)$/.exec(pathname)?.[1] ?? '';
  const id = Number(/^\/issues\/comments\/(\d+)$/.exec(path)?.[1]);
  const pull = Number(/^\/issues\/(\d+)\/comments$/.exec(path)?.[1]);
  if (!Number.isNaN(pull)) return commentsByRest(github, method, pull, body, searchParams);
  if (!Number.isNaN(id)) return changeComment(github, method, id, body);
  return method === 'GET' ? read(github, path, searchParams) : missing;
}

function read(github: FakeGithub, path: string, query: URLSearchParams): Answer {
  const commit = /^\/commits\/([0-9a-f]{40})\/pulls$/.exec(path)?.[1];
  if (commit !== undefined) {
    const brought = ({ merge_commit_sha: merge, commits = [] }: Pull) => merge === commit || commits.includes(commit);
    return [200, page(github.pulls.filter(brought), query)];
  }
  const number = Number(/^\/pulls\/(\d+)$/.exec(path)?.[1]);
  if (!Number.isNaN(number)) return [200, github.pulls.find((pull) => pull.number === number) ?? { merged_at: null }];
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

/** As GraphQL writes them: a bot has no `[bot]` at its end. */
function commentsByGraphql(github: FakeGithub, text: string): unknown {
  const { variables } = JSON.parse(text) as { variables: { pull: number; after: string | null } };
  const from = Number(variables.after ?? 0);
  const found = github.comments.filter(on(variables.pull));
  const actor = (login: string | null | undefined) =>
    login === null || login === undefined
      ? null
      : { login: login.replace('[bot]', ''), __typename: login.endsWith('[bot]') ? 'Bot' : 'User' };
  const nodes = found.slice(from, from + 100).map(({ body, user, editor, at = '2026-03-01T00:00:00Z' }) => ({
    body,
    author: actor(user.login),
    editor: actor(editor),
    createdAt: at,
    lastEditedAt: editor === undefined ? null : at,
  }));
  const pageInfo = { hasNextPage: found.length > from + 100, endCursor: String(from + 100) };
  if (!github.pulls.some(({ number }) => number === variables.pull))
    return { data: { repository: { pullRequest: null } }, errors: [{ type: 'NOT_FOUND' }] };
  return { data: { repository: { pullRequest: { comments: { nodes, pageInfo } } } } };
}

const on = (number: number) => (comment: Comment) => (comment.pull ?? 7) === number;

function page<T>(items: readonly T[], query: URLSearchParams): readonly T[] {
  const [size, number] = [Number(query.get('per_page')), Number(query.get('page'))];
  return items.slice((number - 1) * size, number * size);
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

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}
