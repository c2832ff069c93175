// URLs: parsed without throwing, which of them Almanac sends a token to, the parts of one that are secret, and the pages of
// Omni.

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

// What a base URL must look like before Almanac sends a token to it. The adapter decides whether plain HTTP is allowed.

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

// The page of a dashboard in Omni. The API answers below /api of the host that serves the pages, and gives
// https://HOST/dashboards/IDENTIFIER as the URL of a document, and https://HOST/dashboards/IDENTIFIER/schedules/ID as that of a
// schedule.

const longestIdentifier = 200;

/**
 * Only characters that mean nothing in Markdown or HTML. Undefined where the page cannot be known: another path than
 * /api, or this machine, where only an emulator answers.
 */
export function dashboardUrl(baseUrl: string | null, identifier: string): string | undefined {
  if (baseUrl === null || baseUrlFault(baseUrl) !== undefined) return undefined;
  const url = parseUrl(baseUrl);
  if (url === undefined || !/^\/api\/?$/.test(url.pathname)) return undefined;
  if (!/^https?:\/\/[a-z0-9.-]+(?::\d+)?$/.test(url.origin) || isLoopback(url.hostname)) return undefined;
  return isPathSegment(identifier) ? `${url.origin}/dashboards/${percentEncoded(identifier)}` : undefined;
}

/** The same of a schedule. */
export function scheduleUrl(baseUrl: string | null, identifier: string, id: string): string | undefined {
  const dashboard = dashboardUrl(baseUrl, identifier);
  return dashboard === undefined || !isPathSegment(id) ? undefined : `${dashboard}/schedules/${percentEncoded(id)}`;
}

/** Browsers resolve `.` and `..`, and half of a pair of code units cannot be encoded. */
function isPathSegment(text: string): boolean {
  return text !== '' && text.length <= longestIdentifier && !/^\.{1,2}$|\p{Cs}/u.test(text);
}

function percentEncoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/**
 * The parts of a URL that are secret, because who knows them can send in somebody's name: user information, query
 * parameters that are called so, the paths of hooks of well-known services, and long random segments of any path.
 */
export interface UrlSecret {
  /** `hook`: a path of a well-known service; `random`: a segment of a path that looks like a token. */
  readonly kind: 'user-information' | 'parameter' | 'hook' | 'random';
  /** The name of the query parameter. */
  readonly parameter?: string;
  /** The service of a hook, as people call it. */
  readonly service?: string;
  /** Where it stands in the text, as it is written there; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
}

/** `a Slack hook`. */
export function hookWords(service: string): string {
  return `${/^[AI]/.test(service) ? 'an' : 'a'} ${service} hook`;
}

/** In the order in which they stand; none where the text is no URL. */
export function secretsInUrl(text: string): readonly UrlSecret[] {
  const url = parseUrl(text);
  const whole = /^([a-z][a-z0-9+.-]*:[/\\]*)([^/?#\\]*)([^?#]*)(\?[^#]*)?/i.exec(text);
  if (url === undefined || whole === null) return [];
  const [, scheme = '', authority = '', path = '', query = ''] = whole;
  const hostEnd = scheme.length + authority.length;
  const user = authority.lastIndexOf('@');
  // With a dot at its end a name is the same one.
  const host = url.hostname.replace(/\.$/, '');
  return [
    ...(url.username + url.password === '' || user < 0
      ? []
      : [{ kind: 'user-information', start: scheme.length, end: scheme.length + user } as const]),
    ...secretsInPath(host, path, hostEnd),
    ...secretParameters(host, query, hostEnd + path.length),
  ];
}

interface Hook {
  readonly service: string;
  readonly host: RegExp;
  /** What comes before the secret; the rest of the path is secret. */
  readonly before: RegExp;
}

const slash = String.raw`[/\\]+`;

/** A path such as `/services/`, however often its slashes are written. */
function pathOf(...segments: readonly string[]): RegExp {
  return new RegExp(`^${slash}${segments.map((segment) => segment + slash).join('')}`, 'i');
}

const hooks: readonly Hook[] = [
  { service: 'Slack', host: /^hooks\.slack(?:-gov)?\.com$/, before: pathOf(String.raw`[^/\\]+`) },
  {
    service: 'Discord',
    host: /^(?:[a-z]+\.)?discord(?:app)?\.com$/,
    before: new RegExp(`^${slash}api${slash}(?:v\\d+${slash})?webhooks${slash}`, 'i'),
  },
  { service: 'Teams', host: /\.webhook\.office\.com$/, before: pathOf(String.raw`webhookb?\d*`) },
  { service: 'Teams', host: /^outlook\.office(?:365)?\.com$/, before: pathOf('webhook') },
  { service: 'Telegram', host: /^api\.telegram\.org$/, before: new RegExp(`^${slash}(?:file${slash})?bot`, 'i') },
  { service: 'Zapier', host: /^hooks\.zapier\.com$/, before: pathOf('hooks', String.raw`[^/\\]+`) },
  { service: 'Make', host: /^hook\.(?:[a-z0-9-]+\.)?(?:make|integromat)\.com$/, before: new RegExp(`^${slash}`) },
  {
    service: 'IFTTT',
    host: /^maker\.ifttt\.com$/,
    before: pathOf('trigger', String.raw`[^/\\]+`, '(?:json[/\\\\]+)?with', 'key'),
  },
  { service: 'PagerDuty', host: /^events(?:\.eu)?\.pagerduty\.com$/, before: pathOf('integration') },
  {
    service: 'Lark',
    host: /^open\.(?:larksuite\.com|feishu\.cn)$/,
    before: pathOf('open-apis', 'bot', String.raw`v\d+`, 'hook'),
  },
  { service: 'Airtable', host: /^hooks\.airtable\.com$/, before: new RegExp(`^${slash}`) },
  { service: 'webhook.site', host: /^webhook\.site$/, before: new RegExp(`^${slash}`) },
];

function secretsInPath(host: string, path: string, offset: number): readonly UrlSecret[] {
  const hook = hooks.find((each) => each.host.test(host) && each.before.test(path));
  if (hook === undefined) return randomSegments(path, offset);
  const [before = ''] = hook.before.exec(path) ?? [];
  const { service } = hook;
  return before.length === path.length
    ? []
    : [{ kind: 'hook', service, start: offset + before.length, end: offset + path.length }];
}

/** Shorter ones are ids; a UUID, with its hyphens, is one as well. */
const random = /[a-z0-9]{26,}/gi;
const jsonWebToken = /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/;

/** From the first of them to the last one. */
function randomSegments(path: string, offset: number): readonly UrlSecret[] {
  const found = [...path.matchAll(/[^/\\]+/g)].filter(([segment]) => isRandom(segment));
  const [first, last] = [found[0], found.at(-1)];
  if (first === undefined || last === undefined) return [];
  return [{ kind: 'random', start: offset + first.index, end: offset + last.index + last[0].length }];
}

/** Many letters and digits in turns without a break, as no word is written. */
function isRandom(segment: string): boolean {
  if (jsonWebToken.test(segment)) return true;
  const runs = segment.match(random) ?? [];
  return runs.some((run) => /[a-z]/i.test(run) && (run.match(/\d+/g) ?? []).length >= 3);
}

/** Of words such as `access_token` and `clientSecret` the last one. */
const secretWord =
  /^(?:token|key|secret|sig|signature|password|passwd|pass|pwd|auth|authorization|credentials?|hmac|jwt|bearer)$/;
/** Written as one word. */
const secretName =
  /^(?:api|access|auth|app|client|private|secret|shared|subscription|function|hook|webhook)(?:token|key|secret)$/;

function isSecretName(name: string, host: string): boolean {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase();
  const last = words.split(/[-_.]/).at(-1) ?? '';
  // The key of a function at Azure.
  const isAzure = words === 'code' && host.endsWith('.azurewebsites.net');
  return isAzure || secretWord.test(last) || secretName.test(last);
}

function secretParameters(host: string, query: string, offset: number): readonly UrlSecret[] {
  let end = offset;
  return query.split('&').flatMap((pair, index): readonly UrlSecret[] => {
    end += pair.length + (index === 0 ? 0 : 1);
    // The first one follows the question mark.
    const [, name = '', value] = /^\??([^=]*)=(.+)$/s.exec(pair) ?? [];
    const [parameter = ''] = new URLSearchParams(name).keys();
    return value !== undefined && isSecretName(parameter, host)
      ? [{ kind: 'parameter', parameter, start: end - value.length, end }]
      : [];
  });
}
