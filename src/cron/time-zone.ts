// Which names of time zones are accepted: those of the IANA database, and nothing else that Intl happens to take (PST,
// SystemV/EST5, +05:30 on newer Nodes). The list is our own, so every Node gives the same answer. And what the clocks of
// a zone show at an instant.

import { memoize } from '../model/values/memoize.ts';
import { timeZoneNameTable } from './time-zone-names.ts';

/**
 * What a clock on the wall shows in a zone, and when it shows it. A wall time is a number here: the milliseconds of the
 * same date and time in UTC.
 *
 * Intl gives the offset of an instant, but slowly. Three days and a day on both sides are asked for together: no
 * zone has changed its clocks twice within five days since 1970 (the nearest, Boa Vista in 2000 and Gaza's autumns, are
 * seven apart), so equal offsets at both ends hold in between. Where they differ, both are tried.
 */
export const dayMs = 86_400_000;
const minuteMs = 60_000;
const blockMs = 3 * dayMs;

interface ZoneClock {
  /** The wall time at an instant (epoch milliseconds). */
  readonly wallAt: (instant: number) => number;
  /** The first instant at which the wall shows this time; undefined when the clock skips it. */
  readonly instantOf: (wall: number) => number | undefined;
}

/** The clock of a zone. Throws RangeError for a name that this Node does not know. */
export const zoneClock = memoize(makeZoneClock);

/** Whether this Node has the rules of a zone. */
export function isZoneKnown(zone: string): boolean {
  try {
    zoneClock(zone);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function makeZoneClock(zone: string): ZoneClock {
  const offsetAt = makeOffsetAt(zone);
  const offsetsOfBlock = new Map<number, readonly [number, number]>();
  const offsetsAround = (wall: number): readonly [number, number] => {
    const block = Math.floor(wall / blockMs);
    let offsets = offsetsOfBlock.get(block);
    if (offsets === undefined) {
      offsets = [offsetAt(block * blockMs - dayMs), offsetAt((block + 1) * blockMs + dayMs)];
      offsetsOfBlock.set(block, offsets);
    }
    return offsets;
  };
  const instantOf = (wall: number): number | undefined => {
    const [before, after] = offsetsAround(wall);
    if (before === after) return wall - before;
    const earlier = wall - Math.max(before, after);
    if (earlier + offsetAt(earlier) === wall) return earlier;
    const later = wall - Math.min(before, after);
    return later + offsetAt(later) === wall ? later : undefined;
  };
  return { wallAt: (instant) => instant + offsetAt(instant), instantOf };
}

/** Wall time minus instant, in milliseconds; it may have seconds (Monrovia was 44 minutes 30 behind until 1972). */
function makeOffsetAt(zone: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (instant) => {
    const whole = Math.floor(instant / 1000) * 1000;
    const [month = 0, day = 0, year = 0, hour = 0, minute = 0, second = 0] =
      format.format(whole).match(/\d+/g)?.map(Number) ?? [];
    return Date.UTC(year, month - 1, day, hour, minute, second) - whole;
  };
}

/** From an instant, ISO 8601, to `YYYY-MM-DDTHH:MM`. */
export type LocalTimes = (at: string) => string;

/** Instants as the clocks of a zone show them. Intl is slow, and the runs of many schedules share their minutes. */
export function localTimesIn(zone: string): LocalTimes {
  if (zone === 'UTC') return (at) => at.slice(0, 16);
  const clock = zoneClock(zone);
  return memoize((at) => new Date(clock.wallAt(Date.parse(at))).toISOString().slice(0, 16));
}

// The days of a zone. A day is named by the wall time of its midnight, which is the same number in every zone.

/** The midnight (wall time) of the day that an instant belongs to. */
export function dayAt(zone: string, instant: number): number {
  return Math.floor(zoneClock(zone).wallAt(instant) / dayMs) * dayMs;
}

/** The first instant of a day. Where clocks skip midnight, or the whole day, the first instant after the gap. */
export function startOfDay(zone: string, midnight: number): number {
  const clock = zoneClock(zone);
  for (let wall = midnight; wall < midnight + 2 * dayMs; wall += minuteMs) {
    const at = clock.instantOf(wall);
    if (at !== undefined) return at;
  }
  return midnight;
}

/** `2026-11-23`. */
export function dateOf(wall: number): string {
  return new Date(wall).toISOString().slice(0, 10);
}

// The changes of a clock, found by asking for its offset again and again: Intl has no list of them.

export interface ClockChange {
  /** The first instant with the new offset, epoch milliseconds. */
  readonly at: number;
  /** Wall time minus instant before the change and after it, in milliseconds. */
  readonly before: number;
  readonly after: number;
}

/** Shorter than the time between any two changes of one zone since 1970. */
const stepMs = 4 * dayMs;

/** The changes after `from` and up to `until` (epoch milliseconds), ascending. */
export function clockChanges(zone: string, from: number, until: number): readonly ClockChange[] {
  const changes: ClockChange[] = [];
  const offsetAt = (instant: number) => zoneClock(zone).wallAt(instant) - instant;
  let known = Math.floor(from / 1000) * 1000;
  let before = offsetAt(known);
  while (known < until) {
    const next = Math.min(known + stepMs, Math.ceil(until / 1000) * 1000);
    const after = offsetAt(next);
    if (after !== before) changes.push({ at: firstSecond(known, next, (at) => offsetAt(at) === after), before, after });
    [known, before] = [next, after];
  }
  return changes;
}

/** The first whole second for which `holds` says yes, which it does for `high` and everything near before it. */
function firstSecond(low: number, high: number, holds: (at: number) => boolean): number {
  let [no, yes] = [low / 1000, high / 1000];
  while (yes - no > 1) {
    const middle = Math.floor((no + yes) / 2);
    if (holds(middle * 1000)) yes = middle;
    else no = middle;
  }
  return yes * 1000;
}

interface TimeZoneProblem {
  readonly code: 'invalid-timezone' | 'timezone-spelling';
  /** Full sentences: what is wrong, then why. */
  readonly message: string;
  /** What to write instead, if the name gives it away; the caller compares a misspelled name with all names. */
  readonly hint?: string;
}

interface TimeZoneCheck {
  /** The name as the database spells it. There unless the name is invalid. */
  readonly zone?: string;
  readonly problem?: TimeZoneProblem;
}

const names: readonly string[] = timeZoneNameTable.trim().split(/\s+/);
const nameOfLowerCase = new Map(names.map((name) => [name.toLowerCase(), name]));

/** Names that people write and the IANA database does not have. */
const meant = new Map(
  Object.entries({
    PT: 'America/Los_Angeles',
    PST: 'America/Los_Angeles',
    PDT: 'America/Los_Angeles',
    MT: 'America/Denver',
    MDT: 'America/Denver',
    CT: 'America/Chicago',
    CST: 'America/Chicago',
    CDT: 'America/Chicago',
    ET: 'America/New_York',
    EDT: 'America/New_York',
    BST: 'Europe/London',
    CEST: 'Europe/Berlin',
    EEST: 'Europe/Athens',
    IST: 'Asia/Kolkata',
    JST: 'Asia/Tokyo',
    AEST: 'Australia/Sydney',
    NZST: 'Pacific/Auckland',
    Z: 'UTC',
  }),
);

/** All names of the IANA time zone database, backward links included, sorted. */
export function timeZoneNames(): readonly string[] {
  return names;
}

/** Judges the name of a time zone. */
export const checkTimeZone = memoize(judge);

function judge(name: string): TimeZoneCheck {
  const spelled = nameOfLowerCase.get(name.toLowerCase()) ?? newerName(name);
  if (spelled === undefined) return { problem: complainOfUnknown(name) };
  if (!isZoneKnown(spelled)) {
    const message = `This version of Node has no rules for \`${spelled}\`: its time zone data is too old.`;
    return { problem: { code: 'invalid-timezone', message, hint: 'Use a newer release of Node.' } };
  }
  if (spelled === name) return { zone: spelled };
  const message = `\`${name}\` is spelled \`${spelled}\` in the IANA time zone database. Not every system accepts another spelling.`;
  return { zone: spelled, problem: { code: 'timezone-spelling', message, hint: `Write \`${spelled}\`.` } };
}

/**
 * The one name that Intl has for all names of the same clocks, such as US/Eastern and America/New_York; it joins no two
 * countries. For comparing within a run: another release of Node may have another one. An invalid name stays as it is.
 */
export const clocksOf = memoize((name: string): string => {
  const { zone } = checkTimeZone(name);
  return zone === undefined ? name : new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
});

/** A zone that is newer than our list, on a Node that knows it. */
function newerName(name: string): string | undefined {
  return name.includes('/') && Intl.supportedValuesOf('timeZone').includes(name) ? name : undefined;
}

function complainOfUnknown(name: string): TimeZoneProblem {
  const code = 'invalid-timezone';
  if (/^(UTC|GMT)?[+-]\d/i.test(name)) {
    const message = `\`${name}\` is an offset. A schedule needs a place, because offsets do not follow the change of clocks.`;
    const place = zoneOfOffset(name);
    const such = place === undefined ? '' : `, such as \`${place}\``;
    return { code, message, hint: `Write the zone of a place${such}, or \`UTC\`.` };
  }
  const message = `\`${name}\` is not a name of the IANA time zone database.`;
  const isAbbreviation = /^[A-Z]{2,4}$/.test(name);
  const ofPlace = isAbbreviation ? undefined : (sameCity(name) ?? zoneOfCity(cityOf(name)));
  const similar = meant.get(name.toUpperCase()) ?? ofPlace;
  return { code, message, hint: similar && `Did you mean \`${similar}\`?` };
}

/** The zone with the same city: `new york`, `America/New York` and `USA/New_York` mean America/New_York. */
function sameCity(name: string): string | undefined {
  const city = cityOf(name);
  const found = city === '' ? [] : names.filter((zone) => zone.includes('/') && cityOf(zone) === city);
  // `Pacific` is that of the United States rather than of Canada.
  return found.find((zone) => zone.startsWith('US/')) ?? found[0];
}

function cityOf(zone: string): string {
  return zone
    .slice(zone.lastIndexOf('/') + 1)
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
}

// What people write where a name of the IANA database is needed, and the zone that they most likely mean.

/** Large cities that the database does not name. */
const cities: Readonly<Record<string, readonly string[]>> = {
  'America/Chicago': ['austin', 'dallas', 'houston', 'minneapolis', 'st_louis'],
  'America/Los_Angeles': ['las_vegas', 'portland', 'san_diego', 'san_francisco', 'san_jose', 'seattle'],
  'America/New_York': ['atlanta', 'boston', 'charlotte', 'miami', 'philadelphia', 'washington', 'washington_dc'],
  'America/Sao_Paulo': ['brasilia', 'rio', 'rio_de_janeiro'],
  'America/Toronto': ['ottawa', 'quebec'],
  'Asia/Kolkata': ['bangalore', 'bengaluru', 'chennai', 'delhi', 'hyderabad', 'mumbai', 'new_delhi', 'pune'],
  'Asia/Dubai': ['abu_dhabi'],
  'Asia/Ho_Chi_Minh': ['hanoi'],
  'Asia/Jerusalem': ['haifa'],
  'Asia/Shanghai': ['beijing', 'guangzhou', 'peking', 'shenzhen'],
  'Asia/Tokyo': ['kyoto', 'osaka'],
  'Australia/Sydney': ['canberra'],
  'Europe/Amsterdam': ['rotterdam', 'the_hague', 'utrecht'],
  'Europe/Berlin': ['cologne', 'dresden', 'dusseldorf', 'frankfurt', 'hamburg', 'leipzig', 'munich', 'stuttgart'],
  'Europe/Brussels': ['antwerp', 'ghent'],
  'Europe/London': ['birmingham', 'bristol', 'cardiff', 'edinburgh', 'glasgow', 'leeds', 'liverpool', 'manchester'],
  'Europe/Madrid': ['barcelona', 'seville', 'valencia'],
  'Europe/Paris': ['bordeaux', 'lille', 'lyon', 'marseille', 'nice', 'toulouse'],
  'Europe/Rome': ['florence', 'milan', 'naples', 'turin'],
  'Europe/Stockholm': ['gothenburg', 'malmo'],
  'Europe/Vienna': ['graz', 'salzburg'],
  'Europe/Warsaw': ['cracow', 'gdansk', 'krakow', 'wroclaw'],
  'Europe/Zurich': ['basel', 'bern', 'geneva', 'lausanne'],
};

const zones = new Map(Object.entries(cities).flatMap(([zone, names]) => names.map((name) => [name, zone] as const)));

/** By its name in lower case, with `_` between words. */
function zoneOfCity(city: string): string | undefined {
  return zones.get(city);
}

/** The zone of a large place with this offset from UTC, in winter. */
const places: Readonly<Record<string, string>> = {
  '-10': 'Pacific/Honolulu',
  '-9': 'America/Anchorage',
  '-8': 'America/Los_Angeles',
  '-7': 'America/Denver',
  '-6': 'America/Chicago',
  '-5': 'America/New_York',
  '-4': 'America/Halifax',
  '-3': 'America/Sao_Paulo',
  '+0': 'Europe/London',
  '+1': 'Europe/Berlin',
  '+2': 'Europe/Athens',
  '+3': 'Europe/Istanbul',
  '+4': 'Asia/Dubai',
  '+5': 'Asia/Karachi',
  '+5:30': 'Asia/Kolkata',
  '+6': 'Asia/Dhaka',
  '+7': 'Asia/Bangkok',
  '+8': 'Asia/Singapore',
  '+9': 'Asia/Tokyo',
  '+10': 'Australia/Sydney',
  '+12': 'Pacific/Auckland',
};

/** For `GMT+1`, `UTC-05:00` and `+0530`. */
function zoneOfOffset(name: string): string | undefined {
  const [, sign = '+', hours = '', minutes = '00'] = /([+-])(\d{1,2}):?(\d\d)?/.exec(name) ?? [];
  return places[`${sign}${Number(hours)}${minutes === '00' ? '' : `:${minutes}`}`];
}
