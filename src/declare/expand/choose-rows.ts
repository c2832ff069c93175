// Chooses the rows that a loop takes from its table, and fills blank cells. `only`, `except` and `empty` of
// `forEachRow` decide. Cells are compared for equality, so a table can be split between loops, and everybody can tell
// that no row is in two of them.

import { isJsonObject, type Json } from '../../model/values/json.ts';
import { referenceTokens } from '../../model/values/references.ts';
import { codeList, nameSome, quote } from '../../model/values/words.ts';
import { type Finding, type FindingWords, placeOf } from '../../model/workspace/diagnostic.ts';
import type { RowChoice } from '../../model/workspace/resource.ts';
import { nearlyWords, nearTexts } from '../findings/near-text.ts';
import { didYouMean } from '../findings/suggest.ts';
import type { LoopDeclaration, Report } from './item-values.ts';
import { columnWords } from './resolve-reference.ts';

type Values = Readonly<Record<string, Json>>;
type Choosing = 'only' | 'except' | 'empty';
type Words = FindingWords & Pick<Finding, 'quote'>;

interface TableOfLoop {
  readonly file: string;
  readonly key: string;
  readonly columns: readonly string[];
}

/** Undefined after a mistake, which `report` gets. `hasNamedCells` compares the values with the rows. */
export function readChoice(
  { value, address, origin }: LoopDeclaration,
  { file, key, columns }: TableOfLoop,
  report: Report,
): RowChoice | undefined {
  const written = value['forEachRow'];
  const { only, except, empty } = isJsonObject(written) ? written : {};
  let isRight = true;
  const complain = (words: Words, at: 'key' | 'value', ...below: (string | number)[]) => {
    isRight = false;
    report({ ...words, address, place: placeOf(origin, at, 'forEachRow', ...below) });
  };
  const readMap = (name: Choosing, map: Json | undefined): ReadonlyMap<string, readonly string[]> => {
    if (map === undefined) return new Map();
    const entries = isJsonObject(map) ? Object.entries(map) : [];
    if (entries.length === 0) complain(noMap(name), 'value', name);
    return new Map(entries.map(([column, given]) => [column, readTexts(name, column, given)]));
  };
  const readTexts = (name: Choosing, column: string, given: Json): readonly string[] => {
    const list: readonly Json[] = Array.isArray(given) && name !== 'empty' ? given : [given];
    if (!columns.includes(column)) complain(noColumn(column, columns), 'key', name, column);
    else if (name === 'empty' && column === key) complain(keyFilled, 'key', name, column);
    else if (list.length === 0) complain(noText(name, given), 'value', name, column);
    else
      for (const [index, each] of list.entries()) {
        const words = wrongText(name, each);
        if (words !== undefined) complain(words, 'value', name, column, ...(list === given ? [index] : []));
      }
    return list.map((each) => String(each).replaceAll('$${', () => '${'));
  };
  const [chosen, excepted, filled] = [readMap('only', only), readMap('except', except), readMap('empty', empty)];
  const empties = new Map([...filled].map(([column, [text = '']]) => [column, text]));
  return isRight ? { file, key, only: chosen, except: excepted, empty: empties } : undefined;
}

function noMap(name: Choosing): FindingWords {
  return {
    code: 'for-each-rows',
    message: `\`${name}\` is a map of columns of the table.`,
    hint: `Write \`${name}: { ${name === 'empty' ? 'language: en' : 'format: xlsx'} }\`, or remove \`${name}\`.`,
  };
}

function noColumn(column: string, columns: readonly string[]): FindingWords {
  return {
    code: 'for-each-rows',
    message: `The file has no column \`${column}\`.`,
    hint: didYouMean(column, columns) ?? columnWords(columns),
  };
}

const keyFilled: FindingWords = {
  code: 'for-each-rows',
  message: 'The keys of the items are in this column, so each row needs its own.',
  hint: 'Remove it from `empty`, and give each row a key.',
};

function noText(name: Choosing, given: Json): Words {
  return {
    code: 'for-each-rows',
    message: `Every cell of a table is a text, so \`${name}\` needs ${name === 'empty' ? 'a text' : 'a text or a list of texts'} here.`,
    hint: `Write a text, such as \`${name === 'empty' ? 'en' : 'xlsx'}\`.`,
    quote: typeof given === 'number' || typeof given === 'boolean',
  };
}

const blankText: FindingWords = {
  code: 'for-each-rows',
  message: 'A blank text means no cell.',
  hint: 'Write a text. `empty: { format: pdf }` gives blank cells the text `pdf`, which `only` and `except` compare as well.',
};

function wrongText(name: Choosing, given: Json): Words | undefined {
  if (typeof given !== 'string') return noText(name, given);
  if (isBlank(given)) return blankText;
  if (referenceTokens(given).every(({ inner }) => inner === undefined)) return undefined;
  return {
    code: 'not-interpolated',
    message: `A table is not interpolated, and neither is \`${name}\`.`,
    hint: 'Write the text itself. For a literal ${ write $${.',
  };
}

/** A spreadsheet does not show spaces. */
function isBlank(text: string): boolean {
  return text.trim() === '';
}

/** The columns of a row that `empty` fills; undefined if there are none. */
export function filledIn({ empty }: RowChoice, values: Values): readonly string[] | undefined {
  if (empty.size === 0) return undefined;
  const filled = [...empty.keys()].filter((column) => isBlank(String(values[column])));
  return filled.length === 0 ? undefined : filled;
}

/** `only` takes rows that have all its values, and `except` leaves out exactly those that `only` would take. */
export function isChosen({ only, except }: RowChoice, values: Values): boolean {
  return isLike(only, values) && (except.size === 0 || !isLike(except, values));
}

/** The column that leaves out a row which is not chosen. */
export function decidingColumn({ only, except }: RowChoice, values: Values): string {
  const [column] = [...only].find(([name, texts]) => !texts.includes(String(values[name]))) ?? [...except][0] ?? [''];
  return column;
}

function isLike(named: RowChoice['only'], values: Values): boolean {
  for (const [column, texts] of named) if (!texts.includes(String(values[column]))) return false;
  return true;
}

/** True if rows have all values of `only` and `except`; `report` gets missing ones. `rows`: the whole table, filled. */
export function hasNamedCells(
  { only, except }: RowChoice,
  rows: readonly Values[],
  { value, address, origin }: LoopDeclaration,
  report: Report,
): boolean {
  let hasAll = true;
  for (const [name, named] of [['only', only] as const, ['except', except] as const])
    for (const [column, texts] of named) {
      const had = new Set(rows.map((values) => String(values[column])));
      const written = isJsonObject(value['forEachRow']) ? value['forEachRow'][name] : undefined;
      const isList = isJsonObject(written) && Array.isArray(written[column]);
      for (const [index, text] of texts.entries()) {
        if (had.has(text)) continue;
        hasAll = false;
        const place = placeOf(origin, 'value', 'forEachRow', name, column, ...(isList ? [index] : []));
        report({ ...noValue(text, column, had), address, place });
      }
    }
  return hasAll;
}

/** A cell that differs from a text of `only` or `except` in case, blanks or form alone. */
export interface NearCell {
  readonly row: number;
  readonly column: string;
  readonly words: FindingWords;
}

/** The cells that people may take for a text of `only` or `except`, while their rows go the other way. `rows`: the whole table, filled. */
export function nearCells({ only, except }: RowChoice, rows: readonly Values[]): readonly NearCell[] {
  const named = [...only, ...except];
  return [...new Set(named.map(([column]) => column))].flatMap((column) => {
    const texts = named.flatMap(([each, of]) => (each === column ? of : []));
    const nearly = nearTexts(texts);
    return rows.flatMap((values, row): readonly NearCell[] => {
      const cell = String(values[column]);
      const meant = nearly(cell);
      if (meant === undefined) return [];
      const words: FindingWords = {
        code: 'for-each-nearly',
        message: `${quote(cell)} differs from ${quote(meant)} ${nearlyWords}. \`only\` and \`except\` compare the cells of \`${column}\` letter by letter, so the row goes the other way.`,
        hint: `Write ${quote(meant)} into the cell. If another text is meant, give it a less similar name.`,
      };
      return [{ row, column, words }];
    });
  });
}

function noValue(text: string, column: string, had: ReadonlySet<string>): FindingWords {
  const known = [...had].filter((each) => !isBlank(each));
  const listed = `Its values are ${nameSome(known.map((each) => codeList([each])))}.`;
  return {
    code: 'for-each-rows',
    message: `No row has \`${text}\` in the column \`${column}\`.`,
    hint: didYouMean(text, new Set(known)) ?? (known.length === 0 ? 'All of its cells are blank.' : listed),
  };
}

/** True if two loops share a table, and no row of it can be in both. */
export function areSplit(one: RowChoice | undefined, other: RowChoice | undefined): boolean {
  if (one === undefined || other === undefined || one.file !== other.file || one.key !== other.key) return false;
  return haveNothingInCommon(one, other) || isLeftOut(one, other) || isLeftOut(other, one);
}

/** Compares columns that both read alike. */
function haveNothingInCommon(one: RowChoice, other: RowChoice): boolean {
  return [...one.only].some(([column, texts]) => {
    const others = other.only.get(column);
    return others !== undefined && readAlike(one, other, column) && !texts.some((text) => others.includes(text));
  });
}

/** True if the other leaves out everything that one takes. */
function isLeftOut(one: RowChoice, other: RowChoice): boolean {
  const excepted = [...other.except];
  return (
    excepted.length > 0 &&
    excepted.every(([column, texts]) => {
      const taken = one.only.get(column);
      return taken?.every((text) => texts.includes(text)) === true && readAlike(one, other, column);
    })
  );
}

function readAlike(one: RowChoice, other: RowChoice, column: string): boolean {
  return one.empty.get(column) === other.empty.get(column);
}
