// Decides which findings and dangers a plan shows. It shows findings about its changes, news from a look, and findings
// by which a plan may lack a change. News come from the state or from Omni. The others are true whatever the plan does,
// so they are only counted.

import type { Danger, DangerCode } from '../../model/plan/danger.ts';
import type { Change, PlanDocument } from '../../model/plan/plan.ts';
import { groupOf } from '../../model/values/address.ts';
import { maxListed } from '../../model/values/words.ts';
import { codes } from '../../model/workspace/codes.ts';
import type { Diagnostic } from '../../model/workspace/diagnostic.ts';
import { type FoldedFindings, foldFindings, isFinishedEntry } from '../diagnostics/fold-findings.ts';
import { type Block, code, type Doc, section } from '../doc.ts';
import { shownKind } from '../listed-facts.ts';

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

// The dangers of a plan, first of all: grave ones have two signs and the colour of errors, or a frame.

/** Up to this many items of a danger are shown, so that the next danger is not far below; with -v all of them. */
const maxNamed = 10;

/**
 * The items of these have a row or a line of their own below, or a name behind a fold, so a terminal names few.
 * Recipients and places are listed nowhere else.
 */
const shownBelow: ReadonlySet<DangerCode> = new Set([
  'replaced',
  'orphaned',
  'paused',
  'resumed',
  'deleted',
  'blocked',
  'unresolved',
  'forgotten',
]);

export function dangerDoc(dangers: readonly Danger[]): Block {
  const ofGravity = (gravity: Danger['gravity']): Block => {
    const found = dangers.filter((danger) => danger.gravity === gravity);
    return found.length > 0 && { frame: gravity, of: found.map(dangerItem) };
  };
  return section('Look at this first', [ofGravity('grave'), ofGravity('caution')]);
}

function dangerItem({ code: kind, gravity, title, items }: Danger): Block {
  const below: Doc = [
    {
      list: items.map(({ subject, detail }) => [code(subject), detail !== undefined && [' (', detail, ')']]),
      most: maxNamed,
      ...(shownBelow.has(kind) ? { mostInTerminal: maxListed } : { names: items.map(({ subject }) => code(subject)) }),
    },
  ];
  // A yellow title cannot be read on a white background, so only its mark is.
  return gravity === 'grave'
    ? { mark: ['  ', { role: 'error', of: '!! ' }], of: { role: 'error', of: title }, below }
    : { mark: ['  ', { role: 'warning', of: '!' }, '  '], of: { role: 'strong', of: title }, below };
}
