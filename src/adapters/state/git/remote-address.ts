// Where a remote is: which addresses are allowed, what of them is a credential, and what the host is known for.

import { decodeLeniently } from '../../../model/values/decode-leniently.ts';
import { parseUrl } from '../../../model/values/parse-url.ts';
import { isLoopback } from '../../../model/workspace/base-url-fault.ts';
import { Failure } from '../../../model/workspace/failure.ts';
import type { Environment } from '../host.ts';

export interface RemoteAddress {
  /** For git, without a password. */
  readonly url: string;
  readonly protocol: 'https' | 'http' | 'ssh' | 'file';
  /** Undefined for files. */
  readonly host: string | undefined;
  readonly loopback: boolean;
  /** What the URL held; only of a clone's own configuration. */
  readonly login?: { readonly username: string; readonly password?: string };
}

const hint =
  'Set `state.remote` in almanac.yaml to the name of a remote of the clone, or to an https, ssh or file URL without credentials.';

/** Whether it is an address; otherwise it is the name of a remote. Throws Failure state-backend-unfit. */
export function isAddress(remote: string): boolean {
  const shown = JSON.stringify(maskLogin(remote.slice(0, 200)));
  if (remote.startsWith('-')) throw unfit(`The remote ${shown} begins with a dash.`);
  if (remote.includes('::')) throw unfit(`The remote ${shown} contains "::", with which git would run a program.`);
  if (remote.includes('://')) return true;
  if (/^[A-Za-z0-9_][A-Za-z0-9._/+-]*$/.test(remote) && !remote.includes('..')) return false;
  throw unfit(`The remote ${shown} is neither the name of a remote nor an https, ssh or file URL.`);
}

/** An address that a file of the workspace names: it holds no credentials. Throws Failure state-backend-unfit. */
export function declaredAddress(remote: string): RemoteAddress {
  const address = addressOf(remote, '/');
  if (address.login === undefined || (address.protocol === 'ssh' && address.login.password === undefined))
    return address;
  throw unfit(`The remote ${maskLogin(remote)} contains a user name or a password.`);
}

/** The address in a clone's configuration, which may also be a path or have the short form of ssh. */
export function addressOf(remote: string, base: string): RemoteAddress {
  const shown = maskLogin(remote.slice(0, 200));
  if (remote.startsWith('-') || /^[A-Za-z0-9]*::/.test(remote) || /\p{Cc}/u.test(remote))
    throw unfit(`The remote has an address that git would not take for a place: ${JSON.stringify(shown)}.`);
  if (!remote.includes('://')) return shortAddress(remote, base);
  const url = parseUrl(remote);
  if (url === undefined) throw unfit(`The remote has the address ${shown}, which is not a URL.`);
  const protocol = url.protocol.slice(0, -1);
  if (protocol === 'file') {
    // Git ignores the host, and URL parsers leave out localhost.
    if (!/^file:\/\/\//i.test(remote)) throw unfit(`The remote ${shown} names a host; a file URL has three slashes.`);
    return { url: remote, protocol, host: undefined, loopback: true };
  }
  if (protocol !== 'https' && protocol !== 'http' && protocol !== 'ssh')
    throw unfit(`The remote ${shown} is not an https, ssh or file URL.`);
  // Git refuses it as well: ssh would take it for an option.
  if (/^[^:]*:\/\/(?:[^/@]*@)?-/.test(remote)) throw unfit(`The remote ${shown} has a host that begins with a dash.`);
  const loopback = isLoopback(url.hostname);
  if (protocol === 'http' && !loopback)
    throw unfit(`The remote ${shown} uses http: the state and the credentials would travel unencrypted.`);
  const password = url.password === '' ? undefined : decodeLeniently(url.password);
  return {
    url: protocol === 'ssh' ? withoutPassword(remote) : withoutLogin(remote),
    protocol,
    host: url.hostname,
    loopback,
    login: url.username === '' ? undefined : { username: decodeLeniently(url.username), password },
  };
}

/** A path, or `user@host:path`. */
function shortAddress(remote: string, base: string): RemoteAddress {
  const colon = remote.indexOf(':');
  const slash = remote.indexOf('/');
  const isDrive = /^[A-Za-z]:[\\/]/.test(remote) && process.platform === 'win32';
  if (colon > 0 && (slash < 0 || colon < slash) && !isDrive) {
    const host = remote.slice(remote.lastIndexOf('@', colon) + 1, colon);
    if (host.startsWith('-')) throw unfit(`The remote ${maskLogin(remote)} has a host that begins with a dash.`);
    return { url: remote, protocol: 'ssh', host, loopback: isLoopback(host) };
  }
  const isAbsolute = remote.startsWith('/') || remote.startsWith('\\') || isDrive;
  return { url: isAbsolute ? remote : `${base}/${remote}`, protocol: 'file', host: undefined, loopback: true };
}

/** GitHub recommends at most six pushes a minute to one repository. */
const githubPaceMs = 10_000;
const otherPaceMs = 1000;

/** The least milliseconds between two pushes when many follow each other. */
export function paceOf({ host, loopback }: RemoteAddress): number {
  if (host === undefined || loopback) return 0;
  const isGithub = /(?:^|[.-])(?:github|ghe)(?:[.-]|$)/i.test(host);
  return isGithub ? githubPaceMs : otherPaceMs;
}

/** Where the option of a push that starts no pipeline is understood. */
export function isGitlab({ host }: RemoteAddress, environment: Environment): boolean {
  if (host === undefined) return false;
  return /(?:^|[.-])gitlab(?:[.-]|$)/i.test(host) || host === environment['CI_SERVER_HOST'];
}

/** Hides the user information of a URL; the user name of ssh is not a secret. */
export function maskLogin(text: string): string {
  return text
    .replace(/\b(https?:\/\/)[^\s/@'"]*@/gi, '$1***@')
    .replace(/\b([a-z][a-z0-9+.-]*:\/\/[^\s/@:'"]*):[^\s/@'"]*@/gi, '$1:***@');
}

function withoutLogin(url: string): string {
  return url.replace(/^([a-z]+:\/\/)[^/]*@/i, '$1');
}

function withoutPassword(url: string): string {
  return url.replace(/^(ssh:\/\/[^/@:]*):[^/@]*@/i, '$1@');
}

function unfit(message: string): Failure {
  return new Failure('state-backend-unfit', message, { hint });
}
