// The connections of a run: directly or through a proxy, never repeating by themselves. undici is loaded here and only
// when a run talks to the service: importing it costs a tenth of a second.

import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { Failure } from '../../model/workspace/failure.ts';
import type { Base } from './base-url.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface DispatcherOptions {
  readonly base: Base;
  /** Seconds for the whole of a request. */
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
    // An idle connection may be closed by the service just as a request is written to it, and a POST is lost then. So
    // connections are given up sooner than any server does.
    keepAliveTimeout: 2000,
    keepAliveMaxTimeout: 2000,
  };
  const proxies = proxiesOf(environment);
  // The emulator on loopback is never behind a proxy, and an unencrypted token must not leave the machine.
  if (base.loopback || (proxies.httpProxy === '' && proxies.httpsProxy === '')) return new Agent(agentOptions);
  try {
    return new EnvHttpProxyAgent({ ...agentOptions, ...proxies });
  } catch {
    // Without the cause: it holds the proxy's URL, and that may hold a password.
    throw new Failure('usage', 'HTTPS_PROXY or HTTP_PROXY is not the URL of a proxy.', {
      hint: 'Write it as http://HOST:PORT.',
    });
  }
}

/** Empty texts, not undefined: undici would look into the environment of the process itself. */
function proxiesOf(environment: Environment): { httpProxy: string; httpsProxy: string; noProxy: string } {
  const read = (name: string): string => environment[name.toLowerCase()] ?? environment[name] ?? '';
  return { httpProxy: read('HTTP_PROXY'), httpsProxy: read('HTTPS_PROXY'), noProxy: read('NO_PROXY') };
}

/** The passwords in the URLs of proxies, to be masked. */
export function proxySecrets(environment: Environment): readonly string[] {
  const { httpProxy, httpsProxy } = proxiesOf(environment);
  return [httpProxy, httpsProxy].flatMap((text) => {
    const password = URL.canParse(text) ? new URL(text).password : '';
    return password === '' ? [] : [password, decodeLeniently(password)];
  });
}

function decodeLeniently(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
