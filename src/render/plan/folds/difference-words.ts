// A difference in words, for a line about many equal changes: `recipients lose kim@example.com`.

import type { FieldDiff } from '../../../model/plan/plan.ts';
import type { Kind } from '../../../model/values/address.ts';
import type { Json } from '../../../model/values/json.ts';
import { changedLeaves, hidesValue, type Leaf, labelOf } from '../../fields/field-paths.ts';
import { isSetField } from '../../fields/set-differences.ts';
import type { CodeSpan } from '../../text/code-spans.ts';
import { quoteText, valueText, visibleText } from '../../text/visible-text.ts';

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
