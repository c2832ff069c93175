// A key that appears twice in an object is noticed in a text of any form, and a text without one that is as Almanac writes
// it is never read a second time.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Json } from '../../src/model/values/json.ts';
import { findJsonProblem, repeatsNoKey } from '../../src/state/format/parse-state.ts';
import { runs } from '../support/runs/runs.ts';

/** A JSON text whose objects may repeat keys, with spaces anywhere, and with strings that look like keys. */
const word = fc.constantFrom('a', 'b', ':', '":', '" :', '\\', '\\":', '\n', 'é', '__proto__');
const space = fc.constantFrom('', '', ' ', '\n  ', '\r\n', '\t');
const text = fc.letrec<{ value: string; entry: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.oneof(
      word.map((each) => JSON.stringify(each)),
      fc.constantFrom('1', 'null', 'true', '-0.5e3'),
    ),
    fc.array(tie('value'), { maxLength: 3 }).map((all) => `[${all.join(',')}]`),
    fc.array(tie('entry'), { maxLength: 3 }).map((all) => `{${all.join(',')}}`),
  ),
  entry: fc
    .tuple(space, word, space, tie('value'), space)
    .map(([before, key, colon, value, after]) => `${before}${JSON.stringify(key)}${colon}:${value}${after}`),
})).value;

it('a text that passes repeats no key', () => {
  const found = { passed: 0, repeated: 0 };
  fc.assert(
    fc.property(text, (json) => {
      const repeated = findJsonProblem(json)?.kind === 'duplicate-key';
      const passed = repeatsNoKey(json, JSON.parse(json) as Json);
      expect(passed && repeated, json).toBe(false);
      if (passed) found.passed += 1;
      if (repeated) found.repeated += 1;
    }),
    { numRuns: runs(4000) },
  );
  expect([found.passed > runs(100), found.repeated > runs(100)]).toEqual([true, true]);
});
