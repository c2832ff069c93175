// The page of a dashboard in Omni. The API answers below /api of the host that serves the pages, and gives
// https://HOST/dashboards/IDENTIFIER as the URL of a document. No form is documented for a schedule's own page.

import { parseUrl } from '../values/parse-url.ts';
import { baseUrlFault } from '../workspace/base-url-fault.ts';

const longestIdentifier = 200;

/**
 * Only characters that mean nothing in Markdown or HTML. Undefined where the page cannot be known: another path than
 * /api, or this machine, where only an emulator answers.
 */
export function dashboardUrl(baseUrl: string | null, identifier: string): string | undefined {
  if (baseUrl === null || baseUrlFault(baseUrl) !== undefined) return undefined;
  const url = parseUrl(baseUrl);
  if (url === undefined || !/^\/api\/?$/.test(url.pathname)) return undefined;
  if (!/^https?:\/\/[a-z0-9.-]+(?::\d+)?$/.test(url.origin) || isThisMachine(url.hostname)) return undefined;
  return isPathSegment(identifier) ? `${url.origin}/dashboards/${percentEncoded(identifier)}` : undefined;
}

function isThisMachine(hostname: string): boolean {
  return /^127\.|^localhost$|\.localhost$/.test(hostname);
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
