// Whether a text is an absolute http or https URL as written. Node's parser repairs a good deal (missing slashes, white
// space, unusual IPv4 numbers); a text that needs repair is refused.

export function isHttpUrl(text: string): boolean {
  if (/[\s\p{Cc}\\]/u.test(text) || !URL.canParse(text)) return false;
  const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (authority === undefined) return false;
  const host = authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '');
  if (/^\[[\da-f:.]+\]$/i.test(host)) return true;
  const parsed = new URL(text).hostname;
  if (/^[\d.]+$/.test(parsed)) return parsed === host;
  return /^[\p{L}\p{M}\p{N}_-]+(?:\.[\p{L}\p{M}\p{N}_-]+)*\.?$/u.test(host);
}
