// The coming runs as a calendar (RFC 5545): few events for each schedule, which repeat by rules, and the clocks of their
// zones. The same runs make the same bytes: an event is known by its schedule, and the time of writing is handed in.

import { type ClockChange, clockChanges } from '../../cron/clock-changes.ts';
import { wallTimes } from '../../cron/coming-runs.ts';
import type { Cron } from '../../cron/cron.ts';
import { parseCron } from '../../cron/parse-cron.ts';
import { runsOf } from '../../cron/spell-values.ts';
import { dayMs, zoneClock } from '../../cron/time-zone.ts';
import { byCodeUnit } from '../../model/values/json.ts';
import { visibleText } from '../../report/text/terminal-text.ts';
import type { NextDocument, NextRun, NextSchedule } from './document.ts';

export interface CalendarWords {
  /** What people call a schedule; its address where it has no name. */
  readonly nameOf: (address: string) => string | undefined;
  /** ISO 8601, UTC. */
  readonly stamp: string;
}

interface Zone {
  readonly name: string;
  /** From the first run to a day after the last. */
  readonly changes: readonly ClockChange[];
  /** Its first run and its last, epoch milliseconds. */
  readonly first: number;
  readonly last: number;
}

export function renderCalendar({ schedules }: NextDocument, { nameOf, stamp }: CalendarWords): string {
  const zones = zonesOf(schedules);
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Almanac//almanac next//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    'X-WR-CALNAME:Scheduled deliveries',
    ...[...zones.values()].flatMap(({ name, first, last }) => zoneLines(name, first, last)),
    ...schedules.flatMap((schedule) => {
      const words = { summary: nameOf(schedule.address) ?? schedule.address, stamp: Date.parse(stamp) };
      return eventLines(schedule, zones.get(schedule.timezone)?.changes ?? [], words);
    }),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${foldLine(line)}\r\n`).join('');
}

/** The zones that have runs, sorted by name. */
function zonesOf(schedules: readonly NextSchedule[]): ReadonlyMap<string, Zone> {
  const spans = new Map<string, Pick<Zone, 'first' | 'last'>>();
  for (const { timezone, runs } of schedules) {
    const [first, last] = [runs[0], runs.at(-1)];
    if (first === undefined || last === undefined) continue;
    const known = spans.get(timezone) ?? { first: Number.POSITIVE_INFINITY, last: Number.NEGATIVE_INFINITY };
    spans.set(timezone, {
      first: Math.min(known.first, Date.parse(first.at)),
      last: Math.max(known.last, Date.parse(last.at)),
    });
  }
  return new Map(
    [...spans]
      .sort(([a], [b]) => byCodeUnit(a, b))
      .map(([name, { first, last }]) => [
        name,
        { name, first, last, changes: clockChanges(name, first, last + dayMs) },
      ]),
  );
}

// The runs of a schedule as events of a calendar. An event repeats by a rule from its first run to its last, in the
// schedule's zone, so that the calendar moves with the clocks there. Together the events hold exactly the given runs.

interface EventWords {
  readonly summary: string;
  /** Epoch milliseconds. */
  readonly stamp: number;
}

/** `changes` are those of the schedule's zone, from its first run to a day after the last. */
function eventLines(schedule: NextSchedule, changes: readonly ClockChange[], words: EventWords): readonly string[] {
  const { runs, timezone } = schedule;
  const { cron } = parseCron(schedule.schedule);
  if (cron === undefined) return [];
  return splitIntoEvents(cron).flatMap((event, index) => {
    const all = runs.filter(({ local }) => isOfEvent(event, local));
    const repeated = runsOfRepeatedTimes(all, changes);
    const clear = all.filter((run) => !repeated.has(run));
    const exceptions = [...skippedTimes(event, all, changes), ...[...repeated].map(wallOf)].sort((a, b) => a - b);
    const times = timesOf(event, timezone, clear, exceptions);
    return [
      ...(times.length === 0 ? [] : oneEvent(schedule, index === 0 ? '' : `/${index + 1}`, times, words)),
      ...[...repeated].flatMap(({ at }) => {
        const time = utcTime(Date.parse(at));
        return oneEvent(schedule, `/${time}`, [`DTSTART:${time}`], words);
      }),
    ];
  });
}

/** `part` tells the events of one schedule apart; an address has no slash. */
function oneEvent(
  { address, timezone, description, schedule }: NextSchedule,
  part: string,
  times: readonly string[],
  { summary, stamp }: EventWords,
): readonly string[] {
  return [
    'BEGIN:VEVENT',
    `UID:${escapeText(`${address}${part}`)}@almanac`,
    `DTSTAMP:${utcTime(stamp)}`,
    ...times,
    // Some programs show no event that has no length.
    'DURATION:PT5M',
    `SUMMARY:${escapeText(summary)}`,
    `DESCRIPTION:${escapeText(`${description}, ${timezone}\n${address}: ${schedule}`)}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ];
}

/** DTSTART and what repeats it, without the times in `exceptions`; empty without runs. */
function timesOf(
  event: Cron,
  zone: string,
  runs: readonly NextRun[],
  exceptions: readonly number[],
): readonly string[] {
  const [first, last] = [runs[0], runs.at(-1)];
  if (first === undefined || last === undefined) return [];
  const local = (name: string, walls: readonly number[]) =>
    walls.length === 0 ? [] : [`${name};TZID=${zone}:${walls.map(wallTime).join(',')}`];
  const start = local('DTSTART', [wallOf(first)]);
  if (runs.length === 1) return start;
  const rule = recurrenceRule(event, monthsBetween(first, last));
  // With the first run as well: libical forgets DTSTART where there is no rule, and a time given twice counts once.
  if (rule === undefined) return [...start, ...local('RDATE', runs.map(wallOf))];
  const within = exceptions.filter((wall) => wall > wallOf(first) && wall < wallOf(last));
  return [...start, `RRULE:${rule};UNTIL=${utcTime(Date.parse(last.at))}`, ...local('EXDATE', within)];
}

function isOfEvent({ days, hours, minutes, years }: Cron, local: string): boolean {
  const [year = 0, , day = 0, hour = 0, minute = 0] = local.split(/\D/).map(Number);
  const isDay = days.kind !== 'of-month' || days.days.includes(day);
  return isDay && hours.includes(hour) && minutes.includes(minute) && years.includes(year);
}

/** From 1 to 12; all of them where the runs are a year apart. */
function monthsBetween(first: NextRun, last: NextRun): readonly number[] {
  const [from = 0, to = 0] = [first, last].map(
    ({ local }) => Number(local.slice(0, 4)) * 12 + Number(local.slice(5, 7)) - 1,
  );
  return Array.from({ length: Math.min(12, to - from + 1) }, (_, index) => ((from + index) % 12) + 1);
}

function wallOf({ local }: NextRun): number {
  return Date.parse(`${local}Z`);
}

// The times of a rule that programs read in different ways, because the clocks change.
//
// A time that comes twice is its first occurrence in RFC 5545, as in AWS EventBridge Scheduler; libical takes the second.
// So the rule leaves it out, and its run is an event of its own in UTC.
//
// A time that the clock skips is ignored in RFC 5545, but some programs move it by the change. So it is an exception,
// except where it would land on another run of the rule: they compare exceptions after moving them, and would lose that
// run. There they show the run twice.

/** Wall times that match and have no run. `runs` are all runs of `cron` in some time. */
function skippedTimes(cron: Cron, runs: readonly NextRun[], changes: readonly ClockChange[]): readonly number[] {
  const ahead = changes.filter(({ before, after }) => after > before);
  if (ahead.length === 0) return [];
  const instants = new Set(runs.map(({ at }) => Date.parse(at)));
  return ahead.flatMap(({ at, before, after }) => {
    const skipped: number[] = [];
    for (const wall of wallTimes(cron, at + before)) {
      if (wall >= at + after) break;
      if (!instants.has(wall - before) && !instants.has(wall - after)) skipped.push(wall);
    }
    return skipped;
  });
}

/** The runs whose wall times come twice. `changes` go on for a day after the last run. */
function runsOfRepeatedTimes(runs: readonly NextRun[], changes: readonly ClockChange[]): ReadonlySet<NextRun> {
  const back = changes.filter(({ before, after }) => after < before);
  if (back.length === 0) return new Set();
  return new Set(
    runs.filter((run) => {
      const at = Date.parse(run.at);
      return back.some((change) => at < change.at && at >= change.at - (change.before - change.after));
    }),
  );
}

// An expression as recurrence rules of RFC 5545. A rule cannot leave out years, nor say "the weekday nearest to the 15th".
//
// Outlook reads one hour, one minute and one day of the month in a rule, and skips an event whose rule has more
// ([MS-OXCICAL] 2.1.3.2.2). So a few times of a day are an event each, and many times are one rule.

/** Up to this many times and days of the month have an event each. */
const mostEvents = 4;
const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const;
const workdays = 'BYDAY=MO,TU,WE,TH,FR';

/** Expressions that together run when this one runs, each of which is one event; always in the same order. */
function splitIntoEvents(cron: Cron): readonly Cron[] {
  const { hours, minutes } = cron;
  const times = hours.length * minutes.length;
  const days = cron.days.kind === 'of-month' && cron.days.days.length < 31 ? cron.days.days : [];
  let events: readonly Cron[] = runsOf(cron.years).map(({ from, to }) => ({
    ...cron,
    years: cron.years.filter((year) => year >= from && year <= to),
  }));
  if (times <= mostEvents)
    events = events.flatMap((event) =>
      hours.flatMap((hour) => minutes.map((minute) => ({ ...event, hours: [hour], minutes: [minute] }))),
    );
  if (times * days.length <= mostEvents && days.length > 0)
    events = events.flatMap((event) =>
      days.map((day) => ({ ...event, days: { kind: 'of-month', days: [day] } as const })),
    );
  return events;
}

/**
 * The rule of one event, without its end; undefined where no rule says it. Months are left out where all of `months`,
 * those in which the event runs, match: fewer programs know rules with months.
 */
function recurrenceRule(cron: Cron, months: readonly number[]): string | undefined {
  const days = daysRule(cron);
  if (days === undefined) return undefined;
  return [
    days,
    ...(months.every((month) => cron.months.includes(month)) ? [] : [`BYMONTH=${cron.months.join(',')}`]),
    ...(cron.hours.length === 1 ? [] : [`BYHOUR=${cron.hours.join(',')}`]),
    ...(cron.minutes.length === 1 ? [] : [`BYMINUTE=${cron.minutes.join(',')}`]),
  ].join(';');
}

/**
 * A monthly rule has one day and one time; what has more is a daily rule with limits. ical.js, which Thunderbird has,
 * repeats times in other monthly rules, and never ends where a daily rule counts from the end of the month.
 */
function daysRule({ days, hours, minutes }: Cron): string | undefined {
  const isOnce = hours.length * minutes.length === 1;
  switch (days.kind) {
    case 'of-month':
      if (days.days.length === 31) return 'FREQ=DAILY';
      return `FREQ=${isOnce && days.days.length === 1 ? 'MONTHLY' : 'DAILY'};BYMONTHDAY=${days.days.join(',')}`;
    case 'of-week':
      return days.days.length === 7 ? 'FREQ=DAILY' : `FREQ=WEEKLY;BYDAY=${days.days.map(weekdayOf).join(',')}`;
    case 'last':
      return isOnce ? `FREQ=MONTHLY;BYMONTHDAY=${-1 - days.before}` : undefined;
    case 'last-workday':
      return isOnce ? `FREQ=MONTHLY;${workdays};BYSETPOS=-1` : undefined;
    case 'nearest-workday':
      return isOnce && days.day === 1 ? `FREQ=MONTHLY;${workdays};BYSETPOS=1` : undefined;
    case 'last-weekday':
      return isOnce ? `FREQ=MONTHLY;BYDAY=-1${weekdayOf(days.day)}` : undefined;
    case 'nth-weekday': {
      if (isOnce) return `FREQ=MONTHLY;BYDAY=${days.nth}${weekdayOf(days.day)}`;
      const week = Array.from({ length: 7 }, (_, index) => 7 * days.nth - 6 + index).filter((day) => day <= 31);
      return `FREQ=DAILY;BYDAY=${weekdayOf(days.day)};BYMONTHDAY=${week.join(',')}`;
    }
  }
}

function weekdayOf(day: number): string {
  return weekdays[day - 1] ?? '';
}

// The clocks of a zone as a VTIMEZONE: two yearly rules where the clocks follow two (every program reads these), or else
// each change by itself, because programs differ on RDATE here. The component is right for the years of the runs, one year before and one after.

/** For events from `first` to `last`, epoch milliseconds. */
function zoneLines(zone: string, first: number, last: number): readonly string[] {
  const [firstYear, lastYear] = [yearOf(first) - 1, yearOf(last) + 1];
  const start = Date.UTC(firstYear, 0, 1);
  const changes = clockChanges(zone, start, Date.UTC(lastYear + 1, 0, 1));
  const observances = yearlyRules(changes, lastYear - firstYear + 1) ?? [
    ...observance('STANDARD', zoneClock(zone).wallAt(start), offsetsAt(zone, start)),
    ...changes.flatMap((change) => observance(kindOf(change), onset(change), change)),
  ];
  return ['BEGIN:VTIMEZONE', `TZID:${zone}`, ...observances, 'END:VTIMEZONE'];
}

type Offsets = Pick<ClockChange, 'before' | 'after'>;

function offsetsAt(zone: string, instant: number): Offsets {
  const offset = zoneClock(zone).wallAt(instant) - instant;
  return { before: offset, after: offset };
}

/** Two changes a year, there and back, each by one rule in all years; undefined where that is not so. */
function yearlyRules(changes: readonly ClockChange[], years: number): readonly string[] | undefined {
  const [ahead, back] = [changes.filter(isAhead), changes.filter((change) => !isAhead(change))];
  const rules = [ahead, back].map((same) => (same.length === years ? yearlyRule(same) : undefined));
  if (rules.includes(undefined)) return undefined;
  return [ahead, back].flatMap((same, index) => {
    const [first] = same;
    return first === undefined ? [] : observance(kindOf(first), onset(first), first, [`RRULE:${rules[index]}`]);
  });
}

/** The rule of changes that come once in each year: the same weekday of the same month at the same time. */
function yearlyRule(changes: readonly ClockChange[]): string | undefined {
  const [first] = changes;
  if (first === undefined) return undefined;
  const onsets = changes.map((change) => new Date(onset(change)));
  const [date] = onsets;
  if (date === undefined) return undefined;
  const years = new Set(onsets.map((each) => each.getUTCFullYear()));
  const isSame = changes.every(({ before, after }) => before === first.before && after === first.after);
  const isSameTime = onsets.every(
    (each) =>
      each.getUTCMonth() === date.getUTCMonth() &&
      each.getUTCDay() === date.getUTCDay() &&
      each.getTime() % dayMs === date.getTime() % dayMs,
  );
  const week = onsets.every(isLastWeek) ? -1 : Math.ceil(date.getUTCDate() / 7);
  const isSameWeek = week === -1 || onsets.every((each) => Math.ceil(each.getUTCDate() / 7) === week);
  if (years.size !== changes.length || !isSame || !isSameTime || !isSameWeek) return undefined;
  return `FREQ=YEARLY;BYMONTH=${date.getUTCMonth() + 1};BYDAY=${week}${weekdays[date.getUTCDay()]}`;
}

function isLastWeek(date: Date): boolean {
  return new Date(date.getTime() + 7 * dayMs).getUTCMonth() !== date.getUTCMonth();
}

function observance(
  kind: 'STANDARD' | 'DAYLIGHT',
  wall: number,
  offsets: Offsets,
  more: readonly string[] = [],
): readonly string[] {
  return [
    `BEGIN:${kind}`,
    `DTSTART:${wallTime(wall)}`,
    `TZOFFSETFROM:${utcOffset(offsets.before)}`,
    `TZOFFSETTO:${utcOffset(offsets.after)}`,
    ...more,
    `END:${kind}`,
  ];
}

/** What the wall would have shown at a change: the time from which the new offset holds, in the old one. */
function onset({ at, before }: ClockChange): number {
  return at + before;
}

function isAhead({ before, after }: ClockChange): boolean {
  return after > before;
}

function kindOf(change: ClockChange): 'STANDARD' | 'DAYLIGHT' {
  return isAhead(change) ? 'DAYLIGHT' : 'STANDARD';
}

function yearOf(instant: number): number {
  return new Date(instant).getUTCFullYear();
}

// How iCalendar (RFC 5545) writes things: times, offsets, words and lines.

const mostOctets = 75;

/** Epoch milliseconds as `20261123T090000Z`. */
function utcTime(instant: number): string {
  return `${wallTime(instant)}Z`;
}

/** A wall time (the milliseconds of the same date and time in UTC) as `20261123T090000`. */
function wallTime(wall: number): string {
  return new Date(wall).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
}

/** Milliseconds as `+0530`, with seconds where there are any. */
function utcOffset(offset: number): string {
  const seconds = Math.abs(offset) / 1000;
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const digits = parts.map((part) => String(part).padStart(2, '0')).join('');
  return `${offset < 0 ? '-' : '+'}${digits.endsWith('00') ? digits.slice(0, 4) : digits}`;
}

/** A TEXT value: line breaks and the characters with a meaning escaped, and what nobody can see spelled out. */
function escapeText(text: string): string {
  const lines = text.split(/\r\n|[\n\r]/).map(visibleText);
  return lines.map((line) => line.replaceAll(/[\\;,]/g, '\\$&')).join('\\n');
}

/** Lines of at most 75 octets; no character is cut in two. */
function foldLine(line: string): string {
  const folded: string[] = [];
  let current = '';
  let octets = 0;
  for (const character of line) {
    const size = octetsOf(character);
    if (octets + size > mostOctets) {
      folded.push(current);
      current = ' ';
      octets = 1;
    }
    current += character;
    octets += size;
  }
  return [...folded, current].join('\r\n');
}

function octetsOf(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x1_00_00 ? 3 : 4;
}
