// The fields of a change in HTML: removed and added values, lists by element, texts by line.

import type { Json } from '../../../model/values/json.ts';
import type { Declared } from '../../fields/declared-text.ts';
import { type DiffRow, lineRows, linesOf, listRows } from '../../fields/diff-rows.ts';
import { type Changed, timingComments } from '../../fields/field-diff-text.ts';
import {
  changedLeaves,
  declaredLeaves,
  hiddenValue,
  hidesValue,
  type Leaf,
  labelOf,
} from '../../fields/field-paths.ts';
import { isSetField } from '../../fields/set-differences.ts';
import { scheduleComment } from '../../text/cron-text.ts';
import { escapeHtml } from '../../text/escape-html.ts';
import { valueText } from '../../text/visible-text.ts';

/** Unchanged rows around a change. */
const context = 2;

export function htmlFieldDiff(changed: Changed): string {
  const leaves = changedLeaves(changed.kind, changed.diff);
  return fieldList(
    leaves.map((leaf) => {
      const label = labelOf(leaf.segments);
      return fieldOf(label, rowsOf(leaf, isSetField(changed.kind, leaf.segments)), timingComments(changed, label));
    }),
  );
}

/** A declaration: as it comes (`+`), goes (`-`), or is. */
export function htmlDeclared({ kind, attributes, sign, cron }: Declared): string {
  const mark = sign === '+' || sign === '-' ? sign : ' ';
  return fieldList(
    declaredLeaves(kind, attributes).map((leaf) => {
      const label = labelOf(leaf.segments);
      const isTiming = cron !== undefined && kind === 'schedule' && label === 'schedule';
      const comment = isTiming ? scheduleComment(cron, attributes) : undefined;
      return fieldOf(label, oneSided(mark, leaf.after ?? null), comment === undefined ? [] : [comment]);
    }),
  );
}

function fieldList(fields: readonly string[]): string {
  return fields.length === 0 ? '' : `<dl>${fields.join('\n')}</dl>`;
}

function fieldOf(label: string, rows: readonly DiffRow[], comments: readonly string[]): string {
  return [
    `<div><dt>${escapeHtml(label)}</dt><dd>${nearChanges(rows).map(rowHtml).join('')}`,
    ...comments.map((comment) => `<p class="quiet">${escapeHtml(comment)}</p>`),
    '</dd></div>',
  ].join('');
}

function rowHtml({ sign, text }: DiffRow): string {
  const name = sign === '+' ? 'ins' : sign === '-' ? 'del' : 'span';
  return `<${name} class="value">${escapeHtml(text)}</${name}>`;
}

function rowsOf(leaf: Leaf, isSet: boolean): readonly DiffRow[] {
  const { before, after, op } = leaf;
  if (hidesValue(leaf)) {
    const sign = op === 'add' ? '+' : op === 'remove' ? '-' : ' ';
    return [{ sign, text: `${sign === ' ' ? 'changed: ' : ''}${hiddenValue(leaf)}` }];
  }
  if (before === undefined) return oneSided('+', after ?? null);
  if (after === undefined) return oneSided('-', before);
  if (Array.isArray(before) && Array.isArray(after)) return listRows(before, after, isSet);
  if (typeof before === 'string' && typeof after === 'string' && `${before}${after}`.includes('\n'))
    return lineRows(before, after);
  return [...oneSided('-', before), ...oneSided('+', after)];
}

function oneSided(sign: DiffRow['sign'], value: Json): readonly DiffRow[] {
  if (typeof value === 'string' && value.includes('\n')) return linesOf(value).map((text) => ({ sign, text }));
  if (Array.isArray(value) && value.length > 1) return value.map((each: Json) => ({ sign, text: valueText(each) }));
  return [{ sign, text: valueText(value) }];
}

/** Rows without a sign only where a change is near; all where nothing changes. */
function nearChanges(rows: readonly DiffRow[]): readonly DiffRow[] {
  if (rows.every(({ sign }) => sign === ' ')) return rows;
  return rows.filter((_, index) =>
    rows.slice(Math.max(0, index - context), index + context + 1).some(({ sign }) => sign !== ' '),
  );
}
