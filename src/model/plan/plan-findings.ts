// Which findings a plan shows: those about what it changes, and what only a look at the state or at Omni tells. A reader of
// a plan did not touch the other files, so of their findings only the number is shown.

import { groupOf } from '../values/address.ts';
import { codes } from '../workspace/codes.ts';
import type { Diagnostic } from '../workspace/diagnostic.ts';
import { type FoldedFindings, foldFindings } from '../workspace/fold-findings.ts';
import type { Change, PlanDocument } from './plan.ts';

export interface PlanFindings extends FoldedFindings {
  /** How many are about files that the plan does not change. */
  readonly elsewhere: number;
}

/** Of more moves and adoptions a report shows only the number: Omni stays as it is, and so the findings are counted too. */
const mostRecorded = 10;

/** Errors always count as being about the plan, and so does what names no file. `showsAll`: nothing is only counted. */
export function planFindings(
  { changes, diagnostics }: Pick<PlanDocument, 'changes' | 'diagnostics'>,
  showsAll = false,
): PlanFindings {
  if (showsAll) return { ...foldFindings(diagnostics, showsAll), elsewhere: 0 };
  const recorded = changes.filter(isRecorded);
  const changed = recorded.length > mostRecorded ? changes.filter((change) => !isRecorded(change)) : changes;
  const files = new Set(changed.map(({ file }) => file));
  // With the address of its loop: a loop that has become empty is why its instances are deleted.
  const addresses = new Set(changed.flatMap(({ address }) => [address, groupOf(address)]));
  const open = diagnostics.filter(({ accepted }) => accepted === undefined);
  const concerning = open.filter((diagnostic) => {
    const { severity, file, address } = diagnostic;
    if (severity === 'error' || (file === undefined && address === undefined) || isNews(diagnostic)) return true;
    return (file !== undefined && files.has(file)) || (address !== undefined && addresses.has(address));
  });
  return { ...foldFindings(concerning), elsewhere: open.length - concerning.length };
}

/** `almanac validate` does not know of it, so whoever reads the plan learns it here or nowhere. */
function isNews({ code }: Diagnostic): boolean {
  const { dependsOn } = codes[code];
  return dependsOn === 'service' || dependsOn === 'state';
}

function isRecorded({ action }: Change): boolean {
  return action === 'adopt' || action === 'move';
}
