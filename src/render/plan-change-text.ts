// One change of a plan: a head that says what happens to which resource and where it is declared, what there is to
// know before agreeing, and the fields.

import { actions as actionWords } from '../model/action.ts';
import { kindWords } from '../model/address.ts';
import type { Operations } from '../model/config.ts';
import { leavesOrphan } from '../model/leaves-orphan.ts';
import { type Change, type FieldDiff, type Reason, reasons } from '../model/plan.ts';
import { pointerSegments } from '../model/pointer.ts';
import { symbolOf } from './action-symbols.ts';
import { countOf } from './count-words.ts';
import type { CronWords } from './cron-text.ts';
import { declaredLines } from './declared-text.ts';
import { fieldDiffLines } from './field-diff-text.ts';
import { commentLines, fieldColumn, hangingLines, type Page } from './field-lines.ts';
import { displayWidth, safeText } from './terminal-text.ts';

export interface ChangePage extends Page {
  readonly cron: CronWords;
  readonly operations: Operations;
}

// What the action says already, or what is said at more length below the head.
const obviousReasons: ReadonlySet<Reason> = new Set([
  'not-in-state',
  'changed',
  'cannot-update',
  'adopt-entry',
  'moved-entry',
  'new-content',
]);

const headColumn = 2;

export function changeLines(page: ChangePage, change: Change): readonly string[] {
  return [...headLines(page, change), ...noticeLines(page, change), bodyHead(page, change), ...bodyLines(page, change)];
}

function headLines(page: ChangePage, change: Change): readonly string[] {
  const { theme, width } = page;
  const head = headWords(change);
  const place = placeOf(change);
  const isBroad = headColumn + 5 + displayWidth(head + place) > width;
  const options = { role: 'strong', column: headColumn } as const;
  const [first = '', ...others] = hangingLines(page, '# ', head, options);
  const placed = place === '' || isBroad ? first : `${first} ${theme.dim(`(${place})`)}`;
  const details = [
    ...(place !== '' && isBroad ? [place] : []),
    ...(change.action !== 'move' && change.previousAddress !== undefined
      ? [`(moved from ${safeText(change.previousAddress)})`]
      : []),
    ...(obviousReasons.has(change.reason) ? [] : [`(because ${reasons[change.reason]})`]),
  ];
  return [placed, ...others, ...details.flatMap((text) => commentLines(page, text, headColumn))];
}

function headWords({ action, address, previousAddress }: Change): string {
  const name = safeText(address);
  if (action === 'move') return `${safeText(previousAddress ?? 'a resource')} has moved to ${name}`;
  return `${name} ${actionWords[action]}`;
}

function placeOf({ file, line }: Change): string {
  if (file === undefined) return '';
  return line === undefined ? safeText(file) : `${safeText(file)}:${line}`;
}

/** Why it can't be applied, and what it leaves behind. */
function noticeLines(page: ChangePage, change: Change): readonly string[] {
  const { action, reason, kind, id = '', blocked } = change;
  const notice = (role: 'error' | 'warning', text: string) =>
    hangingLines(page, '! ', safeText(text), { role, column: headColumn });
  const lines = blocked === undefined ? [] : [...notice('error', `Blocked: ${blocked}`)];
  if (leavesOrphan(change, page.operations)) {
    const why = reason === 'cannot-update' ? 'Operations core can not update a schedule: a new one is created. ' : '';
    const old = action === 'replace' ? 'The old one' : 'It';
    lines.push(...notice('warning', `${why}${old} keeps running as ${id} and becomes an orphan.`));
  } else if (action === 'replace') {
    lines.push(...commentLines(page, '(the new one is created before the old one is deleted)', headColumn));
  } else if (action === 'forget' && change.reason === 'missing') {
    lines.push(...commentLines(page, '(it is gone, so it is no longer tracked)', headColumn));
  } else if (action === 'forget' && kind === 'dashboard') {
    lines.push(...commentLines(page, '(the dashboard stays as it is)', headColumn));
  } else if (kind === 'dashboard' && action === 'update' && change.diff.some(isLeftAsIs)) {
    lines.push(...commentLines(page, '(what is no longer declared stays as it is on the dashboard)', headColumn));
  } else if (action === 'forget' && kind === 'schedule' && id !== '') {
    lines.push(...commentLines(page, '(it keeps running in Omni, and nothing tracks it)', headColumn));
  }
  return lines;
}

/** An entry of a dashboard, or a key of one: a partial update can't take it back. */
function isLeftAsIs({ op, path }: FieldDiff): boolean {
  const [field, ...below] = pointerSegments(path);
  return op === 'remove' && (field === 'filters' || field === 'controls') && below.length <= 2;
}

/** `+ schedule weekly-sales`. */
function bodyHead({ theme }: Page, { action, kind, address }: Change): string {
  const key = safeText(address.slice(address.indexOf('.') + 1));
  return `${theme[action](symbolOf(action))} ${kindWords[kind]} ${key}`;
}

function bodyLines(page: ChangePage, change: Change): readonly string[] {
  const { action, kind, before, after, diff } = change;
  const id = change.id === undefined || leavesOrphan(change, page.operations) ? {} : { id: change.id };
  const about = { kind, cron: page.cron, ...id };
  switch (action) {
    case 'create':
      return declaredLines(page, { ...about, attributes: after ?? {}, sign: '+' });
    case 'adopt':
    case 'run':
      return declaredLines(page, { ...about, attributes: after ?? {}, sign: ' ' });
    case 'delete':
      return declaredLines(page, { ...about, attributes: before ?? {}, sign: '-' });
    case 'update':
    case 'replace':
      return [...fieldDiffLines(page, { ...about, diff, before, after }), ...hiddenLines(page, change, [])];
    case 'forget':
    case 'move': {
      const named = Object.fromEntries(Object.entries(before ?? {}).filter(([name]) => namingFields.includes(name)));
      return [
        ...declaredLines(page, { ...about, attributes: named, sign: ' ' }),
        ...hiddenLines(page, change, Object.keys(named)),
      ];
    }
  }
}

/** What a resource is known by, where the rest of it doesn't matter. */
const namingFields: readonly string[] = ['identifier', 'name'];

/** `# (7 unchanged fields hidden)`. */
function hiddenLines(page: Page, { action, before, after, diff }: Change, shown: readonly string[]): readonly string[] {
  const touched = new Set([...shown, ...diff.map(({ path }) => pointerSegments(path)[0])]);
  const hidden = Object.keys({ ...before, ...after }).filter((name) => !touched.has(name)).length;
  const noun = action === 'forget' ? 'field' : 'unchanged field';
  return hidden === 0 ? [] : commentLines(page, `(${countOf(hidden, noun)} hidden)`, fieldColumn + 2);
}
