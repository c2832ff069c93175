// Judges a tile by its files: one as delivered, and those with values that nobody has. Pure.

import { folded } from '../../declare/rows/rows-of-others.ts';
import type { RemoteQuery } from '../../model/service/documents.ts';
import type { Verdict } from './prove-document.ts';

/** The content of a tile's file, without its rows. */
export interface Sheet {
  /** True if no row has anything but blanks and zeros. A total counts by its numbers alone. */
  readonly isEmpty: boolean;
  readonly width: number;
  /** Includes totals. */
  readonly rows: number;
  readonly totals: number;
  /** The requested columns: their values, with the words for totals, and the number of rows without one. */
  readonly columns: ReadonlyMap<number, Column>;
}

interface Column {
  readonly values: ReadonlySet<string>;
  readonly blanks: number;
}

/** Undefined for a text that is not CSV. `columns` are the places of the requested ones. */
export function readSheet(bytes: Uint8Array, columns: readonly number[] = []): Sheet | undefined {
  const rows = csvRows(new TextDecoder().decode(bytes));
  const head = rows.next();
  const found = columns.map((at) => ({ at, values: new Set<string>(), blanks: 0 }));
  let [isEmpty, count, totals] = [true, 0, 0];
  for (const cells of rows) {
    const isTotal = cells.some(isTotalWord);
    count += 1;
    if (isTotal) totals += 1;
    isEmpty &&= cells.every((cell) => isNothing(cell) || isTotalWord(cell));
    for (const column of found) {
      const value = cells[column.at] ?? '';
      if (value.trim() !== '') column.values.add(value);
      else if (!isTotal) column.blanks += 1;
    }
    if (rows.isBroken()) break;
  }
  if (rows.isBroken()) return undefined;
  const width = head.done ? 0 : head.value.length;
  return { isEmpty, width, rows: count, totals, columns: new Map(found.map(({ at, ...column }) => [at, column])) };
}

interface Rows extends IterableIterator<readonly string[]> {
  /** True if the text is not CSV. */
  isBroken(): boolean;
}

/** RFC 4180, one row after the other: a file may have millions. `parseTable` reads tables that people write. */
function csvRows(text: string): Rows {
  const end = /[,\r\n]/g;
  let at = 0;
  let broken = false;
  const quoted = (): string => {
    let close = text.indexOf('"', at + 1);
    while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
    if (close < 0) broken = true;
    const value = text.slice(at + 1, close < 0 ? undefined : close).replaceAll('""', '"');
    at = close < 0 ? text.length : close + 1;
    return value;
  };
  const plain = (): string => {
    end.lastIndex = at;
    const stop = end.exec(text)?.index ?? text.length;
    const value = text.slice(at, stop);
    at = stop;
    return value;
  };
  const row = (): readonly string[] => {
    const cells = [text[at] === '"' ? quoted() : plain()];
    while (text[at] === ',') {
      at += 1;
      cells.push(text[at] === '"' ? quoted() : plain());
    }
    if (at < text.length && text[at] !== '\r' && text[at] !== '\n') broken = true;
    at += text.startsWith('\r\n', at) ? 2 : 1;
    return cells;
  };
  const rows: Rows = {
    next: () => (broken || at >= text.length ? { done: true, value: undefined } : { value: row() }),
    isBroken: () => broken,
    [Symbol.iterator]: () => rows,
  };
  return rows;
}

/** A blank, or a 0 in whatever form: `0.00`, `$0`, `0 %`, `-`. */
function isNothing(cell: string): boolean {
  return /^[\s\p{Sc}%.,()+0-]*$/u.test(cell);
}

/** True if a cell marks its row as a total, or is a value that reads like one. */
export function isTotalWord(cell: string): boolean {
  return /^(?:grand |sub)?totals?$/i.test(cell.trim());
}

/**
 * The places of these fields' columns: empty for a tile with a pivot or in SQL, if Omni does not list its fields, and
 * if a field occurs twice.
 */
export function columnsOf({ query }: Pick<RemoteQuery, 'query'>, dividing: readonly string[]): readonly number[] {
  const fields = fieldsIn(query);
  return dividing.flatMap((field) => {
    const at = fields.indexOf(field);
    return at < 0 || at !== fields.lastIndexOf(field) ? [] : [at];
  });
}

function fieldsIn(query: RemoteQuery['query']): readonly string[] {
  const { fields, pivots = [], userEditedSQL = '' } = query ?? {};
  const isPlain = Array.isArray(pivots) && pivots.length === 0 && (userEditedSQL === '' || userEditedSQL === null);
  return isPlain && Array.isArray(fields) && fields.every((field) => typeof field === 'string') ? fields : [];
}

/** The number of columns of a file that shows each field of the query. */
export function widthOf({ query }: Pick<RemoteQuery, 'query'>): number {
  return fieldsIn(query).length;
}

export interface TileJudgement {
  readonly verdict: Verdict;
  /** The reason why it could not be judged. */
  readonly message?: string | undefined;
  /** Values of others; undefined if no column could be compared. */
  readonly valuesOfOthers: ReadonlySet<string> | undefined;
  readonly spelledOtherwise: ReadonlySet<string>;
  readonly blanks: number;
  readonly totals: number;
  /** The number of rows, if the file has as many as it may have. */
  readonly firstRows: number | undefined;
}

export interface TileFiles {
  /** The file with the values of a delivery. */
  readonly own: Sheet;
  /** The files with a value that nobody has, in one of the filters each. */
  readonly withNobody: readonly Sheet[];
  readonly maySee: ReadonlySet<string>;
  /** True if a line of the table shows exactly this value: then it is not another spelling. */
  readonly isOfTable: (value: string) => boolean;
  /** True if a line of the table shows a value that reads like a total. */
  readonly namesTotal: boolean;
  /** The number of columns that the file must have, for its columns to be known. */
  readonly width: number;
  /** The most rows that it may have; undefined if Omni does not say. */
  readonly mostRows: number | undefined;
}

/** Whatever else was found, a tile that has rows for nobody is not limited. */
export function judgeTile(files: TileFiles): TileJudgement {
  const { own, withNobody, width, mostRows = Number.POSITIVE_INFINITY } = files;
  const isKnown = own.columns.size > 0 && own.width === width;
  const columns = isKnown ? [...own.columns.values()] : [];
  const { valuesOfOthers, spelledOtherwise, maybeTotal } = valuesOf(
    columns.flatMap(({ values }) => [...values]),
    files,
  );
  const counted = {
    valuesOfOthers: isKnown ? valuesOfOthers : undefined,
    spelledOtherwise,
    blanks: columns.reduce((sum, { blanks }) => sum + blanks, 0),
    totals: own.totals,
    firstRows: own.rows > 0 && own.rows >= mostRows ? own.rows : undefined,
  };
  if (withNobody.some(({ isEmpty }) => !isEmpty)) return { verdict: 'not-limited', ...counted };
  if (valuesOfOthers.size > 0) return { verdict: 'shows-others', ...counted };
  if (maybeTotal && files.namesTotal) return { verdict: 'cannot-tell', message: totalOrValue, ...counted };
  return { verdict: own.isEmpty ? 'empty' : 'limited', ...counted };
}

const totalOrValue =
  'The table has a value that reads like a total, so it is not known whether a row of the file is a total or has that value.';

function valuesOf(values: readonly string[], { maySee, isOfTable }: Pick<TileFiles, 'maySee' | 'isOfTable'>) {
  const unknown = values.filter((value) => !maySee.has(value));
  const spelled = unknown.length === 0 ? new Set<string>() : new Set([...maySee].map(folded));
  const numbers = new Set([...maySee].map(Number).filter(Number.isFinite));
  const isSpelling = (value: string) => !isOfTable(value) && (spelled.has(folded(value)) || numbers.has(Number(value)));
  const different = unknown.filter((value) => !isSpelling(value));
  return {
    valuesOfOthers: new Set(different.filter((value) => !isTotalWord(value))),
    spelledOtherwise: new Set(unknown.filter(isSpelling)),
    maybeTotal: different.some(isTotalWord),
  };
}

/** Worst first; a tile of a group that is limited with one receiver's values may be empty for another one. */
const inGroup: readonly Verdict[] = [
  'not-limited',
  'shows-others',
  'failed',
  'busy',
  'too-large',
  'cannot-tell',
  'limited',
  'empty',
  'shared',
];
const inDashboard: readonly Verdict[] = [...inGroup.slice(0, 6), 'empty', 'limited', 'shared'];

export function mergedInGroup(one: TileJudgement, other: TileJudgement): TileJudgement {
  return merged(one, other, inGroup);
}

export function mergedOnDashboard(one: TileJudgement, other: TileJudgement): TileJudgement {
  return merged(one, other, inDashboard);
}

function merged(one: TileJudgement, other: TileJudgement, order: readonly Verdict[]): TileJudgement {
  const worse = order.indexOf(one.verdict) <= order.indexOf(other.verdict) ? one : other;
  return {
    verdict: worse.verdict,
    message: worse.message,
    valuesOfOthers: bothOf(one.valuesOfOthers, other.valuesOfOthers),
    spelledOtherwise: bothOf(one.spelledOtherwise, other.spelledOtherwise) ?? new Set(),
    blanks: one.blanks + other.blanks,
    totals: one.totals + other.totals,
    firstRows: Math.max(one.firstRows ?? 0, other.firstRows ?? 0) || undefined,
  };
}

function bothOf(one: ReadonlySet<string> | undefined, other: ReadonlySet<string> | undefined) {
  return one === undefined ? other : new Set([...one, ...(other ?? [])]);
}

/** The keys of the tiles whose files these are; undefined if their names do not tell them apart. */
export function tilesByName(
  names: readonly string[],
  queries: readonly Pick<RemoteQuery, 'key' | 'name'>[],
): readonly string[] | undefined {
  const keys = names.flatMap((name) => {
    const [file = ''] = name.split(/[/\\]/).slice(-1);
    const [only, another] = /\.csv$/i.test(file) ? queriesCalled(file.slice(0, -'.csv'.length), queries) : [];
    return only === undefined || another !== undefined ? [] : [only.key];
  });
  return new Set(keys).size === names.length ? keys : undefined;
}

/** A file name lacks characters that a name may have. */
function queriesCalled<T extends Pick<RemoteQuery, 'key' | 'name'>>(base: string, queries: readonly T[]): readonly T[] {
  const exact = queries.filter(({ key, name }) => key === base || name === base);
  return exact.length > 0 ? exact : queries.filter(({ name = '' }) => name !== '' && letters(name) === letters(base));
}

function letters(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
