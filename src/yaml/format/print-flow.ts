// Collections in brackets and braces: on one line they get the usual spaces and are sorted like any map; over several
// lines they are kept and moved as a whole, but for texts that are not safe without quotes.

import { CST } from 'yaml';
import { CannotEdit } from '../edit/edit-tree.ts';
import { type Entry, entriesOf, isMap, itemsOf, keyOf, type Source } from '../edit/entries.ts';
import { quoteUnsafe, requote } from './requote.ts';
import { sortEntries } from './sort-entries.ts';
import type { Order } from './source-order.ts';

/** Returns undefined if it has several lines or a comment. */
export function flowOnOneLine(token: CST.FlowCollection, order: Order | undefined): string | undefined {
  try {
    return printFlow(token, order);
  } catch (error) {
    if (error instanceof CannotEdit) return undefined;
    throw error;
  }
}

function printFlow(token: CST.FlowCollection, order: Order | undefined): string {
  const entries = entriesOf(token);
  // Refuses a comment behind the last comma.
  propsOf(itemsOf(token).at(-1)?.start ?? []);
  const sorted = isMap(token) && order !== undefined ? sortEntries(entries, order) : entries;
  const items = sorted.map((entry) => printEntry(entry, order, isMap(token)));
  if (items.length === 0) return isMap(token) ? '{}' : '[]';
  return isMap(token) ? `{ ${items.join(', ')} }` : `[${items.join(', ')}]`;
}

/** Anchors and tags. Throws CannotEdit for a comment or another line. */
function propsOf(tokens: readonly Source[]): readonly string[] {
  return tokens.flatMap(({ type, source }) => {
    if (type === 'anchor' || type === 'tag') return source;
    if (type === 'space' || type === 'comma' || type === 'map-value-ind') return [];
    throw new CannotEdit(type);
  });
}

function printEntry({ start, key, sep, value }: Entry, order: Order | undefined, isMap: boolean): string {
  const hasColon = sep.some(({ type }) => type === 'map-value-ind');
  if (!key && hasColon) throw new CannotEdit('colon without a key');
  const below = order?.below(isMap && key ? nameOf(key) : '');
  const [before, props] = [propsOf(start), propsOf(sep)];
  const after = [...props, ...(value === undefined || value === null ? [] : [printInline(value, below, false)])];
  // A key alone (`{ a, b }`) has no colon.
  const colon = hasColon ? ':' : '';
  return [...before, ...(key ? [`${printInline(key, undefined, true)}${colon}`] : []), ...after].join(' ');
}

function printInline(token: CST.Token, order: Order | undefined, isKey: boolean): string {
  if (token.type === 'flow-collection' && !isKey) return printFlow(token, order);
  if (!isFlowScalar(token) || token.source.includes('\n')) throw new CannotEdit('several lines');
  // Refuses a comment behind it.
  propsOf(token.end ?? []);
  return requote(token.source, { inFlow: true, isKey });
}

/** Quotes what is not safe without, and changes nothing else. */
export function quoteInside(token: CST.FlowCollection): void {
  CST.visit({ start: [], value: token }, ({ key, value }) => {
    for (const scalar of [key, value])
      if (scalar?.type === 'scalar')
        scalar.source = quoteUnsafe(scalar.source, { inFlow: true, isKey: scalar === key });
  });
}

/** The name of a key. */
export function nameOf(key: Entry['key']): string {
  if (!key || !isFlowScalar(key) || key.type === 'alias') throw new CannotEdit('key');
  return keyOf({ start: [], sep: [], key }) ?? key.source;
}

function isFlowScalar(token: CST.Token): token is CST.FlowScalar {
  return ['alias', 'scalar', 'single-quoted-scalar', 'double-quoted-scalar'].includes(token.type);
}
