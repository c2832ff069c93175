// The connections of a run, direct or through a proxy, without automatic retries. undici is imported only here and only
// when a run calls the service: the import takes a tenth of a second.

import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { baseUrlFault, isLoopback, parseUrl } from '../../model/values/urls.ts';
import { decodeLeniently } from '../../model/values/words.ts';
import { Failure } from '../../model/workspace/failure.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface DispatcherOptions {
  readonly base: Base;
  /** Seconds for a whole request. */
  readonly timeout: number;
  readonly connections: number;
  readonly environment: Environment;
}

export async function makeDispatcher({
  base,
  timeout,
  connections,
  environment,
}: DispatcherOptions): Promise<Dispatcher> {
  const milliseconds = timeout * 1000;
  const agentOptions = {
    connections,
    pipelining: 1,
    headersTimeout: milliseconds,
    bodyTimeout: milliseconds,
    connect: { timeout: milliseconds },
    // The service may close an idle connection just as a request is written to it, and a POST would be lost. So we
    // close idle connections earlier than any server does.
    keepAliveTimeout: 2000,
    keepAliveMaxTimeout: 2000,
  };
  const proxies = proxiesOf(environment);
  // Loopback never goes through a proxy: an unencrypted token must not leave the machine.
  if (base.loopback || (proxies.httpProxy === '' && proxies.httpsProxy === '')) return new Agent(agentOptions);
  // undici would speak SOCKS with a warning that it is experimental.
  if ([proxies.httpProxy, proxies.httpsProxy].some((proxy) => /^socks/i.test(proxy))) throw notAProxy();
  try {
    return new EnvHttpProxyAgent({ ...agentOptions, ...proxies });
  } catch {
    // No cause: it contains the proxy's URL, which may contain a password.
    throw notAProxy();
  }
}

function notAProxy(): Failure {
  return new Failure('usage', 'HTTPS_PROXY or HTTP_PROXY is not the URL of an HTTP proxy.', {
    hint: 'Write it as http://HOST:PORT. Almanac does not use SOCKS proxies.',
  });
}

/** Empty texts instead of undefined: otherwise undici would read the environment of the process. */
function proxiesOf(environment: Environment): { httpProxy: string; httpsProxy: string; noProxy: string } {
  const read = (name: string): string => environment[name.toLowerCase()] ?? environment[name] ?? '';
  return { httpProxy: read('HTTP_PROXY'), httpsProxy: read('HTTPS_PROXY'), noProxy: read('NO_PROXY') };
}

/** The passwords in proxy URLs, for masking. */
export function proxySecrets(environment: Environment): readonly string[] {
  const { httpProxy, httpsProxy } = proxiesOf(environment);
  return [httpProxy, httpsProxy].flatMap((text) => {
    const password = parseUrl(text)?.password ?? '';
    return password === '' ? [] : [password, decodeLeniently(password)];
  });
}

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
