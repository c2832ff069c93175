// Sends signed requests to S3, and repeats those that a repeat may help: no answer, a busy server, credentials that have
// expired, a clock of this machine that is wrong. The callers say what an answer means.

import { createHash } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';
import {
  type Answer,
  bodyText,
  connectionHint,
  exchange,
  httpDate,
  judgeError,
  makeDispatcher,
  type NoAnswer,
  proxySecrets,
  shownText,
} from '../../http/exchange.ts';
import type { Clock, Variables } from '../../model/outside.ts';
import { command } from '../../model/values/command.ts';
import { makeMask } from '../../model/values/secret.ts';
import { isLoopback } from '../../model/values/urls.ts';
import { trimEndOf } from '../../model/values/words.ts';
import { Failure, usageFailure } from '../../model/workspace/failure.ts';
import type { S3Place } from '../../model/workspace/state-place.ts';
import { isExecutable } from '../../version.ts';
import { type Access, inaccessible, interrupted, retrying } from '../log/backend.ts';

interface S3Request {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  readonly key: string;
  /** The names are in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

export interface SendOptions {
  readonly signal?: AbortSignal | undefined;
  /** The number of tries, including the first; 8 if undefined. */
  readonly tries?: number;
}

export interface S3Client {
  readonly address: S3Address;
  /** The last answer, or none. Throws Failure if there are no credentials, or the signal aborts. */
  send(request: S3Request, options?: SendOptions): Promise<Answer | NoAnswer>;
  /** Fit to show: on one line, without secrets. */
  clean(text: string): string;
  close(): Promise<void>;
}

interface S3ClientOptions {
  readonly address: S3Address;
  readonly clock: Clock;
  readonly environment: Variables;
  /** The milliseconds for one try; 15 seconds if undefined. */
  readonly timeoutMs?: number | undefined;
}

/** A run whose lease ends in the meantime notices it by its own clock. */
const patience = { tries: 8, firstPauseMs: 200, longestMs: 60_000 };
/** A state of 100,000 schedules has about half of it. */
const maxBytes = 64_000_000;
const expired = /^(?:ExpiredToken(?:Exception)?|InvalidToken|TokenRefreshRequired)$/;

export async function openS3Client(options: S3ClientOptions): Promise<S3Client> {
  const { address, clock, environment, timeoutMs = 15_000 } = options;
  const getCredentials = credentialsFor(address, environment);
  const secrets = new Set(proxySecrets(environment));
  const dispatcher = await makeDispatcher({
    base: { origin: address.origin, host: address.host, path: '', loopback: address.loopback },
    timeout: timeoutMs / 1000,
    connections: 16,
    environment,
  });
  /** Milliseconds by which the service is ahead. */
  let skew = 0;

  const sendOnce = async (
    { method, key, headers, body }: S3Request,
    { accessKeyId, secretAccessKey, sessionToken }: Credentials,
    signal: AbortSignal | undefined,
  ): Promise<Answer | NoAnswer> => {
    for (const secret of [secretAccessKey, sessionToken]) if (secret) secrets.add(secret);
    const { origin, region } = address;
    const path = requestPath(address, key);
    const digest = createHash('sha256')
      .update(body ?? '')
      .digest('hex');
    const signed = await new AwsV4Signer({
      method,
      url: `${origin}${path}`,
      headers: { ...headers, 'x-amz-content-sha256': digest },
      service: 's3',
      region,
      datetime: new Date(clock.now() + skew).toISOString().replace(/[:-]|\.\d{3}/g, ''),
      accessKeyId,
      secretAccessKey,
      sessionToken,
    }).sign();
    const request = { method, origin, path, headers: Object.fromEntries(signed.headers), body };
    const answer = await exchange(dispatcher, request, { timeoutMs, mostBytes: maxBytes, signal });
    if (signal?.aborted) throw interrupted();
    return answer.type === 'answer' && answer.body !== 'whole' ? unread(answer) : (answer as Answer | NoAnswer);
  };

  /** Tries once more, at once, if the credentials or the clock can be corrected. */
  const attempt = async (request: S3Request, signal: AbortSignal | undefined) => {
    const credentials = await getCredentials();
    const answer = await sendOnce(request, credentials, signal);
    const code = errorField(answer, 'Code') ?? '';
    const ahead = code === 'RequestTimeTooSkewed' ? aheadBy(answer, clock) : undefined;
    if (ahead !== undefined) skew = ahead;
    const renewed = expired.test(code) ? await getCredentials({ forceRefresh: true }) : credentials;
    const isOther = ahead !== undefined || renewed.secretAccessKey !== credentials.secretAccessKey;
    const value = isOther ? await sendOnce(request, renewed, signal) : answer;
    return { value, mayRetry: isPassing(value, request) };
  };

  return {
    address,
    send: async (request, { signal, tries = patience.tries } = {}) => {
      try {
        return await retrying({ ...patience, clock, tries, signal }, () => attempt(request, signal));
      } catch (error) {
        throw signal?.aborted ? interrupted() : error;
      }
    },
    clean: (text) => {
      const { AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: token } = environment;
      const mask = makeMask([...secrets, ...[secret, token].flatMap((value) => value || [])]);
      return shownText(text, mask, 300);
    },
    // Never throws.
    close: () => dispatcher.destroy().catch(() => undefined),
  };
}

function unread({ body }: Answer): NoAnswer {
  const why = body === 'too-large' ? 'the answer is too large' : 'the answer broke off';
  return { type: 'none', code: 'ANSWER_UNREADABLE', why, started: true };
}

/** True if the same request may soon get another answer. */
function isPassing(answer: Answer | NoAnswer, { method }: S3Request): boolean {
  if (answer.type === 'none') return judgeError(answer.code, answer.started) !== 'refused';
  // A server that does not know the condition says so with a 501.
  if (answer.status >= 500) return answer.status !== 501;
  if (answer.status === 409) return method === 'PUT';
  if (answer.status === 429 || answer.status === 408) return true;
  return /^(?:RequestTimeout|SlowDown)$/.test(errorField(answer, 'Code') ?? '');
}

/** A field of an error; undefined if the answer is no error, or has no such field. */
export function errorField(answer: Answer | NoAnswer, name: 'Code' | 'Message'): string | undefined {
  if (answer.type === 'none' || answer.status < 300) return undefined;
  const text = bodyText(answer).slice(0, 20_000);
  return /^\s*(?:<\?xml[^>]*>\s*)?<Error[\s>]/.test(text)
    ? new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1]?.replace(/&(?:amp|lt|gt|quot|apos);/g, unescaped)
    : undefined;
}

function unescaped(entity: string): string {
  return { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'" }[entity] ?? entity;
}

function aheadBy(answer: Answer | NoAnswer, clock: Clock): number | undefined {
  const date = answer.type === 'answer' ? httpDate(answer.headers['date'] ?? '') : undefined;
  return date === undefined ? undefined : date - clock.now();
}

export function s3Failure(client: S3Client, name: string, answer: Answer | NoAnswer, access: Access): Failure {
  if (answer.type === 'none') {
    const hint =
      connectionHint(answer.code) ?? `Check that ${client.address.host} can be reached from here, and run again.`;
    return inaccessible(access, name, client.clean(answer.why), hint);
  }
  const code = client.clean(errorField(answer, 'Code') ?? '');
  const words = trimEndOf(client.clean(errorField(answer, 'Message') ?? ''), /[.\s]/);
  const said = [`${answer.status}${code === '' ? '' : ` ${code}`}`, words].filter((text) => text !== '').join(': ');
  return inaccessible(access, name, `the server answered ${said}`, hintFor(client, answer, code, access));
}

/** S3 itself answers 400, and a proxy 413. */
export function isTooLarge(answer: Answer | NoAnswer): boolean {
  return answer.type === 'answer' && (answer.status === 413 || errorField(answer, 'Code') === 'EntityTooLarge');
}

function hintFor(client: S3Client, answer: Answer, code: string, access: Access): string {
  const { bucket, host, isAws, region } = client.address;
  const bucketRegion = answer.headers['x-amz-bucket-region'];
  if (code === 'NoSuchBucket') return `Create the bucket ${bucket}, or correct \`state.bucket\`.`;
  if (code === 'InvalidAccessKeyId' || code === 'SignatureDoesNotMatch')
    return 'Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY: the service does not know this pair.';
  if (/^Expired|^InvalidToken$|^TokenRefreshRequired$/.test(code))
    return 'The credentials have expired. Get new ones, and run again.';
  if (code === 'RequestTimeTooSkewed') return 'Set the clock of this machine.';
  if (answer.status === 301 || answer.status === 307 || code === 'AuthorizationHeaderMalformed') {
    const found = bucketRegion === undefined ? '' : ` It is in ${client.clean(bucketRegion)}.`;
    return `The bucket is not in the region ${region}.${found} Set \`state.region\`.`;
  }
  if (isTooLarge(answer))
    return `Raise the limit of ${host} for the size of an object. Or divide the workspace: each part has a state of its own.`;
  if (answer.status === 401 || answer.status === 403)
    return `The credentials need ${permission(client.address, access)}.`;
  if (answer.status === 404) return `Check \`state.bucket\` and \`state.endpoint\`: ${host} does not know them.`;
  if (answer.status >= 500 || answer.status === 429) return 'The service is not available now. Run again later.';
  return isAws
    ? 'Check the bucket and its policy.'
    : `Check that ${host} is a server for S3: \`${command('state check')}\` tells what it lacks.`;
}

/** The permission in the words of AWS, which compatible servers use as well. */
function permission({ bucket, prefix }: S3Client['address'], access: Access): string {
  const objects = `arn:aws:s3:::${bucket}/${prefix}/*`;
  if (access === 'write') return `s3:PutObject on ${objects}, and those of the key that encrypts the bucket, if any`;
  // Without permission to list, the answer for an object that does not exist is 403.
  return `s3:GetObject on ${objects}, and s3:ListBucket on arn:aws:s3:::${bucket} for the prefix ${prefix}/*`;
}

/**
 * The credentials that requests to S3 are signed with: from the environment, where every CI action of AWS puts them, or else
 * from the package of AWS that knows every other way, if it is installed. That package renews what expires.
 *
 * The secret key never leaves this process, but the key id, the session token and the requests do. A pull request may
 * change the endpoint, so only keys that somebody put into the environment of this run go to a server other than AWS's.
 */
interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Throws Failure state-unreadable if there are none. */
type GetCredentials = (options?: {
  /** The service says that the last ones have expired. */
  readonly forceRefresh: boolean;
}) => Promise<Credentials>;

/** The name is no literal, so that the package is looked for only here and only when it is needed. */
const packageOfAws: string = '@aws-sdk/credential-provider-node';

export function credentialsFor({ host, isAws }: S3Address, environment: Variables): GetCredentials {
  let provide: GetCredentials | undefined;
  return async (options) => {
    const fixed = inEnvironment(environment);
    if (fixed !== undefined) return checked(fixed);
    if (!isAws) {
      throw noCredentials(
        `There are no credentials for ${host} in the environment. Roles and profiles of AWS are not used for a server that is not AWS's.`,
        'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to the keys of that server.',
      );
    }
    provide ??= await providerOfAws();
    // The package's own message is left out, as it may show anything.
    const given = await provide(options).catch(() => {
      throw noCredentials(
        `The package ${packageOfAws} found no AWS credentials.`,
        'Run `aws sts get-caller-identity` to see what is wrong.',
      );
    });
    return checked(given);
  };
}

function inEnvironment(environment: Variables): Credentials | undefined {
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: token } = environment;
  if (id && secret) return { accessKeyId: id, secretAccessKey: secret, sessionToken: token || undefined };
  if (!id && !secret) return undefined;
  const [presentVariable, lacking] = id
    ? ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']
    : ['AWS_SECRET_ACCESS_KEY', 'AWS_ACCESS_KEY_ID'];
  throw noCredentials(`${presentVariable} is set, but ${lacking} is not.`, 'Set both, or neither.');
}

async function providerOfAws(): Promise<GetCredentials> {
  const loaded = await import(packageOfAws).catch(() => undefined);
  if (typeof loaded?.defaultProvider === 'function') return loaded.defaultProvider();
  throw noCredentials(
    'There are no AWS credentials for the state.',
    `Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, for example with \`eval "$(aws configure export-credentials --format env)"\`, or in a job with aws-actions/configure-aws-credentials.${
      isExecutable ? '' : ` For roles, containers and profiles, run \`npm install ${packageOfAws}\`.`
    }`,
  );
}

/** Refuses credentials that do not fit into a header; an error of the HTTP library would show them. */
function checked(credentials: Credentials): Credentials {
  const { accessKeyId, secretAccessKey, sessionToken = 'none' } = credentials;
  if ([accessKeyId, secretAccessKey, sessionToken].every((text) => /^[!-~]+$/.test(text))) return credentials;
  throw noCredentials(
    'The AWS credentials hold characters that they cannot hold, such as spaces or line breaks.',
    'Check where they come from, such as AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN.',
  );
}

/** `what` is a whole sentence, without anything secret. */
function noCredentials(what: string, hint: string): Failure {
  return new Failure('state-unreadable', what, { hint });
}

/**
 * The location of the objects of a state: the address of the bucket, and the path of each object. Bucket, prefix and endpoint were
 * checked when almanac.yaml was read.
 */
interface S3Address {
  readonly bucket: string;
  readonly prefix: string;
  readonly region: string;
  readonly origin: string;
  readonly host: string;
  readonly loopback: boolean;
  /** The part before each key, without a slash at its end. */
  readonly path: string;
  /** True if the host is one of S3 itself, of AWS. */
  readonly isAws: boolean;
}

/** Throws Failure usage for a region that is not known, or a name in the environment that is no region. */
export function s3Address({ bucket, prefix, ...place }: S3Place, environment: Variables): S3Address {
  const region = regionOf(place, environment);
  const url = new URL(place.endpoint ?? `https://s3.${region}.${awsDomain(region)}`);
  // The certificate of AWS covers one label before its own name.
  const inPath = place.endpoint !== undefined || bucket.includes('.');
  const host = inPath ? url.host : `${bucket}.${url.host}`;
  const before = trimEndOf(url.pathname, /\//);
  return {
    bucket,
    prefix,
    region,
    origin: `${url.protocol}//${host}`,
    host,
    loopback: isLoopback(url.hostname),
    path: inPath ? `${before}/${bucket}` : before,
    isAws: place.endpoint === undefined || (url.protocol === 'https:' && url.port === '' && isHostOfS3(url.hostname)),
  };
}

/** Spells the path of an object as AWS counts it, so that what is signed is what is sent. */
export function requestPath({ path }: S3Address, key: string): string {
  const encoded = encodeURIComponent(key)
    .replaceAll('%2F', '/')
    .replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
  return `${path}/${encoded}`;
}

function regionOf({ region, endpoint }: Pick<S3Place, 'region' | 'endpoint'>, environment: Variables): string {
  // Most compatible servers have one region and accept this name.
  const fallback = endpoint === undefined ? undefined : 'us-east-1';
  const chosen = region || environment['AWS_REGION'] || environment['AWS_DEFAULT_REGION'] || fallback;
  if (chosen === undefined)
    throw usageFailure('The region of the bucket is unknown.', 'Set `state.region`, or AWS_REGION.');
  if (/^[a-z0-9](?:[a-z0-9-]{0,40}[a-z0-9])?$/.test(chosen)) return chosen;
  throw usageFailure(
    `${JSON.stringify(chosen)} is not the name of a region.`,
    'Correct `state.region`, or AWS_REGION.',
  );
}

function awsDomain(region: string): string {
  return region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
}

/** The hosts of S3 itself. Other hosts below amazonaws.com, such as load balancers, run what anybody puts there. */
function isHostOfS3(host: string): boolean {
  return (
    /^s3(?:-fips)?(?:\.dualstack)?(?:\.[a-z0-9-]+)?\.amazonaws\.com(?:\.cn)?$/.test(host) ||
    /^bucket\.vpce-[a-z0-9-]+\.s3\.[a-z0-9-]+\.vpce\.amazonaws\.com(?:\.cn)?$/.test(host)
  );
}
