// The differences of a report entry in words, for its line and row. Each of many has words for its own differences:
// `recipients lose kim@example.com; differs by item: name`.

import type { FieldDiff } from '../../../model/plan/plan.ts';
import type { Kind } from '../../../model/values/address.ts';
import type { Json } from '../../../model/values/json.ts';
import { code, isEmpty, joined, type Span, type Words } from '../../doc.ts';
import { type DiffRow, lineRows } from '../../fields/diff-rows.ts';
import { changedLeaves, declaredLeaves, hidesValue, type Leaf, labelOf } from '../../fields/field-paths.ts';
import { isSetField } from '../../fields/set-differences.ts';
import { valueText } from '../../text/visible-values.ts';
import type { TimedChange } from '../timed-plan.ts';
import { type Entry, ownOf } from './entry.ts';

const maxFields = 4;
const maxElements = 3;
/** A longer value is not shown in a sentence about many, nor is a longer list. */
const maxValueLength = 60;
const maxListLength = 100;

/** Almanac's words are text; names and values from files are code. */
export function differenceWords(kind: Kind, diff: readonly FieldDiff[]): Words {
  const leaves = changedLeaves(kind, diff);
  const shown = leaves.slice(0, maxFields).map((leaf) => leafWords(kind, leaf));
  const others = leaves.slice(maxFields).map(({ segments }) => labelOf(segments));
  const change = others.length > 0 && [fieldNames(others), others.length === 1 ? ' changes' : ' change'];
  return joined([...shown, change], '; ');
}

/** `name, schedule and 2 more fields`. */
function fieldNames(fields: readonly string[]): Words {
  const more = fields.length - maxFields;
  const shown: readonly Words[] = fields.slice(0, maxFields).map(named);
  const all = more > 0 ? [...shown, `${more} more ${more === 1 ? 'field' : 'fields'}`] : shown;
  return joined([joined(all.slice(0, -1)), all.at(-1)], ' and ');
}

/** `differs by item: name and schedule`; false if no field does. */
export function differsWords({ byItem = [] }: Entry): Words {
  return byItem.length > 0 && ['differs by item: ', fieldNames(byItem)];
}

/**
 * Everything about one of them that is not shared: whoever agrees to it must have seen it, so nothing is left out. Only
 * an example leaves out long values.
 */
export function ownWords(entry: Entry, change: TimedChange, isExample = false): Words {
  const { kind } = change;
  const { attributes, diff } = ownOf(entry, change);
  const shared = new Set(declaredLeaves(kind, entry.same.attributes).map(({ segments }) => labelOf(segments)));
  // The name of a report is beside its address.
  const declared = declaredLeaves(kind, attributes).filter(
    ({ segments }) => segments[0] !== 'name' && !shared.has(labelOf(segments)),
  );
  const changed = changedLeaves(kind, diff).map((leaf) => leafWords(kind, leaf, !isExample));
  const all = [...declared.map((leaf) => valueWords(leaf, isExample)), ...changed];
  const shown = all.slice(0, isExample ? maxFields : all.length);
  return joined([...shown, shown.length < all.length && `${all.length - shown.length} more`], '; ');
}

/** `recipients ["bo@example.com"]`. */
function valueWords({ segments, after = null }: Leaf, isExample: boolean): Words {
  return [named(labelOf(segments)), ' ', isExample ? (shortValue(after) ?? '…') : wholeValue(after)];
}

/** With `isWhole`, nothing is left out; a long text has the lines that it loses and gains. */
function leafWords(kind: Kind, leaf: Leaf, isWhole = false): Words {
  const { segments, before, after, op } = leaf;
  const label = named(labelOf(segments));
  const most = isWhole ? Number.POSITIVE_INFINITY : maxElements;
  if (hidesValue(leaf)) return [label, ' gets another value'];
  if (Array.isArray(before) && Array.isArray(after) && isSetField(kind, segments)) {
    const moves = joined([elements('lose', before, most), elements('gain', after, most)], ' and ');
    return [label, isEmpty(moves) ? ' change' : [' ', moves]];
  }
  if (isWhole && typeof before === 'string' && typeof after === 'string' && `${before}${after}`.includes('\n')) {
    const rows = lineRows(before, after);
    const linesWith = (sign: DiffRow['sign']) => rows.flatMap((row) => (row.sign === sign ? [row.text] : []));
    const moves = joined([elements('loses', linesWith('-'), most), elements('gains', linesWith('+'), most)], ' and ');
    if (!isEmpty(moves)) return [label, ' ', moves];
  }
  const spelled = isWhole ? wholeValue : shortValue;
  const [was, is] = [
    before === undefined ? undefined : spelled(before),
    after === undefined ? undefined : spelled(after),
  ];
  if (after === undefined && op !== 'add') return [label, ' is removed', was !== undefined && [' (was ', was, ')']];
  if (before === undefined) {
    if (is === undefined) return [label, op === 'change' ? ' changes' : ' is added'];
    return [label, isSetField(kind, segments) ? ' become ' : ' becomes ', is];
  }
  if (was === undefined || is === undefined) return [label, ' changes'];
  if (typeof before !== 'string' || typeof after !== 'string') return [label, ' changes from ', was, ' to ', is];
  return [label, ' changes from ', quotedAs(is, was), ' to ', quotedAs(was, is)];
}

function elements(verb: string, values: readonly Json[], most: number): Words {
  if (values.length === 0) return [];
  const shown = values.slice(0, most).map((value) => named(plainText(value)));
  const more = values.length - shown.length;
  return [`${verb} `, joined([...shown, more > 0 && `${more} more`])];
}

/** The value, or a short list, such as the values of a filter. */
function shortValue(value: Json | undefined): Words | undefined {
  const isList = Array.isArray(value);
  const parts: readonly (Json | undefined)[] = isList ? value : [value];
  if (value === undefined || parts.some((each) => typeof each === 'object')) return undefined;
  const shown = plainText(value);
  if (shown.length > (isList ? maxListLength : maxValueLength) || shown.includes('\n')) return undefined;
  return isList ? code(shown) : named(shown);
}

function wholeValue(value: Json): Words {
  if (typeof value !== 'string') return code(valueText(value));
  return named(value.includes('\n') ? valueText(value) : plainText(value));
}

/** A value as text, in quotes only if it would be invisible or ambiguous without them, or contains quotes. */
function plainText(value: Json): string {
  const needsQuotes =
    typeof value !== 'string' ||
    /^\s*$|"|^(?:true|false|null|-?\d[\d.e+-]*)$/i.test(value) ||
    value !== value.normalize('NFC');
  return needsQuotes ? valueText(value) : value;
}

const named = (text: string): Words => ({ value: text });

/** In quotes if the other one is. */
function quotedAs(other: Words, words: Words): Words {
  return hasValue(other) && hasValue(words) ? { ...words, comparedWith: other.value } : words;
}

const hasValue = (words: Words): words is Extract<Span, { readonly value: string }> =>
  typeof words === 'object' && 'value' in words;
