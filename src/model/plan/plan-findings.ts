// Which findings a plan shows: those about what it changes. A reader of a plan did not touch the other files, so of their
// findings only the number is shown; `almanac validate` lists them all.

import type { Code, Severity } from '../workspace/codes.ts';
import type { Diagnostic } from '../workspace/diagnostic.ts';
import type { PlanDocument } from './plan.ts';

export interface PlanFindings {
  readonly shown: readonly Diagnostic[];
  /** How many more there are of a code that occurs often. */
  readonly more: readonly { readonly severity: Severity; readonly code: Code; readonly count: number }[];
  /** How many are about files that the plan does not change. */
  readonly elsewhere: number;
}

/** Up to this many findings of one code are shown. */
const mostOfCode = 3;

/** Errors always count as being about the plan, and so does what names no file. */
export function planFindings({ changes, diagnostics }: Pick<PlanDocument, 'changes' | 'diagnostics'>): PlanFindings {
  const files = new Set(changes.map(({ file }) => file));
  const addresses = new Set(changes.map(({ address }) => address));
  const concerning = diagnostics.filter(({ severity, file, address }) => {
    if (severity === 'error' || (file === undefined && address === undefined)) return true;
    return (file !== undefined && files.has(file)) || (address !== undefined && addresses.has(address));
  });
  return { ...foldedByCode(concerning), elsewhere: diagnostics.length - concerning.length };
}

function foldedByCode(diagnostics: readonly Diagnostic[]): Pick<PlanFindings, 'shown' | 'more'> {
  const byCode = new Map<Code, Diagnostic[]>();
  for (const each of diagnostics) {
    const found = byCode.get(each.code) ?? [];
    byCode.set(each.code, found);
    found.push(each);
  }
  // A line that counts a single finding would take the room of that finding.
  const often = [...byCode.values()].filter(({ length }) => length > mostOfCode + 1);
  const hidden = new Set(often.flatMap((each) => each.slice(mostOfCode)));
  const more = often.flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ severity: first.severity, code: first.code, count: others.length + 1 - mostOfCode }],
  );
  return { shown: diagnostics.filter((each) => !hidden.has(each)), more };
}
