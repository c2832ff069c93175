// The changes of a plan for a comment or a page: a row for each, or for many equal ones, and the rest behind a fold.

import { ownerInMeta } from '../../model/fields/common-fields.ts';
import { actions } from '../../model/plan/action.ts';
import {
  bodyOf,
  type Change,
  type FieldDiff,
  leavesOrphan,
  nameOf,
  type PlanDocument,
  type Reason,
  reasons,
  reportName,
} from '../../model/plan/plan.ts';
import { itemOf } from '../../model/values/address.ts';
import { byCodeUnit } from '../../model/values/json.ts';
import { pointerSegments } from '../../model/values/pointer.ts';
import { countOf } from '../../model/values/words.ts';
import type { Operations } from '../../model/workspace/config.ts';
import { type Block, type Column, code, type Doc, dim, type Entry, item, joined, someOf, type Words } from '../doc.ts';
import { changedLeaves } from '../fields/field-paths.ts';
import type { CronWords } from '../text/cron-text.ts';
import { countResources, fileAndLine } from '../text/words.ts';
import { bodyBlocks, sharedBlocks } from './change-report.ts';
import { foldedWords, itemWords } from './folds/difference-words.ts';
import { type FoldedChanges, foldChanges, isAsDeclared, isStateOnly, replacedWords } from './folds/fold-changes.ts';

/** Where a plan would be applied. */
interface Place extends Pick<PlanDocument, 'baseUrl' | 'operations'> {
  readonly cron: CronWords;
  readonly isPage: boolean;
}

/**
 * The gravest first. The owners have a column where any are named. `isPage`: the rows name times in words, because the
 * expressions are shown below them, and have no links, so these are there as well.
 */
export function changeEntries(plan: PlanDocument, cron: CronWords, isPage = false): Block {
  const changes = foldChanges([...plan.changes].sort((a, b) => gravityOf(a) - gravityOf(b)));
  const hasOwners = changeOwners(plan.changes).length > 0;
  const owner: readonly Column[] = hasOwners ? [{ title: 'owner', isNamed: true }] : [];
  const head = [{ title: '' }, { title: 'resource' }, { title: 'what' }, ...owner, { title: 'declared in' }];
  const entries = changes.map((folded) => entryOf(folded, { ...plan, cron, isPage }, hasOwners));
  return entries.length > 0 && { head, entries };
}

function entryOf(folded: FoldedChanges, place: Place, hasOwners: boolean): Entry {
  const { first, changes } = folded;
  const isOne = changes.length === 1;
  const owners = hasOwners ? [someOf(changeOwners(changes).map(code))] : [];
  const name = isOne ? code(first.address) : countWords(folded);
  const what = isOne
    ? whatChanges(first, place)
    : whatAllChange(place.isPage ? { ...folded, diff: timesInWords(folded, place.cron) } : folded);
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
function whatChanges(change: Change, { baseUrl }: Place): Words {
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
  return joined([linkedName(change, baseUrl), what], ': ');
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

function timesInWords({ first, diff }: FoldedChanges, cron: CronWords): readonly FieldDiff[] {
  return diff.map((field) => {
    const { path, sensitive, before, after } = field;
    const isTime = first.kind === 'schedule' && path === '/schedule' && !sensitive;
    if (!isTime || typeof before !== 'string' || typeof after !== 'string') return field;
    return { ...field, before: cron.words(before), after: cron.words(after) };
  });
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
    ...(isStateOnly(first)
      ? names
      : [...sharedBlocks(place, folded), { fold: `Which ${countWords(folded)}`, of: names }]),
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

// How grave a change is, for the order of a report's rows.

/** Blocked, or a delete, a replacement or a forget: a report shows it in bold and unfolded. */
function isGrave(change: Change): boolean {
  return gravityOf(change) <= 3;
}

/** A lower number comes first. */
function gravityOf({ action, blocked }: Change): number {
  return blocked === undefined ? actions[action].gravity : 0;
}

/**
 * What to know about a change before agreeing to it: why it cannot be applied, what it leaves behind, what it does not
 * touch. The same words in every report.
 */
export interface ChangeNotice {
  readonly role: 'error' | 'warning' | 'note';
  readonly text: string;
}

function changeNotices(change: Change, operations: Operations): readonly ChangeNotice[] {
  const left = leftBehind(change, operations);
  return [...blockedNotice(change), ...(left === undefined ? [] : [left]), ...ownedNotice([change])];
}

/** The same of equal changes, none of which is blocked. */
export function foldedNotices({ first, changes }: FoldedChanges, operations: Operations): readonly ChangeNotice[] {
  if (changes.length === 1) return changeNotices(first, operations);
  const replaced = replacedWords(changes);
  if (replaced !== undefined) return [{ role: 'note', text: replaced }];
  if (leavesOrphan(first, operations)) {
    const why = first.reason === 'cannot-update' ? `${cannotUpdate}, so new ones are created. ` : '';
    const old = first.action === 'replace' ? 'The old ones' : 'They';
    return [{ role: 'warning', text: `${why}${old} keep running and become orphans.` }];
  }
  const { ownedBy: _, ...rest } = first;
  const same = changeNotices(rest, operations).map(
    ({ role, text }): ChangeNotice => ({ role, text: `for each: ${text}` }),
  );
  return [...same, ...ownedNotice(changes)];
}

/** From whom it is taken, if that is one person. */
function ownedNotice(changes: readonly Change[]): readonly ChangeNotice[] {
  const names = new Set(changes.map(({ ownedBy }) => ownedBy));
  const [name] = names;
  if (name === undefined || names.size > 1) return [];
  return [{ role: 'note', text: `${changes.length === 1 ? 'it belongs' : 'they belong'} to ${name} now` }];
}

const cannotUpdate = 'Operations core cannot update a schedule';

function blockedNotice({ blocked, lookedFor }: Change): readonly ChangeNotice[] {
  if (blocked === undefined) return [];
  return [lookedFor ? { role: 'warning', text: `Open: ${blocked}` } : { role: 'error', text: `Blocked: ${blocked}` }];
}

function leftBehind(change: Change, operations: Operations): ChangeNotice | undefined {
  const { action, reason, kind, id = '', diff } = change;
  const note = (text: string) => ({ role: 'note', text }) as const;
  if (leavesOrphan(change, operations)) {
    const why = reason === 'cannot-update' ? `${cannotUpdate}, so a new one is created. ` : '';
    const old = action === 'replace' ? 'The old one' : 'It';
    return { role: 'warning', text: `${why}${old} keeps running as ${id} and becomes an orphan.` };
  }
  if (action === 'replace') return note('the new one is created before the old one is deleted');
  if (action === 'forget' && reason === 'missing') return note('it is gone, so it is no longer tracked');
  if (action === 'forget' && kind === 'dashboard') return note('the dashboard stays as it is');
  if (kind === 'dashboard' && action === 'update' && diff.some(isLeftAsIs))
    return note('what is no longer declared stays as it is on the dashboard');
  if (action === 'forget' && kind === 'schedule' && id !== '') return note('it keeps running in Omni, untracked');
  return undefined;
}

/** An entry of a dashboard, or a key of one: a partial update cannot remove it. */
function isLeftAsIs({ op, path }: FieldDiff): boolean {
  const [field, ...below] = pointerSegments(path);
  return op === 'remove' && (field === 'filters' || field === 'controls') && below.length <= 2;
}

// The action says as much, or a notice explains it at more length.
const obviousReasons: ReadonlySet<Reason> = new Set([
  'not-in-state',
  'changed',
  'cannot-update',
  'adopt-entry',
  'moved-entry',
  'new-content',
]);

/** `it is no longer declared`; undefined if the action says as much. */
export function reasonWords({ reason }: Change): string | undefined {
  return obviousReasons.has(reason) ? undefined : reasons[reason];
}

/** Who answers for what changes, as `meta.owner` names them: the same people in every report. */
type Owned = Pick<Change, 'before' | 'after'>;

/** Those of most changes first. Whoever takes something over, or removes it, does not hide whose it was. */
function changeOwners(changes: readonly Owned[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { before, after } of changes) {
    const owners = new Set([ownerInMeta(after ?? {}), ownerInMeta(before ?? {})]);
    for (const owner of owners) if (owner !== undefined) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  }
  return [...counts].sort(([a, m], [b, n]) => n - m || byCodeUnit(a, b)).map(([owner]) => owner);
}

/** `owners @acme/finance, @acme/sales`; empty where nobody is named. As code: a mention would send everybody a message. */
export function ownerWords(changes: readonly Owned[]): Words {
  const owners = changeOwners(changes);
  return owners.length > 0 && [owners.length === 1 ? 'owner ' : 'owners ', someOf(owners.map(code))];
}
