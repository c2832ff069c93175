// Whether a text is an absolute http or https URL as written. Node's parser repairs a good deal (missing slashes, white
// space, unusual IPv4 numbers); a text that needs repair is refused.

import { parsedUrl } from './parsed-url.ts';

export function isHttpUrl(text: string): boolean {
  const url = parsedUrl(text);
  if (/[\s\p{Cc}\\]/u.test(text) || url === undefined) return false;
  const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (authority === undefined) return false;
  const host = authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '');
  if (/^\[[\da-f:.]+\]$/i.test(host)) return true;
  if (/^[\d.]+$/.test(url.hostname)) return url.hostname === host;
  return /^[\p{L}\p{M}\p{N}_-]+(?:\.[\p{L}\p{M}\p{N}_-]+)*\.?$/u.test(host);
}
