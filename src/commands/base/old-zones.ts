// Says once in a run that clocks of zones in use have changed since the data of this Node.

import { knownRelease, outdatedZones } from '../../cron/zone-data.ts';
import { nameSome } from '../../model/values/words.ts';
import type { Run } from './run.ts';

/** On stderr, unless --quiet. `zones`: as they are declared or listed. */
export function sayOldZones(run: Run, zones: readonly unknown[]): void {
  const words = oldZonesWords(zones, run.zoneRelease);
  if (words !== undefined && !run.options.quiet) run.say(`note: ${words}`, run.stderr);
}

/** Undefined where the data of this Node is right for all of them, or Node does not say how old it is. */
export function oldZonesWords(zones: readonly unknown[], release: string | undefined): string | undefined {
  const texts = zones.filter((zone) => typeof zone === 'string');
  const old = outdatedZones(texts, release).map((zone) => `\`${zone}\``);
  if (old.length === 0) return undefined;
  return `This Node has time zones of release ${release}, older than ${knownRelease}, which Almanac knows. The clocks of ${nameSome(old)} have changed since, so times there may be an hour off.`;
}
