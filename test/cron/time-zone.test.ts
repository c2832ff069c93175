import { describe, expect, it } from 'vitest';
import { checkTimeZone, timeZoneNames } from '../../src/cron/zones/time-zone.ts';
import { isZoneKnown } from '../../src/cron/zones/zone-clock.ts';

describe('accepted names', () => {
  it.each([
    ['America/New_York', 'America/New_York'],
    ['US/Eastern', 'America/New_York'],
    ['EST5EDT', 'America/New_York'],
    ['Asia/Calcutta', 'Asia/Kolkata'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['Europe/Kiev', 'Europe/Kyiv'],
    ['Europe/Zaporozhye', 'Europe/Kyiv'],
    ['UTC', 'UTC'],
    ['Etc/UTC', 'UTC'],
    ['GMT', 'UTC'],
    ['GMT+0', 'UTC'],
    ['Zulu', 'UTC'],
    ['Etc/GMT+5', 'Etc/GMT+5'],
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
    ['Europe/Stockholm', 'Europe/Stockholm'],
    ['Atlantic/Reykjavik', 'Atlantic/Reykjavik'],
    ['Iceland', 'Atlantic/Reykjavik'],
    ['America/Argentina/ComodRivadavia', 'America/Argentina/Catamarca'],
    ['America/Port-au-Prince', 'America/Port-au-Prince'],
  ])('the time zone %s is accepted as %s', (name, zone) => {
    expect(checkTimeZone(name)).toEqual({ zone });
  });

  it('every time zone of the list, and every one that this Node lists, is accepted', () => {
    expect(timeZoneNames().length).toBeGreaterThan(590);
    expect(timeZoneNames().filter((name) => checkTimeZone(name).problem !== undefined)).toEqual([]);
    expect(Intl.supportedValuesOf('timeZone').filter((name) => checkTimeZone(name).problem !== undefined)).toEqual([]);
  });

  it('every time zone of the list has rules in this Node', () => {
    expect(timeZoneNames().filter((name) => !isZoneKnown(name))).toEqual([]);
  });

  it('time zones are compared by a name that is their own and has the same clocks in Intl', () => {
    const resolved = (zone: string) => new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
    for (const name of timeZoneNames()) {
      const zone = checkTimeZone(name).zone ?? '';
      expect(checkTimeZone(zone)).toEqual({ zone });
      expect(resolved(zone), name).toBe(resolved(name));
    }
  });

  it('the list of time zones is sorted, unique and omits names that are not for people', () => {
    const names = timeZoneNames();
    expect(names).toEqual([...new Set(names)].sort());
    expect(names.filter((name) => /^SystemV|^Factory$|^posix|^right/.test(name))).toEqual([]);
  });
});

describe('another spelling', () => {
  it.each([
    ['america/new_york', 'America/New_York', 'America/New_York'],
    ['us/EASTERN', 'US/Eastern', 'America/New_York'],
    ['utc', 'UTC', 'UTC'],
    ['Est', 'EST', 'America/Panama'],
    ['America/Port-Au-Prince', 'America/Port-au-Prince', 'America/Port-au-Prince'],
  ])('the time zone %s is understood as %s', (name, spelled, zone) => {
    const check = checkTimeZone(name);
    expect(check).toMatchObject({ zone, problem: { code: 'timezone-spelling', hint: `Write \`${spelled}\`.` } });
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
