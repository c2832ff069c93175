// Sends signed requests to S3, and repeats those that a repeat may help: no answer, a busy server, credentials that have
// expired, a clock of this machine that is wrong. What an answer means is for those who ask.

import { createHash } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';
import { makeMask } from '../../../model/values/mask-secrets.ts';
import type { Clock } from '../../../ports/clock.ts';
import { makeDispatcher, proxySecrets } from '../../http/dispatcher.ts';
import { httpDate } from '../../http/retry.ts';
import { cleanText } from '../../http/service-text.ts';
import { type Answer, exchange, type NoAnswer } from '../exchange.ts';
import type { Environment } from '../host.ts';
import { interrupted } from '../place-failures.ts';
import type { Credentials } from './credential-sources.ts';
import { credentialChain } from './credentials.ts';
import { childText, readXml } from './read-xml.ts';
import { requestPath, type S3Address } from './s3-address.ts';

export interface S3Request {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  /** Undefined: the bucket itself. */
  readonly key?: string;
  /** Without those that are undefined. */
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** In lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

export interface SendOptions {
  readonly signal?: AbortSignal | undefined;
  /** Including the first; 8 if undefined. */
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

export interface S3ClientOptions {
  readonly address: S3Address;
  readonly clock: Clock;
  readonly environment: Environment;
  /** For one try; 15 seconds if undefined. */
  readonly timeoutMs?: number | undefined;
}

const mostTries = 8;
const firstWaitMs = 200;
/** After that no other try is begun. A run whose lease ends in the meantime notices it by its own clock. */
const longestMs = 60_000;
const expired: ReadonlySet<string> = new Set([
  'ExpiredToken',
  'ExpiredTokenException',
  'InvalidToken',
  'TokenRefreshRequired',
]);

export async function openS3Client(options: S3ClientOptions): Promise<S3Client> {
  const { address, clock, environment, timeoutMs = 15_000 } = options;
  const chain = credentialChain(address, { clock, environment });
  const dispatcher = await makeDispatcher({
    base: { origin: address.origin, host: address.host, path: '', loopback: address.loopback },
    timeout: timeoutMs / 1000,
    connections: 16,
    environment,
  });
  /** Milliseconds by which the service is ahead. */
  let skew = 0;

  const sendOnce = async (request: S3Request, credentials: Credentials, signal?: AbortSignal) => {
    const { accessKeyId, secretAccessKey, sessionToken } = credentials;
    const body = request.body ?? new Uint8Array();
    const path = requestPath(address, request.key, request.query ?? {});
    const signed = await new AwsV4Signer({
      method: request.method,
      url: `${address.origin}${path}`,
      headers: { ...request.headers, 'x-amz-content-sha256': createHash('sha256').update(body).digest('hex') },
      service: 's3',
      region: address.region,
      datetime: amazonDate(clock.now() + skew),
      accessKeyId,
      secretAccessKey,
      sessionToken,
    }).sign();
    return exchange(
      dispatcher,
      {
        method: request.method,
        origin: address.origin,
        path,
        headers: Object.fromEntries(signed.headers),
        body: request.body,
      },
      timeoutMs,
      signal,
    );
  };

  return {
    address,
    send: async (request, { signal, tries = mostTries } = {}) => {
      const started = clock.monotonic();
      let renewed = false;
      let corrected = false;
      for (let count = 1; ; count++) {
        if (signal?.aborted) throw interrupted();
        const credentials = await chain.get(signal).catch(orInterrupted(signal));
        const answer = await sendOnce(request, credentials, signal).catch(orInterrupted(signal));
        const code = errorCode(answer);
        if (code !== undefined && expired.has(code) && !renewed && chain.forget(credentials)) {
          renewed = true;
          continue;
        }
        const ahead = code === 'RequestTimeTooSkewed' ? aheadBy(answer, clock) : undefined;
        if (ahead !== undefined && !corrected) {
          corrected = true;
          skew = ahead;
          continue;
        }
        if (!isPassing(answer, code, request) || count >= tries) return answer;
        const wait = firstWaitMs * 2 ** (count - 1) * (0.5 + Math.random() / 2);
        if (clock.monotonic() - started + wait > longestMs) return answer;
        await clock.sleep(wait, signal);
      }
    },
    clean: (text) => {
      const mask = makeMask([...chain.secrets(), ...environmentSecrets(environment), ...proxySecrets(environment)]);
      return mask(cleanText(mask(text))).slice(0, 300);
    },
    // Never throws.
    close: () => dispatcher.destroy().catch(() => undefined),
  };
}

/** Whether the same request may get another answer soon. */
function isPassing(answer: Answer | NoAnswer, code: string | undefined, request: S3Request): boolean {
  if (answer.type === 'none') return true;
  // A server that does not know the condition says so with a 501.
  if (answer.status >= 500) return answer.status !== 501;
  if (answer.status === 409) return request.method === 'PUT';
  return answer.status === 429 || answer.status === 408 || code === 'RequestTimeout' || code === 'SlowDown';
}

/** The code of an error; undefined if the answer has none. */
export function errorCode(answer: Answer | NoAnswer): string | undefined {
  return answer.type === 'answer' && answer.status >= 300 ? errorField(answer, 'Code') : undefined;
}

export function errorField(answer: Answer, name: 'Code' | 'Message'): string | undefined {
  const error = readXml(new TextDecoder().decode(answer.bytes.subarray(0, 20_000)));
  return error?.name === 'Error' ? childText(error, name) : undefined;
}

function amazonDate(time: number): string {
  return new Date(time).toISOString().replace(/[:-]|\.\d{3}/g, '');
}

function aheadBy(answer: Answer | NoAnswer, clock: Clock): number | undefined {
  const date = answer.type === 'answer' ? httpDate(answer.headers['date'] ?? '') : undefined;
  return date === undefined ? undefined : date - clock.now();
}

function environmentSecrets(environment: Environment): readonly string[] {
  return ['AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'AWS_CONTAINER_AUTHORIZATION_TOKEN'].flatMap(
    (name) => environment[name] || [],
  );
}

function orInterrupted(signal: AbortSignal | undefined): (error: unknown) => never {
  return (error) => {
    throw signal?.aborted ? interrupted() : error;
  };
}
