// The cron expression of a schedule: AWS accepts it, its days are those that were meant, it fires at some time, and not
// more often than the service allows.

import { type Cron, dayOfWeekSpec } from '../../cron/cron.ts';
import { spellValues } from '../../cron/spell-values.ts';
import { checkTimeZone, timeZoneNames } from '../../cron/time-zone.ts';
import { pushAll } from '../../model/values/many.ts';
import { memoize } from '../../model/values/memoize.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import { type Rule, type RuleFinding, textOf } from '../findings/rule.ts';
import { nearest } from '../findings/suggest.ts';

export const scheduleFires: Rule = ({ kind, value }, context) => {
  const text = kind === 'schedule' ? textOf(value, 'schedule') : undefined;
  if (text === undefined) return [];
  const { cron, problems } = context.cron(text);
  const findings: RuleFinding[] = problems.map(({ code, message, hint, start, end }) => ({
    code,
    message,
    hint,
    pointer: '/schedule',
    within: { start, end },
  }));
  if (cron === undefined) return findings;
  pushAll(findings, unixWeekdays(text, cron));
  const zone = checkTimeZone(textOf(value, 'timezone') ?? '').zone ?? 'UTC';
  if (!context.firesAgain(text, zone)) {
    findings.push({
      code: 'cron-never-fires',
      message: 'No future day matches this schedule, so nothing would be delivered.',
      hint: 'Check day, month and year together: 30 February does not exist, and past years do not return.',
      pointer: '/schedule',
    });
  } else if (cron.minutes.length > 1) {
    // Each hour that matches has all the minutes: two are less than 60 apart, and one comes back after 60 at the soonest.
    findings.push({
      code: 'cron-too-frequent',
      message: 'It runs more often than once an hour. By default, Omni allows at most one run per hour.',
      hint: 'Use one minute, such as `0 * ? * * *`, unless your organization allows more.',
      pointer: '/schedule',
    });
  }
  return findings;
};

/**
 * Days of the week that are numbered as unix cron does, where 1 is Monday. Here 1 is Sunday, and 7 is Saturday: some days
 * with a Sunday and without a Saturday were most likely working days, and 6 with 7 the weekend. Names are always meant.
 */
function unixWeekdays(text: string, cron: Cron): readonly RuleFinding[] {
  const [minutes, hours, dayOfMonth, month, word = ''] = text.split(' ');
  if (cron.days.kind !== 'of-week' || !/^\d[\d,-]*$/.test(word)) return [];
  const { days } = cron.days;
  const isWorkingDays = days.length > 1 && days.includes(1) && !days.includes(7);
  const isWeekend = days.length === 2 && days.includes(6) && days.includes(7);
  if (!isWorkingDays && !isWeekend) return [];
  const written = spellValues(dayOfWeekSpec, days);
  const meant = spellValues(
    dayOfWeekSpec,
    days.map((day) => (day % 7) + 1).sort((a, b) => a - b),
  );
  const start = [minutes, hours, dayOfMonth, month, ''].join(' ').length;
  return [
    {
      code: 'cron-weekday-numbers',
      message: `Here 1 is Sunday and 7 is Saturday, so \`${word}\` is ${written}. In unix cron, it is ${meant}.`,
      hint: `Did you mean \`${meant}\`? If not, write \`${written}\`.`,
      pointer: '/schedule',
      within: { start, end: start + word.length },
    },
  ];
}

// The time zones of a schedule, of its runs and of its queries, are names of the IANA database.

/** Zones that look like those of a region, but have one offset all year: the zone that was probably meant, and theirs. */
const fixedOffsets: ReadonlyMap<string, readonly [region: string, zone: string]> = new Map([
  ['EST', ['America/New_York', 'America/Panama']],
  ['MST', ['America/Denver', 'America/Phoenix']],
  ['HST', ['Pacific/Honolulu', 'Pacific/Honolulu']],
]);

function fixedOffset(name: string, [region, zone]: readonly [region: string, zone: string]) {
  const kept = zone === region ? '' : ` If the offset is meant all year, write \`${zone}\`.`;
  return {
    code: 'fixed-offset-zone' as const,
    message: `\`${name}\` is a fixed offset: its clocks never change, in summer either.`,
    hint: `Did you mean \`${region}\`?${kept}`,
  };
}

interface TimeZoneFault {
  readonly code: 'fixed-offset-zone' | 'invalid-timezone' | 'timezone-spelling';
  readonly message: string;
  readonly hint: string;
}

/** Thousands of schedules may have the same one. */
const nearestTimeZone = memoize((name: string) => nearest(name, timeZoneNames()), 1000);

/** What is wrong with the name of a time zone. */
export function timeZoneFault(name: string): TimeZoneFault | undefined {
  const fixed = fixedOffsets.get(name.toUpperCase());
  if (fixed !== undefined) return fixedOffset(name, fixed);
  const { problem } = checkTimeZone(name);
  if (problem === undefined) return undefined;
  const near = problem.hint === undefined ? nearestTimeZone(name) : undefined;
  const meant = near === undefined ? 'Write a name such as `America/New_York` or `UTC`.' : `Did you mean \`${near}\`?`;
  return { code: problem.code, message: problem.message, hint: problem.hint ?? meant };
}

export const timeZonesExist: Rule = ({ kind, value }) =>
  (kind === 'schedule' ? zoneFields : []).flatMap((field) => {
    const fault = timeZoneFault(textOf(value, field) || 'UTC');
    return fault === undefined ? [] : [{ ...fault, pointer: pointerTo(field) }];
  });

const zoneFields = ['timezone', 'timezoneOverride'] as const;
