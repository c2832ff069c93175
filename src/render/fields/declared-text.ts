// A declaration, field by field, as a create, a delete, an adoption or the state shows it.

import type { Kind } from '../../model/values/address.ts';
import type { Json, JsonObject } from '../../model/values/json.ts';
import { type CronWords, scheduleComment } from '../text/cron-text.ts';
import {
  detailColumn,
  fieldColumn,
  labelLines,
  type Page,
  type Sign,
  signedLines,
  type ValueRow,
  valueLines,
} from '../text/field-lines.ts';
import { displayWidth, wrap } from '../text/terminal-text.ts';
import { quoteText, valueText } from '../text/visible-text.ts';
import { linesOf } from './diff-rows.ts';
import { declaredLeaves, type Leaf, labelOf } from './field-paths.ts';

export interface Declared {
  readonly kind: Kind;
  readonly id?: string;
  readonly attributes: JsonObject;
  readonly sign: Sign;
  readonly cron?: CronWords;
}

export function declaredLines(page: Page, declared: Declared): readonly string[] {
  const { kind, id, attributes, sign, cron } = declared;
  const leaves = declaredLeaves(kind, attributes);
  const labelWidth = labelWidthOf(page, leaves);
  const idRow = id === undefined ? [] : idLines(page, id, labelWidth);
  const fields = leaves.flatMap((leaf) => {
    const isSchedule = cron !== undefined && kind === 'schedule' && labelOf(leaf.segments) === 'schedule';
    const comment = isSchedule ? scheduleComment(cron, attributes) : undefined;
    return oneSidedLines(page, leaf, { sign, labelWidth, comments: comment === undefined ? [] : [comment] });
  });
  return [...idRow, ...fields];
}

export function idLines(page: Page, id: string, labelWidth: number): readonly string[] {
  return valueLines(page, { sign: ' ', label: 'id', labelWidth, values: [quoteText(id)] }).map(page.theme.dim);
}

/** How wide the labels of a block are made: as the widest, but a very long one doesn't push all values away. */
export function labelWidthOf({ width }: Page, leaves: readonly Leaf[]): number {
  const most = Math.floor(width / 3);
  const widths = leaves.map(({ segments }) => displayWidth(labelOf(segments)));
  return Math.max(2, ...widths.filter((each) => each <= most));
}

/** A value with nothing to compare: a new one or a removed one. */
export function oneSidedLines(
  page: Page,
  leaf: Leaf,
  row: Pick<ValueRow, 'sign' | 'labelWidth' | 'comments' | 'showsDifference'>,
): readonly string[] {
  const label = labelOf(leaf.segments);
  const value: Json = leaf.after ?? leaf.before ?? null;
  if (typeof value === 'string' && value.includes('\n')) {
    return [...labelLines(page, row.sign, label), ...textLines(page, value)];
  }
  const text = valueText(value);
  const isTooWide = fieldColumn + 4 + Math.max(row.labelWidth, displayWidth(label)) + displayWidth(text) > page.width;
  if (Array.isArray(value) && isTooWide) {
    const elements = value.map((element: Json) => valueText(element));
    return [
      ...labelLines(page, row.sign, label),
      ...elements.flatMap((element) => signedLines(page, row.sign, element)),
    ];
  }
  return valueLines(page, { ...row, label, values: [text] });
}

function textLines(page: Page, text: string): readonly string[] {
  return linesOf(text).flatMap((line) => wrap(line, page.width, ' '.repeat(detailColumn)));
}
