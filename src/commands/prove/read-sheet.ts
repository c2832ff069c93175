// Reads what the file of a tile shows, and keeps none of its rows.

import { folded } from '../../declare/findings/near-text.ts';
import type { TileQuery } from '../../model/service/documents.ts';
import { groupBy, largest } from '../../model/values/collections.ts';
import {
  beyondAscii,
  type CsvRow,
  hashOf,
  isLink,
  type Separator,
  separators,
  visitRows,
} from '../../observe/downloads/csv-rows.ts';
import { isDay, isNoNumber, isNothing, isTotalWord, totals } from './cell-words.ts';

/** The values of the table of permissions, to be found among many cells. */
export interface TableValues {
  readonly has: (text: string) => boolean;
  /** The values that differ from a text in case, blanks or form at most. */
  readonly like: (text: string) => readonly string[];
  /** False if no cell in ASCII with this hash is a value or a total. */
  readonly mayHold: (hash: number) => boolean;
  /** True if it holds more than numbers and short texts. */
  readonly isTelling: boolean;
  readonly hasTotal: boolean;
}

const bitsOfHash = 20;
/** A longer cell is not compared letter by letter: it may have millions. */
const longestName = 200;
const longestLink = 10_000;

export function openTable(values: ReadonlySet<string>): TableValues {
  const byFold = groupBy([...values], folded);
  const bits = new Uint8Array(1 << (bitsOfHash - 3));
  const placeOf = (hash: number) => (hash ^ (hash >>> bitsOfHash)) & ((1 << bitsOfHash) - 1);
  const telling = [...values].filter(isTelling);
  const longest = [...values].reduce((most, { length }) => Math.max(most, length), 0);
  for (const text of [
    ...telling,
    ...telling.map(folded),
    ...totals,
    ...totals.map((words) => words.replaceAll(' ', '-')),
  ]) {
    const place = placeOf(hashOf(text));
    bits[place >> 3] = (bits[place >> 3] ?? 0) | (1 << (place & 7));
  }
  return {
    has: (text) => values.has(text),
    like: (text) => (text.length > 2 * longest + longestName ? [] : (byFold.get(folded(text)) ?? [])),
    mayHold: (hash) => ((bits[placeOf(hash) >> 3] ?? 0) & (1 << (placeOf(hash) & 7))) !== 0,
    isTelling: telling.length > 0,
    hasTotal: [...values].some(isTotalWord),
  };
}

/** False for a number and for a text shorter than three letters: these stand in many cells by chance. */
export function isTelling(value: string): boolean {
  return (
    [...value.trim()].length >= 3 &&
    !/^[\s\p{Sc}%()+\u2212-]{0,9}\d[\d\s.,'\u2019]{0,40}(?:e[+-]?\d{1,9})?[\s\p{Sc}%)]{0,9}$/iu.test(value)
  );
}

export interface Column {
  readonly head: string;
  /** The field of the query that its head names. */
  readonly field: string | undefined;
  readonly isDividing: boolean;
  /** Every value of a dividing column, up to a number; of another one the values of the table, as the table has them. */
  readonly values: Set<string>;
  /** How many rows that are no total have nothing in it. */
  blanks: number;
}

/** All that is kept of a file. */
export interface Sheet {
  /** The cells of its head line and, before them, those of the lines above it; none in a file without a byte. */
  readonly heads: readonly string[];
  readonly above: readonly (readonly string[])[];
  readonly columns: readonly Column[];
  /** Includes totals. */
  readonly rows: number;
  readonly totals: number;
  /** True if each of its rows is nothing. */
  readonly isEmpty: boolean;
}

export interface Reading {
  /** Undefined if Omni does not say what the tile asks for. */
  readonly query: TileQuery | undefined;
  /** The fields that divide the rows; undefined if Omni does not say them all. */
  readonly dividing: readonly string[] | undefined;
  readonly table: TableValues;
}

/** More different values are not told apart. */
const mostValues = 100_000;
const mostLinesAbove = 4;

/** `broken` and `cut` as for `visitRows`. */
export function readSheet(bytes: Buffer, reading: Reading): Sheet | 'broken' | 'cut' {
  const fieldOf = fieldNamer(reading.query?.fields ?? []);
  const { separator, headAt } = layoutOf(bytes, fieldOf, reading.query?.pivots ?? []);
  const above: (readonly string[])[] = [];
  let rows: RowReader | undefined;
  const end = visitRows(bytes, separator, (row) => {
    if (rows !== undefined) rows.read(row);
    else if (above.length < headAt) above.push(row.texts());
    else rows = new RowReader(row.texts(), above, fieldOf, reading);
    return true;
  });
  if (end !== 'whole') return end;
  return rows?.sheet() ?? { heads: [], above, columns: [], rows: 0, totals: 0, isEmpty: true };
}

/** Finds the only field whose name, with or without its view, is the head in other letters. */
export function fieldNamer(fields: readonly string[]): (head: string) => string | undefined {
  const named = new Map<string, ReadonlySet<string>>();
  for (const field of new Set(fields))
    for (const words of [field, field.slice(field.indexOf('.') + 1), field.slice(field.lastIndexOf('.') + 1)]) {
      const key = letters(words);
      named.set(key, new Set([...(named.get(key) ?? []), field]));
    }
  return (head) => {
    if (head.length > longestName) return undefined;
    const [only, another] = named.get(letters(head)) ?? [];
    return another === undefined ? only : undefined;
  };
}

/** Without case, blanks and signs. */
export function letters(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Chooses the separator by which the most heads name a field, or else by which the first lines are most alike. */
function layoutOf(
  bytes: Buffer,
  fieldOf: (head: string) => string | undefined,
  pivots: readonly string[],
): { readonly separator: Separator; readonly headAt: number } {
  const names = (cell: string) => {
    const field = fieldOf(cell);
    return field !== undefined && !pivots.includes(field);
  };
  const isHead = (line: readonly string[]) =>
    line.some((cell) => names(cell) && !isTotalWord(cell)) ||
    (line.some(names) && line.every((cell) => cell.trim() === '' || names(cell)));
  const layouts = separators.map((separator) => {
    const lines: (readonly string[])[] = [];
    visitRows(bytes, separator, (row) => lines.push(row.texts()) <= mostLinesAbove);
    const headAt = lines.findIndex(isHead);
    const widths = lines.map(({ length }) => length).filter((width) => width > 1);
    const alike = largest(widths.map((width) => widths.filter((each) => each === width).length));
    const cells = widths.reduce((sum, width) => sum + width, 0);
    return { separator, headAt: Math.max(0, headAt), score: [lines[headAt]?.filter(names).length ?? 0, alike, cells] };
  });
  const isBetter = (one: readonly number[], other: readonly number[]) => {
    const at = one.findIndex((part, index) => part !== other[index]);
    return at >= 0 && (one[at] ?? 0) > (other[at] ?? 0);
  };
  return layouts.reduce((best, each) => (isBetter(each.score, best.score) ? each : best));
}

const remembered = 1024;
const [unknown, plain, total] = [0, 1, 2];

/** Remembers the last cells of a column by their bytes: most values come again and again. */
class Memory {
  readonly #starts = new Int32Array(remembered);
  readonly #ends = new Int32Array(remembered);
  readonly #kinds = new Uint8Array(remembered);

  kindOf(row: CsvRow, cell: number): number {
    const slot = this.#slot(row, cell);
    const kind = this.#kinds[slot] ?? unknown;
    return kind !== unknown && row.hasBytesOf(cell, this.#starts[slot] ?? 0, this.#ends[slot] ?? 0) ? kind : unknown;
  }

  keep(row: CsvRow, cell: number, kind: number): void {
    const slot = this.#slot(row, cell);
    this.#starts[slot] = row.starts[cell] ?? 0;
    this.#ends[slot] = row.ends[cell] ?? 0;
    this.#kinds[slot] = kind;
  }

  #slot(row: CsvRow, cell: number): number {
    const hash = row.hashes[cell] ?? 0;
    return (hash ^ (hash >>> 10) ^ (hash >>> 20)) & (remembered - 1);
  }
}

class RowReader {
  readonly #heads: readonly string[];
  readonly #above: readonly (readonly string[])[];
  readonly #columns: Column[];
  readonly #memories: Memory[] = [];
  readonly #table: TableValues;
  readonly #isPivoted: boolean;
  #rows = 0;
  #totals = 0;
  #isEmpty = true;
  #maybeNothing = 0;

  constructor(
    heads: readonly string[],
    above: readonly (readonly string[])[],
    fieldOf: (head: string) => string | undefined,
    { query, dividing, table }: Reading,
  ) {
    this.#heads = heads;
    this.#above = above;
    this.#table = table;
    this.#isPivoted = (query?.pivots ?? []).length > 0;
    this.#columns = heads.map((head) => {
      // Any column may be the dividing one where Omni does not say which.
      const field = dividing === undefined ? undefined : fieldOf(head);
      const isDividing = field !== undefined && dividing?.includes(field) === true;
      return { head, field, isDividing, values: new Set(), blanks: 0 };
    });
  }

  read(row: CsvRow): void {
    const { count, starts, ends, hashes, marks } = row;
    if (count === 1 && starts[0] === ends[0] && this.#columns.length > 1) return;
    let isTotal = false;
    let blanks = 0;
    for (let cell = 0; cell < count; cell += 1) {
      const column = this.#columns[cell] ?? this.#addColumn();
      if (starts[cell] === ends[cell]) {
        if (column.isDividing) blanks += 1;
        continue;
      }
      const needsText = column.isDividing || ((marks[cell] ?? 0) & (beyondAscii | isLink)) !== 0;
      if (!needsText && !this.#table.mayHold(hashes[cell] ?? 0)) continue;
      let memory = this.#memories[cell];
      if (memory === undefined) this.#memories[cell] = memory = new Memory();
      let kind = memory.kindOf(row, cell);
      if (kind === unknown) {
        kind = this.#note(column, row.text(cell), (marks[cell] ?? 0) & isLink);
        memory.keep(row, cell, kind);
      }
      if (kind === total) isTotal = true;
    }
    this.#rows += 1;
    if (isTotal) this.#totals += 1;
    else if (blanks > 0)
      for (let cell = 0; cell < count; cell += 1) {
        const column = this.#columns[cell];
        if (column?.isDividing && starts[cell] === ends[cell]) column.blanks += 1;
      }
    if (this.#isEmpty) this.#weigh(row.texts());
  }

  sheet(): Sheet {
    return {
      heads: this.#heads,
      above: this.#above,
      columns: this.#columns,
      rows: this.#rows,
      totals: this.#totals,
      isEmpty: this.#isEmpty && (this.#maybeNothing === 0 || this.#rows - this.#totals <= 1),
    };
  }

  #addColumn(): Column {
    const column: Column = { head: '', field: undefined, isDividing: false, values: new Set(), blanks: 0 };
    this.#columns.push(column);
    return column;
  }

  #note({ isDividing, values }: Column, text: string, mark: number): number {
    if (isDividing) {
      if (text.trim() !== '' && values.size < mostValues) values.add(text);
    } else for (const value of valuesIn(text, mark !== 0, this.#table)) if (isTelling(value)) values.add(value);
    return isTotalWord(text) ? total : plain;
  }

  #weigh(texts: readonly string[]): void {
    const isOfTable = (text: string) => this.#table.has(text) && isTelling(text);
    const filled = texts.flatMap((text, at) => {
      const isZero = isNothing(text) && !isOfTable(text);
      return isZero || isTotalWord(text) ? [] : [{ text, at }];
    });
    if (filled.length === 0) return;
    const isGap = ({ text, at }: (typeof filled)[number]) =>
      texts.length > 1 && isDay(text) && !isOfTable(text) && this.#columns[at]?.isDividing !== true;
    const certain = filled.filter(({ text, at }) => !isNoNumber(text) || this.#dividesAt(at));
    const [first, another] = certain;
    if (another !== undefined || (first !== undefined && !isGap(first))) this.#isEmpty = false;
    else if (certain.length < filled.length) this.#maybeNothing += 1;
  }

  /** True for a dividing column, and for one that a pivot makes. */
  #dividesAt(at: number): boolean {
    const column = this.#columns[at];
    const hasHeadAbove = this.#above.some((line) => (line[at] ?? '').trim() !== '');
    return column?.isDividing === true || (this.#isPivoted && (column?.field === undefined || hasHeadAbove));
  }
}

/** The values of the table that a cell has, or that a link in it names. */
export function valuesIn(text: string, mayLink: boolean, { like, has }: TableValues): readonly string[] {
  const parts = mayLink ? [text, ...partsOfLink(text.slice(0, longestLink))] : [text];
  return parts.flatMap((part) => (has(part) ? [part] : like(part)));
}

function partsOfLink(text: string): readonly string[] {
  return text.split(/[/?&=#<>()[\]"']+/).flatMap((part) => {
    try {
      return [part, decodeURIComponent(part.replaceAll('+', ' '))];
    } catch {
      // A percent sign that encodes nothing.
      return part;
    }
  });
}
