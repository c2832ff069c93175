// Adds and removes entries of a map or list in brackets, on one line or several. An entry that has a line of its own
// goes and comes with that line; the comma after the entry before stays where that is on another line.

import type { CST } from 'yaml';
import { type CollectionChange, type Page, styleInside } from './collection-change.ts';
import { printFlowEntry } from './print-value.ts';
import { isMap, type SourceEntry } from './source-entries.ts';
import { areOnOneLine, isFirstOnLine, isLastOnLine, lineEnd, lineStart } from './splice.ts';

type FlowChange = CollectionChange & { readonly token: CST.FlowCollection };

export function changeFlow(change: FlowChange, page: Page): void {
  const { token, entries, removed } = change;
  const { text, splices } = page;
  const added = printInserts(change, page);
  const open = token.start.offset + 1;
  const close = token.end[0]?.offset ?? open;
  const all = added.map(({ printed }) => printed).join(', ');
  if (removed.size < entries.length) {
    removeEntries(change, page);
    addEntries(change, added, page);
    return;
  }
  const [first] = entries;
  if (first === undefined) {
    const isBlank = text.slice(open, close).trim() === '';
    splices.push({ start: open, end: isBlank ? close : open, text: isMap(token) && isBlank ? ` ${all} ` : all });
  } else if (all !== '') {
    // The new entries come in the place of the first one.
    splices.push({ start: first.start, end: first.end, text: all });
    const rest = new Set([...removed].filter((index) => index !== 0));
    removeEntries({ ...change, removed: rest }, page);
    const after = first.comma ?? first.end;
    const comment = isFirstOnLine(text, first.start) ? /^[ \t]+#[^\n]*/.exec(lineAfter(text, after)) : null;
    if (comment !== null) splices.push({ start: after, end: after + comment[0].length, text: '' });
  } else if (/^\s*#/m.test(text.slice(open, close))) removeEntries(change, page);
  else splices.push({ start: open, end: close, text: '' });
}

function lineAfter(text: string, offset: number): string {
  return text.slice(offset, text.indexOf('\n', offset));
}

interface Added {
  /** The index of an entry that stays; -1 for the first place. */
  readonly after: number;
  readonly printed: string;
}

function printInserts(change: FlowChange, page: Page): readonly Added[] {
  const style = styleInside(change, page);
  return change.inserts.map(({ key, value, after }) => {
    let place = after;
    while (change.removed.has(place)) place -= 1;
    return { after: place, printed: printFlowEntry(key, value, { ...style, order: style.order?.below(key ?? '') }) };
  });
}

function removeEntries({ entries, removed, token }: CollectionChange, { text, splices }: Page): void {
  let kept: number | undefined;
  let endBefore = token.offset + 1;
  entries.forEach((entry, index) => {
    const { start } = entry;
    const end = afterComma(entry);
    const next = entries[index + 1];
    const before = kept === undefined ? undefined : entries[kept];
    if (!removed.has(index)) kept = index;
    else if (ownsLine(entry, text)) splices.push({ start: lineStart(text, start), end: lineEnd(text, end), text: '' });
    else if (before !== undefined && areOnOneLine(text, before.end, start))
      splices.push({ start: endBefore, end, text: '' });
    else if (next !== undefined && areOnOneLine(text, end, next.start))
      splices.push({ start, end: next.start, text: '' });
    else splices.push({ start, end: end + restOfLine(text, end), text: '' });
    endBefore = end;
  });
  const last = kept === undefined ? undefined : entries[kept];
  const next = kept === undefined ? undefined : entries[kept + 1];
  if (last?.comma === undefined || next === undefined || entries.at(-1)?.comma !== undefined) return;
  if (areOnOneLine(text, last.end, next.start)) splices.push({ start: last.end, end: last.comma, text: '' });
}

/** Blanks, with the comment after them. */
function restOfLine(text: string, offset: number): number {
  return /^[ \t]*(?:(?<=[ \t])#[^\n]*)?/.exec(lineAfter(text, offset))?.[0].length ?? 0;
}

function addEntries(
  { entries, removed, token }: CollectionChange,
  added: readonly Added[],
  { text, splices }: Page,
): void {
  const insert = (at: number, inserted: string) => splices.push({ start: at, end: at, text: inserted });
  const places = new Map<number, string[]>();
  for (const { after, printed } of added) {
    const known = places.get(after);
    if (known === undefined) places.set(after, [printed]);
    else known.push(printed);
  }
  for (const [after, printed] of places) {
    const entry = entries[after] ?? entries.find((_, index) => !removed.has(index));
    if (entry === undefined) continue;
    const { start, end, comma } = entry;
    const hasLine = ownsLine(entry, text);
    const indent = text.slice(lineStart(text, start), start);
    if (after < 0 && !hasLine) insert(start, printed.map((each) => `${each}, `).join(''));
    else if (after < 0) {
      const open = token.offset + 1;
      const at = isLastOnLine(text, open) ? lineEnd(text, open) : lineStart(text, start);
      insert(at, printed.map((each) => `${indent}${each},\n`).join(''));
    } else if (!hasLine) insert(end, printed.map((each) => `, ${each}`).join(''));
    else {
      if (comma === undefined) insert(end, ',');
      const lines = printed.map((each, index) => {
        const isLast = comma === undefined && index === printed.length - 1;
        return `${indent}${each}${isLast ? '' : ','}\n`;
      });
      insert(lineEnd(text, afterComma(entry)), lines.join(''));
    }
  }
}

function ownsLine(entry: SourceEntry, text: string): boolean {
  return isFirstOnLine(text, entry.start) && isLastOnLine(text, afterComma(entry));
}

function afterComma({ comma, end }: SourceEntry): number {
  return comma ?? end;
}
