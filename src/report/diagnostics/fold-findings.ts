// Decides which findings a report for people shows, and which it only counts. Of many with one code, three are shown;
// beside errors, nothing else. Accepted findings, and entries that have taken effect, are only counted.

import type { Kind } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/collections.ts';
import type { Code, Severity } from '../../model/workspace/codes.ts';
import type { Diagnostic } from '../../model/workspace/diagnostic.ts';

export interface FoldedFindings {
  /** In the order given. */
  readonly shown: readonly Diagnostic[];
  /** The number of hidden findings for each code that occurs often. */
  readonly more: readonly { readonly severity: Severity; readonly code: Code; readonly count: number }[];
  readonly besideErrors: { readonly warnings: number; readonly notes: number };
  /** The entries of moved, adopt and removed that have taken effect. */
  readonly finished: number;
  /** In a plan: the kinds of resources that Omni stopped and the plan does not change, one for each resource. */
  readonly stopped: readonly Kind[];
  /** In a plan: the number of other findings about resources that it does not change. */
  readonly elsewhere: number;
}

/** Up to this many findings of one code are shown. */
const maxOfCode = 3;

const finishedCodes: ReadonlySet<Code> = new Set(['finished-entry', 'stale-moved', 'stale-removed']);

/** An entry that names a resource had no effect, so it is just a finding about that. */
export function isFinishedEntry({ code, address }: Diagnostic): boolean {
  return finishedCodes.has(code) && address === undefined;
}

/** With `showsAll`, nothing is folded. */
export function foldFindings(diagnostics: readonly Diagnostic[], showsAll = false): FoldedFindings {
  const open = diagnostics.filter(({ accepted }) => accepted === undefined);
  if (showsAll) return { ...nothingCounted, shown: open };
  const errors = open.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) {
    const count = (which: Severity) => open.filter(({ severity }) => severity === which).length;
    return { ...folded(errors), besideErrors: { warnings: count('warning'), notes: count('note') } };
  }
  const unfinished = open.filter((each) => !isFinishedEntry(each));
  return { ...folded(unfinished), finished: open.length - unfinished.length };
}

const nothingCounted = {
  more: [],
  besideErrors: { warnings: 0, notes: 0 },
  finished: 0,
  stopped: [],
  elsewhere: 0,
} as const;

function folded(diagnostics: readonly Diagnostic[]): FoldedFindings {
  const byCode = groupBy(diagnostics, ({ code }) => code);
  // A line that counts a single finding would take the room of that finding.
  const often = [...byCode.values()].filter(({ length }) => length > maxOfCode + 1);
  const hidden = new Set(often.flatMap((each) => differentFirst(each).slice(maxOfCode)));
  const more = often.map((found) => ({
    severity: found[0].severity,
    code: found[0].code,
    count: found.length - maxOfCode,
  }));
  return { ...nothingCounted, shown: diagnostics.filter((each) => !hidden.has(each)), more };
}

/** A repeated sentence, such as that of a variable with many uses, tells less than a different one. */
function differentFirst(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const first = new Map<string, Diagnostic>();
  for (const each of diagnostics) if (!first.has(each.message)) first.set(each.message, each);
  const different = new Set(first.values());
  return [...different, ...diagnostics.filter((each) => !different.has(each))];
}
