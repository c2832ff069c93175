// Characters that a reader cannot see, or takes for a space. With them, texts that differ pass as equal in a review, or
// carry hidden words to a model.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderPlanHtml } from '../../src/report/plan/plan-html.ts';
import { renderPlanMarkdown } from '../../src/report/plan/plan-markdown.ts';
import { renderPlanText } from '../../src/report/plan/plan-text.ts';
import { safeText } from '../../src/report/text/terminal-text.ts';
import { plainTheme } from '../../src/report/text/theme.ts';
import { visibleText } from '../../src/report/text/visible-values.ts';
import { planOf, updateChange } from '../support/report/plan-samples.ts';

const hidden = /[\p{Default_Ignorable_Code_Point}\p{Cf}\u2800\u3164\u115f\u00a0\u3000\u{16FE4}\u{1D159}]/u;

describe('a character that cannot be seen is spelled out', () => {
  test.each([
    ['a joiner between letters', 'Sal\u200des', 'Sal\\u200des'],
    ['a non-joiner', 'Sal\u200ces', 'Sal\\u200ces'],
    ['a Hangul filler', 'Sales\u3164', 'Sales\\u3164'],
    ['a Hangul initial filler', 'Sales\u115f', 'Sales\\u115f'],
    ['an empty Braille pattern', 'Sales\u2800', 'Sales\\u2800'],
    ['a no-break space', 'Weekly\u00a0sales', 'Weekly\\u00a0sales'],
    ['an ideographic space', 'Weekly\u3000sales', 'Weekly\\u3000sales'],
    ['a grapheme joiner', 'Sa\u034fles', 'Sa\\u034fles'],
    ['a selector behind a letter', 'Sales\ufe0f', 'Sales\\ufe0f'],
    ['a second selector behind an emoji', '❤\ufe0f\ufe0f', '❤\ufe0f\\ufe0f'],
    ['a selector that an emoji does not need', '🚀\ufe0f', '🚀\\ufe0f'],
    ['a joiner between emoji that make no picture', '👍\u200d👍', '👍\\u200d👍'],
    ['words smuggled behind an emoji', '😀\u{e0154}\u{e0155}', '😀\\udb40\\udd54\\udb40\\udd55'],
    ['a bidi override', '\u202egnp', '\\u202egnp'],
  ])('%s', (_, text, shown) => {
    expect(visibleText(text)).toBe(shown);
    expect(safeText(text)).toBe(shown);
  });
});

test.each(['👩‍💻', '❤️', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '1️⃣', '🏳️‍🌈', '👩🏽‍🚀', 'Übersicht 日本', 'e\u0301'])('%s stays as it is', (text) => {
  expect(visibleText(text)).toBe(text);
});

const pieces = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom('👩‍💻', '❤️', '👍', '\u200d', '\ufe0f', '\u3164', '\u2800', '\u00a0', '\u{e0101}', '\u202e', ' '),
);
const texts = fc.array(pieces, { maxLength: 12 }).map((each) => each.join(''));

test('property: nothing invisible is left outside an emoji', () => {
  const recommended = String.raw`\p{RGI_Emoji}`;
  const emoji = new RegExp(recommended, 'gv');
  fc.assert(
    fc.property(texts, (text) => {
      for (const shown of [visibleText(text), safeText(text)]) expect(shown.replace(emoji, '')).not.toMatch(hidden);
    }),
  );
});

test('every report of a plan shows a subject that differs in one invisible letter', () => {
  const subject = 'Weekly sales';
  const change = {
    ...updateChange,
    before: { ...updateChange.before, subject },
    after: { ...updateChange.after, subject: `${subject}\u3164` },
    diff: [{ path: '/subject', op: 'change', before: subject, after: `${subject}\u3164`, sensitive: false }],
  } as const;
  const plan = planOf([change]);
  const reports = [
    renderPlanText(plan, { theme: plainTheme, width: 80 }),
    renderPlanMarkdown(plan),
    renderPlanHtml(plan),
  ];
  for (const report of reports) {
    expect(report).toContain('Weekly sales\\u3164');
    expect(report).not.toContain('\u3164');
  }
});
