import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderJson } from '../../src/report/text/render-json.ts';
import { hostileText } from '../support/report/hostile-text.ts';
import { obeyed } from '../support/report/strip-sgr.ts';

test('the JSON of any plan cannot control the terminal and keeps its value', () => {
  fc.assert(
    fc.property(fc.dictionary(hostileText, hostileText), (document) => {
      const text = renderJson(document);
      expect(text).not.toMatch(obeyed);
      expect(JSON.stringify(JSON.parse(text))).toBe(JSON.stringify(document));
    }),
  );
});
