// The changes of a plan, for every report: an entry for each, or for many equal ones, the gravest first.

import { type Change, leavesOrphan, type PlanDocument, reasons } from '../../model/plan/plan.ts';
import { itemOf } from '../../model/values/address.ts';
import { countOf } from '../../model/values/words.ts';
import { placesOf, recipientsOf } from '../../plan/dangers/destinations.ts';
import { groupNamesOf, groupWords } from '../../plan/dangers/group-words.ts';
import { keptWords } from '../../plan/kept.ts';
import { type Block, type Column, code, type Doc, dim, joined, type ReportEntry, someOf, type Words } from '../doc.ts';
import { changedLeaves } from '../fields/field-paths.ts';
import { countResources } from '../text/count-resources.ts';
import { fileAndLine } from '../text/file-and-line.ts';
import { bodyOf, nameOf, reportName } from './change-body.ts';
import { bodyBlock, sharedBlock } from './change-fields.ts';
import { changeOwners, foldedNotices, ownerWords, reasonWords } from './change-notices.ts';
import { changedByItem, differenceWords, differsWords, foldedWords, itemWords } from './folds/difference-words.ts';
import { type FoldedChanges, foldChanges, isAsDeclared, isStateOnly } from './folds/fold-changes.ts';
import { gravityOf, isGrave } from './gravity.ts';
import type { TimedChange, TimedPlan } from './timed-plan.ts';

/** Where a report is read: a terminal has no links, and a click on a row of a page unfolds it, so its links are below. */
export type Medium = 'terminal' | 'comment' | 'page';

/** Where a plan would be applied, and who reads of it. */
interface PlanPlace extends Pick<PlanDocument, 'baseUrl' | 'operations'> {
  readonly medium: Medium;
}

/** The owners have a column where any are named. `showsAll`: what differs is not folded. */
export function changeEntries(plan: TimedPlan, medium: Medium, showsAll = false): Block {
  const { changes, baseUrl, operations } = plan;
  const folded = foldChanges([...changes].sort((a, b) => gravityOf(a) - gravityOf(b)));
  const hasOwners = changeOwners(changes).length > 0;
  const owner: readonly Column[] = hasOwners ? [{ title: 'owner', isNamed: true }] : [];
  return {
    head: [{ title: '' }, { title: 'resource' }, { title: 'what' }, ...owner, { title: 'declared in' }],
    entries: folded
      .flatMap((each) => (showsAll ? unfolded(each) : [each]))
      .map((each) => entryOf(each, { baseUrl, operations, medium }, hasOwners)),
  };
}

/** Instances that differ, and adoptions, each of which declares something else. */
function unfolded(folded: FoldedChanges): readonly FoldedChanges[] {
  const areAlike = folded.byItem === undefined && folded.first.action !== 'adopt';
  return areAlike ? [folded] : folded.changes.flatMap((change) => foldChanges([change]));
}

function entryOf(folded: FoldedChanges, place: PlanPlace, hasOwners: boolean): ReportEntry {
  const { first, changes } = folded;
  const isOne = changes.length === 1;
  const declared = isOne ? placeOf(first) : filesOf(changes);
  const owners = hasOwners ? [someOf(changeOwners(changes).map(code))] : [];
  return {
    badge: { role: first.action, of: first.action },
    isGrave: isGrave(first),
    cells: [
      isOne ? code(first.address) : countWords(folded),
      isOne ? whatChanges(first, place) : whatAllChange(folded),
      ...owners,
      declared,
    ],
    line: isOne ? lineOfOne(folded, place) : lineOfAll(folded),
    where: joined([declared, ownerWords(changes)]),
    details: {
      title: isOne ? joined([first.action, code(first.address), codeOf(nameOf(first))], ' ') : allWords(folded),
      ...(isStateOnly(first) && first.blocked === undefined
        ? {}
        : { about: isOne ? aboutOne(first, place) : (changedByItem(folded) ?? false) }),
      of: isOne ? detailsOfOne(first, place) : detailsOfAll(folded, place),
    },
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
function whatChanges(change: Change, place: PlanPlace): Words {
  const { kind, diff, blocked, lookedFor } = change;
  const isDifference = bodyOf(change).shows === 'difference';
  const fields = isDifference ? [...new Set(changedLeaves(kind, diff).map(({ segments }) => segments[0] ?? ''))] : [];
  const more = fields.length - mostFields;
  const what = joined([
    fromWords(change),
    reasonOf(change),
    ...fields.slice(0, mostFields).map(code),
    more > 0 && `${more} more`,
    keptNames(change),
    blocked !== undefined && (lookedFor ? 'open' : { role: 'strong', of: 'blocked' }),
  ]);
  return joined([nameInRow(change, place), what], ': ');
}

function whatAllChange(folded: FoldedChanges): Words {
  const { first, changes, byItem } = folded;
  const because = reasonOf(first);
  if (isStateOnly(first))
    return joined([because, someOf(changes.map((each) => code(nameOf(each) ?? each.address)))], ': ');
  if (byItem === undefined) return joined([because, foldedWords(folded), keptNames(first)]);
  const keys = someOf(changes.map(({ address }) => code(itemOf(address) ?? address)));
  return joined([because, [keys, ': ', foldedWords(folded)], keptNames(first)]);
}

/** ``kept: `name`, `subject` ``. The details say with which values. */
function keptNames({ kept = [] }: Change): Words {
  const names = kept.filter((value) => keptWords(value) !== undefined).map(({ field }) => code(field));
  return names.length > 0 && ['kept: ', joined(names)];
}

/** A longer one is only in the details. */
const longestKept = 120;

function keptLine({ kept = [] }: Change): Words {
  const lines = kept.map((value) => {
    const words = keptWords(value) ?? '';
    return words.length <= longestKept ? words : `${value.field}: kept`;
  });
  return joined(lines, '; ');
}

/** As far as a line has room for values. */
function lineOfOne({ first, diff }: FoldedChanges, place: PlanPlace): Words {
  const isDifference = bodyOf(first).shows === 'difference';
  const what = joined([
    fromWords(first),
    first.action === 'adopt' && first.id !== undefined && ['id ', code(first.id)],
    reasonWords(first),
    joined([isDifference && differenceWords(first.kind, diff), keptLine(first)], '; '),
    receiverWords([first]),
  ]);
  return joined([nameInRow(first, place), what], ': ');
}

/** Of what changes in the state alone, the names. */
function lineOfAll(folded: FoldedChanges): Words {
  const { first, changes } = folded;
  const names = isStateOnly(first) ? someOf(changes.map(({ address }) => code(address))) : foldedWords(folded);
  return joined([reasonWords(first), joined([names, keptLine(first), receiverWords(changes)], '; ')], ': ');
}

/** To whom new reports go: `to ana@example.com, bo@example.com and 2 more`. */
function receiverWords(changes: readonly Change[]): Words {
  const declared = changes.filter(({ action }) => action === 'create' || action === 'run');
  const receivers = declared.flatMap(({ kind, after }) => [
    ...recipientsOf(kind, after ?? {}),
    ...groupNamesOf(kind, after ?? {}).map((name) => groupWords(name, undefined)),
    ...placesOf(kind, after ?? {}).map(({ name, recipient = name }) => recipient),
  ]);
  const names = [...new Set(receivers)].map((value) => ({ value }));
  return names.length > 0 && ['to ', someOf(names)];
}

function aboutOne(change: Change, place: PlanPlace): Words {
  return joined([nameInRow(change, place), fromWords(change)]);
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

function fromWords({ previousAddress }: Change): Words {
  return previousAddress !== undefined && ['from ', code(previousAddress)];
}

/** With a link to the dashboard in Omni. */
function linkedName(change: Change, baseUrl: string | null): Words {
  const { name, url } = reportName(change, baseUrl) ?? {};
  if (name === undefined) return false;
  return url === undefined ? code(name) : { link: url, of: code(name) };
}

function nameInRow(change: Change, { baseUrl, medium }: PlanPlace): Words {
  return linkedName(change, medium === 'page' ? null : baseUrl);
}

/** Of what drifted as well: where somebody would write a change down in order to keep it. */
export function placeOf(change: Change): Words {
  return change.file !== undefined && code(fileAndLine(change));
}

function filesOf(changes: readonly Change[]): Words {
  const [first, ...others] = new Set(changes.flatMap(({ file }) => file ?? []));
  return first !== undefined && [code(first), others.length > 0 && ` and ${countOf(others.length, 'more file')}`];
}

function detailsOfOne(change: TimedChange, place: PlanPlace): Doc {
  const because = reasonWords(change);
  const { url } = reportName(change, place.baseUrl) ?? {};
  return [
    ...notices({ first: change, changes: [change] }, place),
    because !== undefined && dim(`Because ${because}.`),
    place.medium === 'page' && url !== undefined && { link: url, of: 'Dashboard in Omni' },
    bodyBlock(place.operations, change),
  ];
}

function detailsOfAll(folded: FoldedChanges, place: PlanPlace): Doc {
  const { first, changes } = folded;
  const because = reasonWords(first);
  // A dash would look like the sign of what goes.
  const names = changes.map((change) => ({ mark: '  ', of: namedWords(folded, change, place) }));
  const isFolded = place.medium === 'terminal' || !isStateOnly(first);
  return [
    ...notices(folded, place),
    because !== undefined && dim(`Each because ${because}.`),
    !isStateOnly(first) && sharedBlock(folded),
    place.medium === 'terminal' && differsInTerminal(folded),
    ...(isFolded ? [{ fold: `Which ${countWords(folded)}`, of: names }] : names),
  ];
}

/** Elsewhere the title of a fold says so, and each name below it what is its own. */
function differsInTerminal(folded: FoldedChanges): Words {
  const { byItem } = folded;
  const differs = byItem !== undefined && changedByItem(folded) === undefined && differsWords(byItem.fields);
  return byItem !== undefined && dim(['(', joined([differs, '-v shows the values'], '; '), ')']);
}

function notices(folded: Pick<FoldedChanges, 'first' | 'changes'>, { operations }: PlanPlace): Doc {
  return foldedNotices(folded, operations).map(({ role, text }) => ({ notice: role, of: text }));
}

/** One of many: its address, and everything that is its own. */
function namedWords(folded: FoldedChanges, change: Change, place: PlanPlace): Words {
  const { address, id = '' } = change;
  const isPlaced = place.medium === 'terminal' || itemOf(address) !== undefined;
  const parts = [
    code(address),
    linkedName(change, place.baseUrl),
    fromWords(change),
    leavesOrphan(change, place.operations) && ['the old one is ', code(id)],
    // Who added an item is what `git blame` says of its line.
    isPlaced && placeOf(change),
  ];
  return joined([joined(parts), place.medium !== 'terminal' && itemWords(folded, change)], ': ');
}
