// Reads the end of a route from an answer. Headers: Deprecation (RFC 9745), Sunset (RFC 8594), Link (RFC 8288).

import type { Answer } from '../http/exchange.ts';
import type { Operation } from './operations.ts';

export interface Deprecation {
  /** The day from which the route may be gone; undefined if the service does not say. */
  readonly day: string | undefined;
  /** The replacement, as the service writes it; undefined if it does not say. */
  readonly successor: string | undefined;
}

/** `clean` makes a text of the service fit to be shown. Undefined where the route is to stay. */
export function endingOf(headers: Answer['headers'], clean: (text: string) => string): Deprecation | undefined {
  const { deprecation = '', sunset, link = '' } = headers;
  const successor = successorIn(link);
  const isDeprecated = !['', 'false', '?0'].includes(deprecation.trim().toLowerCase());
  if (!isDeprecated && sunset === undefined && successor === undefined) return undefined;
  const at = Date.parse(sunset ?? '');
  const day = Number.isNaN(at) ? undefined : new Date(at).toISOString().slice(0, 10);
  return { day, successor: successor && clean(successor) };
}

/** The target whose relation is successor-version; a link may have several relations, and a header several links. */
function successorIn(link: string): string | undefined {
  for (const [, target, parameters = ''] of link.matchAll(/<([^<>]{1,500})>([^<]*)/g)) {
    const [, relations = ''] = /;\s*rel\s*=\s*"?([^";,]*)/i.exec(parameters) ?? [];
    if (relations.toLowerCase().split(/\s+/).includes('successor-version')) return target;
  }
  return undefined;
}

const update = 'Update Almanac: a newer version may use what takes its place.';

/** The same for every answer of a route, whatever it was about. */
export function endingNote({ method, path }: Operation, { day, successor }: Deprecation): string {
  const when = day === undefined ? 'is deprecated' : `is deprecated, and may be gone from ${day} on`;
  return `Omni says that ${method} ${path} ${when}.${successorWords(successor)} ${update}`;
}

export function goneHint({ day, successor }: Partial<Deprecation> = {}): string {
  const since = day === undefined ? '' : ` since ${day}`;
  return `Omni no longer has this route${since}.${successorWords(successor)} ${update}`;
}

function successorWords(successor: string | undefined): string {
  return successor === undefined ? '' : ` Its successor is ${successor}.`;
}
