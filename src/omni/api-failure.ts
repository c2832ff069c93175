// Failures for answers and missing answers, and the announced end of a route. Their causes are new errors: an error of
// the HTTP library may contain the request headers, and with them the token.

import { STATUS_CODES } from 'node:http';
import { type Answer, type Base, connectionHint, proxyHint, shownText } from '../http/exchange.ts';
import { organizationKeyPrefix } from '../model/service/remote.ts';
import { command } from '../model/values/command.ts';
import { utcDay } from '../model/values/day.ts';
import { isJsonObject, parseJson } from '../model/values/json.ts';
import type { Mask } from '../model/values/secret.ts';
import { answerUnreadable, Failure, type ServiceError } from '../model/workspace/failure.ts';
import type { Operation } from './operations.ts';

/** The request and the token, as far as a refusal depends on them. */
export interface Asker {
  /** True if the request names a user to act for. */
  readonly actsFor: boolean;
  readonly setsZone: boolean;
  readonly namesAddresses: boolean;
  readonly organizationKey: boolean;
  readonly host: string;
  /** The end of the route, as the headers of the answer announce it. */
  readonly ending: Deprecation | undefined;
}

/** The failure for a 4xx or 3xx. `words` is the service's own text, already masked, or the target of a redirect. */
export function refused(operation: Operation, status: number, words: string, asker: Asker): Failure {
  const cause = statusError(status);
  if (status < 400) {
    const target = words === '' ? 'elsewhere' : `to ${words}`;
    return new Failure('api-rejected', `The service redirects ${nameOf(operation)} ${target} (${status}).`, {
      cause,
      hint: 'Redirects are not followed. Set the base URL to the address of the API itself: https://INSTANCE.omniapp.co/api.',
    });
  }
  if (status === 401)
    return new Failure('api-unauthorized', `${asker.host} does not accept the token (401).`, {
      cause,
      hint: `Set OMNI_API_TOKEN, or the variable that api.tokenEnv names, to a valid API key. Omni says: ${sentence(words, status)}`,
    });
  const code = status === 403 ? 'api-unauthorized' : 'api-rejected';
  const hint = hintFor(operation, status, asker, words);
  return new Failure(code, `The service refused ${nameOf(operation)} (${status}): ${sentence(words, status)}`, {
    cause,
    hint,
  });
}

function hintFor(operation: Operation, status: number, asker: Asker, words: string): string | undefined {
  if (status === 403 && asker.actsFor && !asker.organizationKey) {
    return `userId needs an organization key (it begins with ${organizationKeyPrefix}), but the token in use is of another kind. Use an organization key, or remove userId.`;
  }
  if (status === 403 && operation.needsKey && !asker.organizationKey)
    return `Only an organization key, which begins with ${organizationKeyPrefix}, may ask for that, and the token in use is of another kind.`;
  if (status === 403) {
    const check = asker.setsZone
      ? 'The request sets timezoneOverride, which the settings of the dashboard may forbid (canUseTimezoneOverride). If they do, allow it in Omni or remove the field. If not, check'
      : 'Check';
    return `${check} the permissions of the token in OMNI_API_TOKEN (or in the variable that api.tokenEnv names): its user, or the user that userId names, needs access to this content. userId needs an organization key (${organizationKeyPrefix}…).`;
  }
  // The service has no other sign of what it refuses.
  if (status === 400 && asker.namesAddresses && /\b(?:recipients?|e-?mails?|domains?|allow-?list)\b/i.test(words)) {
    return 'If the address is right, its domain may be missing from the allowlist of the organization: with one, Omni delivers to at most 10 domains. An administrator keeps it in Omni.';
  }
  if (
    status === 400 &&
    operation.tooOftenHint &&
    /\b(?:often|frequen\w*|minimum|interval|hour|once per)\b/i.test(words)
  )
    return operation.tooOftenHint;
  if (status === 402)
    return 'The AI credits of the organization, or of this user, are used up. An administrator sees and raises the limit in Omni. Nothing was started.';
  if (status === 404) return operation.notFoundHint;
  if (status === 410) return goneHint(asker.ending);
  if (status === 407) return proxyHint;
  if (status === 405) {
    return 'The service does not offer this operation, which belongs to operations full. Set `api: { operations: core }`, or start the emulator in the folder of the workspace.';
  }
  return status === 409 ? operation.conflictHint : undefined;
}

/** The 429 of a create that no waiting makes possible. */
export function atMaximum(operation: Operation, words: string): Failure {
  return new Failure('api-at-maximum', `The service refused ${nameOf(operation)} (429): ${sentence(words, 429)}`, {
    hint: operation.atMaximumHint,
    cause: statusError(429),
  });
}

/** True if the text of a 429 names a maximum, as in "User has reached the maximum of 100 routines". */
export function namesMaximum(words: string): boolean {
  return /\bmaximum of \d+ (?!requests?\b)/i.test(words);
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
          ? 'Others may be using the same token. Lower api.rateLimit, or run again later.'
          : 'Run again later.',
      cause: statusError(status),
    },
  );
}

/**
 * A website, or a proxy in front of the API, has answered. Its cause has no status, because a 404 of theirs does not mean that a
 * resource is gone.
 */
export function answeredByOther(
  { base, hasAnswered }: { readonly base: Base; readonly hasAnswered: () => boolean },
  status: number,
  what: string,
): Failure {
  const [code, hint] = hasAnswered()
    ? [
        answerUnreadable,
        'Something in front of the API, such as a proxy, answers in its place, so nothing is known of what Omni has. Check that and the base URL, and run it again.',
      ]
    : ['WEB_PAGE', 'Set the base URL to the address of the API itself: https://INSTANCE.omniapp.co/api.'];
  return new Failure('api-rejected', `${base.host} answers with ${what} (${status}).`, {
    hint,
    cause: codeError(code, what),
  });
}

/** The cause in our words, keyed by the system's error code. */
const whyNone: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'it is refused',
  ENOTFOUND: 'no such name',
  EAI_AGAIN: 'its name cannot be looked up',
};

/** The request was certainly not sent. */
export function unreachable(operation: Operation, { host, loopback }: Base, code: string, message: string): Failure {
  const why = whyNone[code];
  const words = why === undefined ? ` for ${nameOf(operation)}: ${message} (${code})` : `: ${why}`;
  const check =
    loopback && code === 'ECONNREFUSED'
      ? `Nothing listens there. Start \`${command('emulator')}\`, or correct the base URL.`
      : 'Check the base URL, the network, and HTTPS_PROXY if you use a proxy.';
  return new Failure('api-unreachable', `No connection to ${host}${words}.`, {
    hint: connectionHint(code) ?? check,
    cause: codeError(code, message),
  });
}

/** The lock of the state ran out as the request was about to go out. */
export function withheld(operation: Operation): Failure {
  return new Failure('state-lock-lost', `The lock of the state was lost, so ${nameOf(operation)} was not sent.`, {
    hint: `Run \`${command('plan')}\` to see what is left to do.`,
  });
}

/** The request may have been carried out. `how` is a sentence that says what is wrong with the answer. */
export function answerLost(operation: Operation, how: string, cause: Error): Failure {
  const name = nameOf(operation);
  if (operation.method === 'GET') return new Failure('api-unreachable', `${name} got no answer. ${how}`, { cause });
  return new Failure('api-answer-lost', `It is not known whether ${name} was carried out. ${how}`, {
    hint:
      operation.method === 'POST' && !operation.repeatable
        ? 'The request is not sent again, because that could create a second resource. Check in Omni whether the resource exists; the next plan lists your options.'
        : 'The request is safe to repeat.',
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

/** The service's text as a sentence; if there is none, the name of the status. */
export function sentence(words: string, status: number): string {
  const text = words === '' ? (STATUS_CODES[status] ?? 'no words') : words;
  return ['.', '!', '?', '…'].some((end) => text.endsWith(end)) ? text : `${text}.`;
}

/** The text of an unsuccessful answer: its detail, message or error, or else the whole body. */
export function readWords(text: string, mask: Mask): string {
  return shownText(errorWords(text), mask);
}

function errorWords(text: string): string {
  const answer = parseJson(text);
  if (!isJsonObject(answer)) return text;
  for (const name of ['detail', 'message', 'error']) {
    const words = answer[name];
    if (typeof words === 'string' && words.trim() !== '') return words;
    if (typeof words === 'object' && words !== null) return JSON.stringify(words);
  }
  return text;
}

// Reads the end of a route from an answer. Headers: Deprecation (RFC 9745), Sunset (RFC 8594), Link (RFC 8288).

interface Deprecation {
  /** The day from which the route may be gone; undefined if the service does not say. */
  readonly day: string | undefined;
  /** The replacement, as the service writes it; undefined if it does not say. */
  readonly successor: string | undefined;
}

/** `clean` makes a text of the service fit to be shown. Undefined where the route is to stay. */
export function endingOf(headers: Answer['headers'], clean: (text: string) => string): Deprecation | undefined {
  const { deprecation = '', sunset, link = '' } = headers;
  const successor = successorIn(link);
  const isDeprecated = !['', 'false', '?0'].includes(deprecation.trim().toLowerCase());
  if (!isDeprecated && sunset === undefined && successor === undefined) return undefined;
  const at = Date.parse(sunset ?? '');
  const day = Number.isNaN(at) ? undefined : utcDay(at);
  return { day, successor: successor && clean(successor) };
}

/** The target whose relation is successor-version; a link may have several relations, and a header several links. */
function successorIn(link: string): string | undefined {
  for (const [, target, parameters = ''] of link.matchAll(/<([^<>]{1,500})>([^<]*)/g)) {
    const [, relations = ''] = /;\s*rel\s*=\s*"?([^";,]*)/i.exec(parameters) ?? [];
    if (relations.toLowerCase().split(/\s+/).includes('successor-version')) return target;
  }
  return undefined;
}

const update = 'Update Almanac: a newer version may use what takes its place.';

/** The same for every answer of a route, whatever it was about. */
export function endingNote({ method, path }: Operation, { day, successor }: Deprecation): string {
  const when = day === undefined ? 'is deprecated' : `is deprecated, and may be gone from ${day} on`;
  return `Omni says that ${method} ${path} ${when}.${successorWords(successor)} ${update}`;
}

function goneHint({ day, successor }: Partial<Deprecation> = {}): string {
  const since = day === undefined ? '' : ` since ${day}`;
  return `Omni no longer has this route${since}.${successorWords(successor)} ${update}`;
}

function successorWords(successor: string | undefined): string {
  return successor === undefined ? '' : ` Its successor is ${successor}.`;
}
