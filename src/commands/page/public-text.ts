// Texts that people wrote, as the page may hold them. Of a URL with a secret only the host is left. Masked, nothing has the
// shape of an address or of the id of a Slack channel or user, wherever it stands.

import { parseUrl, replaceUrls, secretsInUrl } from '../../model/values/urls.ts';

/** A copy of a value in which every text is another one. Keys stay. */
export function mapTexts<T>(value: T, change: (text: string) => string): T {
  if (typeof value === 'string') return change(value) as T;
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, mapTexts(entry, change)])) as T;
}

/** A note may hold the address of a hook. */
export function withoutUrlSecrets(text: string): string {
  return replaceUrls(text, (url) => (secretsInUrl(url).length === 0 ? url : `${parseUrl(url)?.hostname || 'a URL'}/…`));
}

/** Signs that mail programs take for the one in an address, too. */
const atSign = /[@\uFE6B\uFF20]/;
export const someone = 'somebody';
export const someSlack = 'a Slack id';

/** `slackIds`: those that are declared, of which some may have another shape. */
export function maskingTexts(slackIds: Iterable<string>): (text: string) => string {
  const odd = [...new Set(slackIds)].filter(
    (id) => /^(?=.*\d)[\w-]{6,}$/.test(id) && withoutSlackIds(id) !== someSlack,
  );
  return (text) => {
    const plain = text.replace(/\S+/g, (word) => (atSign.test(word) ? masked(word) : word));
    return odd.reduce((left, id) => left.replaceAll(id, someSlack), withoutSlackIds(plain));
  };
}

/** With a digit: capital letters alone are a word. */
function withoutSlackIds(text: string): string {
  return text.replace(/[A-Z0-9]{8,}/g, (run) => {
    const start = run.search(/[BCDGTUW]/);
    const rest = start < 0 ? '' : run.slice(start + 1);
    return rest.length >= 7 && /[0-9]/.test(rest) ? run.slice(0, start) + someSlack : run;
  });
}

/** The handle of a team, such as `@acme/finance`, is no address: it stays without its sign. */
function masked(word: string): string {
  const [, handle] = /^@([\w-]+(?:\/[\w-]+)?[.,;:]?)$/.exec(word) ?? [];
  return handle ?? someone;
}
