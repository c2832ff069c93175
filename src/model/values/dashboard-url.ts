// The pages of dashboards and schedules in Omni. The API answers below /api of the host that serves the pages, and gives
// https://HOST/dashboards/IDENTIFIER as the URL of a document, and https://HOST/dashboards/IDENTIFIER/schedules/ID as that of a
// schedule.

import { baseUrlFault, isLoopback, parseUrl } from './urls.ts';

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
