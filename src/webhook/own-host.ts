// Whether a request is addressed to this listener. A page in a browser can make its own host name lead here (DNS
// rebinding), but the header Host then names that page's host.

import { parseUrl } from '../model/values/urls.ts';

export interface OwnHosts {
  /** The address that is listened on. */
  readonly host: string;
  /** The names under which a tunnel or a proxy passes requests on. */
  readonly publicHosts: readonly string[];
}

const everyAddress = ['0.0.0.0', '::'];

/** `header` is the request's `Host`, with or without a port. */
export function isOwnHost(header: string | undefined, { host, publicHosts }: OwnHosts): boolean {
  const name = hostName(header);
  if (name === undefined) return false;
  // A name can be made to lead anywhere; an address is what the sender connected to.
  if (isLoopback(name) || (everyAddress.includes(host) && isAddress(name))) return true;
  return [host.includes(':') ? `[${host}]` : host, ...publicHosts].some((own) => hostName(own) === name);
}

/** In lower case, without a port; undefined where the text names no host. */
export function hostName(text = ''): string | undefined {
  if (!/^[^\s/?#@\\]+$/.test(text)) return undefined;
  return parseUrl(`http://${text}`)?.hostname.replace(/\.$/, '');
}

function isLoopback(name: string): boolean {
  return /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(name);
}

function isAddress(name: string): boolean {
  return /^(?:\[.*\]|\d+\.\d+\.\d+\.\d+)$/.test(name);
}
