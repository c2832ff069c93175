// Decides which base URLs may be called and which texts can be a token. A token must not travel unencrypted: plain HTTP
// is only for loopback, or with --allow-http.

import { baseUrlFault, isLoopback } from '../../model/workspace/base-url-fault.ts';
import { Failure } from '../../model/workspace/failure.ts';

export interface Base {
  readonly origin: string;
  readonly host: string;
  /** Without a trailing slash. */
  readonly path: string;
  readonly loopback: boolean;
}

/** Throws Failure usage. */
export function checkBaseUrl(baseUrl: string, allowHttp: boolean): Base {
  const fault = baseUrlFault(baseUrl);
  if (fault !== undefined) throw usage(`The base URL ${fault}`, 'Write it as https://INSTANCE.omniapp.co/api.');
  const url = new URL(baseUrl);
  const loopback = isLoopback(url.hostname);
  if (url.protocol === 'http:' && !loopback && !allowHttp) {
    throw usage(
      `The base URL ${url.origin} is not HTTPS: the token would travel unencrypted.`,
      'Use https://. If you trust the network, `almanac apply --allow-http` allows it.',
    );
  }
  return { origin: url.origin, host: url.host, path: url.pathname.replace(/\/+$/, ''), loopback };
}

/** Throws Failure usage for a text that cannot be a token. */
export function refuseUnfitToken(token: string): void {
  if (/^[!-~]+$/.test(token)) return;
  throw usage(
    'The token holds characters that no token can hold, such as spaces, line breaks or typographic quotes.',
    'Check the environment variable that it comes from: OMNI_API_TOKEN, unless the configuration names another.',
  );
}

function usage(message: string, hint: string): Failure {
  return new Failure('usage', message, { hint });
}
