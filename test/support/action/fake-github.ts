// The part of GitHub's API that the action calls: comments of a pull request and pull requests of a commit. It refuses
// what GitHub refuses, and keeps every request.

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { githubToken } from './fake-runner.ts';

export interface Comment {
  readonly id: number;
  body: string;
  readonly user: { readonly login: string };
}

export interface FakeGithub {
  readonly url: string;
  readonly comments: Comment[];
  readonly pulls: unknown[];
  readonly requests: string[];
  /** The files of the base branch, by path; undefined where the token may not read them. */
  files: Readonly<Record<string, string>> | undefined;
  /** Answers the next requests of a method with these statuses instead. */
  failNext(method: string, ...statuses: readonly number[]): void;
  readOnly: boolean;
}

export const bot = { login: 'github-actions[bot]' };
export const baseCommit = 'b'.repeat(40);
const longestBody = 65_536;

export async function openGithub(): Promise<FakeGithub> {
  const failures: { method: string; status: number }[] = [];
  const github: FakeGithub & { url: string } = {
    url: '',
    comments: [],
    pulls: [],
    requests: [],
    files: {},
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
  return github;
}

/** A status, and what is sent: a file as it is, anything else as JSON. */
type Answer = readonly [status: number, body?: unknown];

function handle(github: FakeGithub, method: string, url: string, text: string): Answer {
  const { pathname, searchParams } = new URL(url, 'http://github');
  const page = <T>(items: readonly T[]): readonly T[] => {
    const [size, number] = [Number(searchParams.get('per_page')), Number(searchParams.get('page'))];
    return items.slice((number - 1) * size, number * size);
  };
  const body = text === '' ? '' : (JSON.parse(text) as { body: string }).body;
  if (body.length > longestBody) return [422, { message: 'Body is too long (maximum is 65536 characters)' }];
  const id = Number(/\/issues\/comments\/(\d+)$/.exec(pathname)?.[1]);
  const comment = github.comments.find((each) => each.id === id);
  if (/^\/repos\/acme\/reports\/commits\/[0-9a-f]{40}\/pulls$/.test(pathname)) return [200, page(github.pulls)];
  if (pathname === `/repos/acme/reports/git/commits/${baseCommit}`)
    return github.files === undefined ? [404, { message: 'Not Found' }] : [200, { sha: baseCommit }];
  const path = /^\/repos\/acme\/reports\/contents\/(.+)$/.exec(pathname)?.[1];
  if (path !== undefined) {
    const file = searchParams.get('ref') === baseCommit ? github.files?.[decodeURIComponent(path)] : undefined;
    return file === undefined ? [404, { message: 'Not Found' }] : [200, file];
  }
  if (pathname === '/repos/acme/reports/issues/7/comments') {
    if (method === 'GET') return [200, page(github.comments)];
    github.comments.push({ id: 1000 + github.comments.length, body, user: bot });
    return [201, {}];
  }
  if (comment === undefined) return [404, { message: 'Not Found' }];
  if (method === 'DELETE') {
    github.comments.splice(github.comments.indexOf(comment), 1);
    return [204];
  }
  comment.body = body;
  return [200, {}];
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}
