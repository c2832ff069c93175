// URLs: parsed without throwing, found in texts, as they are sent, and which of them Almanac sends a token to.

/**
 * Parses a URL without throwing. Not by URL.canParse: on Node 20 its compiled form, which a process reaches after some
 * thousand calls, refuses texts with letters such as ü.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

const inScheme = /[a-z0-9+.-]/i;
const inUrl = /[^\s<>"'`]+/y;

/**
 * A text with something else in place of each URL in it. One expression for all of a URL would read the letters before a `://`
 * again from each of them.
 */
export function replaceUrls(text: string, replace: (url: string) => string): string {
  let replaced = '';
  let done = 0;
  for (let colon = text.indexOf('://'); colon >= 0; colon = text.indexOf('://', Math.max(done, colon + 3))) {
    let start = colon;
    while (start > done && inScheme.test(text.charAt(start - 1))) start -= 1;
    while (start < colon && !/[a-z]/i.test(text.charAt(start))) start += 1;
    if (start === colon) continue;
    inUrl.lastIndex = colon + 3;
    const [rest] = inUrl.exec(text) ?? [];
    if (rest === undefined) continue;
    const end = colon + 3 + rest.length;
    replaced += text.slice(done, start) + replace(text.slice(start, end));
    done = end;
  }
  return replaced + text.slice(done);
}

/** A part of a URL without its percent signs; the text itself where a percent sign encodes nothing. */
export function decodeLeniently(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The ASCII form of an internationalised host name: mail and HTTP carry `xn--mnchen-3ya.de`, not `münchen.de`. */
export function asciiHost(host: string): string | undefined {
  if (host.length > 253 || !/^[\p{L}\p{M}\p{N}.-]+$/u.test(host)) return undefined;
  return parseUrl(`http://${host}/`)?.hostname;
}

/** The URL as it is sent: only a host beyond ASCII changes. */
export function asciiUrl(url: string): string {
  const { start, host, rest } =
    /^(?<start>https?:\/\/(?:[^/?#]*@)?)(?<host>[^/?#:[\]]+)(?<rest>.*)$/is.exec(url)?.groups ?? {};
  if (start === undefined || host === undefined || rest === undefined || !/[^!-~]/.test(host)) return url;
  return `${start}${asciiHost(host) ?? host}${rest}`;
}

// The rules for a base URL that gets a token. The room omni decides whether plain HTTP is allowed.

/** The first part of the path of Omni's pages, which people copy from the browser. */
const pages = new Set(['chat', 'dashboards', 'e', 'embed', 'models', 'settings', 'w', 'workbooks']);

/** The reason why a URL cannot be used, as the end of a sentence whose subject is the URL; undefined if it can be. */
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

// The pages of dashboards and schedules in Omni. The API answers below /api of the host that serves the pages, and gives
// https://HOST/dashboards/IDENTIFIER as the URL of a document, and https://HOST/dashboards/IDENTIFIER/schedules/ID as that of a
// schedule.

const maxIdentifierLength = 200;

/**
 * Uses only characters that mean nothing in Markdown or HTML. Returns undefined if the page cannot be known: another
 * path than /api, or this machine, where only an emulator answers.
 */
export function dashboardUrl(baseUrl: string | null, identifier: string): string | undefined {
  if (baseUrl === null || baseUrlFault(baseUrl) !== undefined) return undefined;
  const url = parseUrl(baseUrl);
  if (url === undefined || !/^\/api\/?$/.test(url.pathname)) return undefined;
  if (!/^https?:\/\/[a-z0-9.-]+(?::\d+)?$/.test(url.origin) || isLoopback(url.hostname)) return undefined;
  return isPathSegment(identifier) ? `${url.origin}/dashboards/${percentEncoded(identifier)}` : undefined;
}

export function scheduleUrl(baseUrl: string | null, identifier: string, id: string): string | undefined {
  const dashboard = dashboardUrl(baseUrl, identifier);
  return dashboard === undefined || !isPathSegment(id) ? undefined : `${dashboard}/schedules/${percentEncoded(id)}`;
}

/** Browsers resolve `.` and `..`, and half of a pair of code units cannot be encoded. */
function isPathSegment(text: string): boolean {
  return text !== '' && text.length <= maxIdentifierLength && !/^\.{1,2}$|\p{Cs}/u.test(text);
}

function percentEncoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
