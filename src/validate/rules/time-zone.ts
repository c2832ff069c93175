// The time zone of a schedule is a name of the IANA database.

import { checkTimeZone } from '../../cron/zones/time-zone.ts';
import { type Rule, textOf } from '../findings/rule.ts';

/** Zones that look like those of a region, but have one offset all year: the zone that was probably meant. */
const fixedOffsets = new Map([
  ['EST', 'America/New_York'],
  ['MST', 'America/Denver'],
  ['HST', 'Pacific/Honolulu'],
]);

function fixedOffset(name: string, region: string) {
  const { zone = region } = checkTimeZone(name);
  const kept = zone === region ? '' : ` If the offset is meant all year, write \`${zone}\`.`;
  return {
    code: 'fixed-offset-zone' as const,
    message: `\`${name}\` is a fixed offset: its clocks never change, in summer either.`,
    hint: `Did you mean \`${region}\`?${kept}`,
  };
}

export const timeZoneExists: Rule = ({ kind, value }, { nearestTimeZone }) => {
  const name = kind === 'schedule' ? textOf(value, 'timezone') : undefined;
  if (name === undefined || name === '') return [];
  const fixed = fixedOffsets.get(name.toUpperCase());
  if (fixed !== undefined) return [{ ...fixedOffset(name, fixed), pointer: '/timezone' }];
  const { problem } = checkTimeZone(name);
  if (problem === undefined) return [];
  const near = problem.hint === undefined ? nearestTimeZone(name) : undefined;
  const meant = near === undefined ? 'Write a name such as `America/New_York` or `UTC`.' : `Did you mean \`${near}\`?`;
  const hint = problem.hint ?? meant;
  return [{ code: problem.code, message: problem.message, hint, pointer: '/timezone' }];
};
