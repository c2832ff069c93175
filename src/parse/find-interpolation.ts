// almanac.yaml is not interpolated: a ${…} in it would reach the service as it stands, so it is an error.

import type { Finding } from '../model/diagnostic.ts';
import { isJsonObject, type Json } from '../model/json.ts';
import { interpolation } from '../model/patterns.ts';
import { pointerTo } from '../model/pointer.ts';
import type { Origin } from '../model/source-file.ts';

const holdsReference = new RegExp(interpolation, 'u');

export function findInterpolation(value: Json, origin: Origin): readonly Finding[] {
  if (typeof value === 'string') return holdsReference.test(value) ? [finding(origin)] : [];
  const below = (segment: string | number): Origin => ({ ...origin, pointer: origin.pointer + pointerTo(segment) });
  if (Array.isArray(value)) return value.flatMap((entry: Json, index) => findInterpolation(entry, below(index)));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, entry]) => findInterpolation(entry, below(key)));
}

function finding(origin: Origin): Finding {
  return {
    code: 'not-interpolated',
    message: 'almanac.yaml is not interpolated: the ${…} would be taken as it stands.',
    hint: 'Write the value itself, or put the reference into a source file; for a literal ${ write $${.',
    place: { file: origin.file, document: origin.document, pointer: origin.pointer, at: 'value' },
  };
}
