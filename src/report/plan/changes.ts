// The changes of a plan, for every report, the gravest first. Each has an entry, or shares one with equal changes. Its
// words, its row and its details are written here once, for one change and for many.

import { ownerInMeta } from '../../model/fields/common-fields.ts';
import { deliveredBy } from '../../model/fields/delivery.ts';
import { shapeAt } from '../../model/fields/fields.ts';
import { shownNames } from '../../model/fields/receiver.ts';
import { actions } from '../../model/plan/action.ts';
import { type NameOf, nameIn } from '../../model/plan/names.ts';
import {
  type Change,
  leavesOrphan,
  leftWords,
  type PlanDocument,
  type Reason,
  reasons,
} from '../../model/plan/plan.ts';
import { groupsOf } from '../../model/plan/state.ts';
import type { Groups } from '../../model/plan/user-groups.ts';
import { type Address, deliversDashboard, itemOf, type Kind, kinds } from '../../model/values/address.ts';
import { byCodeUnit, canonicalJson } from '../../model/values/json.ts';
import { pointerSegments } from '../../model/values/pointer.ts';
import { dashboardUrl, scheduleUrl } from '../../model/values/urls.ts';
import { countOf, maxEqual } from '../../model/values/words.ts';
import type { Operations } from '../../model/workspace/config.ts';
import { keptWords } from '../../plan/kept.ts';
import {
  type Block,
  type Column,
  code,
  type Doc,
  dim,
  type Field,
  joined,
  type ReportEntry,
  someOf,
  type Words,
} from '../doc.ts';
import { changedFields, declaredFields } from '../fields/field-list.ts';
import { kindsInReports } from '../listed-facts.ts';
import { fileAndLine } from '../text/words.ts';
import { differenceWords, differsWords, ownWords } from './folds/difference-words.ts';
import { commonOf, type Entry, entryOf, signOf } from './folds/entry.ts';
import { foldChanges, isOfSink, isStateOnly } from './folds/fold-changes.ts';
import { countResources, keysOfCounted } from './plan-counts.ts';
import type { TimedChange, TimedPlan } from './timed-plan.ts';

/** The medium of a report. A terminal has no links, and a click on a page's row unfolds it, so its links are below. */
export type Medium = 'terminal' | 'comment' | 'page';

interface PlanPlace extends Pick<PlanDocument, 'baseUrl' | 'operations'> {
  readonly medium: Medium;
  readonly nameOf: NameOf;
  readonly groups: Groups;
}

/** The owners have a column if any are named. With `showsAll`, differences are not folded. */
export function changeEntries(plan: TimedPlan, medium: Medium, showsAll = false): Block {
  const { changes, baseUrl, operations } = plan;
  const { names } = plan;
  const groups = groupsOf({ resources: {}, names });
  const place: PlanPlace = { baseUrl, operations, medium, nameOf: nameIn(names), groups };
  const entries = foldChanges([...changes].sort((a, b) => gravityOf(a) - gravityOf(b)));
  const hasOwners = changeOwners(changes).length > 0;
  const owner: readonly Column[] = hasOwners ? [{ title: 'owner', isNamed: true }] : [];
  return {
    head: [{ title: '' }, { title: 'resource' }, { title: 'what' }, ...owner, { title: 'declared in' }],
    entries: (showsAll ? entries.flatMap(unfolded) : entries).map((entry) => reportEntry(entry, place, hasOwners)),
  };
}

/** Instances that differ, and adoptions, each of which has another declaration. */
function unfolded(entry: Entry): readonly Entry[] {
  const { changes, byItem } = entry;
  const areAlike = byItem === undefined && changes[0].action !== 'adopt';
  return areAlike ? [entry] : changes.map((change) => entryOf([change]));
}

/** A lower number comes first. */
function gravityOf({ action, blocked }: Change): number {
  return blocked === undefined ? actions[action].gravity : 0;
}

function reportEntry(entry: Entry, place: PlanPlace, hasOwners: boolean): ReportEntry {
  const { changes } = entry;
  const [{ action, blocked, lookedFor, left }] = changes;
  const declared = declaredIn(changes);
  const line = joined([knownAs(entry, place), whatHappens(entry, place)], ': ');
  const isLeft = left !== undefined && ({ role: 'strong', of: 'left' } as const);
  const heldBackWords =
    blocked === undefined ? isLeft : lookedFor ? 'open' : ({ role: 'strong', of: 'blocked' } as const);
  const owners = hasOwners ? [someOf(changeOwners(changes).map(code))] : [];
  return {
    badge: { role: action, of: action },
    // Blocked, or a delete, a replacement or a forget.
    isGrave: gravityOf(changes[0]) <= 3,
    // Where there are rows, the details say why it is blocked.
    cells: [subjectOf(entry), joined([line, heldBackWords]), ...owners, declared],
    line,
    where: joined([declared, ownerWords(changes)]),
    details: detailsOf(entry, place),
  };
}

const subjectOf = ({ changes }: Entry) =>
  countedWords(
    changes[0].kind,
    changes.map(({ address }) => address),
  );

/** An address, or a number: `90 schedules`. */
export function countedWords(kind: Kind, addresses: readonly Address[]): Words {
  const [first = '', ...others] = addresses;
  return others.length === 0 ? code(first) : countResources(kind, addresses);
}

/** Further words beside the subject: the name of the report, or the first keys. */
function knownAs({ changes }: Entry, place: PlanPlace): Words {
  if (changes.length === 1) return linkedName(changes[0], place, place.medium !== 'page');
  return someOf(keysOfCounted(changes.map(({ address }) => address)).map(code));
}

/** Includes as many values as fit on a line. */
function whatHappens(entry: Entry, place: PlanPlace): Words {
  const { changes, same } = entry;
  const [first] = changes;
  const id = first.action === 'adopt' ? commonOf(changes, (change) => change.id) : undefined;
  const said = [
    differenceWords(first.kind, same.diff),
    differsWords(entry),
    keptLine(first),
    receiverWords(changes, place),
  ];
  return joined([
    fromWords(commonOf(changes, ({ previousAddress }) => previousAddress)),
    id !== undefined && ['id ', code(id)],
    reasonWords(first, changes.length === 1),
    joined(said, '; '),
  ]);
}

/** A longer value is only in the details. */
const maxKeptLength = 120;

function keptLine({ kept = [] }: Change): Words {
  const lines = kept.map((value) => {
    const words = keptWords(value) ?? '';
    return words.length <= maxKeptLength ? words : `${value.field}: kept`;
  });
  return joined(lines, '; ');
}

/** The receivers of new reports: `to ana@example.com, bo@example.com and 2 more`. */
function receiverWords(changes: readonly Change[], { groups }: PlanPlace): Words {
  const declared = changes.filter(({ action }) => action === 'create' || action === 'run');
  const receivers = declared.flatMap((change) => {
    const { to = [], inExtra = [] } = deliveredBy(change, groups).after ?? {};
    return [...to, ...inExtra].flatMap(shownNames);
  });
  const names = [...new Set(receivers)].map((value) => ({ value }));
  return names.length > 0 && ['to ', someOf(names)];
}

function fromWords(previousAddress: Address | undefined): Words {
  return previousAddress !== undefined && ['from ', code(previousAddress)];
}

/** The name that people know, new or former, with a link to its page in Omni. False for an AI job. */
function linkedName(change: Change, { baseUrl, nameOf }: PlanPlace, isLinked = true): Words {
  const identifier = textField(change, 'identifier');
  const name = textField(change, 'name') ?? (identifier && withName(identifier, nameOf));
  if (name === undefined) return false;
  const url = isLinked ? pageOf(change, baseUrl)?.url : undefined;
  return url === undefined ? code(name) : { link: url, of: code(name) };
}

/** An existing schedule has its own page, others that of their dashboard. */
export function pageOf(
  change: Change,
  baseUrl: string | null,
): { readonly of: string; readonly url: string } | undefined {
  const { kind, id, reason, before, after } = change;
  const isThere = deliversDashboard(kind) && id !== undefined;
  // Until it is applied, a schedule is on its previous dashboard, or on the one that a look has found.
  const isAsBefore = isThere && reason !== 'refreshed';
  const identifier = textField(isAsBefore ? { before: after, after: before } : change, 'identifier');
  if (identifier === undefined) return undefined;
  const url = isThere ? scheduleUrl(baseUrl, identifier, id) : dashboardUrl(baseUrl, identifier);
  return url === undefined ? undefined : { url, of: isThere ? 'Schedule in Omni' : 'Dashboard in Omni' };
}

function textField({ before, after }: Pick<Change, 'before' | 'after'>, field: string): string | undefined {
  const value = after?.[field] ?? before?.[field];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The place of all of them, or their files. For drift, this is where somebody would write a change down to keep it. */
export function declaredIn(changes: readonly Change[]): Words {
  const places = new Set(changes.flatMap((change) => (change.file === undefined ? [] : fileAndLine(change))));
  const [first, ...others] = places.size === 1 ? places : new Set(changes.flatMap(({ file }) => file ?? []));
  return first !== undefined && [code(first), others.length > 0 && ` and ${countOf(others.length, 'more file')}`];
}

/** The before and after of one change, or the shared differences of many and those of each. */
function detailsOf(entry: Entry, place: PlanPlace): NonNullable<ReportEntry['details']> {
  const { changes } = entry;
  const [first, ...others] = changes;
  const isOne = others.length === 0;
  const because = reasonWords(first, isOne);
  const known = knownAs(entry, place);
  const isSaidByLine = isStateOnly(first) && first.blocked === undefined;
  return {
    title: joined([first.action, subjectOf(entry), known], ' '),
    about: isSaidByLine ? undefined : isOne && joined([known, fromWords(first.previousAddress)]),
    of: [
      ...noticesOf(entry, place.operations),
      because !== undefined && dim(`${isOne ? 'Because' : 'Each because'} ${because}.`),
      ...(isOne ? treeOf(entry, place) : sharedDoc(entry, place)),
    ],
  };
}

function treeOf(entry: Entry, place: PlanPlace): Doc {
  const { medium, baseUrl, operations } = place;
  const [change] = entry.changes;
  const page = pageOf(change, baseUrl);
  return [
    medium === 'page' && page !== undefined && { link: page.url, of: page.of },
    {
      // Computed only for printing: hundreds of new schedules may go to thousands of people each.
      get fields() {
        return fieldsOf(entry, place, leavesOrphan(change, operations) ? undefined : change.id);
      },
      hidden: hiddenCount(entry),
    },
  ];
}

/** `(7 unchanged fields hidden)`; undefined if the whole resource is created, deleted or adopted. */
function hiddenCount({ changes: [change], same: { attributes, diff } }: Entry): string | undefined {
  const { action, before, after } = change;
  const shown = new Set([...Object.keys(attributes), ...diff.map(({ path }) => pointerSegments(path)[0])]);
  const hidden = Object.keys({ ...before, ...after }).filter((name) => !shown.has(name)).length;
  if (hidden === 0 || action === 'adopt' || signOf(change) !== ' ') return undefined;
  return `(${countOf(hidden, action === 'forget' ? 'field' : 'unchanged field')} hidden)`;
}

function fieldsOf({ changes: [change], same }: Entry, { nameOf }: PlanPlace, id?: string): readonly Field[] {
  const { kind } = change;
  const { attributes, diff, timings } = same;
  const sign = signOf(change);
  // A deleted resource has run; a new or kept one will run.
  const timing = sign === '-' ? timings.before : timings.after;
  return [
    ...declaredFields({ kind, id, attributes, sign, timing, nameOf }),
    ...changedFields({ kind, diff, timings, nameOf }),
  ];
}

function sharedDoc(entry: Entry, place: PlanPlace): Doc {
  const { changes, byItem } = entry;
  const fields = fieldsOf(entry, place);
  const replaced = replacedWords(changes);
  // Elsewhere each name is followed by its own differences.
  const differs = place.medium === 'terminal' && byItem !== undefined;
  return [
    fields.length > 0 && { fields },
    replaced !== undefined && { notice: 'note', of: replaced },
    differs && dim(['(', joined([differsWords(entry), '-v shows the values'], '; '), ')']),
    {
      fold: ['Which ', subjectOf(entry)],
      // A dash would look like the sign of a removal.
      of: changes.map((change, index) => ({
        mark: '  ',
        // Computed only for printing: there may be thousands of them, of which a terminal shows the first few.
        get of() {
          return namedWords(entry, change, place, index);
        },
      })),
    },
  ];
}

/** One of many: its address, and all its own differences; in a terminal only for the first few, if they differ. */
function namedWords(entry: Entry, change: TimedChange, place: PlanPlace, index: number): Words {
  const { address, previousAddress, id = '' } = change;
  const isPlaced = place.medium === 'terminal' || itemOf(address) !== undefined;
  const parts = [
    code(address),
    linkedName(change, place),
    fromWords(previousAddress),
    leavesOrphan(change, place.operations) && ['the old id is ', code(id)],
    // `git blame` of its line tells who added an item.
    isPlaced && declaredIn([change]),
  ];
  const isInTerminal = place.medium === 'terminal';
  const isExample = isInTerminal && entry.byItem !== undefined && index < maxEqual;
  return joined([joined(parts), (isExample || !isInTerminal) && ownWords(entry, change, isInTerminal)], ': ');
}

/** The facts to know before agreeing: why it cannot be applied, and what it leaves behind or does not touch. */
function noticesOf({ changes }: Entry, operations: Operations): Doc {
  const [first] = changes;
  const { blocked, lookedFor, left, takes, kept = [] } = first;
  const owner = commonOf(changes, ({ ownedBy }) => ownedBy);
  const each = changes.length === 1 ? '' : 'For each: ';
  const note = (text: string | undefined) => text !== undefined && { notice: 'note' as const, of: each + text };
  return [
    blocked !== undefined &&
      (lookedFor ? { notice: 'warning', of: `Open: ${blocked}` } : { notice: 'error', of: `Blocked: ${blocked}` }),
    left !== undefined && { notice: 'warning', of: leftWords({ left, takes }) },
    leavesOrphan(first, operations)
      ? { notice: 'warning', of: each + orphanWords(changes) }
      : note(remainderWords(first)),
    ...kept.map((value) => note(keptWords(value))),
    owner !== undefined && note(`the current owner is ${owner}`),
  ];
}

function orphanWords(changes: Entry['changes']): string {
  const [{ action, reason, kind }] = changes;
  const id = commonOf(changes, (change) => change.id);
  const why = reason === 'cannot-update' ? 'Operations core cannot update a schedule, so a new one is created. ' : '';
  const which = action === 'replace' ? 'The old' : 'The';
  return `${why}${which} ${kinds[kind].words} keeps running in Omni${id === undefined ? '' : ` (${id})`} as an orphan.`;
}

function remainderWords(change: Change): string | undefined {
  const { action, reason, kind } = change;
  if (action === 'replace') return 'the new one is created before the old one is deleted';
  if (action === 'forget' && reason === 'missing') return 'it is gone from Omni, so Almanac no longer tracks it';
  return kindsInReports[kind].remainderWords(change);
}

/** `412 recipients are replaced` by a sink; undefined for other changes. */
function replacedWords(changes: Entry['changes']): string | undefined {
  if (!isOfSink(changes[0])) return undefined;
  const replaced = new Set(
    changes.flatMap(({ address, kind, diff }) =>
      diff
        // A choice, such as that of channels, names nobody.
        .filter(({ op, path }) => op !== 'add' && shapeAt(kind, path)?.type !== 'choice')
        .map(({ before, sensitive }) => canonicalJson(sensitive ? [address] : (before ?? null))),
    ),
  );
  if (replaced.size === 0) return 'Their recipients were never sent to Omni';
  return `${countOf(replaced.size, 'recipient')} ${replaced.size === 1 ? 'is' : 'are'} replaced`;
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
function reasonWords({ reason, leftOut }: Change, isOne: boolean): string | undefined {
  if (leftOut !== undefined) return `only or except of its loop leaves out its row${isOne ? `: ${leftOut}` : ''}`;
  return obviousReasons.has(reason) ? undefined : reasons[reason];
}

/** The owners of a change, as `meta.owner` names them: the same people in every report. */
type OwnedChange = Pick<Change, 'before' | 'after'>;

/** The owners of most changes first. Taking a resource over, or removing it, does not hide its previous owner. */
function changeOwners(changes: readonly OwnedChange[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { before, after } of changes) {
    const owners = new Set([ownerInMeta(after ?? {}), ownerInMeta(before ?? {})]);
    for (const owner of owners) if (owner !== undefined) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  }
  return [...counts].sort(([a, m], [b, n]) => n - m || byCodeUnit(a, b)).map(([owner]) => owner);
}

/** `owners @acme/finance, @acme/sales`; empty if nobody is named. As code: a mention would send everybody a message. */
export function ownerWords(changes: readonly OwnedChange[]): Words {
  const owners = changeOwners(changes);
  return owners.length > 0 && [owners.length === 1 ? 'owner ' : 'owners ', someOf(owners.map(code))];
}

/** `12db1a0a (Sales overview)`. */
function withName(id: string, nameOf: NameOf): string {
  const name = nameOf(id);
  return name === undefined ? id : `${id} (${name})`;
}
