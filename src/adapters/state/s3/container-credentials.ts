// Credentials of the container that this process runs in: of a task of ECS, or of a pod of EKS. They come from an
// endpoint that the environment names.

import { readFile } from 'node:fs/promises';
import { parseUrl } from '../../../model/values/parse-url.ts';
import { isLoopback } from '../../../model/workspace/base-url-fault.ts';
import { parseJson } from '../../http/service-text.ts';
import { askEndpoint } from '../ask-endpoint.ts';
import { type Answer, type NoAnswer, textOf } from '../exchange.ts';
import type { Environment } from '../host.ts';
import { validateCredentials } from './credential-document.compiled.js';
import { type CredentialSource, credentialsOf, noCredentials } from './credential-sources.ts';

/** The agents of ECS and EKS: requests to them never leave the machine, so that they need no encryption. */
const agents: ReadonlySet<string> = new Set(['169.254.170.2', '169.254.170.23', '[fd00:ec2::23]']);
const timeoutMs = 5_000;
const hint = 'Check the role of the task, or of the pod.';

export const fromContainer: CredentialSource = async ({ environment, clock, signal }) => {
  const url = endpointIn(environment);
  if (url === undefined) return undefined;
  const authorization = await authorizationIn(environment);
  const headers = { accept: 'application/json', ...(authorization === undefined ? {} : { authorization }) };
  const answer = await askEndpoint(
    url,
    { method: 'GET', headers },
    // Never through a proxy, which would be another machine: so with no environment.
    { environment: {}, timeoutMs, signal, again: { clock, mayPass } },
  );
  const what = `The container's credential endpoint at ${url.host}`;
  if (answer.type === 'none' || answer.status !== 200)
    throw noCredentials(`${what} gave no credentials: ${answer.type === 'none' ? answer.why : answer.status}.`, hint);
  const document: unknown = parseJson(textOf(answer));
  if (validateCredentials(document)) return credentialsOf(document);
  throw noCredentials(`${what} answered with something else than credentials.`, hint);
};

function mayPass(answer: Answer | NoAnswer): boolean {
  return answer.type === 'none' || answer.status >= 500 || answer.status === 429;
}

function endpointIn(environment: Environment): URL | undefined {
  const { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: relative, AWS_CONTAINER_CREDENTIALS_FULL_URI: full } = environment;
  if (!relative && !full) return undefined;
  const url = relative
    ? parseUrl(`http://169.254.170.2${relative.startsWith('/') ? '' : '/'}${relative}`)
    : parseUrl(full ?? '');
  const isNear = url?.protocol === 'http:' && (isLoopback(url.hostname) || agents.has(url.hostname));
  if (url !== undefined && (isNear || url.protocol === 'https:')) return url;
  throw noCredentials(
    'AWS_CONTAINER_CREDENTIALS_FULL_URI is neither an HTTPS URL nor an address of the container agent.',
    'Unset it, or set it as the service that runs the container does.',
  );
}

async function authorizationIn(environment: Environment): Promise<string | undefined> {
  const { AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: file, AWS_CONTAINER_AUTHORIZATION_TOKEN: token } = environment;
  const text = file ? (await readFile(file, 'utf8').catch(() => '')).trim() : token;
  if (file && !text) {
    throw noCredentials(
      'The file that AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE names cannot be read, or is empty.',
      'Check that it is mounted into the container.',
    );
  }
  if (!text) return undefined;
  if (/^[ -~]+$/.test(text)) return text;
  throw noCredentials(
    'The authorization token of the container holds characters that no header can hold.',
    'Check AWS_CONTAINER_AUTHORIZATION_TOKEN, or the file that AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE names.',
  );
}
