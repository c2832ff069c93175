import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firesMoreThanHourly } from '../../src/cron/frequency.ts';
import { expressions } from '../support/cron/expressions.ts';
import { read } from '../support/cron/read.ts';

describe('firesMoreThanHourly', () => {
  it.each([
    ['0 * * * ? *', false],
    ['59 * * * ? *', false],
    ['30 9 ? * MON *', false],
    ['0 9,10,11 * * ? *', false],
    ['0 0,23 * * ? *', false],
    ['0,59 9 * * ? *', true],
    ['0,30 9 ? * MON *', true],
    ['0,59 9-10 * * ? *', true],
    ['*/15 * * * ? *', true],
    ['0/59 12 1 1 ? 2030', true],
    ['0/30 9 * * ? *', true],
    ['31/30 9 * * ? *', false],
    ['5,05 9 * * ? *', false],
  ])('firesMoreThanHourly of %s is %s', (text, expected) => {
    expect(firesMoreThanHourly(read(text))).toBe(expected);
  });

  it('firesMoreThanHourly agrees with the distances between all times of two consecutive days', () => {
    fc.assert(
      fc.property(expressions({ unusual: true }), (text) => {
        const { minutes, hours } = read(text);
        const times = [0, 1].flatMap((day) =>
          hours.flatMap((hour) => minutes.map((minute) => (day * 24 + hour) * 60 + minute)),
        );
        const isClose = times.some((time, index) => index > 0 && time - (times[index - 1] ?? 0) < 60);
        expect(firesMoreThanHourly(read(text))).toBe(isClose);
      }),
    );
  });
});
