// The words for what the service answered, or why there is no answer. The causes are made anew: an error of the HTTP
// library may hold the headers of the request, and so the token.

import { STATUS_CODES } from 'node:http';
import type { ServiceError } from '../../model/service/service-error.ts';
import { organizationKeyPrefix } from '../../model/values/organization-key.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { isCertificateCode, type Method } from './retry.ts';

export interface Operation {
  readonly method: Method;
  /** As the service's reference writes it. */
  readonly path: string;
  /** What a 404 may be about. */
  readonly notFoundHint: string;
  /** What a 409 may be about. */
  readonly conflictHint?: string;
  /** Doing it twice is doing it once, though it is a POST. */
  readonly repeatable?: true;
}

export interface Sender {
  /** The operation's request names a user to act for. */
  readonly actsFor: boolean;
  readonly organizationKey: boolean;
  readonly host: string;
}

/** A 4xx or 3xx: `words` are the service's own, already masked, or where a redirect points. */
export function refused(operation: Operation, status: number, words: string, sender: Sender): Failure {
  const details = { cause: statusError(status) };
  if (status < 400) {
    const target = words === '' ? 'elsewhere' : `to ${words}`;
    return new Failure('api-rejected', `The service redirects ${nameOf(operation)} ${target} (${status}).`, {
      ...details,
      hint: 'Redirects are not followed. Set the base URL to the address of the API itself, https://INSTANCE.omniapp.co/api.',
    });
  }
  const code = status === 401 || status === 403 ? 'api-unauthorized' : 'api-rejected';
  const hint = hintFor(operation, status, sender);
  return new Failure(code, `The service refused ${nameOf(operation)} (${status}): ${sentence(words, status)}`, {
    ...details,
    ...(hint === undefined ? {} : { hint }),
  });
}

function hintFor(operation: Operation, status: number, sender: Sender): string | undefined {
  if (status === 401) {
    return `Check the token: OMNI_API_TOKEN, or the environment variable that api.tokenEnv names, must hold a valid API key of ${sender.host}.`;
  }
  if (status === 403 && sender.actsFor && !sender.organizationKey) {
    return `userId needs an organization key (it begins with ${organizationKeyPrefix}), and the token in use is another kind: use an organization key, or take userId out.`;
  }
  if (status === 403) {
    return `Check what the token in OMNI_API_TOKEN (or the variable that api.tokenEnv names) may do: its user, or the user that userId names, needs access to this content. userId needs an organization key (${organizationKeyPrefix}…).`;
  }
  if (status === 404) return operation.notFoundHint;
  if (status === 405) {
    return 'The service does not offer this operation, which is one of operations full. Set `api: { operations: core }`, or start the emulator with --operations full.';
  }
  return status === 409 ? operation.conflictHint : undefined;
}

/** 429, or 503 with Retry-After. */
export function notProcessed(operation: Operation, status: number, words: string): Failure {
  const what = status === 429 ? 'limits the rate of requests' : 'is not available';
  return new Failure(
    'api-rate-limited',
    `The service ${what} and did not process ${nameOf(operation)} (${status}): ${sentence(words, status)}`,
    {
      hint:
        status === 429
          ? 'Others may use the same token. Lower api.rateLimit, give more tokens, or run again later.'
          : 'Run again later.',
      cause: statusError(status),
    },
  );
}

/** The request surely was not sent. */
export function unreachable(operation: Operation, host: string, code: string, message: string): Failure {
  const hint = isCertificateCode(code)
    ? 'The certificate of the service is not trusted. Behind a proxy that opens TLS, set NODE_EXTRA_CA_CERTS to the file of its certificate.'
    : 'Check the base URL, the network, and HTTPS_PROXY where there is a proxy.';
  return new Failure('api-unreachable', `No connection to ${host} for ${nameOf(operation)}: ${message} (${code}).`, {
    hint,
    cause: codeError(code, message),
  });
}

/** The request may have been carried out. `how` says what is wrong with the answer, in a sentence. */
export function answerLost(operation: Operation, how: string, cause: Error): Failure {
  const name = nameOf(operation);
  if (operation.method === 'GET') return new Failure('api-unreachable', `${name} has no answer. ${how}`, { cause });
  return new Failure('api-answer-lost', `It is not known whether ${name} was carried out. ${how}`, {
    hint:
      operation.method === 'POST' && !operation.repeatable
        ? 'It is not sent again on a guess. Look in Omni whether it is there; the next plan shows the ways out.'
        : 'Doing it again does no harm.',
    cause,
  });
}

export function statusError(status: number): ServiceError {
  return Object.assign(new Error(`HTTP ${status} ${STATUS_CODES[status] ?? ''}`.trim()), {
    code: `HTTP_${status}`,
    status,
  });
}

export function codeError(code: string, message: string): Error & { readonly code: string } {
  return Object.assign(new Error(message), { code });
}

export function nameOf(operation: Operation): string {
  return `${operation.method} ${operation.path}`;
}

/** The service's words with a full stop; the name of the status where it has none. */
export function sentence(words: string, status: number): string {
  const text = words === '' ? (STATUS_CODES[status] ?? 'no words') : words;
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
