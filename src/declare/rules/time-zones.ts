// Checks the time zones of runs and queries. Each must be an IANA name with the meaning that people expect.

import { checkTimeZone, timeZoneNames } from '../../cron/check-time-zone.ts';
import { memoize } from '../../model/values/collections.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import type { FindingWords } from '../../model/workspace/diagnostic.ts';
import { fieldText, type Rule } from '../findings/rule.ts';
import { nearest } from '../findings/suggest.ts';

/** Zones that look regional, but have one offset all year, each with its region and the zone probably meant. */
const fixedOffsets: ReadonlyMap<string, readonly [region: string, zone: string]> = new Map([
  ['EST', ['America/New_York', 'America/Panama']],
  ['MST', ['America/Denver', 'America/Phoenix']],
  ['HST', ['Pacific/Honolulu', 'Pacific/Honolulu']],
]);

function fixedOffset(name: string, [region, zone]: readonly [region: string, zone: string]): FindingWords {
  const allYearWords = zone === region ? '' : ` If the offset is meant all year, write \`${zone}\`.`;
  return {
    code: 'fixed-offset-zone',
    message: `\`${name}\` is a fixed offset: its clocks never change, in summer either.`,
    hint: `Did you mean \`${region}\`?${allYearWords}`,
  };
}

/** POSIX counts to the west, so the names have the other sign. */
function reversedOffset(name: string): FindingWords | undefined {
  const [, sign, hours] = /^Etc\/GMT([+-])([1-9]\d?)$/i.exec(name) ?? [];
  if (hours === undefined || checkTimeZone(name).zone === undefined) return undefined;
  const oppositeSign = sign === '+' ? '-' : '+';
  return {
    code: 'fixed-offset-zone',
    message: `\`${name}\` is UTC${oppositeSign}${hours}: these names have the opposite sign. Its clocks never change.`,
    hint: `Write the zone of a place. If UTC${sign}${hours} is meant all year, write \`Etc/GMT${oppositeSign}${hours}\`.`,
  };
}

/** The fault of a time zone's name. Thousands of schedules may have the same one. */
export const timeZoneFault = memoize((name: string): FindingWords | undefined => {
  const fixed = fixedOffsets.get(name.toUpperCase());
  if (fixed !== undefined) return fixedOffset(name, fixed);
  const { problem } = checkTimeZone(name);
  if (problem === undefined) return reversedOffset(name);
  // Short names are close to many with another meaning.
  const near = problem.hint === undefined && name.includes('/') ? nearest(name, timeZoneNames()) : undefined;
  const meant = near === undefined ? 'Write a name such as `America/New_York` or `UTC`.' : `Did you mean \`${near}\`?`;
  return { code: problem.code, message: problem.message, hint: problem.hint ?? meant };
}, 1000);

export function timeZonesExist(...fields: readonly string[]): Rule {
  return ({ value }) =>
    fields.flatMap((field) => {
      const fault = timeZoneFault(fieldText(value, field) || 'UTC');
      return fault === undefined ? [] : [{ ...fault, pointer: pointerTo(field) }];
    });
}
