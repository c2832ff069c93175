// The clocks of a zone as a VTIMEZONE: two yearly rules where the clocks follow two (every program reads these), or else
// each change by itself, because programs differ on RDATE here. The component is right for the years of the runs, one year before and one after.

import { type ClockChange, clockChanges } from '../../../cron/clock-changes.ts';
import { dayMs, zoneClock } from '../../../cron/time-zone.ts';
import { utcOffset, wallTime } from './icalendar.ts';
import { weekdays } from './recurrence-rules.ts';

/** For events from `first` to `last`, epoch milliseconds. */
export function zoneLines(zone: string, first: number, last: number): readonly string[] {
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
