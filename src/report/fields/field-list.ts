// The fields of a declaration and their changes. Single values are shown before and after, lists by element, texts by
// line.

import { idsUnder, type NameOf, textsIn } from '../../model/plan/names.ts';
import type { FieldDiff } from '../../model/plan/plan.ts';
import type { Kind } from '../../model/values/address.ts';
import type { Json, JsonObject } from '../../model/values/json.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import type { Field, FieldRow, Sign } from '../doc.ts';
import { type Timings, type TimingWords, timingText } from '../plan/timed-plan.ts';
import { quoteText, valueText, visibleText } from '../text/visible-values.ts';
import { lineEndNote, lineRows, linesOf, listRows, nearChanges } from './diff-rows.ts';
import { changedLeaves, declaredLeaves, hiddenValue, hidesValue, type Leaf, labelOf } from './field-paths.ts';
import { isSetField } from './set-differences.ts';

export interface DeclaredFields {
  readonly kind: Kind;
  readonly id?: string | undefined;
  readonly attributes: JsonObject;
  readonly sign: Exclude<Sign, '~'>;
  /** When it runs. */
  readonly timing?: TimingWords | undefined;
  readonly nameOf?: NameOf | undefined;
}

/** The fields for a create, a delete, an adoption or the state. */
export function declaredFields({ kind, id, attributes, sign, timing = {}, nameOf }: DeclaredFields): readonly Field[] {
  const fields = declaredLeaves(kind, attributes).map((leaf) => {
    const timed = labelOf(leaf.segments) === 'schedule' ? definedOf(timingText(timing), timing.clocks) : [];
    const comments = timed.length === 0 ? nameComments(leaf, nameOf) : timed;
    return { ...oneSided(leaf, sign), comments };
  });
  const ids: readonly Field[] =
    id === undefined ? [] : [{ sign: ' ', label: 'id', values: [quoteText(id)], isDim: true }];
  return [...ids, ...fields];
}

export interface FieldChanges {
  readonly kind: Kind;
  readonly diff: readonly FieldDiff[];
  readonly timings?: Timings | undefined;
  readonly nameOf?: NameOf | undefined;
}

export function changedFields(changed: FieldChanges): readonly Field[] {
  return changedLeaves(changed.kind, changed.diff).map((leaf) => changedField(changed, leaf));
}

const signs: Readonly<Record<FieldDiff['op'], Sign>> = { add: '+', remove: '-', change: '~' };

function changedField(changed: FieldChanges, leaf: Leaf): Field {
  const { before, after, segments, op = 'change' } = leaf;
  const label = labelOf(segments);
  if (hidesValue(leaf)) return { sign: signs[op], label, values: [hiddenValue(leaf)] };
  const comments = [...timingComments(changed, label), ...nameComments(leaf, changed.nameOf)];
  if (before === undefined && after === undefined) return { sign: signs[op], label, values: ['(differs by item)'] };
  if (before === undefined || after === undefined) {
    const field = { ...oneSided(leaf, before === undefined ? '+' : '-'), comments };
    return leaf.op === 'change' ? { ...field, sign: '~' } : { ...field, showsDifference: true };
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    if (isSetField(changed.kind, segments)) return { ...setField(label, before, after), comments };
    return { sign: '~', label, values: [], rows: nearChanges(listRows(before, after, false), 'element'), isList: true };
  }
  if (typeof before === 'string' && typeof after === 'string' && `${before}${after}`.includes('\n')) {
    const note = lineEndNote(before, after);
    const rows = nearChanges(lineRows(before, after), 'line');
    return { sign: '~', label, values: [], rows, comments: note === undefined ? [] : [note] };
  }
  const [old, now] = [valueText(before), valueText(after)];
  return { sign: '~', label, values: old === now ? [now] : [old, now], comments };
}

/** A value with nothing to compare: a new one or a removed one. */
function oneSided({ segments, before, after }: Leaf, sign: Exclude<Sign, '~'>): Field {
  const label = labelOf(segments);
  const value: Json = after ?? before ?? null;
  const rowOf = (text: string): FieldRow => ({ sign: undefined, text });
  if (typeof value === 'string' && value.includes('\n'))
    return { sign, label, values: [], rows: linesOf(value).map(rowOf) };
  const values = [valueText(value)] as const;
  if (!Array.isArray(value)) return { sign, label, values };
  return { sign, label, values, rows: value.map((each: Json) => ({ sign, text: valueText(each) })), isList: true };
}

/** `+ recipients: "bo@example.com"`; several elements are below one label. `before` are the lost ones. */
function setField(label: string, before: readonly Json[], after: readonly Json[]): Field {
  const sign = after.length === 0 ? '-' : before.length === 0 ? '+' : '~';
  const [only, ...others] = [...before, ...after].map(valueText);
  if (only !== undefined && others.length === 0) return { sign, label, values: [only], showsDifference: true };
  return { sign, label, values: [], rows: listRows(before, after, true), isList: true };
}

/** `Sales overview` for one id, and beside other texts `12db1a0a is Sales overview`. */
function nameComments({ segments, before, after }: Leaf, nameOf: NameOf | undefined): readonly string[] {
  const texts = [...new Set([before, after].flatMap(textsIn))];
  return idsUnder(pointerTo(...segments), texts).flatMap((id) => {
    const name = nameOf?.(id);
    return name === undefined ? [] : visibleText(texts.length === 1 ? name : `${id} is ${name}`);
  });
}

export function timingComments(
  { diff, timings = {} }: Pick<FieldChanges, 'diff' | 'timings'>,
  label: string,
): readonly string[] {
  const isZoneAlone = label === 'timezone' && !diff.some(({ path }) => path === '/schedule');
  if (label !== 'schedule' && !isZoneAlone) return [];
  const say = (timing: TimingWords = {}) => (isZoneAlone ? timing.next : timingText(timing));
  const [was, becomes] = [say(timings.before), say(timings.after)];
  const { clocks } = timings.after ?? {};
  if (was === undefined) return definedOf(becomes, clocks);
  return definedOf(`before: ${was}`, becomes && `after:  ${becomes}`, clocks);
}

function definedOf(...texts: readonly (string | undefined)[]): readonly string[] {
  return texts.filter((text) => text !== undefined);
}
