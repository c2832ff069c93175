// Repositories over HTTP as GitLab serves them: git's own server, behind the tokens that may read or write.

import { spawn } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface GitServer {
  /** The folder that holds the bare repositories. */
  readonly root: string;
  readonly readers: ReadonlySet<string>;
  readonly writers: ReadonlySet<string>;
}

export function isGitRequest(url: string): boolean {
  return /\.git\/(?:info\/refs|git-(?:upload|receive)-pack)/.test(url);
}

export function serveGit(
  { root, readers, writers }: GitServer,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { pathname, searchParams, search } = new URL(request.url ?? '', 'http://gitlab');
  const isWrite = pathname.endsWith('/git-receive-pack') || searchParams.get('service') === 'git-receive-pack';
  const token = passwordOf(request);
  if (!(writers.has(token) || (!isWrite && readers.has(token)))) {
    response.writeHead(401, { 'www-authenticate': 'Basic realm="GitLab"' }).end('HTTP Basic: Access denied.');
    return;
  }
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: pathname,
      QUERY_STRING: search.replace(/^\?/, ''),
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      REMOTE_USER: 'almanac',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  request.pipe(child.stdin);
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.on('close', () => answer(Buffer.concat(chunks), response));
}

/** What a CGI program prints: headers, an empty line, the body. */
function answer(output: Buffer, response: ServerResponse): void {
  const end = output.indexOf('\r\n\r\n');
  const headers = output
    .subarray(0, end)
    .toString()
    .split('\r\n')
    .map((line) => line.split(/:\s*(.*)/s, 2) as [string, string]);
  const status = Number.parseInt(headers.find(([name]) => name === 'Status')?.[1] ?? '200', 10);
  response.writeHead(status, Object.fromEntries(headers.filter(([name]) => name !== 'Status')));
  response.end(output.subarray(end + 4));
}

function passwordOf({ headers: { authorization = '' } }: IncomingMessage): string {
  const [, encoded = ''] = /^Basic (.*)$/i.exec(authorization) ?? [];
  return Buffer.from(encoded, 'base64').toString().split(':').slice(1).join(':');
}
