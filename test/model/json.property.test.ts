// The text that digests are taken of.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { byCodeUnit, canonicalJson, isJsonObject, type Json } from '../../src/model/values/json.ts';
import { runs } from '../support/runs/runs.ts';

it('the canonical text of a value is the JSON of the value with sorted keys', () => {
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`k${index}`, index]));
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      for (const each of [value, [value, many]] as readonly Json[]) expect(canonicalJson(each)).toBe(sorted(each));
    }),
    { numRuns: runs(1000) },
  );
});

/** An object of JavaScript would put names that are numbers first. */
function sorted(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const names = Object.keys(value).sort(byCodeUnit);
  return `{${names.map((name) => `${JSON.stringify(name)}:${sorted(value[name] as Json)}`).join(',')}}`;
}
