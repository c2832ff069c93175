// Asks GitHub whether the run of a lock is over. Only within the repository whose job this process is, and with the token
// that this job was given: it goes to the API of that GitHub and nowhere else.

import { isJsonObject } from '../../../model/values/json.ts';
import { parseUrl } from '../../../model/values/parse-url.ts';
import { isLoopback } from '../../../model/workspace/base-url-fault.ts';
import { makeDispatcher } from '../../http/dispatcher.ts';
import { exchange } from '../s3/exchange.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const timeoutMs = 5000;

/** True only if GitHub says so. Whatever else comes of it is not an answer. Throws only where the signal aborts. */
export async function isGitHubRunOver(
  runUrl: string,
  environment: Environment,
  signal?: AbortSignal,
): Promise<boolean> {
  const { GITHUB_TOKEN: token, GITHUB_API_URL: api = '' } = environment;
  const run = runOf(runUrl, environment);
  const url = parseUrl(api);
  if (!token || run === undefined || url === undefined || !isPrivate(url)) return false;
  const base = { origin: url.origin, host: url.host, path: url.pathname, loopback: isLoopback(url.hostname) };
  const connection = { base, timeout: timeoutMs / 1000, connections: 1, environment };
  const dispatcher = await makeDispatcher(connection).catch(() => undefined);
  if (dispatcher === undefined) return false;
  try {
    const { path, id, attempt } = run;
    const headers = {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${token}`,
      'user-agent': 'almanac',
      'x-github-api-version': '2022-11-28',
    };
    const prefix = url.pathname.replace(/\/+$/, '');
    const answer = await exchange(
      dispatcher,
      { method: 'GET', origin: url.origin, path: `${prefix}/repos/${path}`, headers },
      timeoutMs,
      signal,
    );
    if (answer.type !== 'answer' || answer.status !== 200) return false;
    const told = jsonIn(answer.bytes);
    if (!isJsonObject(told) || String(told['id']) !== id) return false;
    if (attempt !== undefined && String(told['run_attempt']) !== attempt) return false;
    return told['status'] === 'completed';
  } finally {
    await dispatcher.destroy();
  }
}

/** An attempt that is repeated is another one: the run of the lock may be an earlier one of the same run as this job. */
function runOf(
  runUrl: string,
  { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository = '' }: Environment,
): { readonly path: string; readonly id: string; readonly attempt?: string } | undefined {
  if (!server || !/^[A-Za-z0-9][\w.-]*\/[\w.-]*\w[\w.-]*$/.test(repository)) return undefined;
  const start = `${server}/${repository}/`;
  if (!runUrl.startsWith(start)) return undefined;
  const path = runUrl.slice(start.length);
  const [, id, attempt] = /^actions\/runs\/(\d{1,20})(?:\/attempts\/(\d{1,6}))?$/.exec(path) ?? [];
  if (id === undefined) return undefined;
  return { path: `${repository}/${path}`, id, ...(attempt === undefined ? {} : { attempt }) };
}

function isPrivate({ protocol, hostname, username, password }: URL): boolean {
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
