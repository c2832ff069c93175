// One change of a plan: a head that says what happens to which resource and where it is declared, what there is to
// know before agreeing, and the fields.

import { actions } from '../../model/plan/action.ts';
import { bodyOf } from '../../model/plan/change-body.ts';
import { type Change, leavesOrphan } from '../../model/plan/plan.ts';
import { kindWords } from '../../model/values/address.ts';
import { pointerSegments } from '../../model/values/pointer.ts';
import type { Operations } from '../../model/workspace/config.ts';
import { declaredLines } from '../fields/declared-text.ts';
import { fieldDiffLines } from '../fields/field-diff-text.ts';
import { countOf } from '../text/count-words.ts';
import type { CronWords } from '../text/cron-text.ts';
import { commentLines, fieldColumn, hangingLines, type Page } from '../text/field-lines.ts';
import { fileAndLine } from '../text/file-and-line.ts';
import { displayWidth, safeText } from '../text/terminal-text.ts';
import { symbolOf } from './action-symbols.ts';
import { type ChangeNotice, changeNotices, reasonWords } from './change-notices.ts';
import { ownerWords } from './change-owners.ts';

export interface ChangePage extends Page {
  readonly cron: CronWords;
  readonly operations: Operations;
}

/** The column of the head of a block. */
export const headColumn = 2;
export const inTheState = 'will be updated in the state';

export function changeLines(page: ChangePage, change: Change): readonly string[] {
  return [
    ...headLines(page, change),
    // What comes or goes as a whole shows its owner among its fields.
    ...(bodyOf(change).shows === 'declaration' ? [] : ownerLines(page, [change])),
    ...noticeLines(page, changeNotices(change, page.operations)),
    bodyHead(page, change),
    ...bodyLines(page, change),
  ];
}

function headLines(page: ChangePage, change: Change): readonly string[] {
  const { theme, width } = page;
  const head = headWords(change);
  const place = safeText(fileAndLine(change));
  const reason = reasonWords(change);
  const isBroad = headColumn + 5 + displayWidth(head + place) > width;
  const options = { role: 'strong', column: headColumn } as const;
  const [first = '', ...others] = hangingLines(page, '# ', head, options);
  const placed = place === '' || isBroad ? first : `${first} ${theme.dim(`(${place})`)}`;
  const details = [
    ...(place !== '' && isBroad ? [place] : []),
    ...(change.action !== 'move' && change.previousAddress !== undefined
      ? [`(moved from ${safeText(change.previousAddress)})`]
      : []),
    ...(reason === undefined ? [] : [`(because ${reason})`]),
  ];
  return [placed, ...others, ...details.flatMap((text) => commentLines(page, text, headColumn))];
}

export function ownerLines(page: Page, changes: readonly Change[]): readonly string[] {
  const owners = ownerWords(changes, safeText);
  return owners === '' ? [] : commentLines(page, `(${owners})`, headColumn);
}

function headWords({ action, reason, address, previousAddress }: Change): string {
  const name = safeText(address);
  if (action === 'move') return `${safeText(previousAddress ?? 'a resource')} has moved to ${name}`;
  if (reason === 'replaced') return `What ${name} replaced ${actions[action].words}`;
  if (reason === 'refreshed' || reason === 'as-declared') return `${name} ${inTheState}`;
  return `${name} ${actions[action].words}`;
}

export function noticeLines(page: Page, notices: readonly ChangeNotice[]): readonly string[] {
  return notices.flatMap(({ role, text }) =>
    role === 'note'
      ? commentLines(page, `(${text})`, headColumn)
      : hangingLines(page, '! ', safeText(text), { role, column: headColumn }),
  );
}

/** `+ schedule weekly-sales`. */
function bodyHead({ theme }: Page, { action, kind, address }: Change): string {
  const key = safeText(address.slice(address.indexOf('.') + 1));
  return `${theme[action](symbolOf(action))} ${kindWords[kind]} ${key}`;
}

function bodyLines(page: ChangePage, change: Change): readonly string[] {
  const { kind, before, after } = change;
  const about = { kind, cron: page.cron, id: leavesOrphan(change, page.operations) ? undefined : change.id };
  const body = bodyOf(change);
  switch (body.shows) {
    case 'declaration':
      return declaredLines(page, { ...about, ...body });
    case 'difference':
      return [...fieldDiffLines(page, { ...about, ...body, before, after }), ...hiddenLines(page, change, [])];
    case 'names':
      return [
        ...declaredLines(page, { ...about, ...body, sign: ' ' }),
        ...hiddenLines(page, change, Object.keys(body.attributes)),
      ];
  }
}

/** `# (7 unchanged fields hidden)`. */
function hiddenLines(page: Page, { action, before, after, diff }: Change, shown: readonly string[]): readonly string[] {
  const touched = new Set([...shown, ...diff.map(({ path }) => pointerSegments(path)[0])]);
  const hidden = Object.keys({ ...before, ...after }).filter((name) => !touched.has(name)).length;
  const noun = action === 'forget' ? 'field' : 'unchanged field';
  return hidden === 0 ? [] : commentLines(page, `(${countOf(hidden, noun)} hidden)`, fieldColumn + 2);
}
