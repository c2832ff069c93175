import { describe, expect, it } from 'vitest';
import { checkTimeZone, clocksOf, isZoneKnown, timeZoneNames } from '../../src/cron/time-zone.ts';

describe('accepted names', () => {
  it.each([
    ['US/Eastern', 'America/New_York'],
    ['EST5EDT', 'America/New_York'],
    ['Asia/Calcutta', 'Asia/Kolkata'],
    ['Europe/Kiev', 'Europe/Kyiv'],
    ['Europe/Zaporozhye', 'Europe/Kyiv'],
    ['Etc/UTC', 'UTC'],
    ['GMT', 'UTC'],
    ['GMT+0', 'UTC'],
    ['Zulu', 'UTC'],
    ['EST', 'America/Panama'],
    ['MST', 'America/Phoenix'],
    ['HST', 'Pacific/Honolulu'],
    ['CST6CDT', 'America/Chicago'],
    ['MST7MDT', 'America/Denver'],
    ['PST8PDT', 'America/Los_Angeles'],
    ['WET', 'Europe/Lisbon'],
    ['CET', 'Europe/Brussels'],
    ['MET', 'Europe/Brussels'],
    ['EET', 'Europe/Athens'],
    ['W-SU', 'Europe/Moscow'],
    ['Iceland', 'Atlantic/Reykjavik'],
    ['America/Argentina/ComodRivadavia', 'America/Argentina/Catamarca'],
  ])('the time zones %s and %s have the same clocks', (name, other) => {
    expect(checkTimeZone(name)).toEqual({ zone: name });
    expect(clocksOf(name)).toBe(clocksOf(other));
  });

  it.each([
    ['Europe/Stockholm', 'Europe/Berlin'],
    ['Atlantic/Reykjavik', 'UTC'],
    ['Etc/GMT+5', 'EST'],
    ['nonsense', 'UTC'],
  ])('the time zones %s and %s are two', (name, other) => {
    expect(clocksOf(name)).not.toBe(clocksOf(other));
  });

  it('every time zone of the list, and every one that this Node lists, is accepted', () => {
    expect(timeZoneNames().length).toBeGreaterThan(590);
    expect(timeZoneNames().filter((name) => checkTimeZone(name).problem !== undefined)).toEqual([]);
    expect(Intl.supportedValuesOf('timeZone').filter((name) => checkTimeZone(name).problem !== undefined)).toEqual([]);
  });

  it('every time zone of the list has rules in this Node', () => {
    expect(timeZoneNames().filter((name) => !isZoneKnown(name))).toEqual([]);
  });

  it('the list of time zones is sorted, unique and omits names that are not for people', () => {
    const names = timeZoneNames();
    expect(names).toEqual([...new Set(names)].sort());
    expect(names.filter((name) => /^SystemV|^Factory$|^posix|^right/.test(name))).toEqual([]);
  });
});

describe('another spelling', () => {
  it.each([
    ['america/new_york', 'America/New_York'],
    ['us/EASTERN', 'US/Eastern'],
    ['utc', 'UTC'],
    ['Est', 'EST'],
    ['America/Port-Au-Prince', 'America/Port-au-Prince'],
  ])('the time zone %s is understood as %s', (name, zone) => {
    const check = checkTimeZone(name);
    expect(check).toMatchObject({ zone, problem: { code: 'timezone-spelling', hint: `Write \`${zone}\`.` } });
  });
});

describe('invalid names', () => {
  it.each([
    ['PST', '`America/Los_Angeles`'],
    ['IST', '`Asia/Kolkata`'],
    ['edt', '`America/New_York`'],
    ['JST', '`Asia/Tokyo`'],
    ['SystemV/EST5', undefined],
    ['SystemV/EST5EDT', undefined],
    ['+05:30', 'place'],
    ['-08', 'place'],
    ['UTC+2', 'place'],
    ['GMT-5', 'place'],
    ['gmt+1', 'place'],
    ['Factory', undefined],
    ['', undefined],
    [' UTC', undefined],
    ['America/New York', '`America/New_York`'],
    ['New York', '`America/New_York`'],
    ['Berlin', '`Europe/Berlin`'],
    ['Europe/Los-Angeles', '`America/Los_Angeles`'],
    ['Mars/Olympus', undefined],
    ['constructor', undefined],
    ['Etc/Unknown', undefined],
    ['Etc/GMT+13', undefined],
    ['posix/Europe/Berlin', '`Europe/Berlin`'],
  ])('the time zone %j is refused', (name, hint) => {
    const { zone, problem } = checkTimeZone(name);
    expect(zone).toBeUndefined();
    expect(problem?.code).toBe('invalid-timezone');
    if (hint === undefined) expect(problem?.hint).toBeUndefined();
    else expect(problem?.hint).toContain(hint);
  });
});

it('a time zone gives the same answer each time', () => {
  expect(checkTimeZone('Europe/Berlin')).toBe(checkTimeZone('Europe/Berlin'));
});
