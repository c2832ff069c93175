import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderJson } from '../../src/report/text/render-json.ts';
import { hostileText } from '../support/report/hostile-text.ts';
import { bigPlan } from '../support/report/plan-samples.ts';
import { obeyed } from '../support/report/strip-sgr.ts';

test('a JSON plan has two spaces of indentation, a final newline, and the same value when read', () => {
  const text = renderJson(bigPlan);
  expect(text.startsWith('{\n  "formatVersion": 1,\n')).toBe(true);
  expect(text.endsWith('\n}\n')).toBe(true);
  expect(JSON.parse(text)).toEqual(bigPlan);
});

test('the JSON of any plan cannot control the terminal and keeps its value', () => {
  fc.assert(
    fc.property(fc.dictionary(hostileText, hostileText), (document) => {
      const text = renderJson(document);
      expect(text).not.toMatch(obeyed);
      expect(JSON.stringify(JSON.parse(text))).toBe(JSON.stringify(document));
    }),
  );
});
