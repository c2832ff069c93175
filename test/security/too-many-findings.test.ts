// A report of many mistakes holds 10,000 findings and counts the rest.

import { expect, it } from 'vitest';
import { atFullSize, someOf } from '../support/runs/runs.ts';
import { openWorld } from '../support/world.ts';

/** A schedule with five mistakes: one for all required fields that it lacks, and four unknown fields. */
const mistaken = { format: 'pdf', one: 1, two: 2, three: 3, four: 4 };

const broken = (count: number) => ({
  'schedules/all.yaml': {
    schedules: Object.fromEntries(Array.from({ length: count }, (_, index) => [`s${index}`, mistaken])),
  },
});

it('the JSON holds every finding up to 10,000, and one error says how many were left out', async () => {
  const stage = await openWorld(broken(3000));
  const { code, stdout } = await stage.run('validate', '--format', 'json');
  const document = JSON.parse(stdout);
  expect(code).toBe(1);
  expect(document.diagnostics).toHaveLength(10_001);
  const left = document.diagnostics.filter((each: { code: string }) => each.code === 'too-many-findings');
  expect(left).toEqual([expect.objectContaining({ severity: 'error', message: '5,000 more findings were left out.' })]);
});

atFullSize('every other format for programs ends with the same error', async () => {
  const stage = await openWorld(broken(2100));
  for (const format of someOf(['sarif', 'github', 'gitlab', 'junit'])) {
    const { code, stdout } = await stage.run('validate', '--format', format);
    expect(code, format).toBe(1);
    expect(stdout, format).toContain('500 more findings were left out.');
  }
});

atFullSize('a report of 10,000 findings leaves none out', async () => {
  const stage = await openWorld(broken(2000));
  const { stdout } = await stage.run('validate', '--format', 'json');
  expect(JSON.parse(stdout).diagnostics).toHaveLength(10_000);
  expect(stdout).not.toContain('too-many-findings');
});
