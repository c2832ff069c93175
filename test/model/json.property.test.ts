// The text that digests are taken of.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalJson, type Json, sortKeys } from '../../src/model/values/json.ts';
import { runs } from '../support/runs/runs.ts';

it('the canonical text of a value is the JSON of the value with sorted keys', () => {
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`k${index}`, index]));
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      for (const each of [value, [value, many]] as readonly Json[])
        expect(canonicalJson(each)).toBe(JSON.stringify(sortKeys(each)));
    }),
    { numRuns: runs(1000) },
  );
});
