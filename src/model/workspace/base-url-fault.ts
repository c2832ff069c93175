// What a base URL must look like before Almanac sends a token to it. The adapter decides whether plain HTTP is allowed.

import { parseUrl } from '../values/parse-url.ts';

/** The first part of the path of Omni's pages, which people copy from the browser. */
const pages = new Set(['chat', 'dashboards', 'e', 'embed', 'models', 'settings', 'w', 'workbooks']);

/** Why the URL cannot be used, as the end of a sentence whose subject is the URL; undefined if it can. */
export function baseUrlFault(url: string): string | undefined {
  const parsed = parseUrl(url);
  if (parsed === undefined) return 'is not a URL.';
  const { protocol, host, pathname, username, password, search, hash } = parsed;
  if (protocol !== 'http:' && protocol !== 'https:') return 'does not begin with https://.';
  if (username !== '' || password !== '')
    return 'contains a user name or a password; put the token into its own environment variable.';
  if (pages.has(pathname.split('/')[1] ?? ''))
    return `is the address of a page of Omni; write ${protocol}//${host}/api.`;
  if (search !== '' || hash !== '' || url.endsWith('?') || url.endsWith('#'))
    return 'contains a query or a fragment, which requests cannot carry.';
  return undefined;
}

/** A host of this machine: what is sent there crosses no network. As `URL` writes it. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
