// The changes of a plan for a comment or a page: a row for each, or for many equal ones, and the rest behind a fold.

import { type Change, leavesOrphan, type PlanDocument, reasons } from '../../model/plan/plan.ts';
import { itemOf } from '../../model/values/address.ts';
import { countOf } from '../../model/values/words.ts';
import { type Block, type Column, code, type Doc, dim, type Entry, item, joined, someOf, type Words } from '../doc.ts';
import { changedLeaves } from '../fields/field-paths.ts';
import { countResources } from '../text/count-resources.ts';
import { fileAndLine } from '../text/file-and-line.ts';
import { bodyOf, nameOf, reportName } from './change-body.ts';
import { changeOwners, foldedNotices, reasonWords } from './change-notices.ts';
import { bodyBlocks, sharedBlocks } from './change-report.ts';
import { foldedWords, itemWords } from './folds/difference-words.ts';
import { type FoldedChanges, foldChanges, isAsDeclared, isStateOnly } from './folds/fold-changes.ts';
import { gravityOf, isGrave } from './gravity.ts';
import type { TimedPlan } from './timed-plan.ts';

/** Where a plan would be applied. */
interface Place extends Pick<PlanDocument, 'baseUrl' | 'operations'> {
  readonly isPage: boolean;
}

/**
 * The gravest first. The owners have a column where any are named. `isPage`: a click on a row unfolds it, so links are below.
 */
export function changeEntries(plan: TimedPlan, isPage = false): Block {
  const changes = foldChanges([...plan.changes].sort((a, b) => gravityOf(a) - gravityOf(b)));
  const hasOwners = changeOwners(plan.changes).length > 0;
  const owner: readonly Column[] = hasOwners ? [{ title: 'owner', isNamed: true }] : [];
  const head = [{ title: '' }, { title: 'resource' }, { title: 'what' }, ...owner, { title: 'declared in' }];
  const entries = changes.map((folded) => entryOf(folded, { ...plan, isPage }, hasOwners));
  return entries.length > 0 && { head, entries };
}

function entryOf(folded: FoldedChanges, place: Place, hasOwners: boolean): Entry {
  const { first, changes } = folded;
  const isOne = changes.length === 1;
  const owners = hasOwners ? [someOf(changeOwners(changes).map(code))] : [];
  const name = isOne ? code(first.address) : countWords(folded);
  const what = isOne ? whatChanges(first, place) : whatAllChange(folded);
  return {
    badge: first.action,
    isGrave: isGrave(first),
    cells: [name, what, ...owners, isOne ? placeOf(first) : filesOf(changes)],
    fold: isOne ? joined([first.action, code(first.address), codeOf(nameOf(first))], ' ') : allWords(folded),
    of: isOne ? detailsOfOne(folded, place) : detailsOfAll(folded, place),
  };
}

function codeOf(text: string | undefined): Words {
  return text !== undefined && text !== '' && code(text);
}

/** `90 schedules`. */
function countWords({ first, changes }: FoldedChanges): string {
  return countResources(
    first.kind,
    changes.map(({ address }) => address),
  );
}

function allWords(folded: FoldedChanges): Words {
  const { first } = folded;
  if (!isStateOnly(first)) return [countWords(folded), ': ', foldedWords(folded)];
  return `${countWords(folded)} to ${first.action}${isAsDeclared(first) ? ' in the state' : ''}`;
}

const mostFields = 6;

/** The name of the report, and the fields that change. */
function whatChanges(change: Change, { baseUrl, isPage }: Place): Words {
  const { kind, diff, previousAddress, blocked, lookedFor } = change;
  const isDifference = bodyOf(change).shows === 'difference';
  const fields = isDifference ? [...new Set(changedLeaves(kind, diff).map(({ segments }) => segments[0] ?? ''))] : [];
  const more = fields.length - mostFields;
  const what = joined([
    previousAddress !== undefined && ['from ', code(previousAddress)],
    reasonOf(change),
    ...fields.slice(0, mostFields).map(code),
    more > 0 && `${more} more`,
    blocked !== undefined && (lookedFor ? 'open' : { role: 'strong', of: 'blocked' }),
  ]);
  return joined([linkedName(change, isPage ? null : baseUrl), what], ': ');
}

function whatAllChange(folded: FoldedChanges): Words {
  const { first, changes, byItem } = folded;
  const because = reasonOf(first);
  if (isStateOnly(first))
    return joined([because, someOf(changes.map((each) => code(nameOf(each) ?? each.address)))], ': ');
  if (byItem === undefined) return joined([because, foldedWords(folded)]);
  const keys = someOf(changes.map(({ address }) => code(itemOf(address) ?? address)));
  return joined([because, [keys, ': ', foldedWords(folded)]]);
}

const saidInRows: readonly Change['reason'][] = [
  'as-declared',
  'drifted',
  'changed-and-drifted',
  'missing',
  'replaced',
  'sink',
];

function reasonOf({ reason }: Change): Words {
  return saidInRows.includes(reason) && reasons[reason];
}

/** With a link to the dashboard in Omni. */
function linkedName(change: Change, baseUrl: string | null): Words {
  const { name, url } = reportName(change, baseUrl) ?? {};
  if (name === undefined) return false;
  return url === undefined ? code(name) : { link: url, of: code(name) };
}

function placeOf(change: Change): Words {
  return change.file !== undefined && code(fileAndLine(change));
}

function filesOf(changes: readonly Change[]): Words {
  const [first, ...others] = new Set(changes.flatMap(({ file }) => file ?? []));
  return first !== undefined && [code(first), others.length > 0 && ` and ${countOf(others.length, 'more file')}`];
}

function detailsOfOne(folded: FoldedChanges, place: Place): Doc {
  const { first } = folded;
  const because = reasonWords(first);
  const { url } = reportName(first, place.baseUrl) ?? {};
  return [
    ...notices(folded, place),
    because !== undefined && dim(`Because ${because}.`),
    place.isPage && url !== undefined && { link: url, of: 'Dashboard in Omni' },
    ...bodyBlocks(place, first),
  ];
}

function detailsOfAll(folded: FoldedChanges, place: Place): Doc {
  const { first, changes } = folded;
  const because = reasonWords(first);
  const names = changes.map((change) => item(nameWords(folded, change, place)));
  return [
    ...notices(folded, place),
    because !== undefined && dim(`Each because ${because}.`),
    ...(isStateOnly(first) ? names : [...sharedBlocks(folded), { fold: `Which ${countWords(folded)}`, of: names }]),
  ];
}

function notices(folded: FoldedChanges, { operations }: Place): Doc {
  return foldedNotices(folded, operations).map(({ role, text }) => ({ notice: role, of: text }));
}

/** One of many: its address, and everything that is its own. */
function nameWords(folded: FoldedChanges, change: Change, { baseUrl, operations }: Place): Words {
  const { address, previousAddress, id = '' } = change;
  const parts = [
    code(address),
    linkedName(change, baseUrl),
    previousAddress !== undefined && ['from ', code(previousAddress)],
    leavesOrphan(change, operations) && ['the old one is ', code(id)],
    // Who added an item is what `git blame` says of its line.
    itemOf(address) !== undefined && placeOf(change),
  ];
  return joined([joined(parts), itemWords(folded, change)], ': ');
}
