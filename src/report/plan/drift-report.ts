// Changes made outside of Almanac, in a plan and in the report of `almanac drift`: each alone, or many that were changed
// equally.

import type { FieldDiff, PlanDocument } from '../../model/plan/plan.ts';
import type { Address } from '../../model/values/address.ts';
import { countOf } from '../../model/values/words.ts';
import { type Block, code, joined, type ReportEntry, section, type Words } from '../doc.ts';
import { changedFields } from '../fields/field-list.ts';
import { countResources } from '../text/count-resources.ts';
import { ownerWords } from './change-notices.ts';
import { declaredIn } from './changes.ts';
import { differenceWords } from './folds/difference-words.ts';
import { type FoldedDrift, foldDrift } from './folds/fold-changes.ts';

type PlaceOf = (address: Address) => Words;

/** `showsPlaces`: where each is declared, and who answers for it, which a plan says of its changes. */
export function driftDoc({ drift, changes }: PlanDocument, showsPlaces = false): Block {
  const places = new Map(
    changes.map((change) => [change.address, joined([declaredIn([change]), ownerWords([change])])] as const),
  );
  const whereOf: PlaceOf = (address) => showsPlaces && places.get(address);
  return section('Changed outside of Almanac', [{ entries: foldDrift(drift).map((each) => entryOf(each, whereOf)) }]);
}

function entryOf(drift: FoldedDrift, whereOf: PlaceOf): ReportEntry {
  const { kind, addresses, diff } = drift;
  const [address] = addresses;
  const isOne = addresses.length === 1;
  const isGone = diff.some(({ path }) => path === '');
  const name = isOne ? code(address) : countResources(kind, addresses);
  const fields = changedFields({ kind, diff });
  const names = addresses.map((each) => ({ mark: '  ', of: joined([code(each), whereOf(each)]) }));
  return {
    cells: [[name, isGone && (isOne ? ' is gone' : ' are gone')]],
    line: !isGone && (isOne ? fieldWords(diff) : differenceWords(kind, diff)),
    where: isOne && whereOf(address),
    details:
      isGone && isOne
        ? undefined
        : {
            title: name,
            about: false,
            of: [!isGone && { fields }, ...(isOne ? [] : [{ fold: `Which ${name}`, of: names }])],
          },
  };
}

const mostFields = 6;

function fieldWords(diff: readonly FieldDiff[]): Words {
  const fields = [...new Set(diff.map(({ path }) => path.split('/')[1] ?? ''))];
  return joined([...fields.slice(0, mostFields).map(code), fields.length > mostFields && '…']);
}

/** Empty for none. */
export function untrackedCountWords(count: number): string {
  if (count === 0) return '';
  const [are, them] = count === 1 ? ['is', 'it'] : ['are', 'them'];
  return `${countOf(count, 'schedule')} in Omni ${are} untracked; \`almanac drift --untracked\` lists ${them}.`;
}
