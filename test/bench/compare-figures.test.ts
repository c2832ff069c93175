// What `npm run bench -- --check` finds worse. No time is measured here.

import { expect, test } from 'vitest';
import { betterOf, compareFigures, comparisonText } from '../../bench/compare-figures.ts';
import type { Row } from '../../bench/figure.ts';

const ratio = (value: number, name = 'plan of 10, warm'): Row => ({ name, value, unit: '×', to: 'node -e 0' });
const worseOf = (committed: readonly Row[], now: readonly Row[]) => compareFigures(committed, now).worse;

test('a ratio is worse when it is more than 20 % above the committed one', () => {
  expect(worseOf([ratio(2)], [ratio(2.39)])).toEqual([]);
  expect(worseOf([ratio(2)], [ratio(2.41)])).toEqual([
    { key: 'plan of 10, warm / node -e 0', committed: 2, now: 2.41 },
  ]);
});

test('a ratio that improved is not worse', () => {
  expect(worseOf([ratio(2)], [ratio(0.5)])).toEqual([]);
});

test('milliseconds and memory are not compared', () => {
  const figure = (value: number): readonly Row[] => [
    { name: 'apply of 500, own time a change', value, unit: 'ms' },
    { name: 'memory of a plan', value, unit: 'MB' },
    { ...ratio(1), milliseconds: value, toMilliseconds: value, megabytes: value } as Row,
  ];
  expect(compareFigures(figure(1), figure(100))).toMatchObject({ compared: 1, worse: [] });
});

test('the same run beside another program is another ratio', () => {
  const besideYaml: Row = { name: 'plan of 10, warm', value: 9, unit: '×', to: 'yaml alone' };
  expect(worseOf([ratio(2), besideYaml], [besideYaml, ratio(2)])).toEqual([]);
});

test('another version of a peer is still the same ratio', () => {
  const beside = (toVersion: string, value: number): Row => ({
    name: 'plan',
    value,
    unit: '×',
    to: 'Terraform',
    toVersion,
  });
  expect(worseOf([beside('1.11.4', 0.1)], [beside('1.12.0', 0.2)])).toHaveLength(1);
});

test('what was left out of a run is reported and is not worse', () => {
  const leftOut: Row = { name: 'plan of 2,000 / Terraform', leftOut: 'terraform is not installed' };
  const committed: Row = { name: 'plan of 2,000, warm', value: 0.1, unit: '×', to: 'Terraform' };
  const comparison = compareFigures([committed, ratio(2)], [leftOut, ratio(2)]);
  expect(comparison).toMatchObject({ compared: 1, worse: [], missing: ['plan of 2,000, warm / Terraform'] });
  expect(comparisonText(comparison)).toContain('left out of this run: plan of 2,000, warm / Terraform\n');
});

test('a ratio without a committed figure is reported and is not worse', () => {
  const comparison = compareFigures([], [ratio(2)]);
  expect(comparison).toMatchObject({ compared: 0, worse: [], unknown: ['plan of 10, warm / node -e 0'] });
});

test('the text names each ratio that is worse, and by how much', () => {
  const text = comparisonText(compareFigures([ratio(2), ratio(1, 'b')], [ratio(3), ratio(1, 'b')]));
  expect(text).toContain('worse: plan of 10, warm / node -e 0: 3.00 instead of 2.00 (50 %)\n');
  expect(text).toContain('2 ratios compared, 1 worse by more than 20 %.\n');
});

test('of two measurements the better one of each ratio counts', () => {
  expect(betterOf([ratio(3), ratio(1, 'b')], [ratio(2), ratio(5, 'b')])).toEqual([ratio(2), ratio(1, 'b')]);
  expect(betterOf([ratio(3)], [{ name: 'plan of 10, warm', leftOut: 'gone' }])).toEqual([ratio(3)]);
});
