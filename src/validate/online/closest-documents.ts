// Which dashboard was most likely meant: by a mistyped identifier, or by its name.

import type { KnownDocument } from '../../model/service/service-view.ts';
import { nearest } from '../findings/suggest.ts';

const mostShown = 3;
const shortestPart = 3;
/** For a name inside the declared word: shorter names occur in many words by chance. */
const shortestName = 5;

/** The likeliest first; empty if nothing is close. */
export function closestDocuments(word: string, dashboards: readonly KnownDocument[]): readonly KnownDocument[] {
  const byIdentifier = new Map(dashboards.map((dashboard) => [dashboard.identifier, dashboard]));
  const identifier = nearest(word, [...byIdentifier.keys()]);
  const name = nearest(
    word,
    dashboards.map((dashboard) => dashboard.name),
  );
  const lower = word.toLowerCase();
  const close = [
    ...(identifier === undefined ? [] : [byIdentifier.get(identifier)]),
    ...dashboards.filter((dashboard) => dashboard.name === name),
    ...(word.length < shortestPart ? [] : dashboards.filter((each) => each.name.toLowerCase().includes(lower))),
    ...dashboards.filter((each) => each.name.length >= shortestName && lower.includes(each.name.toLowerCase())),
  ].filter((dashboard) => dashboard !== undefined);
  return [...new Set(close)].slice(0, mostShown);
}

/** `Did you mean …?`; undefined for an empty list. */
export function meantDocuments(close: readonly KnownDocument[]): string | undefined {
  if (close.length === 0) return undefined;
  const each = close.map(({ identifier, name }) => `\`${identifier}\` (${shortened(name)})`);
  const [last = '', ...before] = each.reverse();
  return `Did you mean ${before.length === 0 ? last : `${before.reverse().join(', ')} or ${last}`}?`;
}

const longestName = 60;

function shortened(name: string): string {
  return name.length <= longestName ? name : `${name.slice(0, longestName)}…`;
}
