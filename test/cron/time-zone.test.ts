import { describe, expect, it } from 'vitest';
import { checkTimeZone, clocksOf, timeZoneNames, windowsZones } from '../../src/cron/check-time-zone.ts';

describe('accepted names', () => {
  it.each([
    ['US/Eastern', 'America/New_York'],
    ['EST5EDT', 'America/New_York'],
    ['Europe/Zaporozhye', 'Europe/Kyiv'],
    ['Zulu', 'UTC'],
    ['EST', 'America/Panama'],
    ['CST6CDT', 'America/Chicago'],
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
    ['Est', 'EST'],
  ])('the time zone %s is understood as %s', (name, zone) => {
    const check = checkTimeZone(name);
    expect(check).toMatchObject({ zone, problem: { code: 'timezone-spelling', hint: `Write \`${zone}\`.` } });
  });
});

describe('invalid names', () => {
  it('each zone that a name of Windows stands for is one of the list', () => {
    const zones = [...windowsZones().values()];
    expect(zones).toHaveLength(132);
    expect(zones.filter((zone) => checkTimeZone(zone).zone !== zone)).toEqual([]);
  });

  it.each<readonly [string, string | undefined]>([
    ['PST', '`America/Los_Angeles`'],
    ['IST', '`Asia/Kolkata`'],
    ['edt', '`America/New_York`'],
    ['SystemV/EST5', undefined],
    ['+05:30', '`Asia/Kolkata`'],
    ['UTC-5', '`America/New_York`'],
    ['America/Boston', '`America/New_York`'],
    ['', undefined],
    [' UTC', undefined],
    ['New York', '`America/New_York`'],
    ['Europe/Los-Angeles', '`America/Los_Angeles`'],
    ['Mars/Olympus', undefined],
    ['constructor', undefined],
    ['posix/Europe/Berlin', '`Europe/Berlin`'],
    // A number of hours that no zone of the table has gets no place.
    ...['UTC+5:45', 'GMT+9:30', 'UTC-3:30', 'UTC+13', 'UTC+11', 'UTC-1', 'UTC-2', 'UTC-11'].map(
      (name) => [name, 'Write the zone of a place, or `UTC`.'] as const,
    ),
    // An abbreviation that is not known is near to others that mean something else.
    ...['KST', 'HKT', 'MSK', 'WEST', 'ICT', 'CAT', 'WAT', 'EAT', 'CLT', 'ACT'].map(
      (name) => [name, undefined] as const,
    ),
    ['ET', '`America/New_York`'],
    ['CT', '`America/Chicago`'],
    ['Pacific', '`US/Pacific`'],
    ['central', '`US/Central`'],
    ['Mountain', '`US/Mountain`'],
    ['Eastern Standard Time', 'for example `America/New_York`'],
    ['w. europe standard time', 'for example `Europe/Berlin`'],
    ['Pacific Daylight Time', 'for example `America/Los_Angeles`'],
    ['Eastern Time (US & Canada)', 'for example `America/New_York`'],
    ['(GMT-04:00) Atlantic Time (Canada)', 'for example `America/Halifax`'],
    ['Central Standard Time (Mexico)', 'for example `America/Mexico_City`'],
    ['Russia Time Zone 3', 'for example `Europe/Samara`'],
    ['FLE Standard Time', 'for example `Europe/Kyiv`'],
    ['Tea Time', undefined],
  ])('the time zone %j is refused', (name, hint) => {
    const { zone, problem } = checkTimeZone(name);
    expect(zone).toBeUndefined();
    expect(problem?.code).toBe('invalid-timezone');
    if (hint === undefined) expect(problem?.hint).toBeUndefined();
    else expect(problem?.hint).toContain(hint);
  });
});
