// What the changes of a text have in common: the text itself, a value in its surroundings, and what changes in a map or
// list beside the values that stay in it.

import type { CST } from 'yaml';
import type { Json } from '../../model/values/json.ts';
import type { Quote } from '../format/print-flow.ts';
import type { Order } from '../format/sort-entries.ts';
import type { Style } from './print-value.ts';
import type { Collection, SourceEntry, Spot } from './source-entries.ts';
import { columnOf, type Splice } from './splice.ts';

export interface Page {
  /** Ends with a line break. */
  readonly text: string;
  readonly splices: Splice[];
  /** Whether a text of several lines may become a block. */
  readonly hasBlockTexts: boolean;
  /** What an alias stands for after all edits; undefined if that is not known. */
  readonly meaningOf: (alias: CST.Token) => Json | undefined;
}

/** A value in its surroundings. */
export interface Holder extends Spot {
  /** The column of its key or dash; below zero for a whole document. */
  readonly column: number;
  /** The indentation of a map below it. */
  readonly step: number;
  readonly isItem: boolean;
  readonly inFlow: boolean;
  readonly hasColon: boolean;
  readonly order: Order | undefined;
}

/** An entry to be added. */
export interface Insert {
  /** The index of the entry before it; -1 for the first place. */
  readonly after: number;
  readonly key: string | undefined;
  readonly value: Json;
}

export interface CollectionChange {
  readonly token: Collection;
  readonly holder: Holder;
  readonly entries: readonly SourceEntry[];
  readonly removed: ReadonlySet<number>;
  /** Of the removed keys, those whose items are removed one by one, so that comments between them stay. */
  readonly emptied: ReadonlySet<number>;
  readonly inserts: readonly Insert[];
}

export function holderOf(
  entry: SourceEntry,
  { token, holder, order }: { readonly token: Collection; readonly holder: Holder; readonly order: Order | undefined },
  { text }: Page,
): Holder {
  const inFlow = token.type === 'flow-collection';
  const { head, value, anchor, hasColon } = entry;
  const column = inFlow ? holder.column : columnOf(text, entry.start);
  return {
    head,
    value,
    anchor,
    hasColon,
    column,
    step: stepOf(column, holder),
    isItem: entry.key === undefined,
    inFlow,
    order,
  };
}

/** The indentation of a level below the entries at that column. */
function stepOf(column: number, { column: outer, step, isItem, inFlow }: Holder): number {
  return isItem || inFlow || column <= outer || outer < 0 ? step : column - outer;
}

/** How a value is printed in that place. */
export function styleOf({ inFlow, column, step, order, value }: Holder, { hasBlockTexts }: Page): Style {
  return { inFlow, column, step, order, quote: quoteOf(value), quotesKeys: false, hasBlockTexts };
}

/** How new entries of a list or map are printed: strings and keys get the quotes that all others have. */
export function styleInside({ token, holder, entries }: CollectionChange, page: Page): Style {
  const inFlow = token.type === 'flow-collection';
  const first = entries[0];
  const column = first === undefined || inFlow ? holder.column : columnOf(page.text, first.start);
  const quotes = new Set(entries.map(({ key, value }) => quoteOf(key ?? value)));
  const quote = quotes.size === 1 ? [...quotes][0] : undefined;
  const isList = first?.key === undefined;
  return {
    inFlow,
    column,
    step: stepOf(column, holder),
    order: holder.order,
    quote: isList || quote === '"' ? quote : undefined,
    quotesKeys: !isList && quote === '"',
    hasBlockTexts: page.hasBlockTexts,
  };
}

function quoteOf(token: CST.Token | undefined): Quote | undefined {
  if (token?.type === 'double-quoted-scalar') return '"';
  return token?.type === 'single-quoted-scalar' ? "'" : undefined;
}
