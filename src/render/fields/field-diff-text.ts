// What changes in a resource, field by field: single values before and after, lists by element, texts by line.

import type { FieldDiff } from '../../model/plan/plan.ts';
import type { Kind } from '../../model/values/address.ts';
import type { Json, JsonObject } from '../../model/values/json.ts';
import { type CronWords, nextRunComment, scheduleComment } from '../text/cron-text.ts';
import { commentLines, labelLines, type Page, type Sign, valueLines } from '../text/field-lines.ts';
import { valueText } from '../text/visible-text.ts';
import { idLines, labelWidthOf, oneSidedLines } from './declared-text.ts';
import { lineEndNote, lineRows, listRows, rowLines } from './diff-rows.ts';
import { changedLeaves, hiddenValue, hidesValue, type Leaf, labelOf } from './field-paths.ts';
import { isSetField } from './set-differences.ts';

export interface Changed {
  readonly kind: Kind;
  readonly id?: string;
  readonly diff: readonly FieldDiff[];
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
  readonly cron: CronWords;
}

export function fieldDiffLines(page: Page, changed: Changed): readonly string[] {
  const leaves = changedLeaves(changed.kind, changed.diff);
  const labelWidth = labelWidthOf(page, leaves);
  const idRow = changed.id === undefined ? [] : idLines(page, changed.id, labelWidth);
  return [...idRow, ...leaves.flatMap((leaf) => leafLines(page, changed, leaf, labelWidth))];
}

const signs: Readonly<Record<FieldDiff['op'], Sign>> = { add: '+', remove: '-', change: '~' };

function leafLines(page: Page, changed: Changed, leaf: Leaf, labelWidth: number): readonly string[] {
  const { before, after, segments } = leaf;
  const label = labelOf(segments);
  const comments = timingComments(changed, label);
  if (hidesValue(leaf))
    return valueLines(page, { sign: signs[leaf.op ?? 'change'], label, labelWidth, values: [hiddenValue(leaf)] });
  if (before === undefined || after === undefined) {
    return oneSidedLines(page, leaf, {
      sign: before === undefined ? '+' : '-',
      labelWidth,
      comments,
      showsDifference: true,
    });
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    if (isSetField(changed.kind, segments)) return setLines(page, { label, labelWidth, before, after });
    return [...labelLines(page, '~', label), ...rowLines(page, listRows(before, after, false), 2, 'element')];
  }
  if (typeof before === 'string' && typeof after === 'string' && `${before}${after}`.includes('\n')) {
    const note = lineEndNote(before, after);
    return [
      ...labelLines(page, '~', label),
      ...rowLines(page, lineRows(before, after), 2, 'line'),
      ...(note === undefined ? [] : commentLines(page, note)),
    ];
  }
  const [old, now] = [valueText(before), valueText(after)];
  return valueLines(page, { sign: '~', label, labelWidth, values: old === now ? [now] : [old, now], comments });
}

interface SetChange {
  readonly label: string;
  readonly labelWidth: number;
  /** What it loses. */
  readonly before: readonly Json[];
  /** What it gains. */
  readonly after: readonly Json[];
}

/** `+ recipients: "bo@example.com"`; several elements stand below one label. */
function setLines(page: Page, { label, labelWidth, before, after }: SetChange): readonly string[] {
  const sign = after.length === 0 ? '-' : before.length === 0 ? '+' : '~';
  const [only, ...others] = [...before, ...after].map(valueText);
  if (only !== undefined && others.length === 0)
    return valueLines(page, { sign, label, labelWidth, values: [only], showsDifference: true });
  return [...labelLines(page, sign, label), ...rowLines(page, listRows(before, after, true), 0, 'element')];
}

/** When a schedule ran and will run, where that is what changes. */
export function timingComments(
  { kind, diff, before, after, cron }: Omit<Changed, 'id'>,
  label: string,
): readonly string[] {
  if (kind !== 'schedule') return [];
  const isZoneAlone = label === 'timezone' && !diff.some(({ path }) => path === '/schedule');
  if (label !== 'schedule' && !isZoneAlone) return [];
  const say = isZoneAlone ? nextRunComment : scheduleComment;
  const [was, becomes] = [say(cron, before), say(cron, after)];
  if (was === undefined) return becomes === undefined ? [] : [becomes];
  return [`before: ${was}`, ...(becomes === undefined ? [] : [`after:  ${becomes}`])];
}
