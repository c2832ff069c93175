// A text printed in each place where one may stand, and what readers get.

import { printString, type TextPlace } from '../../../src/yaml/format/print-string.ts';

export const places: readonly TextPlace[] = [
  { inFlow: false, isKey: false },
  { inFlow: false, isKey: true },
  { inFlow: true, isKey: false },
  { inFlow: true, isKey: true },
];

/** On one line, as the value or the key of a map in `a`. */
export function printed(text: string, place: TextPlace, print = (each: string) => printString(each, place)): string {
  const { inFlow, isKey } = place;
  if (isKey) return inFlow ? `a: { ${print(text)}: 0 }` : `a:\n  ${print(text)}: 0`;
  return inFlow ? `a: [${print(text)}]` : `a: ${print(text)}`;
}

/** The text that a reader found there. */
export function readBack(document: unknown, { inFlow, isKey }: TextPlace): unknown {
  const { a } = document as { readonly a: unknown };
  if (isKey) return Object.keys(a as object)[0];
  return inFlow ? (a as readonly unknown[])[0] : a;
}
