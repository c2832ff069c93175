// The rows of a CSV file as the items of a loop. Every value is a text.

import { loopFields } from '../../model/fields/common-fields.ts';
import { requiredNames } from '../../model/fields/field.ts';
import { define, isJsonObject, type Json } from '../../model/values/json.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import { referenceTokens } from '../../model/values/references.ts';
import { codeList, kebabOf, missingWords } from '../../model/values/words.ts';
import { below, type FindingWords, type Origin, type Place, placeOf } from '../../model/workspace/diagnostic.ts';
import type { RowChoice } from '../../model/workspace/resource.ts';
import { commentHint, parseTable, separatorHint, type Table, type TableRow } from '../../yaml/parse-table.ts';
import { didYouMean } from '../findings/suggest.ts';
import { decidingColumn, filledIn, hasNamedCells, isChosen, nearCells, readChoice } from './choose-rows.ts';
import {
  badKey,
  isItemKey,
  isOfSpreadsheet,
  type LoopDeclaration,
  type LoopItems,
  maxItems,
  noItems,
  type Report,
  reservedName,
} from './item-values.ts';
import { columnWords, type LoopItem, type Scope } from './resolve-reference.ts';

export function readRows(declaration: LoopDeclaration, scope: Scope, report: Report): LoopItems | undefined {
  const { address, origin } = declaration;
  const named = namedFile(declaration, report);
  const read = named && scope.readTable?.(named.file);
  if (named === undefined || read === undefined) return undefined;
  if ('code' in read) {
    report({ ...read, address, place: placeOf(origin, 'value', 'forEachRow', 'file') });
    return undefined;
  }
  const { path: file } = read;
  const table = parseTable(read.text);
  const about = (words: FindingWords, place: Place) =>
    report({
      ...words,
      address,
      place,
      related: [{ place: placeOf(origin, 'value', 'forEachRow'), message: `\`${address}\` reads this file.` }],
    });
  const at = (words: FindingWords, { start, end }: { readonly start: number; readonly end: number }) =>
    about(words, { file, span: { start, end: Math.max(end, start + 1) } });
  if (table.problem !== undefined) {
    const { message, hint, span } = table.problem;
    at({ code: 'for-each-rows', message, hint }, span);
    return undefined;
  }
  const columns = columnsOf(table, at);
  if (columns === undefined) return undefined;
  const keyColumn = columns.indexOf(named.key);
  const keyPlace = placeOf(origin, 'value', 'forEachRow', 'key');
  if (keyColumn < 0) {
    report({ ...noKeyColumn(named.key, columns), address, place: keyPlace });
    return undefined;
  }
  if (areNames(table, keyColumn)) {
    report({ ...noKeysIn(named.key, table.rows[0]?.cells[keyColumn]?.text ?? ''), address, place: keyPlace });
    return undefined;
  }
  const rows = readChoice(declaration, { file, key: named.key, columns }, report);
  if (rows === undefined) return undefined;
  const emptyAt = new Map([...rows.empty.keys()].map((name) => [name, below(origin, 'forEachRow', 'empty', name)]));
  const all = table.rows.map((row) => cellsOfRow(row, columns, rows));
  const inAll = all.map(({ values }) => values);
  if (all.length > 0 && !hasNamedCells(rows, inAll, declaration, report)) return undefined;
  for (const { row, column, words } of nearCells(rows, inAll)) {
    const cell = table.rows[row]?.cells[columns.indexOf(column)];
    if (cell !== undefined) at(words, cell);
  }
  const count = inAll.filter((values) => isChosen(rows, values)).length;
  if (count > maxItems) return { ...noItems, count };
  const lines = new Map<string, number>();
  const leftOut: Map<string, { line: number; column: string; text: string }> = new Map();
  const items = table.rows.flatMap((row, index): LoopItem[] => {
    const cell = row.cells[keyColumn] ?? { ...row, text: '' };
    const words = wrongKey(cell.text, row, lines.get(cell.text));
    if (words !== undefined) {
      at(words, cell);
      return [];
    }
    lines.set(cell.text, row.line);
    const { values, filled } = all[index] as RowCells;
    const column = isChosen(rows, values) ? undefined : decidingColumn(rows, values);
    if (column !== undefined) {
      leftOut.set(cell.text, { line: row.line, column, text: String(values[column]) });
      return [];
    }
    return [
      {
        key: cell.text,
        values,
        filled: filled && new Map(filled.map((name) => [name, emptyAt.get(name) as Origin])),
        origin: { file, document: 0, pointer: `/${index}` },
        line: row.line,
        isSingle: false,
      },
    ];
  });
  for (const { words, index, column } of cellsWithReferences(table, columns))
    about(words, placeOf({ file, document: 0, pointer: pointerTo(index, column) }));
  return { items, count, isFinal: true, names: new Set(columns), isTable: true, rows: { ...rows, leftOut } };
}

/** True if the cells of a column are names, as of customers, and not keys. */
function areNames({ rows }: Table, column: number): boolean {
  const isName = (text: string) => text.trim() !== '' && !isItemKey(text.trim()) && !isOfSpreadsheet(text);
  return rows.length > 1 && rows.length <= maxItems && rows.every(({ cells }) => isName(cells[column]?.text ?? ''));
}

/** One in each row: a row can have very many cells, and they are corrected together. */
function cellsWithReferences({ rows }: Table, columns: readonly string[]) {
  return rows.flatMap(({ cells }, index) => {
    const at = cells.findIndex(({ text }) => referenceTokens(text).some(({ inner }) => inner !== undefined));
    return at < 0 ? [] : [{ words: notInterpolated(cells[at]?.text ?? ''), index, column: columns[at] ?? '' }];
  });
}

function namedFile({ value, address, origin }: LoopDeclaration, report: Report) {
  const { forEachRow } = value;
  const written = isJsonObject(forEachRow) ? forEachRow : {};
  const { file, key, only: _, except: __, empty: ___, ...others } = written;
  const isWhole = typeof file === 'string' && file !== '' && typeof key === 'string' && key !== '';
  const unknown = Object.keys(others);
  const isKnown = unknown.length === 0;
  if (isWhole && isKnown) return { file, key };
  const { fields } = loopFields.forEachRow.shape;
  for (const name of unknown)
    report({
      code: 'for-each-rows',
      message: `\`forEachRow\` has no \`${name}\`.`,
      hint: fieldHint(
        name,
        Object.keys(fields).filter((field) => !(field in written)),
      ),
      address,
      place: placeOf(origin, 'key', 'forEachRow', name),
    });
  if (!isKnown) return undefined;
  const hint = 'Write `forEachRow: { file: customers.csv, key: code }`.';
  // A loop is expanded before a schema checks the resource.
  const required = requiredNames(fields);
  const missing = isJsonObject(forEachRow) ? required.filter((name) => !(name in forEachRow)) : [];
  for (const name of missing)
    report({
      code: 'required-field',
      message: missingWords(name),
      hint,
      address,
      place: placeOf(origin, 'key', 'forEachRow'),
    });
  if (missing.length > 0) return undefined;
  report({
    code: 'for-each-rows',
    message: '`forEachRow` names a CSV file and the column whose values are the keys of the items.',
    hint,
    address,
    place: placeOf(origin, 'value', 'forEachRow'),
  });
  return undefined;
}

const otherNames: Readonly<Record<string, RegExp>> = {
  file: /^(?:path|csv|table|source|filename)$/i,
  key: /^(?:id|keys|keyColumn|column|name)$/i,
  only: /^(?:where|filters?|include|rows|when)$/i,
  except: /^(?:excludes?|skip|not|without|unless)$/i,
  empty: /^(?:defaults?|fill)$/i,
};

/** A field that is written already was not meant by another name. */
function fieldHint(name: string, free: readonly string[]): string {
  const meant = free.find((field) => otherNames[field]?.test(name));
  if (meant !== undefined) return `Did you mean \`${meant}\`?`;
  if (/^(?:delimiter|separator|sep|encoding|sheet)$/i.test(name))
    return 'Leave it out: the file is UTF-8 with commas, and one sheet.';
  return didYouMean(name, free) ?? `Its fields are ${codeList(Object.keys(otherNames))}.`;
}

/** The names of the columns; undefined if one of them is wrong. */
function columnsOf({ header }: Table, at: (words: FindingWords, span: TableRow['cells'][number]) => void) {
  const names: string[] = [];
  let isRight = true;
  for (const cell of header?.cells ?? []) {
    const name = cell.text;
    const words = wrongColumn(name, names);
    // One mistake, such as a title above the header, leaves many names blank.
    const isBlank = name.trim() === '';
    if (words !== undefined && !(isBlank && names.some((each) => each.trim() === ''))) at(words, cell);
    isRight &&= words === undefined;
    names.push(name);
  }
  return isRight ? names : undefined;
}

function wrongColumn(name: string, before: readonly string[]): FindingWords | undefined {
  if (name === 'key' || name === 'value') return reservedName(name);
  if (name.trim() === '' || /[{}\r\n]/.test(name))
    return {
      code: 'for-each-rows',
      message: 'A column has no name that a reference can use.',
      hint: 'The first line of the file holds the names of the columns: give each a short one, or remove an empty column. A title has no place above it.',
    };
  if (name !== name.trim())
    return {
      code: 'for-each-rows',
      message: `The name of the column \`${name.trim()}\` has spaces around it. In a CSV file such spaces are part of the text, also in the rows.`,
      hint: 'Remove the spaces beside the commas, here and in the rows.',
    };
  if (!before.includes(name)) return undefined;
  return {
    code: 'for-each-rows',
    message: `Two columns are called \`${name}\`.`,
    hint: 'Rename one of them, or remove it.',
  };
}

function noKeyColumn(key: string, columns: readonly string[]): FindingWords {
  const [only = ''] = columns;
  return {
    code: 'for-each-rows',
    message: `The file has no column \`${key}\`.`,
    hint:
      columns.length === 0
        ? 'Its first line must hold the names of the columns.'
        : ((columns.length === 1 ? separatorHint(only) : undefined) ??
          didYouMean(key, columns) ??
          columnWords(columns)),
  };
}

/** The column holds names or addresses, which say something elsewhere, so no cell of it may be rewritten. */
function noKeysIn(column: string, text: string): FindingWords {
  const { message } = badKey('');
  return {
    code: 'for-each-key',
    message: `No row has a key in the column \`${column}\`. ${message}`,
    hint: `Give the table a column of short codes, such as \`${kebabOf(text)}\` in the first row, and name that in \`key\`. Leave \`${column}\` as it is.`,
  };
}

function wrongKey(key: string, row: TableRow, line: number | undefined): FindingWords | undefined {
  if (row.cells.every(({ text }) => text.trim() === '')) return emptyRow;
  if (isItemKey(key)) return repeatedKey(key, line);
  const words = badKey(key);
  return { ...words, hint: commentHint(row) ?? words.hint };
}

/** Spreadsheets write it for a row that somebody emptied and did not delete. */
const emptyRow: FindingWords = {
  code: 'for-each-key',
  message: 'The row is empty, and each row is an item with a key.',
  hint: 'Remove the row.',
};

function repeatedKey(key: string, line: number | undefined): FindingWords | undefined {
  if (line === undefined) return undefined;
  return {
    code: 'for-each-key',
    message: `Line ${line} already has the key \`${key}\`, and each item needs its own.`,
    hint: 'Give one of the rows another key, or remove it. Write several receivers of one item in one cell, as in `ana@example.com; bo@example.com`.',
  };
}

const notInterpolated = (text: string): FindingWords => ({
  code: 'not-interpolated',
  message: 'A CSV file is not interpolated: the ${…} would be used literally.',
  hint: text.includes('${env.')
    ? 'A table holds no secrets. Use `forEach` instead of `forEachRow`, with the reference in each item.'
    : 'Write the value itself, or use `forEach` instead of `forEachRow`. For a literal ${ write $${.',
});

interface RowCells {
  readonly values: Readonly<Record<string, Json>>;
  /** The columns that `empty` fills. */
  readonly filled: readonly string[] | undefined;
}

function cellsOfRow({ cells }: TableRow, columns: readonly string[], rows: RowChoice): RowCells {
  const values: Record<string, Json> = {};
  columns.forEach((name, index) => {
    // On Windows, a checkout has the same content.
    const text = (cells[index]?.text ?? '').replaceAll('\r\n', '\n');
    define(
      values,
      name,
      text.replaceAll('$${', () => '${'),
    );
  });
  const filled = filledIn(rows, values);
  for (const name of filled ?? []) define(values, name, rows.empty.get(name) ?? '');
  return { values, filled };
}
