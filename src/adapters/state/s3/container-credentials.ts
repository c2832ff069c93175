// Credentials of the container that this process runs in: of a task of ECS, or of a pod of EKS. They come from an
// endpoint that the environment names.

import { readFile } from 'node:fs/promises';
import { parseUrl } from '../../../model/values/parse-url.ts';
import { isLoopback } from '../../../model/workspace/base-url-fault.ts';
import { makeDispatcher } from '../../http/dispatcher.ts';
import { parseJson } from '../../http/service-text.ts';
import { validateCredentials } from './credential-document.compiled.js';
import { type CredentialSource, credentialsOf, noCredentials, type SourceContext } from './credential-sources.ts';
import { exchange, textOf } from './exchange.ts';
import type { Environment } from './s3-address.ts';

/** The agents of ECS and EKS: requests to them never leave the machine, so that they need no encryption. */
const agents: ReadonlySet<string> = new Set(['169.254.170.2', '169.254.170.23', '[fd00:ec2::23]']);
const timeoutMs = 5_000;
const tries = 4;

export const fromContainer: CredentialSource = async (context) => {
  const url = endpointIn(context.environment);
  if (url === undefined) return undefined;
  const authorization = await authorizationIn(context.environment);
  // Never through a proxy, which would be another machine: so with no environment.
  const dispatcher = await makeDispatcher({
    base: { origin: url.origin, host: url.host, path: '', loopback: true },
    timeout: timeoutMs / 1000,
    connections: 1,
    environment: {},
  });
  try {
    const document: unknown = parseJson(await ask(dispatcher, url, authorization, context));
    if (validateCredentials(document)) return credentialsOf(document);
    throw noCredentials(
      `The container's credential endpoint at ${url.host} answered with something else than credentials.`,
      'Check the role of the task, or of the pod.',
    );
  } finally {
    await dispatcher.destroy();
  }
};

async function ask(
  dispatcher: Awaited<ReturnType<typeof makeDispatcher>>,
  url: URL,
  authorization: string | undefined,
  { clock, signal }: SourceContext,
): Promise<string> {
  let why = '';
  for (let count = 1; count <= tries; count++) {
    const answer = await exchange(
      dispatcher,
      {
        method: 'GET',
        origin: url.origin,
        path: url.pathname + url.search,
        headers: { accept: 'application/json', ...(authorization === undefined ? {} : { authorization }) },
      },
      timeoutMs,
      signal,
    );
    if (answer.type === 'answer' && answer.status === 200) return textOf(answer);
    why = answer.type === 'none' ? answer.why : `${answer.status}`;
    const isPassing = answer.type === 'none' || answer.status >= 500 || answer.status === 429;
    if (!isPassing) break;
    if (count < tries) await clock.sleep(500 * 2 ** (count - 1), signal);
  }
  throw noCredentials(
    `The container's credential endpoint at ${url.host} gave no credentials: ${why}.`,
    'Check the role of the task, or of the pod.',
  );
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
