// How old clocks are that do not say it: what they show at one instant of each release tells.

import { expect, it } from 'vitest';
import { changedZoneTable, releaseProbeTable } from '../../src/cron/time-zone-names.ts';
import { firstLacked } from '../../src/cron/zone-data.ts';

const rows = releaseProbeTable
  .trim()
  .split('\n')
  .map((line) => line.split(' ') as [release: string, zone: string, at: string, minutes: string]);
const releases = rows.map(([release]) => release);

/** Clocks that are right up to a release, as far as the table asks. */
function clocksOf(newest: string) {
  return (zone: string, at: number) => {
    const row = rows.find(([, asked, instant]) => asked === zone && Date.parse(instant) === at);
    if (row === undefined) throw new Error(`nobody asks for ${zone}`);
    const [release, , , minutes] = row;
    return release <= newest ? Number(minutes) : Number(minutes) + 60;
  };
}

it('each release that changed the clocks of a zone has a question, about one of its zones', () => {
  const changed = changedZoneTable.trim().split(/\n(?=\d{4}[a-z] )/);
  expect(changed.map((line) => line.split(/\s/)[0])).toEqual(releases);
  for (const [index, [, zone]] of rows.entries()) expect(changed[index]?.split(/\s/)).toContain(zone);
});

it.each([
  ['2023c', '2023d'],
  ['2025c', '2026a'],
  ['2026a', '2026b'],
  ['2026e', '2026f'],
  ['2026f', undefined],
  ['2030a', undefined],
])('clocks of release %s lack %s first', (newest, lacked) => {
  expect(firstLacked(clocksOf(newest))).toBe(lacked);
});

it('clocks that have no rules for a zone lack the release that brought the zone', () => {
  const clocks = clocksOf('2030a');
  const minutesAt = (zone: string, at: number) => {
    if (zone === 'America/Coyhaique') throw new RangeError(`Invalid time zone specified: ${zone}`);
    return clocks(zone, at);
  };
  expect(firstLacked(minutesAt)).toBe('2025b');
});
