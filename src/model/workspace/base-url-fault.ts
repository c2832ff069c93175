// What a base URL must be for Almanac to send a token to it. Whether plain HTTP will do is the adapter's question.

/** The rest of a sentence that begins with what holds it: why it can't be used. Undefined where it can. */
export function baseUrlFault(url: string): string | undefined {
  if (!URL.canParse(url)) return 'is not a URL.';
  const { protocol, username, password, search, hash } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') return 'does not begin with https://.';
  if (username !== '' || password !== '')
    return 'contains a user name or a password; put the token into its own environment variable.';
  if (search !== '' || hash !== '' || url.endsWith('?') || url.endsWith('#'))
    return 'contains a query or a fragment, which requests cannot carry.';
  return undefined;
}
