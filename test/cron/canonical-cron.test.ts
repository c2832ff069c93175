import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalCron } from '../../src/cron/canonical-cron.ts';
import type { Cron } from '../../src/cron/cron.ts';
import { expressions } from '../support/cron/expressions.ts';
import { read } from '../support/cron/read.ts';
import { runs } from '../support/runs/runs.ts';

describe('canonicalCron', () => {
  it.each([
    ['00 09 ? * MON *', '0 9 ? * MON *'],
    ['0,15,30,45 * * * ? *', '*/15 * * * ? *'],
    ['45,0-30/15,15 0-23 1-31 1/1 ? 1970/1', '*/15 * * * ? *'],
    ['0 9 ? * fri,thu,wed,tue,mon *', '0 9 ? * MON-FRI *'],
    ['0 9 ? * SAT-SUN *', '0 9 ? * SUN,SAT *'],
    ['0 9 ? * SUN-SAT *', '0 9 * * ? *'],
    ['0 9 ? * FRIL *', '0 9 ? * 6L *'],
    ['0 9 ? * mon#1 *', '0 9 ? * 2#1 *'],
    ['0 9 05W JAN ? *', '0 9 5W 1 ? *'],
    ['0 20-2 ? * MON *', '0 0-2,20-23 ? * MON *'],
    ['5/15 9-17/2 1 1,4,7,10 ? 2027/2', '5/15 9-17/2 1 */3 ? 2027/2'],
    ['0 9 1 1 ? 2027,2028,2029,2031', '0 9 1 1 ? 2027-2029,2031'],
  ])('the canonical form of %s is %s', (text, canonical) => {
    expect(canonicalCron(text)).toBe(canonical);
  });

  it.each(['', '0 9 * * *', ' 0 9 ? * MON *', '0 9 ? * MON * ', 'every day'])(
    'the canonical form of the invalid %j is the same text',
    (text) => {
      expect(canonicalCron(text)).toBe(text);
    },
  );

  it('the canonical form of a valid expression is never too long', () => {
    const scattered = '0 9 1 1 ? 1970/7,1970/11,1971/13,1972/17,1973/19';
    expect(canonicalCron(scattered)).toBe(scattered);
  });

  it('two expressions have one canonical form exactly if they have the same sets, and it is a spelling of them', () => {
    const some = expressions({ unusual: true, years: [2026, 2040] });
    fc.assert(
      fc.property(some, some, (one, other) => {
        const canonical = canonicalCron(one);
        expect(sets(read(canonical))).toEqual(sets(read(one)));
        expect(canonicalCron(canonical)).toBe(canonical);
        const plain = inLists(read(one));
        if (plain.length <= 256) expect(canonicalCron(plain)).toBe(canonical);
        const same = JSON.stringify(sets(read(one))) === JSON.stringify(sets(read(other)));
        expect(canonicalCron(other) === canonical).toBe(same);
      }),
      { numRuns: runs(3000) },
    );
  });
});

/** With one reading for "every day", which both day fields can say. */
function sets(cron: Cron): Cron {
  if (cron.days.kind !== 'of-week' || cron.days.days.length < 7) return cron;
  return { ...cron, days: { kind: 'of-month', days: Array.from({ length: 31 }, (_, index) => index + 1) } };
}

/** The plainest spelling: every value by itself, the last one first. It may be too long to be valid. */
function inLists(cron: Cron): string {
  const list = (values: readonly number[], most: number) =>
    values.length === most ? '*' : [...values].reverse().join(',');
  const { days } = cron;
  let [first, second] = ['?', '?'];
  if (days.kind === 'of-month') first = list(days.days, 31);
  if (days.kind === 'last') first = days.before === 0 ? 'L' : `L-${String(days.before).padStart(2, '0')}`;
  if (days.kind === 'last-workday') first = 'LW';
  if (days.kind === 'nearest-workday') first = `${String(days.day).padStart(2, '0')}W`;
  if (days.kind === 'of-week') second = list(days.days, 7);
  if (days.kind === 'last-weekday') second = `${days.day}L`;
  if (days.kind === 'nth-weekday') second = `${days.day}#${days.nth}`;
  return `${list(cron.minutes, 60)} ${list(cron.hours, 24)} ${first} ${list(cron.months, 12)} ${second} ${list(cron.years, 230)}`;
}
