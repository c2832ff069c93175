// almanac.yaml is not interpolated: a ${…} in it would reach the service as it stands, so it is an error. `$${` is a
// literal `${` there as in source files.

import type { Finding } from '../model/diagnostic.ts';
import { define, isJsonObject, type Json } from '../model/json.ts';
import { type Pointer, pointerTo } from '../model/pointer.ts';
import type { Origin } from '../model/source-file.ts';

const reference = /\$\$\{|\$\{[^}\n]*\}?/g;
const literal = '$${';

/** Every reference of a value, and the value with its literals as they are meant. */
export function findInterpolation(value: Json, origin: Origin): { value: Json; findings: readonly Finding[] } {
  const findings: Finding[] = [];
  return { value: inside(value, origin.pointer, origin, findings), findings };
}

function inside(value: Json, pointer: Pointer, origin: Origin, findings: Finding[]): Json {
  if (typeof value === 'string') return text(value, pointer, origin, findings);
  if (Array.isArray(value)) {
    return value.map((entry: Json, index) => inside(entry, pointer + pointerTo(index), origin, findings));
  }
  if (!isJsonObject(value)) return value;
  const object: Record<string, Json> = {};
  for (const [key, entry] of Object.entries(value))
    define(object, key, inside(entry, pointer + pointerTo(key), origin, findings));
  return object;
}

function text(value: string, pointer: Pointer, { file, document }: Origin, findings: Finding[]): string {
  for (const match of value.matchAll(reference)) {
    if (match[0] === literal) continue;
    const within = { start: match.index, end: match.index + match[0].length };
    findings.push({
      code: 'not-interpolated',
      message: 'almanac.yaml is not interpolated: the ${…} would be taken as it stands.',
      hint: 'Write the value itself, or put the reference into a source file; for a literal ${ write $${.',
      place: { file, document, pointer, at: 'value', within },
    });
  }
  return value.replaceAll(literal, '${');
}
