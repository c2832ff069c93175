// Changes made outside of Almanac, in a plan and in the report of `almanac drift`: each alone, or many that were changed
// equally.

import { type NameOf, nameIn } from '../../model/plan/names.ts';
import type { FieldDiff, PlanDocument } from '../../model/plan/plan.ts';
import type { Address } from '../../model/values/address.ts';
import { countOf } from '../../model/values/words.ts';
import { type Block, code, type Doc, isEmpty, joined, type ReportEntry, section, type Words } from '../doc.ts';
import { changedFields } from '../fields/field-list.ts';
import { ownerWords } from './change-notices.ts';
import { countedWords, declaredIn } from './changes.ts';
import { differenceWords } from './folds/difference-words.ts';
import { type FoldedDrift, foldDrift } from './folds/fold-changes.ts';

type PlaceOf = (addresses: readonly Address[]) => Words;

/** `showsPlaces`: where each is declared, and who answers for it, which a plan says of its changes. */
export function driftDoc({ drift, changes, names }: PlanDocument, showsPlaces = false): Block {
  const byAddress = new Map(showsPlaces ? changes.map((change) => [change.address, change] as const) : []);
  const whereOf: PlaceOf = (addresses) => {
    const found = addresses.flatMap((address) => byAddress.get(address) ?? []);
    return joined([declaredIn(found), ownerWords(found)]);
  };
  const entries = foldDrift(drift).map((each) => entryOf(each, whereOf, nameIn(names)));
  return section('Changed outside of Almanac', [{ entries }]);
}

function entryOf({ kind, addresses, diff }: FoldedDrift, whereOf: PlaceOf, nameOf: NameOf): ReportEntry {
  const goes = isGone(diff);
  const subject = countedWords(kind, addresses);
  const names = addresses.map((each) => ({ mark: '  ', of: joined([code(each), whereOf([each])]) }));
  const of: Doc = [
    !goes && { fields: changedFields({ kind, diff, nameOf }) },
    names.length > 1 && { fold: ['Which ', subject], of: names },
  ];
  return {
    cells: [subject],
    line: goes ? gone : differenceWords(kind, diff),
    where: whereOf(addresses),
    details: of.every(isEmpty) ? undefined : { title: subject, about: goes && gone, of },
  };
}

const gone = 'gone from Omni';

/** Whether Omni no longer has the resource, as against another value of a field. */
export function isGone(diff: readonly FieldDiff[]): boolean {
  return diff.some(({ path }) => path === '');
}

/** Empty for none. */
export function untrackedCountWords(count: number): string {
  if (count === 0) return '';
  const [are, them] = count === 1 ? ['is', 'it'] : ['are', 'them'];
  return `${countOf(count, 'schedule')} in Omni ${are} untracked; \`almanac drift --untracked\` lists ${them}.`;
}
