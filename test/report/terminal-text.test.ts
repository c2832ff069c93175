import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { command } from '../../src/model/values/command.ts';
import { displayWidth, gluedText, safeText, truncate, unglued, wrap } from '../../src/report/text/terminal-text.ts';
import { quoteText, valueText } from '../../src/report/text/visible-values.ts';
import { hostileText } from '../support/report/hostile-text.ts';
import { obeyed } from '../support/report/strip-sgr.ts';

describe('safeText', () => {
  test.each([
    ['\u001b[31mred\u001b[0m', '\\u001b[31mred\\u001b[0m'],
    ['\u009b2Jname\u0007', '\\u009b2Jname\\u0007'],
    ['one\r\ntwo\nthree\tfour', 'one two three four'],
    ['\u202egnp\u2066x', '\\u202egnp\\u2066x'],
    ['Übersicht 日本 👩‍💻', 'Übersicht 日本 👩‍💻'],
  ])('safeText of %j is %j', (text, safe) => {
    expect(safeText(text)).toBe(safe);
  });

  test('safeText keeps line ends if asked', () => {
    expect(safeText('a\r\nb', { keepNewlines: true })).toBe('a\nb');
  });

  test('safeText of any text cannot control the terminal', () => {
    fc.assert(
      fc.property(hostileText, fc.boolean(), (text, keepNewlines) => {
        const safe = safeText(text, { keepNewlines });
        expect(safe).not.toMatch(obeyed);
        if (!keepNewlines) expect(safe).not.toContain('\n');
        expect(quoteText(text)).not.toMatch(obeyed);
      }),
    );
  });

  test('safeText is fast for a long hostile text', () => {
    for (const piece of ['\u009d', '\u001b]', '\u001b[1;', '\u009b', '\u001b(', '-', ':1', '`almanac ', '@']) {
      expect(wrap(safeText(piece.repeat(50_000)), 40)).not.toEqual([]);
    }
  });
});

test.each([
  ['', 0],
  ['abc', 3],
  ['日本', 4],
  ['e\u0301', 1],
  ['🚀', 2],
  ['ｗ', 2],
  ['\u200b', 0],
  ['–…', 2],
])('displayWidth of %j is %i', (text, width) => {
  expect(displayWidth(text)).toBe(width);
});

describe('wrap', () => {
  test('a line of 200,000 spaces is wrapped', () => {
    expect(
      wrap(`a${' '.repeat(200_000)}b`, 40)
        .at(-1)
        ?.trim(),
    ).toBe('b');
  });

  test('wrap breaks at spaces and indents', () => {
    expect(wrap('one two three four', 11, '  ')).toEqual(['  one two', '  three', '  four']);
  });

  test('wrap leaves an indented line whole, because it is YAML to be pasted', () => {
    const entry = '  - { to: schedules.weekly-sales.ile-de-france, id: 351b7d52-d6fd-42fe-b412-f89434c8a037 }';
    expect(wrap(`adopt:\n${entry}`, 40, '  ')).toEqual(['  adopt:', `  ${entry}`]);
  });

  test('wrap breaks a word that is too long', () => {
    expect(wrap('abcdefghijklmnop', 10)).toEqual(['abcdefghij', 'klmnop']);
  });

  test.each([
    'https://hooks.example.com/services/almanac',
    'schedules.a-very-long-name-of-a-schedule',
    '"ana.maria.of.the.data.team@example.com"',
    '2abba91d-9bec-41a0-8a8d-6f133b4ff0b7,',
    'arn:aws:iam::123456789012:role/omni-reports',
    'schedules/reports/weekly.yaml:12',
  ])('wrap keeps %s whole, alone on its line', (word) => {
    expect(wrap(`see ${word} now`, 20)).toEqual(['see', word, 'now']);
  });

  test('wrap keeps a command whole, alone on its line, and breaks a name that reads like one', () => {
    const text = (words: string) => wrap(gluedText(`run \`${words}\`. Then go on`), 20).map(unglued);
    expect(text(command('state resolve', 'schedules.a', '--done'))).toEqual([
      'run',
      '`almanac state resolve schedules.a --done`.',
      'Then go on',
    ]);
    expect(text('almanac state resolve schedules.a --done')[0]).toBe('run `almanac state');
  });

  test('wrap breaks beside a short text in quotes, not inside it, and inside a long one', () => {
    expect(wrap('changes from "0 7 2 * ? *" to "0 7 1 * ? *"', 20)).toEqual([
      'changes from',
      '"0 7 2 * ? *" to',
      '"0 7 1 * ? *"',
    ]);
    expect(wrap(`says "${'Weekly sales '.repeat(4)}"`, 20)[0]).toBe('says "Weekly sales');
  });

  test('wrap keeps the spaces inside a line', () => {
    expect(wrap('after:  at 09:00', 40)).toEqual(['after:  at 09:00']);
  });

  test('wrap loses nothing but the spaces it breaks at', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), fc.integer({ min: 8, max: 40 }), (text, width) => {
        const bare = (each: string) => each.replaceAll(' ', '').replaceAll('\n', '');
        expect(bare(wrap(text, width).join(''))).toBe(bare(text));
      }),
    );
  });
});

test('truncate ends with an ellipsis and never exceeds the width', () => {
  expect(truncate('Weekly sales', 8)).toBe('Weekly …');
  expect(truncate('日本日本', 6)).toBe('日本…');
  expect(truncate('short', 8)).toBe('short');
  fc.assert(
    fc.property(hostileText, fc.integer({ min: 0, max: 40 }), (text, width) => {
      expect(displayWidth(truncate(text, width))).toBeLessThanOrEqual(width);
    }),
  );
});

test('different values are always printed differently', () => {
  expect(quoteText('a\u200bb\u202e\u001b[31m\n')).toBe('"a\\u200bb\\u202e\\u001b[31m\\n"');
  expect(valueText({ a: [1, 'x', null], 'b c': { d: true } })).toBe('{ a: [1, "x", null], "b c": { d: true } }');
  expect(valueText('(sensitive)')).toBe('(sensitive)');
  expect(valueText({})).toBe('{}');
});
