// Puts another value into the place of one: beside its key or dash, and on the lines below. A comment on the line of the
// key stays.

import type { Holder, Page } from './collection-change.ts';
import type { Printed } from './print-value.ts';
import { bodyOf, endOf, headerOf, startOf } from './source-entries.ts';
import { areOnOneLine, lineEnd, lineStart } from './splice.ts';

export function replaceValue(holder: Holder, { inline, below }: Printed, { text, splices }: Page): void {
  const { value, head } = holder;
  const put = (start: number, end: number, inserted: string) => {
    if (start < end || inserted !== '') splices.push({ start, end, text: inserted });
  };
  /** Beside the key, where nothing is yet. */
  const putInline = () => {
    const colon = holder.isItem || holder.hasColon ? '' : ':';
    put(head, head, inline === '' ? colon : `${colon} ${inline}`);
  };
  const putBelow = (start: number, end: number) => put(start, end, below.map((line) => `${line}\n`).join(''));
  if (value === undefined) {
    putInline();
    putBelow(lineEnd(text, head), lineEnd(text, head));
    return;
  }
  const start = startOf(value);
  // A map that ends with a block text ends with its line break, which stays.
  const end = lineEnd(text, endOf(value)) === endOf(value) ? endOf(value) - 1 : endOf(value);
  const isBlock = value.type === 'block-map' || value.type === 'block-seq';
  if (value.type === 'block-scalar') {
    const { offset, source } = headerOf(value);
    put(inline === '' ? head : offset, offset + source.length, inline);
    putBelow(bodyOf(value), endOf(value));
  } else if (!areOnOneLine(text, head, start) && (isBlock || inline === '')) {
    putInline();
    putBelow(lineStart(text, start), lineEnd(text, end));
  } else {
    put(inline === '' ? head : start, end, inline);
    putBelow(lineEnd(text, end), lineEnd(text, end));
  }
}
