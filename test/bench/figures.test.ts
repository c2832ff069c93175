// The figures as the table shows them, and that docs/performance.md shows the committed ones.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readCommitted, withFigures } from '../../bench/committed.ts';
import { type Figure, type Row, tooNoisy } from '../../bench/figure.ts';
import { medianDifference } from '../../bench/measure.ts';
import { tableMarkdown, tableText } from '../../bench/table.ts';

const start: Figure = { name: 'almanac --version', value: 1.204, unit: '×', to: 'node -e 0', target: 1.2 };

test('docs/performance.md shows the figures that --check compares with', async () => {
  const page = readFileSync('docs/performance.md', 'utf8');
  expect(withFigures(page, await readCommitted())).toBe(page);
});

test('the table says of each figure whether it meets its target, with the digits that it shows', () => {
  const met = (value: number) => tableMarkdown([{ ...start, value }]).split('\n')[2];
  expect(met(1.204)).toBe('| almanac --version | 1.20 × | 1.2 | yes | | node -e 0 | |');
  expect(met(1.206)).toBe('| almanac --version | 1.21 × | 1.2 | no | | node -e 0 | |');
});

test('a small ratio has three digits', () => {
  expect(tableMarkdown([{ ...start, value: 0.0271 }])).toContain('| 0.027 × | 1.2 | yes |');
});

test('a figure without a target neither meets nor misses one', () => {
  const { target: _, ...untargeted } = start;
  expect(tableMarkdown([untargeted])).toContain('| 1.20 × | | |');
});

test('the table names the version of a peer, its time and ours', () => {
  const beside: Figure = {
    ...{ name: 'plan of 2,000', value: 0.15, unit: '×', to: 'Terraform', toVersion: '1.11.4', target: 1 },
    ...{ milliseconds: 612.4, toMilliseconds: 3850, megabytes: 99.6 },
  };
  expect(tableMarkdown([beside])).toContain('| yes | 612 | Terraform 1.11.4, 3,850 ms | 100 |');
});

test('what the noise hides meets no target', () => {
  const table = tableMarkdown([{ name: 'what ten secrets add to a plan', leftOut: tooNoisy }]);
  expect(table).toContain(
    '| what ten secrets add to a plan | | | | | left out: not measurable, the noise is larger | |',
  );
});

test('a difference is measurable when at most a quarter of its rounds are not above zero', () => {
  expect(medianDifference([5, 3, 4, 1])).toBe(3.5);
  expect(medianDifference([5, 3, 4, -1])).toBe(3.5);
  expect(medianDifference([5, 3, -4, -1])).toBeUndefined();
  expect(medianDifference([])).toBeUndefined();
});

test('a reason does not widen the columns of the table', () => {
  const widest = (rows: readonly Row[]) =>
    Math.max(
      ...tableText(rows)
        .split('\n')
        .slice(0, 2)
        .map((line) => line.length),
    );
  expect(widest([start, { name: 'v8r', leftOut: 'a reason '.repeat(20) }])).toBe(widest([start]));
});

test('the table says why something was left out', () => {
  expect(tableText([{ name: 'v8r', leftOut: 'v8r is not installed' }])).toMatch(
    /v8r: left out: v8r is not installed\n/,
  );
});

test('the page says where each group was measured that has a figure', () => {
  const leftOut: Row = { name: 'plan / octoDNS', leftOut: 'not measured' };
  const page = withFigures('<!-- figures -->\n<!-- end of figures -->\n', {
    start: { machine: '2 cores', rows: [start] },
    octodns: { machine: '2 cores', rows: [leftOut] },
  });
  expect(page).toContain('- `start`: 2 cores\n');
  expect(page).toContain('left out: not measured');
});

test('a page without markers cannot take the figures', () => {
  expect(() => withFigures('# Performance\n', {})).toThrow('no markers');
});
