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
  expect(foldFindings([...accepted, ...found])).toEqual({ shown: found, more: [] });
  expect(foldFindings([...accepted, ...found], true)).toEqual({ shown: found, more: [] });
});
