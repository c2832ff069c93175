// Finds the zones that the program's data has wrong, and a zone's days. That data is of one release of the IANA
// database, and Almanac knows in which release the clocks of a zone changed.

import { once } from '../model/values/collections.ts';
import { checkTimeZone } from './check-time-zone.ts';
import { dayMs, minuteMs, zoneClock } from './time-zone.ts';
import { changedZoneTable, releaseProbeTable, zoneRelease } from './time-zone-names.ts';

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

interface ReleaseProbe {
  readonly release: string;
  readonly zone: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** The minutes ahead of UTC. */
  readonly minutes: number;
}

function probes(): readonly ReleaseProbe[] {
  const lines = releaseProbeTable.trim().split('\n');
  return lines.map((line) => {
    const [release = '', zone = '', at = '', minutes] = line.split(' ');
    return { release, zone, at: Date.parse(at), minutes: Number(minutes) };
  });
}

/** The first release that clocks lack; undefined if they lack none. `minutesAt` throws RangeError for a zone without rules. */
export function firstLacked(minutesAt: (zone: string, instant: number) => number): string | undefined {
  return probes().find(({ zone, at, minutes }) => {
    try {
      return minutesAt(zone, at) !== minutes;
    } catch (error) {
      if (error instanceof RangeError) return true;
      throw error;
    }
  })?.release;
}

/** The first release that this program lacks, if it does not say how old its clocks are, such as Bun. */
const lackedHere = once(() => firstLacked((zone, at) => (zoneClock(zone).wallAt(at) - at) / minuteMs));

/** Without `release`, such as `2025c`, of this program's data, its clocks are asked. */
export function isOutdated(zone: string, release: string | undefined): boolean {
  const changed = changedIn.get(checkTimeZone(zone).zone ?? zone);
  if (changed === undefined) return false;
  if (release !== undefined) return release < changed;
  const lacked = lackedHere();
  return lacked !== undefined && lacked <= changed;
}

/** Words such as `of release 2025c`. Only for clocks that tell their release, or lack one. */
export function ageWords(release: string | undefined): string {
  return release === undefined ? `from before release ${lackedHere()}` : `of release ${release}`;
}

/** The outdated zones among these, each once, sorted. */
export function outdatedZones(zones: Iterable<string>, release: string | undefined): readonly string[] {
  return [...new Set(zones)].filter((zone) => isOutdated(zone, release)).sort();
}

// The days of a zone. A day is named by the wall time of its midnight, which is the same number in every zone.

/** The midnight (wall time) of the day that an instant belongs to. */
export function dayAt(zone: string, instant: number): number {
  return Math.floor(zoneClock(zone).wallAt(instant) / dayMs) * dayMs;
}

/** The first instant of a day. Where clocks skip midnight, or the whole day, the first instant after the gap. */
export function startOfDay(zone: string, midnight: number): number {
  const clock = zoneClock(zone);
  for (let wall = midnight; wall < midnight + 2 * dayMs; wall += minuteMs) {
    const at = clock.instantOf(wall);
    if (at !== undefined) return at;
  }
  return midnight;
}
