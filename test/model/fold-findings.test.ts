import { expect, test } from 'vitest';
import type { Diagnostic } from '../../src/model/workspace/diagnostic.ts';
import { foldFindings } from '../../src/model/workspace/fold-findings.ts';

const finding = (line: number, rest: Partial<Diagnostic> = {}): Diagnostic => ({
  severity: 'warning',
  code: 'missing-variable',
  summary: 'x',
  message: `${line}`,
  line,
  ...rest,
});
const linesOf = ({ shown }: ReturnType<typeof foldFindings>) => shown.map(({ line }) => line);

test('of many findings with one code the first three different ones are shown', () => {
  const variables = ['A', 'A', 'B', 'A', 'C', 'D', 'B'];
  const found = variables.map((message, index) => finding(index + 1, { message }));
  const folded = foldFindings(found);
  expect(linesOf(folded)).toEqual([1, 3, 5]);
  expect(folded.more).toEqual([{ severity: 'warning', code: 'missing-variable', count: 4 }]);
  expect(linesOf(foldFindings(variables.map((_, index) => finding(index + 1, { message: 'A' }))))).toEqual([1, 2, 3]);
});

test('an accepted finding is neither shown nor counted among those that are folded', () => {
  const found = [1, 2, 3, 4].map((line) => finding(line));
  const accepted = [5, 6].map((line) => finding(line, { accepted: 'agreed' }));
  for (const showsAll of [false, true])
    expect(foldFindings([...accepted, ...found], showsAll)).toEqual({
      shown: found,
      more: [],
      besideErrors: { warnings: 0, notes: 0 },
      finished: 0,
      stopped: 0,
      elsewhere: 0,
    });
});

test('beside errors, warnings and notes are counts', () => {
  const errors = [1, 2].map((line) => finding(line, { severity: 'error', code: 'unknown-field' }));
  const notes = [finding(9, { severity: 'note', code: 'entry-left-as-is' })];
  const others = [...[3, 4, 5].map((line) => finding(line)), ...notes];
  expect(foldFindings([...others, ...errors])).toMatchObject({
    shown: errors,
    besideErrors: { warnings: 3, notes: 1 },
  });
  expect(foldFindings([...others, ...errors], true).shown).toHaveLength(6);
});

test('entries that have taken effect are one count, and one that had no effect is a finding', () => {
  const codes = ['finished-entry', 'stale-moved', 'stale-removed'] as const;
  const entries = codes.map((code, line) => finding(line, { severity: 'note', code }));
  const withoutEffect = finding(9, { severity: 'note', code: 'stale-moved', address: 'schedules.b' });
  expect(foldFindings([...entries, withoutEffect])).toMatchObject({ shown: [withoutEffect], finished: 3 });
  expect(foldFindings(entries, true).shown).toEqual(entries);
});
