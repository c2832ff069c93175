// Changes made outside of Almanac, for a terminal: before the changes of a plan, and in the report of `almanac drift`.

import type { Change, FieldDiff, PlanDocument } from '../../model/plan/plan.ts';
import { type Address, kindOf } from '../../model/values/address.ts';
import { countResources } from '../fields/count-resources.ts';
import { fieldDiffLines } from '../fields/field-diff-text.ts';
import { countOf } from '../text/count-words.ts';
import type { CronWords } from '../text/cron-text.ts';
import { hangingLines, type Page } from '../text/field-lines.ts';
import { fileAndLine } from '../text/file-and-line.ts';
import { safeText, wrap } from '../text/terminal-text.ts';
import { symbolWidth } from './action-symbols.ts';
import { ownerWords } from './change-owners.ts';
import { textOfSpans, wholeDifference } from './folds/difference-words.ts';
import { type FoldedDrift, foldDrift } from './folds/fold-changes.ts';
import { nameLines } from './folds/name-lines.ts';

export interface DriftPage extends Page {
  readonly cron: CronWords;
  /** Name the place of each declaration and its owner. A plan names them where it lists the changes. */
  readonly showsPlaces?: boolean;
}

export function driftSections({ drift, changes }: PlanDocument, page: DriftPage): readonly (readonly string[])[] {
  if (drift.length === 0) return [];
  const title = wrap('Changed outside of Almanac, compared with the state:', page.width);
  const places = new Map(changes.map((change) => [change.address, declaredWords(change)]));
  const placeOf = (address: Address) => (page.showsPlaces ? (places.get(address) ?? '') : '');
  return [title, ...foldDrift(drift).map((folded) => foldedLines(folded, page, placeOf))];
}

/** `placeOf`: words behind an address. */
function foldedLines(
  { kind, addresses, diff }: FoldedDrift,
  page: DriftPage,
  placeOf: (address: Address) => string,
): readonly string[] {
  const [address, ...others] = addresses;
  if (others.length === 0) return driftedLines({ address, diff }, page, placeOf(address));
  const said = isGone(diff) ? undefined : wholeDifference(kind, diff);
  const words = isGone(diff) ? 'are gone' : `have drifted${said === undefined ? '' : `: ${textOfSpans(said)}`}`;
  const head = `${countResources(kind, addresses)} ${words}`;
  const symbol = ' '.repeat(symbolWidth);
  return [
    ...hangingLines(page, '# ', head, { role: 'strong', column: 2 }),
    ...(isGone(diff) || said !== undefined
      ? []
      : fieldDiffLines(page, { kind, diff, before: null, after: null, cron: page.cron })),
    ...nameLines(page, addresses, (each) => ({ symbol, role: 'dim', text: safeText(each) + placeOf(each) })),
  ];
}

/** Whether a drifted resource no longer exists, instead of having other values. */
export function isGone(diff: readonly FieldDiff[]): boolean {
  return diff.some(({ path }) => path === '');
}

/** `place`: words behind the address. */
export function driftedLines(
  { address, diff }: PlanDocument['drift'][number],
  page: DriftPage,
  place = '',
): readonly string[] {
  const head = `${safeText(address)} ${isGone(diff) ? 'is gone' : 'has drifted'}${place}`;
  const about = { kind: kindOf(address) ?? 'schedule', before: null, after: null, cron: page.cron } as const;
  return [
    ...hangingLines(page, '# ', head, { role: 'strong', column: 2 }),
    ...(isGone(diff) ? [] : fieldDiffLines(page, { ...about, diff })),
  ];
}

/** Behind an address: where somebody would write down a change in order to keep it, and who answers for it. */
export function declaredWords(
  change: Pick<Change, 'file' | 'line' | 'before' | 'after'>,
  { namesOwner = true }: { readonly namesOwner?: boolean } = {},
): string {
  const owners = namesOwner ? ownerWords([change], (owner) => owner) : '';
  const words = [...(change.file === undefined ? [] : [fileAndLine(change)]), ...(owners === '' ? [] : [owners])];
  return words.length === 0 ? '' : ` (${safeText(words.join(', '))})`;
}

/** Empty for none. */
export function untrackedCountWords(count: number): string {
  if (count === 0) return '';
  const [are, them] = count === 1 ? ['is', 'it'] : ['are', 'them'];
  return `${countOf(count, 'schedule')} in Omni ${are} untracked; \`almanac drift --untracked\` lists ${them}.`;
}
