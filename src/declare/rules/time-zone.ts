// The time zone of a schedule is a name of the IANA database.

import { checkTimeZone } from '../../cron/zones/time-zone.ts';
import { type Rule, textOf } from '../findings/rule.ts';

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

/** What is wrong with the name of a time zone; `nearestTimeZone` finds the name that was meant. */
export function timeZoneFault(
  name: string,
  nearestTimeZone: (name: string) => string | undefined,
): TimeZoneFault | undefined {
  const fixed = fixedOffsets.get(name.toUpperCase());
  if (fixed !== undefined) return fixedOffset(name, fixed);
  const { problem } = checkTimeZone(name);
  if (problem === undefined) return undefined;
  const near = problem.hint === undefined ? nearestTimeZone(name) : undefined;
  const meant = near === undefined ? 'Write a name such as `America/New_York` or `UTC`.' : `Did you mean \`${near}\`?`;
  return { code: problem.code, message: problem.message, hint: problem.hint ?? meant };
}

export const timeZoneExists: Rule = ({ kind, value }, { nearestTimeZone }) => {
  const name = kind === 'schedule' ? textOf(value, 'timezone') : undefined;
  if (name === undefined || name === '') return [];
  const fault = timeZoneFault(name, nearestTimeZone);
  return fault === undefined ? [] : [{ ...fault, pointer: '/timezone' }];
};
