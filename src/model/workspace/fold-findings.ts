// Of many findings with one code a report for people shows three and counts the others. What a declaration accepts is only
// counted.

import { groupBy } from '../values/group-by.ts';
import type { Code, Severity } from './codes.ts';
import type { Diagnostic } from './diagnostic.ts';

export interface FoldedFindings {
  /** In the order given. */
  readonly shown: readonly Diagnostic[];
  /** How many more there are of a code that occurs often. */
  readonly more: readonly { readonly severity: Severity; readonly code: Code; readonly count: number }[];
}

/** Up to this many findings of one code are shown. */
export const mostOfCode = 3;

/** `showsAll`: nothing is folded. */
export function foldFindings(diagnostics: readonly Diagnostic[], showsAll = false): FoldedFindings {
  const open = diagnostics.filter(({ accepted }) => accepted === undefined);
  if (showsAll) return { shown: open, more: [] };
  const byCode = groupBy(open, ({ code }) => code);
  // A line that counts a single finding would take the room of that finding.
  const often = [...byCode.values()].filter(({ length }) => length > mostOfCode + 1);
  const hidden = new Set(often.flatMap((each) => differentFirst(each).slice(mostOfCode)));
  const more = often.flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ severity: first.severity, code: first.code, count: others.length + 1 - mostOfCode }],
  );
  return { shown: open.filter((each) => !hidden.has(each)), more };
}

/** The same sentence for the second time, such as that of a variable with many uses, tells less than another one. */
function differentFirst(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const first = new Map<string, Diagnostic>();
  for (const each of diagnostics) if (!first.has(each.message)) first.set(each.message, each);
  const different = new Set(first.values());
  return [...different, ...diagnostics.filter((each) => !different.has(each))];
}
