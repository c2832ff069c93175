// The runs of a schedule as events of a calendar. An event repeats by a rule from its first run to its last, in the
// schedule's zone, so that the calendar moves with the clocks there. Together the events hold exactly the given runs.

import type { ClockChange } from '../../../cron/clock-changes.ts';
import type { Cron } from '../../../cron/cron.ts';
import { parseCron } from '../../../cron/parse-cron.ts';
import type { NextRun, NextSchedule } from '../document.ts';
import { escapeText, utcTime, wallTime } from './icalendar.ts';
import { recurrenceRule, splitIntoEvents } from './recurrence-rules.ts';
import { runsOfRepeatedTimes, skippedTimes } from './skipped-times.ts';

interface EventWords {
  readonly summary: string;
  /** Epoch milliseconds. */
  readonly stamp: number;
}

/** `changes` are those of the schedule's zone, from its first run to a day after the last. */
export function eventLines(
  schedule: NextSchedule,
  changes: readonly ClockChange[],
  words: EventWords,
): readonly string[] {
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
