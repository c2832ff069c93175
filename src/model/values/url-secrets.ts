// The parts of a URL that are secret, because who knows them can send in somebody's name: user information, query
// parameters that are called so, and the path of a Slack hook.

import { parseUrl } from './parse-url.ts';

export interface UrlSecret {
  readonly kind: 'user-information' | 'parameter' | 'slack-hook';
  /** The name of the query parameter. */
  readonly parameter?: string;
  /** Where it stands in the text, as it is written there; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
}

const secretParameter = /^(?:.*[-_.])?(?:token|key|secret|sig|password)$/i;

/** In the order in which they stand; none where the text is no URL. */
export function secretsInUrl(text: string): readonly UrlSecret[] {
  const url = parseUrl(text);
  const whole = /^([a-z][a-z0-9+.-]*:[/\\]*)([^/?#\\]*)([^?#]*)(\?[^#]*)?/i.exec(text);
  if (url === undefined || whole === null) return [];
  const [, scheme = '', authority = '', path = '', query = ''] = whole;
  const hostEnd = scheme.length + authority.length;
  const user = authority.lastIndexOf('@');
  return [
    ...(url.username + url.password === '' || user < 0
      ? []
      : [{ kind: 'user-information', start: scheme.length, end: scheme.length + user } as const]),
    ...(url.hostname === 'hooks.slack.com' ? slackHook(path, hostEnd) : []),
    ...secretParameters(query, hostEnd + path.length),
  ];
}

/** What follows the first segment, such as `services`. */
function slackHook(path: string, offset: number): readonly UrlSecret[] {
  const found = /^([/\\]*[^/\\]+[/\\]+)[^/\\]/.exec(path);
  const [, before = ''] = found ?? [];
  return found === null ? [] : [{ kind: 'slack-hook', start: offset + before.length, end: offset + path.length }];
}

function secretParameters(query: string, offset: number): readonly UrlSecret[] {
  return [...query.matchAll(/(?<=[?&])([^&=]*)=([^&]+)/g)].flatMap((found): UrlSecret[] => {
    const [pair, name = '', value = ''] = found;
    const [parameter = ''] = new URLSearchParams(name).keys();
    const end = offset + found.index + pair.length;
    return secretParameter.test(parameter) ? [{ kind: 'parameter', parameter, start: end - value.length, end }] : [];
  });
}
