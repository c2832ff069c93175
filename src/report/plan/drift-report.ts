// Changes made outside of Almanac, in a plan and in the report of `almanac drift`.

import type { FieldDiff, PlanDocument } from '../../model/plan/plan.ts';
import type { Address } from '../../model/values/address.ts';
import { countOf, mostEqual } from '../../model/values/words.ts';
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
import { countResources } from '../text/count-resources.ts';
import type { Page } from '../text/theme.ts';
import { placeWords } from './change-report.ts';
import { differenceWords, wholeDifference } from './folds/difference-words.ts';
import { type FoldedDrift, foldDrift } from './folds/fold-changes.ts';

/**
 * Changes made outside of Almanac, in a plan and in the report of `almanac drift`: each alone, or many that were changed
 * equally.
 */
export interface DriftPage extends Page {
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
  const fields = isGone(diff) || said !== undefined ? [] : driftFields({ kind, diff });
  return [indented(2, remark(strong(head))), ...fields, ...names];
}

function driftTitle({ kind, addresses, diff }: FoldedDrift): Words {
  const [address, ...others] = addresses;
  if (others.length === 0) return [code(address), isGone(diff) ? ' is gone' : ' has drifted'];
  return `${countResources(kind, addresses)} ${isGone(diff) ? 'are gone' : 'have drifted'}`;
}

function driftFields({ kind, diff }: Pick<FoldedDrift, 'kind' | 'diff'>): Doc {
  return [{ fields: changedFields({ kind, diff, before: null, after: null }) }];
}

/** Whether a drifted resource no longer exists, instead of having other values. */
function isGone(diff: readonly FieldDiff[]): boolean {
  return diff.some(({ path }) => path === '');
}

const mostFields = 6;

/** For a comment or a page: a line for each, and the details folded. */
export function driftEntries(plan: PlanDocument, { showsPlaces }: Pick<DriftPage, 'showsPlaces'> = {}): Doc {
  const placeOf = showsPlaces ? placesIn(plan) : () => undefined;
  const folded = foldDrift(plan.drift);
  return [
    section('Changed outside of Almanac', folded.map(driftLine)),
    ...folded.map((each) => driftDetails(each, placeOf)),
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

function driftDetails({ kind, addresses, diff }: FoldedDrift, placeOf: PlaceOf): Block {
  const fields = isGone(diff) ? [] : driftFields({ kind, diff });
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
