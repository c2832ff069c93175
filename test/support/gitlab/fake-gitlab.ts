// A project of GitLab: its repository, and the part of the API that the jobs call, which is notes of a merge request and
// issues. It refuses what GitLab refuses, and keeps every request.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Answer, type FakeHost, isAhead, openHost, page } from '../action/fake-host.ts';
import { runBackend } from '../state/git-server.ts';

export interface Note {
  readonly id: number;
  /** The number of its issue, or undefined for one of the merge request. */
  readonly issue?: number;
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
  /** The commit at the tip of the merge request's branch. */
  head: string;
  /** The commits of the target branch, the oldest first. */
  order: readonly string[];
  /** Somebody locked the discussion. */
  isLocked: boolean;
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
  const gitlab: FakeGitlab = {
    ...host,
    notes: [],
    issues: [],
    writers,
    head: '',
    order: [],
    isLocked: false,
  };
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

const missing: Answer = [404, { message: '404 Not found' }];

type Given = Readonly<Record<string, string>>;

function handle(gitlab: FakeGitlab, method: string, url: string, given: Given): Answer {
  const { pathname, searchParams } = new URL(url, 'http://gitlab');
  if (Object.values(given).some((text) => text.length > longestText))
    return [400, { message: { note: [`is too long (maximum is ${longestText} characters)`] } }];
  if (pathname === '/api/v4/user') return [200, bot];
  const path = pathname.replace('/api/v4/projects/4711', '');
  if (path === '/merge_requests/7') return [200, { sha: gitlab.head }];
  if (path === '/repository/merge_base') {
    const [one = '', two = ''] = searchParams.getAll('refs[]');
    const isLater = isAhead(gitlab.order, one, two);
    return isLater === undefined
      ? [400, { message: `Could not find ref: ${one}` }]
      : [200, { id: isLater ? one : two }];
  }
  const [, iid] = /^\/issues(?:\/(\d+))?$/.exec(path) ?? ['', 'none'];
  if (iid !== 'none') return handleIssue(gitlab, method, iid, given, searchParams);
  const [, place, id] = /^\/(merge_requests\/7|issues\/\d+)\/notes(?:\/(\d+))?$/.exec(path) ?? [];
  if (place === undefined) return missing;
  const [, ofIssue] = /^issues\/(\d+)$/.exec(place) ?? [];
  const issue = ofIssue === undefined ? undefined : Number(ofIssue);
  if (issue !== undefined && !gitlab.issues.some((each) => each.iid === issue)) return missing;
  if (id === undefined && method === 'GET') {
    const there = gitlab.notes.filter((each) => each.issue === issue);
    return [200, page(there, searchParams)];
  }
  if (gitlab.isLocked && method !== 'DELETE') return [403, { message: '403 Forbidden' }];
  if (id === undefined) {
    gitlab.notes.push({ id: 1000 + gitlab.notes.length, issue, body: given['body'] ?? '', author: bot });
    return [201, {}];
  }
  const note = gitlab.notes.find((each) => String(each.id) === id);
  if (note === undefined) return missing;
  if (note.author.id !== bot.id) return [403, { message: '403 Forbidden' }];
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
  if (issue === undefined) return missing;
  issue.description = given['description'] ?? issue.description;
  if (given['state_event'] === 'close') issue.state = 'closed';
  if (given['state_event'] === 'reopen') issue.state = 'opened';
  return [200, {}];
}
