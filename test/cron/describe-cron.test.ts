import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalCron } from '../../src/cron/canonical-cron.ts';
import { loadCronWords } from '../../src/cron/describe-cron.ts';
import { expressions } from '../support/cron/expressions.ts';
import { runs } from '../support/runs/runs.ts';

// The last year that an expression can name: none is far away.
const words = await loadCronWords(Date.UTC(2199, 0, 1));

it.each([
  ['0 0 1 1 ? 2099', 'by trigger only'],
  ['0 9 ? * MON 2028-2030', 'by trigger only'],
  ['0 0 1 1 ? 2027', 'at 00:00, on day 1 of the month in January in 2027'],
  ['0 9 29 2 ? *', 'at 09:00, on day 29 of the month in February'],
  ['0 9 ? * MON 2020', 'at 09:00 on Monday in 2020'],
])('in November 2026, %s is %s', async (expression, expected) => {
  expect((await loadCronWords(Date.UTC(2026, 10, 21)))(expression)).toBe(expected);
});

describe('words', () => {
  it.each([
    ['0 9 ? * MON *', 'at 09:00 on Monday'],
    ['0 9 * * ? *', 'at 09:00'],
    ['0 9 ? * 2-6 *', 'at 09:00, Monday through Friday'],
    ['0 9 ? * SAT-SUN *', 'at 09:00 on Sunday and Saturday'],
    ['0 9 ? * MON,WED,FRI *', 'at 09:00 on Monday, Wednesday, and Friday'],
    ['0 9 ? * 6L *', 'at 09:00, on the last Friday of the month'],
    ['0 9 ? * 2#1 *', 'at 09:00, on the first Monday of the month'],
    ['0 9 L * ? *', 'at 09:00, on the last day of the month'],
    ['0 9 L-3 * ? *', 'at 09:00, 3 days before the last day of the month'],
    ['0 9 L-1 * ? *', 'at 09:00, 1 day before the last day of the month'],
    ['0 9 LW * ? *', 'at 09:00, on the last weekday of the month'],
    ['0 9 15W * ? *', 'at 09:00, on the weekday nearest day 15 of the month'],
    ['0 9 1-7 * ? *', 'at 09:00, on days 1 through 7 of the month'],
    ['0 9 28-3 * ? *', 'at 09:00, on day 1 through 3 and 28 through 31 of the month'],
    ['0 9 1 */3 ? *', 'at 09:00, on day 1 of the month in January, April, July, and October'],
    ['0/20 20-2 * * ? *', 'every 20 minutes, at 00:00 through 02:59 and 20:00 through 23:59'],
    ['5,35 9,17 * * ? *', 'at 09:05, 09:35, 17:05 and 17:35'],
    ['0,30 9-17 * * ? *', 'every 30 minutes, between 09:00 and 17:59'],
    ['30 9-17 * * ? *', 'at 30 minutes past the hour, between 09:00 and 17:59'],
    ['0 9-17 * * ? *', 'every hour, between 09:00 and 17:00'],
    ['*/15 9 * * ? *', 'every 15 minutes, between 09:00 and 09:59'],
    ['5/15 * * * ? *', 'every 15 minutes, starting at 5 minutes past the hour'],
    ['50-10 9 * * ? *', 'at 0 through 10 and 50 through 59 minutes past the hour, between 09:00 and 09:59'],
    ['*/25 * * * ? *', 'at 0, 25, and 50 minutes past the hour'],
    ['0 */2 * * ? *', 'on the hour, every 2 hours'],
    ['*/30 */6 * * ? *', 'at 00:00, 00:30, 06:00, 06:30, 12:00, 12:30, 18:00 and 18:30'],
    ['* * * * ? *', 'every minute'],
    ['0 * * * ? *', 'every hour'],
    ['0 0 1 1 ? 2027', 'at 00:00, on day 1 of the month in January in 2027'],
    ['0 9 * * ? 2027-2040/3', 'at 09:00 every 3 years from 2027 to 2039'],
  ])('the words for %s are: %s', (text, expected) => {
    expect(words(text)).toBe(expected);
  });

  it.each(['', '0 9 * * 1', 'every day'])('the words for the invalid %j are the same text', (text) => {
    expect(words(text)).toBe(text);
  });
});

describe('for any valid expression', () => {
  it('the words for any valid expression are a complete sentence, the same for all spellings', () => {
    fc.assert(
      fc.property(expressions({ unusual: true }), (text) => {
        const said = words(text);
        expect(said).toMatch(/^[a-z][a-zA-Z0-9:, ]+[a-z0-9]$/i);
        expect(said).not.toMatch(/undefined|NaN|null| {2}|, ,|9999/);
        expect(words(canonicalCron(text))).toBe(said);
      }),
      { numRuns: runs(2000) },
    );
  });

  it('expressions with different sets have different words', () => {
    fc.assert(
      fc.property(
        fc.array(expressions({ unusual: true, years: [2026, 2030] }), { minLength: 20, maxLength: 20 }),
        (texts) => {
          const canonical = new Set(texts.map(canonicalCron));
          const said = new Set(texts.map(words));
          expect(said.size).toBe(canonical.size);
        },
      ),
      { numRuns: runs(50) },
    );
  });
});
