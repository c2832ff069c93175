// Writes a text as YAML, and escapes one so that interpolation keeps it. A text gets no quotes only where every reader
// takes it for that text, also one of YAML 1.1, for which `no` is false and `12:30` is a number. Whatever writes YAML
// asks here. Which texts these are is decided without the yaml package, which a plan does not load; a test holds the
// answers to that package and to PyYAML.

import type { Json } from '../../model/values/json.ts';
import { inDoubleQuotes, isVisible } from '../../model/values/unseen.ts';
import { mapLeaves } from '../../model/workspace/map-leaves.ts';

/** The place of a text; a key has a colon behind it. */
export interface TextPlace {
  readonly inFlow: boolean;
  readonly isKey: boolean;
}

/** A value or an item inside brackets or braces, as most examples in messages are. */
export const inBrackets: TextPlace = { inFlow: true, isKey: false };

export type Quote = '"' | "'";

/** Any string on one line: plain where that is safe, or in the quotes asked for where they can hold it. */
export function printString(text: string, place: TextPlace, quote?: Quote): string {
  if (quote === undefined && isSafePlain(text, place)) return text;
  const prefersSingle = quote === "'" || (quote === undefined && /["\\]/.test(text) && !text.includes("'"));
  return prefersSingle && isVisible(text) ? `'${text.replaceAll("'", "''")}'` : inDoubleQuotes(text);
}

/** True if every reader takes the text for itself when it has no quotes there. */
export function isSafePlain(text: string, { inFlow, isKey }: TextPlace): boolean {
  if (isSyntax.test(text) || otherTypes.some((form) => form.test(text))) return false;
  if (inFlow ? isSyntaxInFlow.test(text) : isKey && isMarker.test(text)) return false;
  return isVisible(text);
}

const isSyntax = /^[ ,[\]{}#&*!|>'"%@`]|^[?-](?: |$)|: | #|[ :]$/;

/** Readers of YAML 1.1 take a question mark in brackets for a key, and a colon at the beginning for a value. */
const isSyntaxInFlow = /[[\]{},?]|^:/;

/** A separator of documents at the beginning of a line. */
const isMarker = /^(?:---|\.\.\.)/;

const otherTypes: readonly RegExp[] = [
  /^(?:~|null|Null|NULL)?$/,
  /^(?:[yYnN]|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF|true|True|TRUE|false|False|FALSE)$/,
  /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/,
  /^(?:[-+]?0(?:b[01_]+|x[\da-fA-F_]+)|0o[0-7]+)$/,
  /^[-+]?(?=[\d.eE])(?:\d[\d_]*)?(?:\.[\d_]*)?(?:[eE][-+]?\d+)?$/,
  // Minutes and seconds are numbers of base 60.
  /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/,
  /^\d{4}-\d{1,2}-\d{1,2}(?:(?:t|T|[ \t]+)\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?(?:[ \t]*(?:Z|[-+][012]?\d(?::\d{2})?))?)?$/,
  // These merge a map, and stand for a default value.
  /^(?:<<|=)$/,
];

// Escapes a text so that interpolation in a source file returns it unchanged.

/** Each `${` in a text becomes `$${`. */
export function escapeInterpolation(value: Json): Json {
  return mapLeaves(value, (leaf) => (typeof leaf === 'string' ? leaf.replaceAll('${', escaped) : leaf)) as Json;
}

/** A function, because `$$` in a replacement string means one `$`. */
const escaped = () => '$${';
