// Which zones this Node has wrong: its data is of one release of the IANA database, and Almanac knows in which release the
// clocks of a zone changed.

import { checkTimeZone } from './check-time-zone.ts';
import { changedZoneTable, zoneRelease } from './time-zone-names.ts';

export const knownRelease = zoneRelease;

const changedIn = new Map(
  changedZoneTable
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [release = '', ...zones] = line.split(' ');
      return zones.map((zone) => [zone, release] as const);
    }),
);

/** `release`: of the data of this Node, such as `2025c`; undefined where that is not known, and then no zone is wrong. */
export function isOutdated(zone: string, release: string | undefined): boolean {
  const changed = changedIn.get(checkTimeZone(zone).zone ?? zone);
  return release !== undefined && changed !== undefined && release < changed;
}

/** Each once, sorted. */
export function outdatedZones(zones: Iterable<string>, release: string | undefined): readonly string[] {
  return [...new Set(zones)].filter((zone) => isOutdated(zone, release)).sort();
}
