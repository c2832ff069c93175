import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Diagnostic } from '../../src/model/workspace/diagnostic.ts';
import { declarationFindings, findingsDoc } from '../../src/report/diagnostics/findings-doc.ts';
import { foldFindings } from '../../src/report/diagnostics/fold-findings.ts';
import { printText } from '../../src/report/print-text.ts';
import { displayWidth } from '../../src/report/text/terminal-text.ts';
import { colourTheme, plainTheme } from '../../src/report/text/theme.ts';
import { hostileText } from '../support/report/hostile-text.ts';
import { obeyed, stripSgr } from '../support/report/strip-sgr.ts';
import { runs } from '../support/runs/runs.ts';

const unknownField: Diagnostic = {
  severity: 'error',
  code: 'unknown-field',
  summary: 'no such field',
  message:
    'A schedule has no field `recipient`. The service would refuse the whole request, so nothing of it would be sent.',
  hint: 'Did you mean `recipients`?',
  file: 'schedules/sales.yaml',
  line: 12,
  column: 5,
  endLine: 12,
  endColumn: 14,
};

function textOf(diagnostic: Diagnostic, lines: readonly string[], firstLine = 11, width = 80, theme = plainTheme) {
  const doc = findingsDoc(foldFindings([diagnostic]), declarationFindings, () => ({ firstLine, lines }));
  return `\n${printText(doc, { theme, width })}`;
}

const lines = ['  weekly-sales:', '    recipient: [ana@example.com]', '    format: pdf'];

test('carets are at the right column after tabs and wide characters', () => {
  const diagnostic = { ...unknownField, column: 10, endColumn: 13 };
  expect(textOf(diagnostic, ['\t名前: "日本 bad"'], 12)).toMatchInlineSnapshot(`
    "
    schedules/sales.yaml:12:10: error[unknown-field]: no such field
      12 |     名前: "日本 bad"
         |                 ^^^
      A schedule has no field \`recipient\`. The service would refuse the whole
      request, so nothing of it would be sent.
      hint: Did you mean \`recipients\`?
    "
  `);
});

test('a long line is cut around the carets', () => {
  const line = `    textBody: ${'lorem ipsum '.repeat(2_000)}BAD${' dolor sit'.repeat(2_000)}`;
  const column = line.indexOf('BAD') + 1;
  const diagnostic = { ...unknownField, column, endColumn: column + 3 };
  expect(textOf(diagnostic, [line], 12, 60)).toMatchInlineSnapshot(`
    "
    schedules/sales.yaml:12:24015: error[unknown-field]: no such field
      12 | …sum lorem ipsum BAD dolor sit dolor sit dolor sit d…
         |                  ^^^
      A schedule has no field \`recipient\`. The service would
      refuse the whole request, so nothing of it would be sent.
      hint: Did you mean \`recipients\`?
    "
  `);
});

test('a span of several lines is marked to the end of its first line', () => {
  const diagnostic = { ...unknownField, endLine: 13, endColumn: 4 };
  expect(textOf(diagnostic, lines)).toContain(`     |     ${'^'.repeat(28)}\n`);
});

test('a place behind the end of the line, as after masking, is marked at its end', () => {
  expect(textOf({ ...unknownField, column: 99, endColumn: 120 }, ['    a: •••'], 12)).toContain('     |           ^\n');
});

test('a diagnostic without a place shows neither place nor source', () => {
  const { file: _1, line: _2, column: _3, endLine: _4, endColumn: _5, hint: _6, ...bare } = unknownField;
  expect(textOf({ ...bare, severity: 'note' }, lines)).toMatchInlineSnapshot(`
    "
    note[unknown-field]: no such field
      A schedule has no field \`recipient\`. The service would refuse the whole
      request, so nothing of it would be sent.
    "
  `);
  expect(textOf({ ...bare, address: 'schedules.a' }, lines)).toContain(
    '\nschedules.a: error[unknown-field]: no such field\n',
  );
});

const hostile = fc.record({ text: hostileText, line: hostileText, from: fc.nat(80), length: fc.nat(80) });

test('any diagnostic fits the width below its first line and cannot control the terminal', () => {
  fc.assert(
    fc.property(hostile, fc.constantFrom(80, 40), ({ text, line, from, length }, width) => {
      const column = from + 1;
      const diagnostic = {
        ...unknownField,
        message: text,
        hint: text,
        file: text,
        column,
        endColumn: column + length,
      };
      const shown = textOf(diagnostic, [text, line, text], 11, width);
      expect(shown).not.toMatch(obeyed);
      expect(stripSgr(textOf(diagnostic, [text, line, text], 11, width, colourTheme))).toBe(shown);
      const source = shown.split('\n').filter((each) => /^ +\d* \|/.test(each));
      for (const each of source) expect(displayWidth(each)).toBeLessThanOrEqual(width);
      expect(source.filter((each) => each.includes('^')).length).toBeGreaterThan(0);
    }),
    { numRuns: runs(300) },
  );
});
