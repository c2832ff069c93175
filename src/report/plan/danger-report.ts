// The dangers of a plan, first of all: the graver marked with two signs and the colour of errors, or in a frame.

import type { Danger, DangerCode, DangerItem } from '../../model/plan/danger.ts';
import type { FieldDiff, PlanDocument } from '../../model/plan/plan.ts';
import type { Address } from '../../model/values/address.ts';
import { countOf, mostEqual } from '../../model/values/words.ts';
import type { Diagnostic } from '../../model/workspace/diagnostic.ts';
import type { FoldedFindings } from '../diagnostics/fold-findings.ts';
import {
  type Block,
  code,
  type Doc,
  dim,
  firstFew,
  indented,
  item,
  joined,
  part,
  remark,
  section,
  strong,
  type Words,
} from '../doc.ts';
import { changedFields } from '../fields/field-list.ts';
import type { CronWords } from '../text/cron-text.ts';
import type { Page } from '../text/theme.ts';
import { countedFindings, countResources, fileAndLine, listsAll, relatedWords } from '../text/words.ts';
import { placeWords } from './change-report.ts';
import { differenceWords, wholeDifference } from './folds/difference-words.ts';
import { type FoldedDrift, foldDrift } from './folds/fold-changes.ts';

/** Up to this many items of a danger are shown, so that the next danger is not far below; with -v all of them. */
const mostNamed = 10;

/** These name resources that change equally, which the changes list once more. */
const sharedBy: ReadonlySet<DangerCode> = new Set(['replaced', 'orphaned', 'paused', 'resumed']);

/** What these are about has a row of its own, or a name behind a fold. Recipients and places are listed nowhere else. */
const seen: ReadonlySet<DangerCode> = new Set([...sharedBy, 'deleted', 'blocked', 'unresolved', 'forgotten']);

/** `isFolded`: the report is not one for a terminal, and folds what is equal. */
export function dangerDoc(dangers: readonly Danger[], { showsAll = false, isFolded = false }): Doc {
  const ofGravity = (gravity: Danger['gravity']): Block => {
    const found = dangers.filter((danger) => danger.gravity === gravity);
    return (
      found.length > 0 && { frame: gravity, of: found.map((danger) => dangerItem(danger, { showsAll, isFolded })) }
    );
  };
  const frames = [ofGravity('grave'), ofGravity('caution')];
  return [isFolded ? section('Look at this first', frames) : section('Look at this first:', [part(...frames)])];
}

function dangerItem(
  { code: kind, gravity, title, items }: Danger,
  { showsAll, isFolded }: { readonly showsAll: boolean; readonly isFolded: boolean },
): Block {
  const most = sharedBy.has(kind) && !isFolded ? mostEqual : mostNamed;
  const isWhole = showsAll || (!isFolded && items.length === most + 1);
  const others = isWhole ? [] : items.slice(most);
  const names = others.map(({ subject }) => code(subject));
  const below: Doc = [
    ...items.slice(0, items.length - others.length).map((each) => item(itemWords(each))),
    others.length > 0 && { more: others.length, names, isListed: seen.has(kind) },
  ];
  // A yellow title cannot be read on a white background, so only its mark is.
  return gravity === 'grave'
    ? { mark: ['  ', { role: 'error', of: '!! ' }], of: { role: 'error', of: title }, below }
    : { mark: ['  ', { role: 'warning', of: '!' }, '  '], of: { role: 'strong', of: title }, below };
}

function itemWords({ subject, detail }: DangerItem): Words {
  return [code(subject), detail !== undefined && [' (', detail, ')']];
}

/**
 * Changes made outside of Almanac, in a plan and in the report of `almanac drift`: each alone, or many that were changed
 * equally.
 */
export interface DriftPage extends Page {
  readonly cron: CronWords;
  /** Name the place of each declaration and its owner. A plan names them where it lists the changes. */
  readonly showsPlaces?: boolean;
}

/** For a terminal. */
export function driftDoc(plan: PlanDocument, page: DriftPage): Doc {
  if (plan.drift.length === 0) return [];
  const placeOf = page.showsPlaces ? placesIn(plan) : () => undefined;
  const blocks = foldDrift(plan.drift).map((folded) => part(...foldedBlocks(folded, page, placeOf)));
  return [part('Changed outside of Almanac, compared with the state:'), ...blocks];
}

type PlaceOf = (address: Address) => Words;

function placesIn({ changes }: PlanDocument): PlaceOf {
  const places = new Map(changes.map((change) => [change.address, placeWords(change)]));
  return (address) => places.get(address);
}

function foldedBlocks({ kind, addresses, diff }: FoldedDrift, page: DriftPage, placeOf: PlaceOf): Doc {
  const [address, ...others] = addresses;
  const isOne = others.length === 0;
  const said = isGone(diff) || isOne ? undefined : wholeDifference(kind, diff);
  const head = [driftTitle({ kind, addresses, diff }), said !== undefined && [': ', said], isOne && placeOf(address)];
  const names = firstFew(
    isOne ? [] : addresses,
    (each) => indented(4, [each, placeOf(each)]),
    { ...page, most: mostEqual },
    (more) => indented(4, dim(more)),
  );
  const fields = isGone(diff) || said !== undefined ? [] : driftFields({ kind, diff }, page.cron);
  return [indented(2, remark(strong(head))), ...fields, ...names];
}

function driftTitle({ kind, addresses, diff }: FoldedDrift): Words {
  const [address, ...others] = addresses;
  if (others.length === 0) return [code(address), isGone(diff) ? ' is gone' : ' has drifted'];
  return `${countResources(kind, addresses)} ${isGone(diff) ? 'are gone' : 'have drifted'}`;
}

function driftFields({ kind, diff }: Pick<FoldedDrift, 'kind' | 'diff'>, cron: CronWords): Doc {
  return [{ fields: changedFields({ kind, diff, before: null, after: null, cron }) }];
}

/** Whether a drifted resource no longer exists, instead of having other values. */
function isGone(diff: readonly FieldDiff[]): boolean {
  return diff.some(({ path }) => path === '');
}

const mostFields = 6;

/** For a comment or a page: a line for each, and the details folded. */
export function driftEntries(plan: PlanDocument, { cron, showsPlaces }: Pick<DriftPage, 'cron' | 'showsPlaces'>): Doc {
  const placeOf = showsPlaces ? placesIn(plan) : () => undefined;
  const folded = foldDrift(plan.drift);
  return [
    section('Changed outside of Almanac', folded.map(driftLine)),
    ...folded.map((each) => driftDetails(each, cron, placeOf)),
  ];
}

function driftLine(drift: FoldedDrift): Block {
  const { kind, addresses, diff } = drift;
  if (addresses.length > 1)
    return item([countResources(kind, addresses), isGone(diff) ? ' are gone' : [': ', differenceWords(kind, diff)]]);
  if (isGone(diff)) return item([code(addresses[0]), ' is gone']);
  const fields = [...new Set(diff.map(({ path }) => path.split('/')[1] ?? ''))];
  return item([
    code(addresses[0]),
    ': ',
    joined([...fields.slice(0, mostFields).map(code), fields.length > mostFields && '…']),
  ]);
}

function driftDetails({ kind, addresses, diff }: FoldedDrift, cron: CronWords, placeOf: PlaceOf): Block {
  const fields = isGone(diff) ? [] : driftFields({ kind, diff }, cron);
  const [address, ...others] = addresses;
  if (others.length > 0)
    return {
      fold: countResources(kind, addresses),
      of: [...fields, ...addresses.map((each) => item([code(each), placeOf(each)]))],
    };
  return { fold: code(address), of: [[driftTitle({ kind, addresses, diff }), placeOf(address)], ...fields] };
}

/** Empty for none. */
export function untrackedCountWords(count: number): string {
  if (count === 0) return '';
  const [are, them] = count === 1 ? ['is', 'it'] : ['are', 'them'];
  return `${countOf(count, 'schedule')} in Omni ${are} untracked; \`almanac drift --untracked\` lists ${them}.`;
}

/** What was found while a plan was made, for a comment or a page: one by one, and a count of what is not shown. */
export function findingsDoc(findings: FoldedFindings, of: 'plan' | 'drift', { hasHints = false } = {}): Block {
  const { shown, more } = findings;
  const all = code(listsAll[of]);
  return section('Findings', [
    ...shown.map((each) => item(findingWords(each), [hasHints && each.hint !== undefined && `Hint: ${each.hint}`])),
    ...more.map(({ severity, code: name, count }) =>
      item([severityOf(severity), ` ${count} more `, code(name), ': ', all]),
    ),
    ...countedFindings(findings, of).map(({ words, command }) => item([words, ': ', code(command)])),
  ]);
}

function findingWords(diagnostic: Diagnostic): Words {
  const { severity, code: name, message, file } = diagnostic;
  const place = file !== undefined && [' in ', code(fileAndLine(diagnostic))];
  return [severityOf(severity), ' ', code(name), place, ': ', joined([message, ...relatedWords(diagnostic)], ' ')];
}

function severityOf(severity: Diagnostic['severity']): Words {
  return { role: severity, of: severity };
}
