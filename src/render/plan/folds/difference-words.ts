// A difference in words, for a line about many equal changes: `recipients lose kim@example.com`.

import { bodyOf } from '../../../model/plan/change-body.ts';
import type { Change, FieldDiff } from '../../../model/plan/plan.ts';
import type { Kind } from '../../../model/values/address.ts';
import type { Json } from '../../../model/values/json.ts';
import { changedLeaves, declaredLeaves, hidesValue, type Leaf, labelOf } from '../../fields/field-paths.ts';
import { isSetField } from '../../fields/set-differences.ts';
import type { CodeSpan } from '../../text/code-spans.ts';
import { truncate } from '../../text/terminal-text.ts';
import { quoteText, valueText, visibleText } from '../../text/visible-text.ts';
import type { FoldedChanges } from './fold-changes.ts';

const mostFields = 4;
const mostElements = 3;
/** A longer value is not shown. */
const longestValue = 60;

/** Our words as text; names and values from files as code. */
export function differenceWords(kind: Kind, diff: readonly FieldDiff[]): readonly CodeSpan[] {
  const leaves = changedLeaves(kind, diff);
  const more = leaves.length - mostFields;
  const shown = leaves.slice(0, mostFields).map((leaf) => leafWords(kind, leaf));
  return joined('; ', more > 0 ? [...shown, [text(`${more} more fields`)]] : shown);
}

/** The same where it leaves nothing out, so that no list of fields has to follow: of a single field with short values. */
export function wholeDifference(kind: Kind, diff: readonly FieldDiff[]): readonly CodeSpan[] | undefined {
  const [leaf, ...others] = changedLeaves(kind, diff);
  return leaf === undefined || others.length > 0 || !isSaidWhole(kind, leaf) ? undefined : leafWords(kind, leaf);
}

/** `schedule changes`: where nothing changes equally in the instances of a loop, and each field has its own values. */
export function changedByItem({ diff, byItem }: FoldedChanges): readonly CodeSpan[] | undefined {
  if (byItem === undefined || byItem.attributes !== undefined || diff.length > 0) return undefined;
  const { fields } = byItem;
  if (fields.length === 0) return undefined;
  return [...fieldNames(fields), text(fields.length === 1 ? ' changes' : ' change')];
}

/** `name, schedule and 2 more fields`. */
export function fieldNames(fields: readonly string[]): readonly CodeSpan[] {
  const more = fields.length - mostFields;
  const [last, ...others] = fields
    .slice(0, mostFields)
    .map((name): readonly CodeSpan[] => [code(name)])
    .concat(more > 0 ? [[text(`${more} more ${more === 1 ? 'field' : 'fields'}`)]] : [])
    .reverse();
  if (last === undefined) return [];
  return others.length === 0 ? last : [...joined(', ', others.reverse()), text(' and '), ...last];
}

/** What the changes of an entry have in common, and of a loop which fields differ by item; nothing for moves and the like. */
export function foldedWords(folded: FoldedChanges): readonly CodeSpan[] {
  const { first, diff, byItem } = folded;
  const common = differenceWords(first.kind, diff);
  const changed = changedByItem(folded);
  if (byItem === undefined || changed !== undefined) return changed ?? common;
  const differs = byItem.fields.length === 0 ? [] : [text('differs by item: '), ...fieldNames(byItem.fields)];
  return joined('; ', [common, differs]);
}

/** What is special about one of them: its values of the fields that differ by item. */
export function itemWords({ first: { kind }, byItem }: FoldedChanges, change: Change): readonly CodeSpan[] {
  const fields = byItem?.fields ?? [];
  const isOwn = ({ segments }: Leaf) =>
    segments.some((_, index) => fields.includes(labelOf(segments.slice(0, index + 1))));
  const body = bodyOf(change);
  const leaves = body.shows === 'difference' ? changedLeaves(kind, body.diff) : declaredLeaves(kind, body.attributes);
  // The name of a report stands beside its address.
  const shown = leaves.filter((leaf) => isOwn(leaf) && (body.shows === 'difference' || leaf.segments[0] !== 'name'));
  const words = shown
    .slice(0, mostFields)
    .map((leaf) => (body.shows === 'difference' ? leafWords(kind, leaf) : valueWords(leaf)));
  const more = shown.length - mostFields;
  return joined('; ', more > 0 ? [...words, [text(`${more} more`)]] : words);
}

/** `recipients: ["bo@example.com"]`. */
function valueWords({ segments, after = null }: Leaf): readonly CodeSpan[] {
  return [
    code(labelOf(segments)),
    text(' '),
    code(truncate(typeof after === 'string' ? plainText(after) : valueText(after), longestValue)),
  ];
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

function leafWords(kind: Kind, leaf: Leaf): readonly CodeSpan[] {
  const { segments, before, after } = leaf;
  const label = code(labelOf(segments));
  if (hidesValue(leaf)) return [label, text(' gets another value')];
  if (Array.isArray(before) && Array.isArray(after) && isSetField(kind, segments)) {
    const moves = joined(' and ', [elements('lose', before), elements('gain', after)]);
    return moves.length === 0 ? [label, text(' change')] : [label, text(' '), ...moves];
  }
  const [was, is] = [shortValue(before), shortValue(after)];
  if (after === undefined)
    return [label, ...(was ? [text(' is removed (was '), was, text(')')] : [text(' is removed')])];
  if (before === undefined) return is === undefined ? [label, text(' is added')] : [label, text(' becomes '), is];
  return was === undefined || is === undefined
    ? [label, text(' changes')]
    : [label, text(' changes from '), was, text(' to '), is];
}

function elements(verb: string, values: readonly Json[]): readonly CodeSpan[] {
  if (values.length === 0) return [];
  const shown = values.slice(0, mostElements).map((value) => [code(plainText(value))]);
  const more = values.length - shown.length;
  return [text(`${verb} `), ...joined(', ', more > 0 ? [...shown, [text(`${more} more`)]] : shown)];
}

function shortValue(value: Json | undefined): CodeSpan | undefined {
  if (value === undefined || typeof value === 'object') return undefined;
  const shown = plainText(value);
  return shown.length > longestValue || shown.includes('\n') ? undefined : code(shown);
}

/** In quotes only where nothing would be seen, something other than a text, or quotes of its own. */
function plainText(value: Json): string {
  const needsQuotes = typeof value !== 'string' || /^\s*$|"|^(?:true|false|null|-?\d[\d.e+-]*)$/i.test(value);
  return needsQuotes ? valueText(value) : value;
}

function joined(between: string, parts: readonly (readonly CodeSpan[])[]): readonly CodeSpan[] {
  return parts
    .filter(({ length }) => length > 0)
    .flatMap((part, index) => (index === 0 ? part : [text(between), ...part]));
}

function text(words: string): CodeSpan {
  return { isCode: false, text: words };
}

function code(name: string): CodeSpan {
  return { isCode: true, text: name };
}

/** For a terminal: quotes where it would not be clear what is a name or a value. */
export function textOfSpans(spans: readonly CodeSpan[]): string {
  return spans.map((span) => (span.isCode ? plainCode(span.text) : span.text)).join('');
}

function plainCode(name: string): string {
  return /[\s,;]/.test(name) && !/^".*"$/.test(name) ? quoteText(name) : visibleText(name);
}
