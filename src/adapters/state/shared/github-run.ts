// Asks GitHub whether the run of a lock is over. Only within the repository whose job this process is, and with the token
// that this job was given: it goes to the API of that GitHub and nowhere else.

import { isJsonObject } from '../../../model/values/json.ts';
import { parseUrl } from '../../../model/values/parse-url.ts';
import { isLoopback } from '../../../model/workspace/base-url-fault.ts';
import { parseJson } from '../../http/service-text.ts';
import { askEndpoint } from '../ask-endpoint.ts';
import { textOf } from '../exchange.ts';
import type { Environment } from '../host.ts';

const timeoutMs = 5000;

/** True only if GitHub says so. Whatever else comes of it is not an answer. Never throws. */
export async function isGitHubRunOver(
  runUrl: string,
  environment: Environment,
  signal?: AbortSignal,
): Promise<boolean> {
  const { GITHUB_TOKEN: token, GITHUB_API_URL: api = '' } = environment;
  const run = runOf(runUrl, environment);
  const url = parseUrl(api);
  if (!token || run === undefined || url === undefined || !isPrivate(url)) return false;
  const { path, id, attempt } = run;
  const endpoint = new URL(`${url.origin}${url.pathname.replace(/\/+$/, '')}/repos/${path}`);
  const headers = {
    accept: 'application/vnd.github+json',
    authorization: `Bearer ${token}`,
    'user-agent': 'almanac',
    'x-github-api-version': '2022-11-28',
  };
  const answer = await askEndpoint(endpoint, { method: 'GET', headers }, { environment, timeoutMs, signal }).catch(
    () => undefined,
  );
  if (answer?.type !== 'answer' || answer.status !== 200) return false;
  const told: unknown = parseJson(textOf(answer));
  if (!isJsonObject(told) || String(told['id']) !== id) return false;
  if (attempt !== undefined && String(told['run_attempt']) !== attempt) return false;
  return told['status'] === 'completed';
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
  return { path: `${repository}/${path}`, id, attempt };
}

function isPrivate({ protocol, hostname, username, password }: URL): boolean {
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}
