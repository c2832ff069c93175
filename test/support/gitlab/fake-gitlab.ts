// A project of GitLab: its repository, and the part of the API that the jobs call, which is notes of a merge request and
// issues. It refuses what GitLab refuses, and keeps every request.

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { isGitRequest, serveGit } from './git-server.ts';

export interface Note {
  readonly id: number;
  body: string;
  readonly author: { readonly id: number };
}

export interface Issue {
  readonly iid: number;
  title: string;
  description: string;
  state: 'opened' | 'closed';
  readonly author: { readonly id: number };
}

export interface FakeGitlab {
  readonly url: string;
  readonly notes: Note[];
  readonly issues: Issue[];
  readonly requests: string[];
  /** Tokens that may push; deleting one is what an expired token looks like. */
  readonly writers: Set<string>;
  /** Answers the next requests of a method with these statuses instead. */
  failNext(method: string, ...statuses: readonly number[]): void;
}

export const noteToken = 'glpat-theNoteTokenThatMustNotLeak';
export const pushToken = 'glpat-thePushTokenThatMustNotLeak';
export const jobToken = 'glcbt-theJobTokenThatMustNotLeak';
export const projectPath = 'acme/reports';
/** The user of the project access token. */
export const bot = { id: 99 };
const longestText = 1_000_000;

/** `root` holds the bare repository, as acme/reports.git. */
export async function openGitlab(root: string): Promise<FakeGitlab> {
  const failures: { method: string; status: number }[] = [];
  const gitlab: FakeGitlab & { url: string } = {
    url: '',
    notes: [],
    issues: [],
    requests: [],
    writers: new Set([pushToken]),
    failNext: (method, ...statuses) => {
      failures.push(...statuses.map((status) => ({ method, status })));
    },
  };
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    if (isGitRequest(url)) {
      serveGit({ root, readers: new Set([jobToken]), writers: gitlab.writers }, request, response);
      return;
    }
    const text = await bodyOf(request);
    gitlab.requests.push(`${method} ${url}`);
    const failing = failures.findIndex((failure) => failure.method === method);
    const [status, body] =
      failing >= 0
        ? [failures.splice(failing, 1)[0]?.status ?? 500, { message: 'as asked' }]
        : headers['private-token'] === noteToken
          ? handle(gitlab, method, url, text === '' ? {} : JSON.parse(text))
          : [401, { message: '401 Unauthorized' }];
    const wait = status === 429 || status >= 500 ? { 'retry-after': '0' } : {};
    response.writeHead(status, { 'content-type': 'application/json', ...wait });
    response.end(body === undefined ? '' : JSON.stringify(body));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  gitlab.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return gitlab;
}

type Answer = readonly [status: number, body?: unknown];
type Given = Readonly<Record<string, string>>;

function handle(gitlab: FakeGitlab, method: string, url: string, given: Given): Answer {
  const { pathname, searchParams } = new URL(url, 'http://gitlab');
  const page = <T>(items: readonly T[]): readonly T[] => {
    const [size, number] = [Number(searchParams.get('per_page')), Number(searchParams.get('page'))];
    return items.slice((number - 1) * size, number * size);
  };
  if (Object.values(given).some((text) => text.length > longestText)) return [400, { message: 'is too long' }];
  if (pathname === '/api/v4/user') return [200, bot];
  const [, collection, id] =
    /^\/api\/v4\/projects\/4711\/(merge_requests\/7\/notes|issues)(?:\/(\d+))?$/.exec(pathname) ?? [];
  if (collection === 'issues') return handleIssue(gitlab, method, id, given, page);
  if (collection === undefined) return [404, { message: '404 Not found' }];
  if (id === undefined && method === 'GET') return [200, page(gitlab.notes)];
  if (id === undefined) {
    gitlab.notes.push({ id: 1000 + gitlab.notes.length, body: given['body'] ?? '', author: bot });
    return [201, {}];
  }
  const note = gitlab.notes.find((each) => String(each.id) === id);
  if (note === undefined || note.author.id !== bot.id) return [403, { message: '403 Forbidden' }];
  if (method === 'DELETE') {
    gitlab.notes.splice(gitlab.notes.indexOf(note), 1);
    return [204];
  }
  note.body = given['body'] ?? '';
  return [200, {}];
}

function handleIssue(
  { issues }: FakeGitlab,
  method: string,
  iid: string | undefined,
  given: Given,
  page: (items: readonly Issue[]) => readonly Issue[],
): Answer {
  if (iid === undefined && method === 'GET') return [200, page(issues)];
  if (iid === undefined) {
    const { title = '', description = '' } = given;
    issues.push({ iid: issues.length + 1, title, description, state: 'opened', author: bot });
    return [201, {}];
  }
  const issue = issues.find((each) => String(each.iid) === iid);
  if (issue === undefined) return [404, { message: '404 Not found' }];
  issue.description = given['description'] ?? issue.description;
  if (given['state_event'] === 'close') issue.state = 'closed';
  if (given['state_event'] === 'reopen') issue.state = 'opened';
  return [200, {}];
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}
