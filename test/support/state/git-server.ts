// A git server over HTTP with a password, in front of git's own http-backend. It can fail at any request.

import { execFileSync, spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { listenOnLoopback } from './loopback.ts';

export interface GitServer {
  /** Without credentials. */
  readonly url: string;
  readonly origin: string;
  /** `GET /state.git/info/refs?service=git-receive-pack`, with the fault if there was one. */
  readonly seen: string[];
  /** Of the requests, the headers named Authorization. */
  readonly authorizations: Set<string>;
  /** What happens to a request; undefined: it is answered. */
  fault: (request: { readonly line: string; readonly isPush: boolean; readonly size: number }) => Fault | undefined;
  close(): Promise<void>;
}

export type Fault =
  | { readonly kind: 'lose-request' }
  | { readonly kind: 'lose-answer' }
  | { readonly kind: 'hang' }
  | { readonly kind: 'status'; readonly status: number; readonly body?: string };

export interface GitServerOptions {
  /** The folder that holds the repositories. */
  readonly root: string;
  readonly repository: string;
  readonly user: string;
  readonly password: string;
  /** Whether reading needs no password. */
  readonly isPublic?: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const backend = join(execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim(), 'git-http-backend');

export async function startGitServer(options: GitServerOptions): Promise<GitServer> {
  const seen: string[] = [];
  const authorizations = new Set<string>();
  const expected = `Basic ${Buffer.from(`${options.user}:${options.password}`).toString('base64')}`;
  const state: { fault: GitServer['fault'] } = { fault: () => undefined };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body: Buffer[] = [];
    for await (const chunk of request) body.push(chunk as Buffer);
    const line = `${request.method} ${request.url}`;
    const { authorization } = request.headers;
    if (authorization !== undefined) authorizations.add(authorization);
    const isPush = line.startsWith('POST') && line.endsWith('/git-receive-pack');
    const writes = line.includes('git-receive-pack');
    if (authorization?.toLowerCase() !== expected.toLowerCase() && (writes || options.isPublic !== true)) {
      seen.push(`${line} 401`);
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
      return;
    }
    const fault = state.fault({ line, isPush, size: Buffer.concat(body).length });
    seen.push(fault === undefined ? line : `${line} ${fault.kind}`);
    if (fault?.kind === 'hang') return;
    if (fault?.kind === 'lose-request') {
      request.socket.destroy();
      return;
    }
    if (fault?.kind === 'status') {
      response.writeHead(fault.status, { 'content-type': 'text/plain' }).end(fault.body ?? '');
      return;
    }
    const answer = await runBackend(request, Buffer.concat(body), options);
    if (fault?.kind === 'lose-answer') {
      request.socket.destroy();
      return;
    }
    response.writeHead(answer.status, answer.headers).end(answer.body);
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  const { port, close } = await listenOnLoopback(server);
  const origin = `http://127.0.0.1:${port}`;
  return Object.assign(state, {
    url: `${origin}/${options.repository}`,
    origin,
    seen,
    authorizations,
    close,
  });
}

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

/** As a CGI program. */
export function runBackend(
  request: IncomingMessage,
  body: Buffer,
  options: Pick<GitServerOptions, 'root' | 'user' | 'environment'>,
): Promise<Answer> {
  const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
  const { headers } = request;
  const child = spawn(backend, [], {
    env: {
      ...options.environment,
      GIT_PROJECT_ROOT: options.root,
      GIT_HTTP_EXPORT_ALL: '1',
      REQUEST_METHOD: request.method,
      PATH_INFO: decodeURIComponent(pathname),
      QUERY_STRING: search.slice(1),
      CONTENT_TYPE: headers['content-type'] ?? '',
      CONTENT_LENGTH: String(body.length),
      REMOTE_USER: options.user,
      REMOTE_ADDR: '127.0.0.1',
      HTTP_CONTENT_ENCODING: headers['content-encoding'],
      GIT_PROTOCOL: headers['git-protocol']?.toString(),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(body);
  const out: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => {
      const all = Buffer.concat(out);
      const end = all.indexOf('\r\n\r\n');
      const pairs = all
        .toString('latin1', 0, Math.max(0, end))
        .split('\r\n')
        .map((each) => each.split(/:\s*/, 2) as [string, string]);
      const { Status: status = '200', ...rest } = Object.fromEntries(pairs);
      resolve({ status: Number.parseInt(status, 10), headers: rest, body: all.subarray(end + 4) });
    });
  });
}
