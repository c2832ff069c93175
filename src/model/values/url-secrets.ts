// Finds the secret parts of a URL. Who knows them can send in somebody's name: user information, query parameters that
// are called so, the paths of hooks of well-known services, and long random segments of any path.

import { parseUrl } from './urls.ts';

export interface UrlSecret {
  /** `hook`: a path of a well-known service; `random`: a segment of a path that looks like a token. */
  readonly kind: 'user-information' | 'parameter' | 'hook' | 'random';
  /** The name of the query parameter. */
  readonly parameter?: string;
  /** The service of a hook, as people call it. */
  readonly service?: string;
  /** The place of the secret in the text, as it is written there; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
}

/** `a Slack hook`. */
export function hookWords(service: string): string {
  return `${/^[AI]/.test(service) ? 'an' : 'a'} ${service} hook`;
}

/** The secrets in their order; empty if the text is not a URL. */
export function secretsInUrl(text: string): readonly UrlSecret[] {
  const url = parseUrl(text);
  const whole = /^([a-z][a-z0-9+.-]*:[/\\]*)([^/?#\\]*)([^?#]*)(\?[^#]*)?/i.exec(text);
  if (url === undefined || whole === null) return [];
  const [, scheme = '', authority = '', path = '', query = ''] = whole;
  const hostEnd = scheme.length + authority.length;
  const user = authority.lastIndexOf('@');
  // A name with a dot at its end is the same name.
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
  /** A pattern for what comes before the secret; the rest of the path is secret. */
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

/** The part of the path from its first random segment to its last one. */
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

/** The last word of names such as `access_token` and `clientSecret`. */
const secretWord =
  /^(?:token|key|secret|sig|signature|password|passwd|pass|pwd|auth|authorization|credentials?|hmac|jwt|bearer)$/;
/** Names of secrets that are written as one word. */
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
