// A project of GitLab: its repository, and the part of the API that the jobs call, which is notes of a merge request and
// issues. It refuses what GitLab refuses, and keeps every request.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Answer, type FakeHost, openHost, page } from '../action/fake-host.ts';
import { runBackend } from '../state/git-server.ts';

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

export interface FakeGitlab extends FakeHost {
  readonly notes: Note[];
  readonly issues: Issue[];
  /** Tokens that may push. */
  readonly writers: Set<string>;
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
  const writers = new Set([pushToken]);
  const host = await openHost(
    ({ method, url, headers, text }) =>
      headers['private-token'] === noteToken
        ? handle(gitlab, method, url, text === '' ? {} : JSON.parse(text))
        : [401, { message: '401 Unauthorized' }],
    (request, response) => {
      const isGit = /\.git\/(?:info\/refs|git-(?:upload|receive)-pack)/.test(request.url ?? '');
      if (isGit) void serveGit(root, writers, request, response);
      return isGit;
    },
  );
  const gitlab: FakeGitlab = { ...host, notes: [], issues: [], writers };
  return gitlab;
}

/** The repository over HTTP, behind the tokens that may read or write. */
async function serveGit(
  root: string,
  writers: ReadonlySet<string>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const [, encoded = ''] = /^Basic (.*)$/i.exec(request.headers.authorization ?? '') ?? [];
  const token = Buffer.from(encoded, 'base64').toString().split(':').slice(1).join(':');
  if (!writers.has(token) && (token !== jobToken || request.url?.includes('git-receive-pack'))) {
    response.writeHead(401, { 'www-authenticate': 'Basic realm="GitLab"' }).end('HTTP Basic: Access denied.');
    return;
  }
  const options = { root, user: 'almanac', environment: { PATH: process.env['PATH'] } };
  const { status, headers, body } = await runBackend(request, Buffer.concat(chunks), options);
  response.writeHead(status, headers).end(body);
}

type Given = Readonly<Record<string, string>>;

function handle(gitlab: FakeGitlab, method: string, url: string, given: Given): Answer {
  const { pathname, searchParams } = new URL(url, 'http://gitlab');
  if (Object.values(given).some((text) => text.length > longestText)) return [400, { message: 'is too long' }];
  if (pathname === '/api/v4/user') return [200, bot];
  const [, collection, id] =
    /^\/api\/v4\/projects\/4711\/(merge_requests\/7\/notes|issues)(?:\/(\d+))?$/.exec(pathname) ?? [];
  if (collection === 'issues') return handleIssue(gitlab, method, id, given, searchParams);
  if (collection === undefined) return [404, { message: '404 Not found' }];
  if (id === undefined && method === 'GET') return [200, page(gitlab.notes, searchParams)];
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
  query: URLSearchParams,
): Answer {
  if (iid === undefined && method === 'GET') return [200, page(issues, query)];
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
