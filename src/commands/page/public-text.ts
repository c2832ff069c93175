// Texts that people wrote, as the page may hold them. Of a URL with a secret only the host is left. Masked, nothing has the
// shape of an address or of the id of a Slack channel or user, wherever it stands.

import { parseUrl, secretsInUrl } from '../../model/values/urls.ts';

/** A copy of a value in which every text is another one. Keys stay. */
export function mapTexts<T>(value: T, change: (text: string) => string): T {
  if (typeof value === 'string') return change(value) as T;
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, mapTexts(entry, change)])) as T;
}

/** A note may hold the address of a hook. */
export function withoutUrlSecrets(text: string): string {
  if (!text.includes('://')) return text;
  return text.replace(/[a-z][a-z0-9+.-]*:\/\/[^\s<>"'`]+/gi, (url) =>
    secretsInUrl(url).length === 0 ? url : `${parseUrl(url)?.hostname || 'a URL'}/…`,
  );
}

/** Signs that mail programs take for the one in an address, too. */
const addressed = /\S*[@\uFE6B\uFF20]\S*/gu;
/** With a digit: capital letters alone are a word. */
const slackId = /[BCDGTUW](?=[A-Z]*[0-9])[A-Z0-9]{7,}/g;
export const someone = 'somebody';
export const someSlack = 'a Slack id';

/** `slackIds`: those that are declared, of which some may have another shape. */
export function maskingTexts(slackIds: Iterable<string>): (text: string) => string {
  const odd = [...new Set(slackIds)].filter((id) => /^(?=.*\d)[\w-]{6,}$/.test(id) && id.replace(slackId, '') !== '');
  return (text) => {
    const plain = text.replace(addressed, masked);
    return odd.reduce((left, id) => left.replaceAll(id, someSlack), plain.replace(slackId, someSlack));
  };
}

/** The handle of a team, such as `@acme/finance`, is no address: it stays without its sign. */
function masked(word: string): string {
  const [, handle] = /^@([\w-]+(?:\/[\w-]+)?[.,;:]?)$/.exec(word) ?? [];
  return handle ?? someone;
}
