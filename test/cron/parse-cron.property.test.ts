import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchingDays } from '../../src/cron/coming-runs.ts';
import { parseCron } from '../../src/cron/parse-cron.ts';
import { secondOpinionAccepts } from '../../src/cron/second-opinion.ts';
import { cronShape } from '../../src/model/fields/patterns.ts';
import { dayMatches, expressions, fields, listMatches } from '../support/cron/expressions.ts';
import { read } from '../support/cron/read.ts';
import { runs } from '../support/runs/runs.ts';

it('any valid expression is accepted by both readers and has the values and days that its items name', () => {
  const months = fc.tuple(fc.integer({ min: 1970, max: 2199 }), fc.integer({ min: 1, max: 12 }));
  fc.assert(
    fc.property(expressions({ unusual: true }), months, (text, [year, month]) => {
      const cron = read(text);
      const parts = text.split(' ');
      expect(secondOpinionAccepts(parts)).toBe(true);
      for (const [field, part, values] of [
        [fields.minutes, parts[0], cron.minutes],
        [fields.hours, parts[1], cron.hours],
        [fields.month, parts[3], cron.months],
        [fields.year, parts[5], cron.years],
      ] as const) {
        const all = Array.from({ length: field.highest - field.lowest + 1 }, (_, index) => field.lowest + index);
        expect(values).toEqual(all.filter((value) => listMatches(field, part ?? '', value)));
      }
      const days = Array.from({ length: 31 }, (_, index) => index + 1)
        .filter((day) => new Date(Date.UTC(year, month - 1, day)).getUTCMonth() === month - 1)
        .filter((day) => dayMatches(parts[2] ?? '', parts[4] ?? '', year, month, day));
      expect(matchingDays(cron.days, year, month)).toEqual(days);
    }),
    { numRuns: runs(5000) },
  );
});

describe('any text', () => {
  const scrap = fc.constantFrom(...'0 9 15 * ? L W # / - , MON jan ( ) @ l 2027 é cron'.split(' '), ' ', '\t');
  const texts = fc.oneof(
    fc.array(scrap, { maxLength: 40 }).map((scraps) => scraps.join('')),
    fc
      .array(fc.array(scrap, { minLength: 1, maxLength: 4 }), { minLength: 5, maxLength: 7 })
      .map((words) => words.map((word) => word.join('')).join(' ')),
    fc.string({ maxLength: 300 }),
  );

  it('any text has a cron exactly if it has no error, and its problems have a place, words and valid suggestions', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { cron, problems } = parseCron(text);
        expect(cron === undefined).toBe(problems.some(({ code }) => code === 'invalid-cron'));
        for (const { start, end, message, hint = '' } of problems) {
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeLessThanOrEqual(text.length);
          expect(end).toBeGreaterThan(text.length === 0 ? -1 : start);
          expect(`${message} ${hint}`).not.toMatch(/undefined|NaN|\[object/);
          const quoted = Array.from(hint.matchAll(/`([^`]*)`/g), ([, inside = '']) => inside);
          for (const whole of quoted.filter((each) => each.split(' ').length > 4))
            expect(parseCron(whole).cron, `${hint} for ${text}`).toBeDefined();
        }
      }),
      { numRuns: runs(5000) },
    );
  });
});

describe('the pattern in the schema', () => {
  const number = fc.oneof(
    fc.integer({ min: 0, max: 33 }).map(String),
    fc.constantFrom('00', '01', '09', '59', '60', '1969', '1970', '2024', '2199', '2200', '007'),
  );
  const name = fc.constantFrom('JAN', 'feb', 'DEC', 'SUN', 'mon', 'FRI', 'Sat', 'MONDAY');
  const value = fc.oneof({ weight: 4, arbitrary: number }, name);
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.constant('') },
    number.map((count) => `/${count}`),
  );
  const item = fc.oneof(
    value,
    fc.tuple(fc.constant('*'), step).map((parts) => parts.join('')),
    fc.tuple(value, fc.constant('-'), value, step).map((parts) => parts.join('')),
    fc.tuple(value, step).map((parts) => parts.join('')),
  );
  const list = fc.array(item, { minLength: 1, maxLength: 3 }).map((items) => items.join(','));
  const special = fc.oneof(
    fc.constantFrom('L', 'LW', 'l', 'L-3', 'L-0', 'L-30', 'L-31', 'L-3W', '?', ''),
    fc.tuple(value, fc.constantFrom('W', 'L', 'w', '#1', '#5', '#6')).map((parts) => parts.join('')),
  );
  const day = fc.oneof({ weight: 2, arbitrary: fc.constant('?') }, list, special);
  const field = fc.oneof({ weight: 5, arbitrary: fc.constant('*') }, { weight: 3, arbitrary: list }, special);
  const fields = fc.tuple(field, field, day, field, day, field).map((parts) => parts.join(' '));

  it('the cron pattern agrees with the parser, except for years that run backwards', () => {
    fc.assert(
      fc.property(fields, (text) => {
        const accepted = parseCron(text).cron !== undefined;
        const yearsRunBackwards = /([0-9]{4})-([0-9]{4})(?:\/[0-9]+)?(?:,[^ ]*)?$/.test(text);
        if (accepted || !yearsRunBackwards)
          expect([text, new RegExp(cronShape, 'u').test(text)]).toEqual([text, accepted]);
      }),
      { numRuns: runs(20_000) },
    );
  });
});
