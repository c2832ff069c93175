// Times as people ask for them, and when clocks show them.

import { describe, expect, test } from 'vitest';
import { instantsOf, localTimeWords, parseLocalTime } from '../../src/commands/next/local-time.ts';

const parsed = (text: string) => {
  const time = parseLocalTime(text);
  if (time === undefined) throw new Error(`not a time: ${text}`);
  return time;
};
const instants = (text: string, zone: string, from: string, rest: { most?: number; until?: string } = {}) => {
  const until = rest.until === undefined ? Number.POSITIVE_INFINITY : Date.parse(rest.until);
  return instantsOf(parsed(text), zone, { from: Date.parse(from), until, most: rest.most ?? 1 }).map((at) =>
    new Date(at).toISOString(),
  );
};

describe('a time in words', () => {
  test.each([
    ['MON 09:00', 'on Monday at 09:00'],
    ['monday 9:00', 'on Monday at 09:00'],
    ['SUN 09:00', 'on Sunday at 09:00'],
    [' thurs  23:59 ', 'on Thursday at 23:59'],
    ['2026-11-23 09:00', 'on 2026-11-23 at 09:00'],
    ['2026-11-23T09:00', 'on 2026-11-23 at 09:00'],
  ])('%j is understood', (text, words) => {
    expect(localTimeWords(parsed(text))).toBe(words);
  });

  test.each(['', '24:00', '09:60', 'MUN 09:00', '2026-02-30 09:00', 'MON 09:00 UTC'])('%j is refused', (text) => {
    expect(parseLocalTime(text)).toBeUndefined();
  });
});

describe('the instants of a time', () => {
  test('a day of the week means the coming one, today included until its time is over', () => {
    expect(instants('MON 09:00', 'Europe/Berlin', '2026-11-23T08:00:00Z')).toEqual(['2026-11-23T08:00:00.000Z']);
    expect(instants('MON 09:00', 'Europe/Berlin', '2026-11-23T08:00:01Z')).toEqual(['2026-11-30T08:00:00.000Z']);
  });

  test('a time alone means every day, by the clocks of the zone', () => {
    expect(instants('09:00', 'America/New_York', '2026-10-31T12:00:00Z', { most: 2 })).toEqual([
      '2026-10-31T13:00:00.000Z',
      '2026-11-01T14:00:00.000Z',
    ]);
  });

  test('a time that clocks skip is left out, and one that comes twice counts the first time', () => {
    expect(instants('02:30', 'Europe/Berlin', '2027-03-27T12:00:00Z')).toEqual(['2027-03-29T00:30:00.000Z']);
    expect(instants('02:30', 'Europe/Berlin', '2026-10-24T12:00:00Z', { most: 2 })).toEqual([
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ]);
  });

  test('a date means one instant, and none if it is over', () => {
    expect(instants('2026-11-23 09:00', 'UTC', '2026-11-01T00:00:00Z', { most: 9 })).toEqual([
      '2026-11-23T09:00:00.000Z',
    ]);
    expect(instants('2026-11-23 09:00', 'UTC', '2026-11-23T09:00:01Z', { most: 9 })).toEqual([]);
  });

  test('the end is exclusive', () => {
    const rest = { most: Number.POSITIVE_INFINITY, until: '2026-11-30T09:00:00Z' };
    expect(instants('MON 09:00', 'UTC', '2026-11-23T09:00:00Z', rest)).toEqual(['2026-11-23T09:00:00.000Z']);
  });
});
