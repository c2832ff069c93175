// Which findings a plan shows: those about the resources that it changes, and what only a look at the state or at Omni
// tells. The others stand whatever the plan does, so only their number is shown.

import type { Change, PlanDocument } from '../../model/plan/plan.ts';
import { groupOf } from '../../model/values/address.ts';
import { codes } from '../../model/workspace/codes.ts';
import type { Diagnostic } from '../../model/workspace/diagnostic.ts';
import { type FoldedFindings, foldFindings, isFinishedEntry } from '../diagnostics/fold-findings.ts';
import { shownKind } from '../kinds-in-reports.ts';

/** Of more moves and adoptions a report shows only the number: Omni stays as it is, and so the findings are counted too. */
const maxRecorded = 10;

/** What names no file and no resource counts as being about the plan. `showsAll`: nothing is only counted. */
export function planFindings(
  { changes, diagnostics }: Pick<PlanDocument, 'changes' | 'diagnostics'>,
  showsAll = false,
): FoldedFindings {
  if (showsAll) return foldFindings(diagnostics, showsAll);
  const recorded = changes.filter(isRecorded);
  const changed = recorded.length > maxRecorded ? changes.filter((change) => !isRecorded(change)) : changes;
  // With the address of its loop: a loop that has become empty is why its instances are deleted.
  const addresses = new Set(changed.flatMap(({ address }) => [address, groupOf(address)]));
  const isConcerned = ({ severity, file, address, concerns = [] }: Diagnostic) =>
    severity === 'error' ||
    (file === undefined && address === undefined) ||
    [address, ...concerns].some((each) => each !== undefined && addresses.has(each));
  const open = diagnostics.filter(({ accepted }) => accepted === undefined);
  const otherFindings = open.filter((each) => !isConcerned(each) && !isNews(each) && !isFinishedEntry(each));
  const elsewhere = new Set(otherFindings);
  const stopped = otherFindings.filter(({ code }) => code === 'stopped-by-service');
  return {
    ...foldFindings(open.filter((each) => !elsewhere.has(each))),
    stopped: stopped.map(({ address = '' }) => shownKind(address)),
    elsewhere: otherFindings.length - stopped.length,
  };
}

/**
 * `almanac validate` does not know of it, so whoever reads the plan learns it here or nowhere. A schedule that Omni has
 * stopped stays so for days, and `almanac status` lists it.
 */
function isNews({ code, seen = false }: Diagnostic): boolean {
  const { dependsOn } = codes[code];
  return seen || ((dependsOn === 'service' || dependsOn === 'state') && code !== 'stopped-by-service');
}

function isRecorded({ action }: Change): boolean {
  return action === 'adopt' || action === 'move';
}
