// Adds and removes entries of a block map or list by whole lines. Comments on lines of their own stay, but those that
// are indented deeper than a removed entry go with it.

import type { Span } from '../../model/workspace/diagnostic.ts';
import { type CollectionChange, type Holder, type Page, styleInside } from './collection-change.ts';
import { CannotEdit } from './edit-tree.ts';
import { printEntry } from './print-value.ts';
import { isMap, type SourceEntry } from './source-entries.ts';
import { areOnOneLine, columnOf, isFirstOnLine, lineEnd, lineStart } from './splice.ts';

export function changeBlock(change: CollectionChange, page: Page): void {
  const { token, holder, entries, removed, inserts } = change;
  const { text, splices } = page;
  const [first] = entries;
  if (first === undefined) throw new CannotEdit('block without entries');
  const sharesLine = !isFirstOnLine(text, first.start);
  if (removed.size === entries.length && inserts.length === 0 && holder.column >= 0) {
    const empty = isMap(token) ? '{}' : '[]';
    if (sharesLine) splices.push({ start: first.start, end: endOfEntry(text, first) - 1, text: empty });
    else splices.push({ start: holder.head, end: holder.head, text: ` ${empty}` });
    removeLines(change, page, sharesLine ? 1 : 0);
    return;
  }
  const added = printInserts(change, page, sharesLine);
  const front = added.filter(({ after }) => after < 0).flatMap(({ lines }) => lines);
  if (sharesLine) changeFirst(change, page, front);
  else {
    const at = frontOf(first, holder, text);
    splices.push({ start: at, end: at, text: asText(front) });
    removeLines(change, page, 0);
  }
  for (const { after, lines } of added) {
    const entry = entries[after];
    const at = entry && endOfEntry(text, entry);
    if (at !== undefined) splices.push({ start: at, end: at, text: asText(lines) });
  }
}

/** Removes entries and leaves nothing in the place of the last one. */
export function removeBlock(change: CollectionChange, page: Page): void {
  removeLines(change, page, 0);
}

function removeLines(change: CollectionChange, { text, splices }: Page, from: number): void {
  const { entries, removed, emptied, inserts } = change;
  let run: Run | undefined;
  const finish = () => {
    if (run !== undefined) splices.push({ ...(inserts.length > 0 ? run : withBlanks(run, change, text)), text: '' });
    run = undefined;
  };
  for (const [index, entry] of entries.entries()) {
    if (index < from || !removed.has(index)) {
      finish();
      continue;
    }
    if (!isFirstOnLine(text, entry.start)) throw new CannotEdit('entries that share a line');
    const start = lineStart(text, entry.start);
    if (emptied.has(index)) {
      finish();
      splices.push({ start, end: lineEnd(text, entry.head), text: '' });
      continue;
    }
    const end = endOfEntry(text, entry);
    if (run !== undefined && !isBlank(text.slice(run.end, start))) finish();
    run = { first: run?.first ?? index, last: index, start: run?.start ?? start, end };
  }
  finish();
}

/** Entries that are removed one after the other. */
interface Run extends Span {
  readonly first: number;
  readonly last: number;
}

/** Takes away the blank lines that would be left double, below the key, or at the end of the file. */
function withBlanks({ first, last, start, end }: Run, { entries, holder }: CollectionChange, text: string): Span {
  const before = entries[first - 1];
  const next = lineStart(text, afterBlanks(text, end));
  if (before === undefined) {
    const isBelowKey = start === 0 || lineStart(text, start - 1) <= holder.head;
    return isBelowKey && last < entries.length - 1 ? { start, end: next } : { start, end };
  }
  // The blank lines at the end of a block text are a part of it.
  const top = Math.max(lineEnd(text, before.end), endOfEntry(text, before));
  if (top >= start || !isBlank(text.slice(top, start))) return { start, end };
  if (last < entries.length - 1) return { start, end: next };
  return next > end || end === text.length ? { start: top, end } : { start, end };
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}

interface PrintedInsert {
  readonly after: number;
  readonly lines: readonly string[];
}

function printInserts(change: CollectionChange, page: Page, sharesLine: boolean): readonly PrintedInsert[] {
  const { token, holder, entries, removed, inserts } = change;
  const style = styleInside(change, page);
  const isApart = areApart(entries, page.text, holder.column < 0);
  const kept = entries.findIndex((_, index) => !removed.has(index));
  return inserts.map(({ key, value, after }) => {
    const order = isMap(token) ? style.order?.below(key ?? '') : style.order?.below('');
    const lines = printEntry(key, value, { ...style, order });
    // The first line of such a map is beside a dash, so what comes first goes there.
    if (sharesLine && removed.has(0) && (kept < 0 || after < kept)) return { after: -1, lines };
    if (!isApart || sharesLine) return { after, lines };
    return { after, lines: after < 0 ? [...lines, ''] : ['', ...lines] };
  });
}

/** Whether all entries have a blank line between them. */
function areApart(entries: readonly SourceEntry[], text: string, isRoot: boolean): boolean {
  const [first] = entries;
  if (first === undefined || entries.length < 2) return isRoot && first?.value?.type.startsWith('block') === true;
  return entries.every(({ end }, index) => {
    const next = entries[index + 1];
    return next === undefined || /^[ \t\r]*\n/m.test(text.slice(lineEnd(text, end), lineStart(text, next.start)));
  });
}

/** Changes a map or list whose first entry is on the line of a dash. */
function changeFirst(change: CollectionChange, page: Page, front: readonly string[]): void {
  const { entries, removed, emptied } = change;
  const { text, splices } = page;
  const [first] = entries;
  if (first === undefined) return;
  if (emptied.has(0)) throw new CannotEdit('emptied list beside a dash');
  const { start } = first;
  let from = 1;
  if (front.length > 0) {
    const lines = front.join('\n').trimStart();
    if (removed.has(0)) splices.push({ start, end: endOfEntry(text, first) - 1, text: lines });
    else splices.push({ start, end: start, text: `${lines}\n${' '.repeat(columnOf(text, start))}` });
  } else if (removed.has(0)) {
    let at = start;
    for (from = 0; removed.has(from) && entries[from]?.start === at; from += 1) {
      const entry = entries[from];
      if (entry !== undefined) at = afterBlanks(text, endOfEntry(text, entry));
    }
    splices.push({ start, end: at, text: '' });
  }
  removeLines(change, page, from);
}

function afterBlanks(text: string, offset: number): number {
  const blanks = /\s*/y;
  blanks.lastIndex = offset;
  return offset + (blanks.exec(text)?.[0].length ?? 0);
}

/** Where an entry can be put before the first one: above its comments, but below those of the file. */
function frontOf(first: SourceEntry, { head, column }: Holder, text: string): number {
  const own = lineStart(text, first.start);
  const top = areOnOneLine(text, head, first.start) ? head : lineEnd(text, head);
  let at = own;
  while (at > top && /^[ \t]*#/.test(text.slice(lineStart(text, at - 1), at))) at = lineStart(text, at - 1);
  return column < 0 && at <= top ? own : at;
}

/** The end of its last line, and of the comments below that are indented deeper. */
function endOfEntry(text: string, entry: SourceEntry): number {
  const column = columnOf(text, entry.start);
  let end = lineEnd(text, entry.end);
  for (let at = end; at < text.length; at = lineEnd(text, at + 1)) {
    const blanks = /[ \t\r]*/y;
    blanks.lastIndex = at;
    const indent = blanks.exec(text)?.[0].length ?? 0;
    const next = text[at + indent];
    if (next === '\n') continue;
    if (next !== '#' || indent <= column) break;
    end = lineEnd(text, at + indent);
  }
  return end;
}

function asText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
