// Whether a text is an absolute http or https URL as it stands. Node's parser repairs a good deal (missing slashes,
// white space, odd numbers for an IPv4 address), and what needs repair is refused.

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
