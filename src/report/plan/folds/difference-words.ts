// A difference in words, for a line about many equal changes: `recipients lose kim@example.com`.

import type { Change, FieldDiff } from '../../../model/plan/plan.ts';
import type { Kind } from '../../../model/values/address.ts';
import type { Json } from '../../../model/values/json.ts';
import { code, isEmpty, joined, type Span, type Words } from '../../doc.ts';
import { type DiffRow, lineRows } from '../../fields/diff-rows.ts';
import { changedLeaves, declaredLeaves, hidesValue, type Leaf, labelOf } from '../../fields/field-paths.ts';
import { isSetField } from '../../fields/set-differences.ts';
import { valueText } from '../../text/visible-values.ts';
import { bodyOf } from '../change-body.ts';
import type { FoldedChanges } from './fold-changes.ts';
import { ownDiff } from './shared-differences.ts';

const mostFields = 4;
const mostElements = 3;
/** A longer value is not shown in a sentence about many, nor is a longer list. */
const longestValue = 60;
const longestList = 100;

/** Our words as text; names and values from files as code. */
export function differenceWords(kind: Kind, diff: readonly FieldDiff[]): Words {
  const leaves = changedLeaves(kind, diff);
  const shown = leaves.slice(0, mostFields).map((leaf) => leafWords(kind, leaf));
  const others = leaves.slice(mostFields).map(({ segments }) => labelOf(segments));
  return joined([...shown, changingWords(others)], '; ');
}

/** `name and schedule change`; nothing for none. */
function changingWords(fields: readonly string[]): Words {
  return fields.length > 0 && [fieldNames(fields), fields.length === 1 ? ' changes' : ' change'];
}

/**
 * `note is removed; schedule changes`: where no field changes equally in the instances of a loop. Undefined where that is
 * too much for a sentence.
 */
export function changedByItem({ first: { kind }, diff, byItem }: FoldedChanges): Words | undefined {
  if (byItem === undefined || byItem.attributes !== undefined) return undefined;
  const { fields } = byItem;
  const leaves = changedLeaves(kind, diff);
  if (leaves.length > mostFields || !leaves.every((leaf) => leavesOut(leaf) && isSaidWhole(kind, leaf)))
    return undefined;
  return joined([...leaves.map((leaf) => leafWords(kind, leaf)), changingWords(fields)], '; ');
}

/** Whether a value that differs by item is left out. */
function leavesOut({ op, before, after }: Leaf): boolean {
  return (op !== 'add' && op !== undefined && before === undefined) || (op === 'add' && after === undefined);
}

/** `name, schedule and 2 more fields`. */
function fieldNames(fields: readonly string[]): Words {
  const more = fields.length - mostFields;
  const shown: readonly Words[] = fields.slice(0, mostFields).map(named);
  const all = more > 0 ? [...shown, `${more} more ${more === 1 ? 'field' : 'fields'}`] : shown;
  return joined([joined(all.slice(0, -1)), all.at(-1)], ' and ');
}

/** What the changes of an entry have in common, and of a loop which fields differ by item; nothing for moves and the like. */
export function foldedWords(folded: FoldedChanges): Words {
  const { first, diff, byItem } = folded;
  const common = differenceWords(first.kind, diff);
  const changed = changedByItem(folded);
  if (byItem === undefined || changed !== undefined) return changed ?? common;
  return joined([common, differsWords(byItem.fields)], '; ');
}

/** `differs by item: name and schedule`; nothing for none. */
export function differsWords(fields: readonly string[]): Words {
  return fields.length > 0 && ['differs by item: ', fieldNames(fields)];
}

/** Everything about one of them that is not said of all: whoever agrees to it must have seen it, so nothing is left out. */
export function itemWords({ first: { kind }, diff, byItem }: FoldedChanges, change: Change): Words {
  const body = bodyOf(change);
  switch (body.shows) {
    case 'difference': {
      const own = changedLeaves(kind, ownDiff(change, diff));
      return joined(
        own.map((leaf) => leafWords(kind, leaf, true)),
        '; ',
      );
    }
    case 'declaration': {
      const shared = new Set(declaredLeaves(kind, byItem?.attributes ?? {}).map(({ segments }) => labelOf(segments)));
      // The name of a report stands beside its address.
      const own = declaredLeaves(kind, body.attributes).filter(
        ({ segments }) => segments[0] !== 'name' && !shared.has(labelOf(segments)),
      );
      return joined(own.map(valueWords), '; ');
    }
    case 'names':
      return [];
  }
}

/** `recipients: ["bo@example.com"]`. */
function valueWords({ segments, after = null }: Leaf): Words {
  return [named(labelOf(segments)), ' ', wholeValue(after)];
}

function isSaidWhole(kind: Kind, leaf: Leaf): boolean {
  const { before, after, segments } = leaf;
  if (hidesValue(leaf)) return false;
  if (Array.isArray(before) && Array.isArray(after) && isSetField(kind, segments)) {
    const sides: readonly (readonly Json[])[] = [before, after];
    const areShort = sides.every((side) => side.length <= mostElements && side.every((each) => shortValue(each)));
    return areShort && before.length + after.length > 0;
  }
  return [before, after].every((side) => side === undefined || shortValue(side) !== undefined);
}

/** `isWhole`: with nothing left out; of a long text the lines that it loses and gains. */
function leafWords(kind: Kind, leaf: Leaf, isWhole = false): Words {
  const { segments, before, after, op } = leaf;
  const label = named(labelOf(segments));
  const most = isWhole ? Number.POSITIVE_INFINITY : mostElements;
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

/** Also of a list that is short, such as the values of a filter. */
function shortValue(value: Json | undefined): Words | undefined {
  const isList = Array.isArray(value);
  const parts: readonly (Json | undefined)[] = isList ? value : [value];
  if (value === undefined || parts.some((each) => typeof each === 'object')) return undefined;
  const shown = plainText(value);
  if (shown.length > (isList ? longestList : longestValue) || shown.includes('\n')) return undefined;
  return isList ? code(shown) : named(shown);
}

function wholeValue(value: Json): Words {
  if (typeof value !== 'string') return code(valueText(value));
  return named(value.includes('\n') ? valueText(value) : plainText(value));
}

/** In quotes only where nothing would be seen, something other than a text, or quotes of its own. */
function plainText(value: Json): string {
  const needsQuotes = typeof value !== 'string' || /^\s*$|"|^(?:true|false|null|-?\d[\d.e+-]*)$/i.test(value);
  return needsQuotes ? valueText(value) : value;
}

const named = (text: string): Words => ({ value: text });

/** In quotes where the other one is. */
function quotedAs(other: Words, words: Words): Words {
  return hasValue(other) && hasValue(words) ? { ...words, beside: other.value } : words;
}

const hasValue = (words: Words): words is Extract<Span, { readonly value: string }> =>
  typeof words === 'object' && 'value' in words;
