// Texts compared by line and lists by element, with a little context.

import { diffArrays } from 'diff/lib/diff/array.js';
import { diffLines } from 'diff/lib/diff/line.js';
import { canonicalJson, type Json } from '../../model/values/json.ts';
import { countOf } from '../../model/values/words.ts';
import type { FieldRow } from '../doc.ts';
import { valueText, visibleText } from '../text/visible-values.ts';

export interface DiffRow {
  readonly sign: '+' | '-' | ' ';
  readonly text: string;
}

// Beyond this many edits two texts have little in common, and searching on would take quadratic time.
const maxEditLength = 1000;

/** Compares two texts line by line; if they have too little in common, gives the whole of each. */
export function lineRows(before: string, after: string): readonly DiffRow[] {
  const parts = diffLines(endLine(before), endLine(after), { maxEditLength });
  if (parts === undefined) return [...rowsOf('-', linesOf(before)), ...rowsOf('+', linesOf(after))];
  return parts.flatMap((part) => rowsOf(part.added ? '+' : part.removed ? '-' : ' ', linesOf(part.value)));
}

/** Reports a difference that a line diff cannot show: a text gained or lost its last line end. */
export function lineEndNote(before: string, after: string): string | undefined {
  if (before.endsWith('\n') === after.endsWith('\n')) return undefined;
  return after.endsWith('\n') ? 'a newline was added at the end' : 'the newline at the end was removed';
}

/** Compares two lists element by element; for sets, whose order means nothing, only lost and new elements. */
export function listRows(before: readonly Json[], after: readonly Json[], isSet: boolean): readonly DiffRow[] {
  const [old, now] = [before.map(canonicalJson), after.map(canonicalJson)];
  if (isSet) {
    const [had, has] = [new Set(old), new Set(now)];
    return [
      ...rowsOf('-', textsOf(before.filter((_, index) => !has.has(old[index] ?? '')))),
      ...rowsOf('+', textsOf(after.filter((_, index) => !had.has(now[index] ?? '')))),
      ...rowsOf(' ', textsOf(after.filter((_, index) => had.has(now[index] ?? '')))),
    ];
  }
  const parts = diffArrays(old, now, { maxEditLength });
  if (parts === undefined) return [...rowsOf('-', textsOf(before)), ...rowsOf('+', textsOf(after))];
  return parts.flatMap((part) =>
    rowsOf(part.added ? '+' : part.removed ? '-' : ' ', textsOf(part.value.map((text) => JSON.parse(text) as Json))),
  );
}

const context = 2;

/** The changed rows with a little context; the others are counted. */
export function nearChanges(rows: readonly DiffRow[], noun: string): readonly FieldRow[] {
  const isNear = rows.map((_, index) =>
    rows.slice(Math.max(0, index - context), index + context + 1).some(({ sign }) => sign !== ' '),
  );
  // A remark about a single hidden row would take a line itself, so the row is shown instead.
  const isShown = isNear.map((is, index) => is || (isNear[index - 1] !== false && isNear[index + 1] !== false));
  const near: FieldRow[] = [];
  let hidden = 0;
  rows.forEach((row, index) => {
    hidden = isShown[index] ? 0 : hidden + 1;
    if (hidden === 0) near.push(row);
    else if (index + 1 === rows.length || isShown[index + 1])
      near.push({ sign: '#', text: `(${countOf(hidden, `unchanged ${noun}`)} hidden)` });
  });
  return near;
}

export function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => showTrailingSpaces(visibleText(line)));
}

/** Shows trailing spaces as `·`: otherwise nobody could see the change. */
function showTrailingSpaces(line: string): string {
  let end = line.length;
  while (line[end - 1] === ' ') end -= 1;
  return line.slice(0, end) + '·'.repeat(line.length - end);
}

function endLine(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function textsOf(values: readonly Json[]): readonly string[] {
  return values.map(valueText);
}

function rowsOf(sign: DiffRow['sign'], texts: readonly string[]): readonly DiffRow[] {
  return texts.map((text) => ({ sign, text }));
}
