// The dashboards and schedules that an import was asked for, by identifier or URL.

import type { ListedSchedule } from '../../model/service/remote.ts';
import { decodeLeniently, parseUrl } from '../../model/values/urls.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { noBaseUrl } from '../../observe/service.ts';

export interface AskedPages {
  /** Undefined for everything. */
  readonly identifiers: readonly string[] | undefined;
  readonly includes: (row: Pick<ListedSchedule, 'id' | 'identifier'>) => boolean;
  readonly ids: readonly string[];
}

/** Throws Failure usage for any other page, and missing-base-url if the organization's address is not known. */
export function askedFor(
  identifiers: readonly string[] | undefined,
  urls: readonly string[],
  baseUrl: string | undefined,
): AskedPages {
  const pages = urls.map((url) => pageAt(url, baseUrl));
  if (identifiers === undefined && pages.length === 0) return { identifiers: undefined, includes: () => true, ids: [] };
  const whole = new Set([
    ...(identifiers ?? []),
    ...pages.flatMap(({ identifier, id }) => (id === undefined ? identifier : [])),
  ]);
  const ids = pages.flatMap(({ id }) => id ?? []);
  return {
    identifiers: [...new Set([...whole, ...pages.map(({ identifier }) => identifier)])],
    includes: ({ id, identifier }) => whole.has(identifier) || ids.includes(id),
    ids,
  };
}

/** `id`: of a schedule. */
function pageAt(text: string, baseUrl: string | undefined) {
  const url = parseUrl(text);
  const [, identifier, id] = /^\/dashboards\/([^/]+)(?:\/schedules\/([^/]+))?\/?$/.exec(url?.pathname ?? '') ?? [];
  if (url === undefined || identifier === undefined)
    throw new Failure('usage', `\`${text}\` is not the URL of an Omni dashboard or schedule.`, {
      hint: 'Copy the URL from the address bar: https://acme.omniapp.co/dashboards/12db1a0a, perhaps with /schedules/ and an id behind it.',
    });
  if (baseUrl === undefined) throw noBaseUrl();
  const host = parseUrl(baseUrl)?.host;
  if (url.host !== host)
    throw new Failure('usage', `The page is at ${url.host}, and the organization of this workspace at ${host}.`, {
      hint: 'Copy the URL from the organization that api.baseUrl names.',
    });
  return { identifier: decodeLeniently(identifier), id: id?.toLowerCase() };
}
