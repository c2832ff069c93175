// Reports changes made outside of Almanac, and declared changes that nobody applied. Each change made outside is shown
// alone, or many that were changed equally are shown as one.

import type { NoState } from '../../model/plan/drift-document.ts';
import { type NameOf, nameIn, type Unapplied } from '../../model/plan/names.ts';
import type { FieldDiff, PlanDocument } from '../../model/plan/plan.ts';
import type { Address } from '../../model/values/address.ts';
import { command } from '../../model/values/command.ts';
import { countOf, nameSome } from '../../model/values/words.ts';
import { type Block, code, type Doc, isEmpty, joined, type ReportEntry, section, strong, type Words } from '../doc.ts';
import { changedFields } from '../fields/field-list.ts';
import { countedWords, declaredIn, ownerWords, pageOf } from './changes.ts';
import { differenceWords } from './folds/difference-words.ts';
import { type FoldedDrift, foldDrift } from './folds/fold-changes.ts';

interface DriftWords {
  readonly whereOf: (addresses: readonly Address[]) => Words;
  /** The address, with a link to its page in Omni. */
  readonly linked: (address: Address) => Words;
  readonly nameOf: NameOf;
}

/** `showsPlaces` adds the declaration, the page in Omni and the owner, which a plan has in its changes. */
export function driftDoc({ drift, changes, names, baseUrl }: PlanDocument, showsPlaces = false): Block {
  const byAddress = new Map(showsPlaces ? changes.map((change) => [change.address, change] as const) : []);
  const whereOf: DriftWords['whereOf'] = (addresses) => {
    const found = addresses.flatMap((address) => byAddress.get(address) ?? []);
    return joined([declaredIn(found), ownerWords(found)]);
  };
  const linked = (address: Address): Words => {
    const change = byAddress.get(address);
    const page = change?.action === 'forget' ? undefined : change && pageOf(change, baseUrl);
    return page === undefined ? code(address) : { link: page.url, of: code(address) };
  };
  const shown = { whereOf, linked, nameOf: nameIn(names) };
  const entries = foldDrift(drift).map((each) => entryOf(each, shown));
  return section('Changed outside of Almanac', [{ entries }]);
}

function entryOf({ kind, addresses, diff }: FoldedDrift, { whereOf, linked, nameOf }: DriftWords): ReportEntry {
  const goes = isGone(diff);
  const [first = '', ...others] = addresses;
  const subject = others.length === 0 ? linked(first) : countedWords(kind, addresses);
  const names = addresses.map((each) => ({ mark: '  ', of: joined([linked(each), whereOf([each])]) }));
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

/** True if Omni no longer has the resource, as opposed to another value of a field. */
export function isGone(diff: readonly FieldDiff[]): boolean {
  return diff.some(({ path }) => path === '');
}

/** Continues a sentence about something that was not done. */
export function noStateWords({ neverApplied, existing }: NoState): string {
  if (neverApplied) return `this workspace has no state yet. The first \`${command('apply')}\` creates it.`;
  if (existing.length === 0)
    return `this workspace has no state. The first \`${command('apply')}\` creates it. If something was applied from here before, the state is lost.`;
  const them = existing.length === 1 ? 'it' : 'them';
  return `this workspace has no state, but Omni has ${existing.length} of the declared schedules: ${nameSome(existing)}. If Almanac made ${them}, the state is lost. Otherwise the first \`${command('apply')}\` creates it.`;
}

export function untrackedCountWords(count: number): string {
  if (count === 0) return '';
  const [are, them] = count === 1 ? ['is', 'it'] : ['are', 'them'];
  return `${countOf(count, 'schedule')} in Omni ${are} untracked; \`${command('drift', '--untracked')}\` lists ${them}.`;
}

// The words of status, drift and doctor about declared changes that nobody applied.

/** The gravest is first. */
export function unappliedDoc(unapplied: Unapplied): Doc {
  const merged = mergedWords(unapplied);
  return [merged !== '' && strong(merged), recentWords(unapplied), ...notAppliedWords(unapplied)];
}

/** Empty if there are none. */
export function mergedWords({ merged, takingAway }: Unapplied): string {
  if (merged.length === 0) return '';
  const were = merged.length === 1 ? 'was' : 'were';
  const away = takingAway === 0 ? '' : `; ${takingAway === 1 ? 'one takes' : `${takingAway} take`} away a recipient`;
  return `${countOf(merged.length, 'change')} ${were} merged and never applied${away}: ${nameSome(merged)}. \`${command('plan')}\` shows ${merged.length === 1 ? 'it' : 'them'}.`;
}

const untold: Readonly<Record<NonNullable<Unapplied['notTold']>, string>> = {
  'no-git': 'git does not answer here',
  shallow: 'the clone is shallow (`git fetch --unshallow origin`, or `fetch-depth: 0`)',
  errors: 'the files of the commits before that have errors',
  unread: 'git does not have the files of a day ago (`git fetch` with access to the remote)',
  lfs: 'a file of a day ago is in Git LFS, and not compared (`git lfs fetch --all`)',
};

/** Unapplied changes that are not known to be a day old; empty if there are none. */
export function recentWords({ recent, notTold }: Unapplied): string {
  if (recent === 0) return '';
  const changes = `${countOf(recent, 'change')} ${recent === 1 ? 'is' : 'are'} not applied`;
  if (notTold === undefined) return `${changes} yet: ${recent === 1 ? 'it was' : 'they were'} made within a day.`;
  return `${changes}, and it is not known since when: ${untold[notTold]}.`;
}

export function notAppliedWords({ left }: Unapplied): readonly string[] {
  return left.map(({ address, reason }) => `${address} is not applied: ${reason}`);
}
