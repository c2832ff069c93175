// The changes of a plan for a terminal, block by block: a change alone, what many have in common with the names of
// three, and lists with a line for each where a line says enough. With -v every name is listed.

import { type Action, actions } from '../../model/plan/action.ts';
import { leavesOrphan } from '../../model/plan/plan.ts';
import { kindWords } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/group-by.ts';
import { pointerSegments } from '../../model/values/pointer.ts';
import { countOf, moreWords, mostEqual, mostSingle } from '../../model/values/words.ts';
import type { Operations } from '../../model/workspace/config.ts';
import { type Block, type Doc, dim, firstFew, indented, isEmpty, part, remark, strong, type Words } from '../doc.ts';
import { changedFields, declaredFields, timingComments } from '../fields/field-list.ts';
import { changedLeaves, labelOf } from '../fields/field-paths.ts';
import { countResources } from '../text/count-resources.ts';
import { fileAndLine } from '../text/file-and-line.ts';
import type { Page } from '../text/theme.ts';
import { quoteText } from '../text/visible-values.ts';
import { bodyOf } from './change-body.ts';
import { type ChangeNotice, foldedNotices, ownerWords, reasonWords } from './change-notices.ts';
import { changedByItem, wholeDifference } from './folds/difference-words.ts';
import { type FoldedChanges, foldChanges, isAsDeclared, isStateOnly } from './folds/fold-changes.ts';
import type { TimedChange } from './timed-plan.ts';

export interface ChangePage extends Page {
  readonly operations: Operations;
}

/** Symbols end in one column, so that what follows them is aligned. */
export function symbolOf(action: Action): string {
  return actions[action].symbol.padStart(3);
}

/** In the order in which each first appears. */
export function changeDoc(changes: readonly TimedChange[], page: ChangePage): Doc {
  const entries = foldChanges(changes).flatMap((folded) => (page.showsAll ? eachOf(folded) : [folded]));
  const alone = entries.flatMap((folded) => (folded.changes.length === 1 ? [folded.first] : []));
  const lists = listsOf(page, alone);
  return entries.flatMap((folded): Doc => {
    const { first } = folded;
    const list = lists.get(listKey(first));
    if (folded.changes.length > 1) return [part(...foldedBlock(page, folded))];
    if (isAsDeclared(first) && first.blocked === undefined) return [part(...countBlock(folded))];
    if (list === undefined || first.blocked !== undefined) return [part(...oneBlock(page, folded))];
    return list[0] === first ? [part(...listBlock(page, list))] : [];
  });
}

/** What differs by item is shown only where each instance is. */
function eachOf(folded: FoldedChanges): readonly FoldedChanges[] {
  return folded.byItem === undefined ? [folded] : folded.changes.flatMap((change) => foldChanges([change]));
}

function oneBlock(page: ChangePage, folded: FoldedChanges): Doc {
  const { first } = folded;
  const { action, kind, address, previousAddress } = first;
  const place = fileAndLine(first);
  const moved = action !== 'move' && previousAddress !== undefined && `(moved from ${previousAddress})`;
  // What comes or goes as a whole shows its owner among its fields.
  const owners = bodyOf(first).shows !== 'declaration' && ownerWords([first]);
  return [
    indented(
      2,
      remark([strong(headOfOne(first)), place !== '' && dim(` (${place})`)]),
      moved && remark(dim(moved)),
      ...becauseBlocks([first]),
      !isEmpty(owners) && remark(dim(['(', owners, ')'])),
      ...foldedNotices(folded, page.operations).map(noticeBlock),
    ),
    [symbolWords(action), ` ${kindWords[kind]} ${address.slice(address.indexOf('.') + 1)}`],
    ...bodyBlocks(page, first),
  ];
}

export function symbolWords(action: Action): Words {
  return { role: action, of: symbolOf(action) };
}

function headOfOne({ action, reason, kind, address, previousAddress }: TimedChange): string {
  if (action === 'move') return `${previousAddress ?? 'a resource'} has moved to ${address}`;
  if (reason === 'replaced') return `What ${address} replaced ${actions[action].words}`;
  // It exists in Omni: what is new is that Almanac sets its filters.
  if (action === 'create' && kind === 'dashboard') return `${address} will be set`;
  return `${address} ${wordsOf(action, reason)}`;
}

function wordsOf(action: Action, reason: TimedChange['reason']): string {
  return reason === 'refreshed' || reason === 'as-declared' ? 'will be updated in the state' : actions[action].words;
}

function noticeBlock({ role, text }: ChangeNotice): Block {
  return role === 'note' ? remark(dim(`(${text})`)) : { mark: { role, of: '! ' }, of: { role, of: text } };
}

function becauseBlocks([first, ...others]: readonly TimedChange[]): Doc {
  const because = first && reasonWords(first);
  return [because !== undefined && remark(dim(`(${others.length === 0 ? '' : 'each '}because ${because})`))];
}

/** The fields that come, go, stay or change. */
export function bodyBlocks({ operations }: Pick<ChangePage, 'operations'>, change: TimedChange): Doc {
  const { kind, before, after, timings } = change;
  const about = { kind, id: leavesOrphan(change, operations) ? undefined : change.id };
  const body = bodyOf(change);
  switch (body.shows) {
    case 'declaration':
      return [
        { fields: declaredFields({ ...about, ...body, timing: timings?.[body.sign === '-' ? 'before' : 'after'] }) },
      ];
    case 'difference':
      return [
        { fields: changedFields({ ...about, ...body, before, after, timings }), hidden: hiddenCount(change, []) },
      ];
    case 'names':
      return [
        {
          fields: declaredFields({ ...about, ...body, sign: ' ' }),
          hidden: hiddenCount(change, Object.keys(body.attributes)),
        },
      ];
  }
}

/** `(7 unchanged fields hidden)`. */
function hiddenCount({ action, before, after, diff }: TimedChange, shown: readonly string[]): string | undefined {
  const touched = new Set([...shown, ...diff.map(({ path }) => pointerSegments(path)[0])]);
  const hidden = Object.keys({ ...before, ...after }).filter((name) => !touched.has(name)).length;
  const noun = action === 'forget' ? 'field' : 'unchanged field';
  return hidden === 0 ? undefined : `(${countOf(hidden, noun)} hidden)`;
}

/** Equal changes without their names: what all have, or how all change. */
export function sharedBlocks(folded: FoldedChanges): Doc {
  const { first, byItem, diff, timings } = folded;
  const { kind } = first;
  const body = bodyOf(first);
  const sign = body.shows === 'declaration' ? body.sign : ' ';
  const shared = byItem?.attributes;
  return [
    {
      fields: [
        ...(shared === undefined
          ? []
          : declaredFields({ kind, attributes: shared, sign, timing: timings[sign === '-' ? 'before' : 'after'] })),
        ...(changedByItem(folded) === undefined
          ? changedFields({ kind, diff, before: null, after: null, timings })
          : []),
      ],
    },
  ];
}

function foldedBlock(page: ChangePage, folded: FoldedChanges): Doc {
  const { first, changes } = folded;
  if (isStateOnly(first)) return page.showsAll ? listBlock(page, changes) : countBlock(folded);
  const said = folded.byItem === undefined ? wholeDifference(first.kind, folded.diff) : undefined;
  const head =
    said !== undefined && (first.reason === 'refreshed' || first.action !== 'update')
      ? headOfAll(folded)
      : countChanges(folded);
  const details =
    said === undefined
      ? [headBlock(headOfAll(folded), folded, page), ...sharedBlocks(folded), ...byItemBlocks(page, folded)]
      : [headBlock([head, ': ', said], folded, page, timingsOf(folded))];
  const names = firstFew(
    changes,
    (change) => lineOf(page, change),
    { ...page, most: mostEqual },
    (more) => indented(4, dim(more)),
  );
  return [...details, ...names];
}

function headBlock(words: Words, folded: FoldedChanges, page: ChangePage, timings: readonly string[] = []): Block {
  const owners = ownerWords(folded.changes);
  const notices = isStateOnly(folded.first) ? [] : foldedNotices(folded, page.operations);
  return indented(
    2,
    remark(strong(words)),
    ...becauseBlocks(folded.changes),
    !isEmpty(owners) && remark(dim(['(', owners, ')'])),
    ...timings.map((text) => remark(dim(text))),
    ...notices.map(noticeBlock),
  );
}

/** `# differs by item: name, schedule, recipients`, unless the head names them already; and how to see what they are. */
function byItemBlocks({ showsAll }: Page, folded: FoldedChanges): Doc {
  const { fields = [], attributes } = folded.byItem ?? {};
  if (fields.length === 0 && (folded.byItem === undefined || attributes !== undefined)) return [];
  const more = showsAll ? '' : '(-v shows the values)';
  if (changedByItem(folded) !== undefined) return [more !== '' && indented(2, remark(dim(more)))];
  const differs = fields.length > 0 ? `differs by item: ${fields.join(', ')} ` : '';
  return [indented(6, remark(dim(`${differs}${more}`.trimEnd())))];
}

/** `300 schedules will be adopted: schedules.a, schedules.b, schedules.c and 297 more (-v lists all)`. */
function countBlock(folded: FoldedChanges): Doc {
  const { first, changes } = folded;
  const names = changes.slice(0, mostEqual).map(({ address }) => address);
  const more = changes.length === names.length ? '' : ` ${moreWords(changes.length - names.length)}`;
  const words = [headOfAll(folded), `: ${names.join(', ')}${more}`];
  return [{ mark: [symbolWords(first.action), ' '], of: words }, indented(2, ...becauseBlocks(changes))];
}

function countChanges({ first, changes }: Pick<FoldedChanges, 'first' | 'changes'>): string {
  return countResources(
    first.kind,
    changes.map(({ address }) => address),
  );
}

function headOfAll(folded: FoldedChanges): Words {
  const { action, reason } = folded.first;
  const count = countChanges(folded);
  const changed = changedByItem(folded);
  const words = action === 'move' ? 'have moved' : wordsOf(action, reason);
  if (changed === undefined) return `${count} ${words}`;
  return action === 'update' && reason !== 'refreshed'
    ? [changed, ` in ${count}`]
    : [`${count} ${words}: `, changed, ' in each'];
}

/** When they ran and will run, where the head says that it changes. */
function timingsOf(folded: FoldedChanges): readonly string[] {
  return changedLeaves(folded.first.kind, folded.diff).flatMap(({ segments }) =>
    timingComments(folded, labelOf(segments)),
  );
}

/** What is shown with a line for each, by key: moves and adoptions, and many deletes or forgets. */
function listsOf(page: ChangePage, changes: readonly TimedChange[]): ReadonlyMap<string, readonly TimedChange[]> {
  const listed = changes.filter((change) => change.blocked === undefined && (isStateOnly(change) || isLost(change)));
  const lists = groupBy(listed, listKey);
  // Of few, and with -v of all, everything that is lost is shown.
  return new Map(
    [...lists].filter(([, list]) => !list.some(isLost) || (list.length > mostSingle && page.showsAll !== true)),
  );
}

function isLost({ action }: TimedChange): boolean {
  return action === 'delete' || action === 'forget';
}

function listKey({ action, kind, reason }: TimedChange): string {
  return `${action} ${kind} ${reason}`;
}

function listBlock(page: ChangePage, changes: readonly TimedChange[]): Doc {
  const [first] = changes;
  if (first === undefined) return [];
  const lines = changes.flatMap((change) => [lineOf(page, change), ...adopted(page, change)]);
  if (isStateOnly(first) && changes.length <= mostSingle) return [...lines, indented(2, ...becauseBlocks(changes))];
  const folded: FoldedChanges = { first, changes, diff: [], timings: {} };
  return [headBlock(headOfAll(folded), folded, page), ...lines];
}

/** With -v what it declares: the next plan compares with that. */
function adopted({ showsAll }: ChangePage, { action, kind, after, timings }: TimedChange): Doc {
  if (!showsAll || action !== 'adopt') return [];
  return [{ fields: declaredFields({ kind, attributes: after ?? {}, sign: ' ', timing: timings?.after }) }];
}

/** `  ~ schedules.weekly-sales (schedules/sales.yaml:11)`. */
function lineOf({ operations }: ChangePage, change: TimedChange): Block {
  const { action, address, previousAddress = 'a resource', id = 'what exists', before } = change;
  const called = before?.['name'];
  const words =
    action === 'move'
      ? `${address} moves from ${previousAddress}`
      : action === 'adopt'
        ? `${address} adopts ${id}`
        : [
            address,
            isLost(change) && typeof called === 'string' && ` ${quoteText(called)}`,
            change.previousAddress !== undefined && ` (moved from ${previousAddress})`,
            leavesOrphan(change, operations) && change.id !== undefined && ` (${id} keeps running)`,
          ];
  // The head of the list names the owners of what changes in Omni; these have none.
  return { mark: [symbolWords(action), ' '], of: [words, placeWords(change, action === 'move' || action === 'adopt')] };
}

/** Behind an address: where somebody would write down a change in order to keep it, and who answers for it. */
export function placeWords(change: Pick<TimedChange, 'file' | 'line' | 'before' | 'after'>, namesOwner = true): Words {
  const owners = namesOwner && ownerWords([change]);
  const place = fileAndLine(change);
  if (place === '' && isEmpty(owners)) return false;
  return [' (', place, place !== '' && !isEmpty(owners) && ', ', owners, ')'];
}
