// Whether no object of a JSON text has a key twice. JSON.parse keeps the last of two equal keys, so then the value has
// fewer keys than the text. In a text of JSON every key ends with a quote and a colon, which a string may also hold: so a
// text has at most as many keys as it has such pairs, and where the value has that many, none was dropped.

import { isJsonObject, type Json } from '../../model/values/json.ts';

/** `value` is what JSON.parse made of the text. False for some texts that hold such a pair in a string. */
export function repeatsNoKey(text: string, value: Json): boolean {
  return colonsAfterQuotes(text) === keysIn(value);
}

function colonsAfterQuotes(text: string): number {
  let count = 0;
  for (let colon = text.indexOf(':'); colon !== -1; colon = text.indexOf(':', colon + 1)) {
    let before = colon - 1;
    while (isSpace(text.charCodeAt(before))) before -= 1;
    if (text.charCodeAt(before) === 0x22) count += 1;
  }
  return count;
}

function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
}

function keysIn(value: Json): number {
  let count = 0;
  if (Array.isArray(value)) {
    for (const entry of value) count += keysIn(entry);
  } else if (isJsonObject(value)) {
    for (const key in value) count += 1 + keysIn(value[key] as Json);
  }
  return count;
}
