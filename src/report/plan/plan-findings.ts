// Decides which findings a plan shows: those about its changes, news from a look, and those by which a plan may lack a change.
// News come from the state or from Omni. The others are true whatever the plan does, so they are only counted.

import type { Change, PlanDocument } from '../../model/plan/plan.ts';
import { groupOf } from '../../model/values/address.ts';
import { codes } from '../../model/workspace/codes.ts';
import type { Diagnostic } from '../../model/workspace/diagnostic.ts';
import { type FoldedFindings, foldFindings, isFinishedEntry } from '../diagnostics/fold-findings.ts';
import { shownKind } from '../kinds-in-reports.ts';

/** More moves and adoptions are only counted: Omni stays as it is, and so their findings are counted too. */
const maxRecorded = 10;

/** A finding without a file and a resource counts as being about the plan. With `showsAll`, nothing is only counted. */
export function planFindings(
  { changes, diagnostics }: Pick<PlanDocument, 'changes' | 'diagnostics'>,
  showsAll = false,
): FoldedFindings {
  if (showsAll) return foldFindings(diagnostics, showsAll);
  const recorded = changes.filter(isRecorded);
  const changed = recorded.length > maxRecorded ? changes.filter((change) => !isRecorded(change)) : changes;
  // Includes the address of the loop: an empty loop is why its instances are deleted.
  const addresses = new Set(changed.flatMap(({ address }) => [address, groupOf(address)]));
  const isConcerned = ({ code, severity, file, address, concerns = [] }: Diagnostic) =>
    severity === 'error' ||
    code === 'for-each-nearly' ||
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

/** The cells by which a loop may take another row than it seems to: then no change, or another one, is planned for it. */
export function nearlyChosen({ diagnostics }: Pick<PlanDocument, 'diagnostics'>): number {
  return diagnostics.filter(({ code, accepted }) => code === 'for-each-nearly' && accepted === undefined).length;
}

/**
 * `almanac validate` cannot find it, so readers of the plan learn it here or nowhere. A schedule that Omni has stopped
 * stays so for days, and `almanac status` lists it.
 */
function isNews({ code, seen = false }: Diagnostic): boolean {
  const { dependsOn } = codes[code];
  return seen || ((dependsOn === 'service' || dependsOn === 'state') && code !== 'stopped-by-service');
}

function isRecorded({ action }: Change): boolean {
  return action === 'adopt' || action === 'move';
}
