// A schema as text, laid out as the formatter of this repository would: a list of plain values takes one line where it
// fits.

import { isJsonObject, type Json } from '../../model/values/json.ts';

const lineWidth = 120;

export function schemaText(value: Json): string {
  return `${lines(value, '', 0, 0)}\n`;
}

/** `before` and `after` count the characters on the line around the value. */
function lines(value: Json, indent: string, before: number, after: number): string {
  const inner = `${indent}  `;
  const comma = (index: number, length: number) => (index < length - 1 ? 1 : 0);
  if (Array.isArray(value) && value.length > 0) {
    const isPlain = value.every((entry: Json) => typeof entry !== 'object' || entry === null);
    const oneLine = isPlain ? `[${value.map((entry: Json) => JSON.stringify(entry)).join(', ')}]` : undefined;
    if (oneLine !== undefined && before + oneLine.length + after <= lineWidth) return oneLine;
    const entries = value.map(
      (entry: Json, index) => inner + lines(entry, inner, inner.length, comma(index, value.length)),
    );
    return `[\n${entries.join(',\n')}\n${indent}]`;
  }
  if (!isJsonObject(value) || Object.keys(value).length === 0) return JSON.stringify(value);
  const pairs = Object.entries(value);
  const entries = pairs.map(([key, entry], index) => {
    const start = `${inner}${JSON.stringify(key)}: `;
    return start + lines(entry, inner, start.length, comma(index, pairs.length));
  });
  return `{\n${entries.join(',\n')}\n${indent}}`;
}
