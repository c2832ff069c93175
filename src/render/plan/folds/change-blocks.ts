// The changes of a plan for a terminal, block by block: a change alone, what many have in common with the names of
// three, and lists with a line for each where a line says enough. With -v every name is listed.

import { actions } from '../../../model/plan/action.ts';
import { bodyOf } from '../../../model/plan/change-body.ts';
import { type Change, leavesOrphan } from '../../../model/plan/plan.ts';
import { groupBy } from '../../../model/values/group-by.ts';
import { countResources } from '../../fields/count-resources.ts';
import { declaredLines } from '../../fields/declared-text.ts';
import { fieldDiffLines, timingComments } from '../../fields/field-diff-text.ts';
import { changedLeaves, labelOf } from '../../fields/field-paths.ts';
import { commentLines, fieldColumn, hangingLines, type Page } from '../../text/field-lines.ts';
import { moreWords, mostEqual, mostSingle } from '../../text/more-words.ts';
import { safeText } from '../../text/terminal-text.ts';
import { quoteText } from '../../text/visible-text.ts';
import { symbolOf } from '../action-symbols.ts';
import { foldedNotices, reasonWords } from '../change-notices.ts';
import { declaredWords } from '../drift-text.ts';
import { type ChangePage, changeLines, headColumn, inTheState, noticeLines, ownerLines } from '../plan-change-text.ts';
import { changedByItem, textOfSpans, wholeDifference } from './difference-words.ts';
import { type FoldedChanges, foldChanges, isAsDeclared, isStateOnly } from './fold-changes.ts';
import { nameLine, nameLines } from './name-lines.ts';

type Block = readonly string[];

/** In the order in which each first appears. */
export function changeBlocks(page: ChangePage, changes: readonly Change[]): readonly Block[] {
  const entries = foldChanges(changes).flatMap((folded) => (page.showsAll ? eachOf(folded) : [folded]));
  const alone = entries.flatMap((folded) => (folded.changes.length === 1 ? [folded.first] : []));
  const lists = listsOf(page, alone);
  return entries.flatMap((folded): readonly Block[] => {
    const { first } = folded;
    const list = lists.get(listKey(first));
    if (folded.changes.length > 1) return [foldedBlock(page, folded)];
    if (isAsDeclared(first) && first.blocked === undefined) return [countLines(page, folded)];
    if (list === undefined || first.blocked !== undefined) return [changeLines(page, first)];
    return list[0] === first ? [listBlock(page, list)] : [];
  });
}

/** Equal changes without their names: a head, what to know, and the fields. */
export function commonLines(page: ChangePage, folded: FoldedChanges): Block {
  const { kind } = folded.first;
  return [
    ...headLines(page, folded.changes, headWords(folded)),
    ...noticeLines(page, foldedNotices(folded, page.operations)),
    ...sharedLines(page, folded),
    ...fieldDiffLines(page, { ...folded, kind, cron: page.cron }),
    ...byItemLines(page, folded),
  ];
}

/** What differs by item is shown only where each instance is. */
function eachOf(folded: FoldedChanges): readonly FoldedChanges[] {
  return folded.byItem === undefined ? [folded] : folded.changes.flatMap((change) => foldChanges([change]));
}

/** What all instances of a loop declare, as they come or go. */
function sharedLines(page: ChangePage, { first, byItem }: FoldedChanges): Block {
  const body = bodyOf(first);
  const { kind } = first;
  if (byItem?.attributes === undefined) return [];
  const sign = body.shows === 'declaration' ? body.sign : ' ';
  return declaredLines(page, { kind, attributes: byItem.attributes, sign, cron: page.cron });
}

/** `# differs by item: name, schedule, recipients`, unless the head names them already; and how to see what they are. */
function byItemLines(page: ChangePage, folded: FoldedChanges): Block {
  const fields = folded.byItem?.fields ?? [];
  if (fields.length === 0) return [];
  const more = page.showsAll ? '' : '(-v shows the values)';
  if (changedByItem(folded) !== undefined) return more === '' ? [] : commentLines(page, more, headColumn);
  return commentLines(page, `differs by item: ${fields.join(', ')} ${more}`.trimEnd(), fieldColumn);
}

function foldedBlock(page: ChangePage, folded: FoldedChanges): Block {
  const { first, changes } = folded;
  if (isStateOnly(first)) return page.showsAll ? listBlock(page, changes) : countLines(page, folded);
  const names = nameLines(page, changes, (change) => lineOf(page, change));
  const said = folded.byItem === undefined ? wholeDifference(first.kind, folded.diff) : undefined;
  if (said === undefined) return [...commonLines(page, folded), ...names];
  const count = countChanges(folded);
  const head = first.reason === 'refreshed' || first.action !== 'update' ? headWords(folded) : count;
  return [
    ...headLines(page, folded.changes, `${head}: ${textOfSpans(said)}`),
    ...timingLines(page, folded),
    ...noticeLines(page, foldedNotices(folded, page.operations)),
    ...names,
  ];
}

/** `300 schedules will be adopted: schedules.a, schedules.b, schedules.c and 297 more (-v lists all)`. */
function countLines(page: ChangePage, folded: FoldedChanges): Block {
  const { first, changes } = folded;
  const names = changes.slice(0, mostEqual).map(({ address }) => safeText(address));
  const more = changes.length === names.length ? '' : ` ${moreWords(changes.length - names.length)}`;
  const text = `${headWords(folded)}: ${names.join(', ')}${more}`;
  return [
    ...nameLine(page, { symbol: symbolOf(first.action), role: first.action, text }),
    ...becauseLines(page, changes),
  ];
}

function headLines(page: Page, changes: readonly Change[], words: string): Block {
  return [
    ...hangingLines(page, '# ', words, { role: 'strong', column: headColumn }),
    ...becauseLines(page, changes),
    ...ownerLines(page, changes),
  ];
}

function countChanges({ first, changes }: Pick<FoldedChanges, 'first' | 'changes'>): string {
  return countResources(
    first.kind,
    changes.map(({ address }) => address),
  );
}

function headWords(folded: FoldedChanges): string {
  const { action, reason } = folded.first;
  const count = countChanges(folded);
  const changed = changedByItem(folded);
  if (changed !== undefined) {
    const words = textOfSpans(changed);
    return action === 'update' && reason !== 'refreshed'
      ? `${words} in ${count}`
      : `${count} ${wordsOfAll(folded)}: ${words} in each`;
  }
  return `${count} ${wordsOfAll(folded)}`;
}

function wordsOfAll({ first: { action, reason } }: FoldedChanges): string {
  const isInState = reason === 'refreshed' || reason === 'as-declared';
  return isInState ? inTheState : action === 'move' ? 'have moved' : actions[action].words;
}

function becauseLines(page: Page, [first, ...others]: readonly Change[]): Block {
  const because = first && reasonWords(first);
  const each = others.length === 0 ? '' : 'each ';
  return because === undefined ? [] : commentLines(page, `(${each}because ${because})`, headColumn);
}

/** When they ran and will run, where the head says that it changes. */
function timingLines(page: ChangePage, { first, diff, before, after }: FoldedChanges): Block {
  const { kind } = first;
  const comments = changedLeaves(kind, diff).flatMap(({ segments }) =>
    timingComments({ kind, diff, before, after, cron: page.cron }, labelOf(segments)),
  );
  return comments.flatMap((text) => commentLines(page, text, headColumn));
}

/** What is shown with a line for each, by key: moves and adoptions, and many deletes or forgets. */
function listsOf(page: ChangePage, changes: readonly Change[]): ReadonlyMap<string, readonly Change[]> {
  const listed = changes.filter((change) => change.blocked === undefined && (isStateOnly(change) || isLost(change)));
  const lists = groupBy(listed, listKey);
  // Of few, and with -v of all, everything that is lost is shown.
  return new Map(
    [...lists].filter(([, list]) => !list.some(isLost) || (list.length > mostSingle && page.showsAll !== true)),
  );
}

function isLost({ action }: Change): boolean {
  return action === 'delete' || action === 'forget';
}

function listKey({ action, kind, reason }: Change): string {
  return `${action} ${kind} ${reason}`;
}

function listBlock(page: ChangePage, changes: readonly Change[]): Block {
  const [first] = changes;
  if (first === undefined) return [];
  const lines = changes.flatMap((change) => [...nameLine(page, lineOf(page, change)), ...adoptedLines(page, change)]);
  const folded: FoldedChanges = { first, changes, diff: [], before: {}, after: {} };
  if (isStateOnly(first) && changes.length <= mostSingle) return [...lines, ...becauseLines(page, changes)];
  const notices = isStateOnly(first) ? [] : foldedNotices(folded, page.operations);
  return [...headLines(page, changes, headWords(folded)), ...noticeLines(page, notices), ...lines];
}

/** With -v what it declares: the next plan compares with that. */
function adoptedLines(page: ChangePage, { action, kind, after }: Change): Block {
  if (!page.showsAll || action !== 'adopt') return [];
  return declaredLines(page, { kind, attributes: after ?? {}, sign: ' ', cron: page.cron });
}

function lineOf(page: ChangePage, change: Change) {
  const { action } = change;
  return { symbol: symbolOf(action), role: action, text: wordsOf(change, page) };
}

/** `schedules.weekly-sales (schedules/sales.yaml:11)`. */
function wordsOf(change: Change, { operations }: ChangePage): string {
  const { action, address, previousAddress, id, before } = change;
  // The head of the list names the owners of what changes in Omni; these have none.
  const placed = declaredWords(change, { namesOwner: action === 'move' || action === 'adopt' });
  const name = safeText(address);
  const from = safeText(previousAddress ?? 'a resource');
  if (action === 'move') return `${name} moves from ${from}${placed}`;
  if (action === 'adopt') return `${name} adopts ${safeText(id ?? 'what exists')}${placed}`;
  const called = before?.['name'];
  return (
    [
      name,
      ...(isLost(change) && typeof called === 'string' ? [quoteText(called)] : []),
      ...(previousAddress === undefined ? [] : [`(moved from ${from})`]),
      ...(leavesOrphan(change, operations) && id !== undefined ? [`(${safeText(id)} keeps running)`] : []),
    ].join(' ') + placed
  );
}
