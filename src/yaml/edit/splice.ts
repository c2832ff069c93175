// Changes of a text by position, and the questions about its lines. Every line of the text ends with \n.

import type { Span } from '../../model/workspace/diagnostic.ts';
import { CannotEdit } from './edit-tree.ts';

/** Replaces a part of the text; a part without length is a place to insert at. */
export interface Splice extends Span {
  readonly text: string;
}

/** Insertions at one place keep their order and come before what is replaced there. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  const rank = ({ start, end }: Splice) => (start === end ? 0 : 1);
  const sorted = [...splices].sort((a, b) => a.start - b.start || rank(a) - rank(b));
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, text: inserted } of sorted) {
    if (start < at && inserted !== '') throw new CannotEdit('changes that overlap');
    parts.push(text.slice(at, start), inserted);
    at = Math.max(at, end);
  }
  return parts.join('') + text.slice(at);
}

export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** After the line break; a text that ends with its line break ends there. */
export function lineEnd(text: string, offset: number): number {
  if (offset > 0 && text[offset - 1] === '\n') return offset;
  const found = text.indexOf('\n', offset);
  return found < 0 ? text.length : found + 1;
}

export function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}

/** Whether only blanks come before the offset on its line. */
export function isFirstOnLine(text: string, offset: number): boolean {
  return text.slice(lineStart(text, offset), offset).trim() === '';
}

/** Whether only blanks and a comment come after the offset on its line. */
export function isLastOnLine(text: string, offset: number): boolean {
  return /^[ \t\r]*(?:$|(?<=[ \t])#)/.test(text.slice(offset, text.indexOf('\n', offset)));
}

export function areOnOneLine(text: string, start: number, end: number): boolean {
  const found = text.indexOf('\n', start);
  return found < 0 || found >= end;
}
