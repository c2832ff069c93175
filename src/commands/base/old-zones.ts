// Warns once in a run about outdated time zone data. Only zones in use whose clocks have changed since count.

import { ageWords, knownRelease, outdatedZones } from '../../cron/zone-data.ts';
import { nameSome } from '../../model/values/words.ts';
import type { Run } from './run.ts';

/** Warns on stderr, unless --quiet. `zones` are names as they are declared or listed. */
export function sayOldZones(run: Run, zones: readonly unknown[]): void {
  const words = oldZonesWords(zones, run);
  if (words !== undefined && !run.options.quiet) run.say(`note: ${words}`, run.stderr);
}

/** Undefined if the program's time zone data is right for all these zones. */
export function oldZonesWords(
  zones: readonly unknown[],
  { zoneRelease, runtime }: Pick<Run, 'zoneRelease' | 'runtime'>,
): string | undefined {
  const texts = zones.filter((zone) => typeof zone === 'string');
  const old = outdatedZones(texts, zoneRelease).map((zone) => `\`${zone}\``);
  if (old.length === 0) return undefined;
  return `This ${runtime.name} has time zones ${ageWords(zoneRelease)}, older than ${knownRelease}, which Almanac knows. The clocks of ${nameSome(old)} have changed since, so times there may be an hour off.`;
}
