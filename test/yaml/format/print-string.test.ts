// Texts that stand without quotes, and our two readers' view of them. Every printed text is read as itself, wherever it
// stands. What PyYAML takes them for is asked in other-readers.slow.test.ts.

import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { Document, isCollection } from 'yaml';
import { isVisible } from '../../../src/model/values/unseen.ts';
import { formatYaml } from '../../../src/yaml/format/format-yaml.ts';
import { isSafePlain, printString } from '../../../src/yaml/format/print-string.ts';
import { sourceOrder } from '../../../src/yaml/format/source-order.ts';
import { parseSource } from '../../../src/yaml/parse-source.ts';
import { readValues } from '../../../src/yaml/read-values.ts';
import { runs } from '../../support/runs/runs.ts';
import { arbitraryOddText, oddTexts } from '../../support/yaml/odd-texts.ts';
import { places, printed, readBack } from '../../support/yaml/printed-texts.ts';

/** Whether the yaml package writes the text without quotes there, for readers of YAML 1.1 too. */
function staysPlain(text: string, { inFlow, isKey }: (typeof places)[number]): boolean {
  const document = new Document(isKey ? { [text]: 0 } : [text], { compat: 'yaml-1.1' });
  if (isCollection(document.contents)) document.contents.flow = inFlow;
  const line = isKey ? (inFlow ? `{ ${text}: 0 }` : `${text}: 0`) : inFlow ? `[ ${text} ]` : `- ${text}`;
  return document.toString({ lineWidth: 0 }) === `${line}\n`;
}

function meant(text: string, place: (typeof places)[number]): boolean {
  if (text === '=' || !isVisible(text)) return false;
  if (place.inFlow && (text.includes('?') || text.startsWith(':'))) return false;
  return staysPlain(text, place);
}

test('a text is safe without quotes where the yaml package writes it so for YAML 1.1, except `=`, and in brackets `?` and `:`', () => {
  const differs = (text: string) => places.filter((place) => isSafePlain(text, place) !== meant(text, place));
  expect(oddTexts.filter((text) => differs(text).length > 0)).toEqual([]);
  fc.assert(
    fc.property(arbitraryOddText, (text) => {
      expect(differs(text)).toEqual([]);
    }),
    { numRuns: runs(20_000) },
  );
});

test('both readers take every printed text for itself, in blocks and in brackets, as a value and as a key', () => {
  const wrong = (text: string) =>
    places.filter((place) => {
      const file = { path: 'a.yaml', text: `${printed(text, place)}\n` };
      const { value: documents, findings } = parseSource(file);
      const fast = readValues(file);
      const isRead = (found: typeof documents) => readBack(found[0]?.value, place) === text;
      return findings.length > 0 || !isRead(documents) || (fast !== undefined && !isRead(fast));
    });
  expect(oddTexts.filter((text) => wrong(text).length > 0)).toEqual([]);
  fc.assert(
    fc.property(arbitraryOddText, (text) => {
      expect(wrong(text)).toEqual([]);
    }),
    { numRuns: runs(5000) },
  );
});

describe('fmt and quotes', () => {
  const quoted = (text: string) => (/["\\]/.test(text) ? `'${text.replaceAll("'", "''")}'` : `"${text}"`);

  it('quotes go where a text is safe without them, and stay anywhere else', () => {
    const kept = oddTexts.filter(isVisible).flatMap((text) =>
      places.flatMap((place) => {
        const before = `${printed(text, place, quoted)}\n`;
        const after = formatYaml(before, sourceOrder) ?? '';
        const wanted = `${printed(text, place, (each) => (isSafePlain(each, place) ? each : quoted(each)))}\n`;
        return after === wanted ? [] : [[before, after]];
      }),
    );
    expect(kept).toEqual([]);
  });

  it('whatever is printed stays as it is', () => {
    for (const place of places)
      for (const text of oddTexts) {
        const line = `${printed(text, place)}\n`;
        expect(formatYaml(line, sourceOrder)).toBe(line);
      }
    expect(printString('say "x"', { inFlow: false, isKey: false })).toBe('say "x"');
  });

  it.each([
    ['in brackets', 'a: [What?, :x, no, 12:30, ?x, b]\n', 'a: ["What?", ":x", "no", "12:30", "?x", b]\n'],
    ['in braces', 'a: { schedule: 0 9 ? * MON *, ?k: 1 }\n', 'a: { schedule: "0 9 ? * MON *", "?k": 1 }\n'],
    ['with a quote or a backslash inside', `a: [b"?, c\\?, it's?]\n`, `a: ['b"?', 'c\\?', "it's?"]\n`],
    ['in brackets over several lines', 'a: [\n    What?, # c\n    "d",\n    e\n      f?\n  ]\n', undefined],
    ['behind an anchor', 'a: [&x b?, *x]\n', 'a: [&x "b?", *x]\n'],
    ['but not to a merge key', 'a: &a {}\nb: { <<: *a, c: d? }\n', 'a: &a {}\nb: { <<: *a, c: "d?" }\n'],
    ['but not to what is no text', 'a: [~, null, true, 1, 0x1F, 1.5]\n', 'a: [~, null, true, 1, 0x1F, 1.5]\n'],
    ['but not in a block', 'a: What?\nb: no\nc: :x\n', 'a: What?\nb: no\nc: :x\n'],
  ])('quotes come to a text that is not safe without them: %s', (_, before, after) => {
    const several = 'a: [\n    "What?", # c\n    "d",\n    "e\n      f?"\n  ]\n';
    expect(formatYaml(before, sourceOrder)).toBe(after ?? several);
    expect(formatYaml(after ?? several, sourceOrder)).toBe(after ?? several);
  });
});
