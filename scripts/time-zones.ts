// Renews the tables of time zones in src/cron: the names, made of the IANA database alone, so that every Node accepts the same
// ones, and in which release the clocks of a zone changed: `node scripts/run.mjs scripts/time-zones.ts FOLDER PACKED...`.
// FOLDER holds tzdata.zi of the newest release: /usr/share/zoneinfo where the system's package tzdata keeps it, else a folder made
// by `make tzdata.zi PACKRATDATA=backzone PACKRATLIST=zone.tab` in the sources (https://data.iana.org/time-zones/).
// PACKED is data/packed/latest.json of moment-timezone, one file for each release: the oldest that a supported Node has, and all since.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const nameTableFile = 'src/cron/time-zone-names.ts';
const width = 120;
/** Schedules do not look further ahead, and the packed tables end at different years. */
const yearsCompared = 10;

if (process.argv[1]?.endsWith('time-zones.ts')) {
  const [folder = '', ...packed] = process.argv.slice(2);
  const releases = packed.map((path) => JSON.parse(readFileSync(path, 'utf8')) as PackedRelease);
  writeFileSync(nameTableFile, tablesText(readFileSync(join(folder, 'tzdata.zi'), 'utf8'), releases));
}

/** `2025b`. */
export function releaseOf(tzdata: string): string {
  return /^# version (\S+)/.exec(tzdata)?.[1] ?? '';
}

/** `tzdata`: tzdata.zi of the IANA database, made with its backward links. */
export function tablesText(tzdata: string, releases: readonly PackedRelease[]): string {
  const changed = changedZones(releases);
  return `${nameTableText(tzdata)}
// The zones whose clocks are not as they were: of each release those that are right since then, from ${firstYear(releases)} on.

export const zoneRelease = '${releaseOf(tzdata)}';

export const changedZoneTable = \`
${changed.map(({ release, zones }) => wrapped([release, ...zones]).join('\n')).join('\n')}
\`;

// One instant per release at which a zone's clocks show what no earlier one says: minutes ahead of UTC.

export const releaseProbeTable = \`
${changed.map(({ release, probe }) => [release, ...probe].join(' ')).join('\n')}
\`;
`;
}

export function nameTableText(tzdata: string): string {
  return `// The names of the IANA time zone database, release ${releaseOf(tzdata)}, with backward links. Sorted data, kept here so that every
// Node gives the same answer; links are US/Eastern and others. "Factory", which names no place, is left out. Written by
// scripts/time-zones.ts.

export const timeZoneNameTable = \`
${wrapped(namesIn(tzdata)).join('\n')}
\`;
`;
}

function wrapped(words: readonly string[]): readonly string[] {
  const lines: string[] = [];
  for (const word of words) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}

/** `Z NAME …` is a zone with rules of its own, `L TARGET NAME` another name for one. */
function namesIn(tzdata: string): readonly string[] {
  const names = tzdata.split('\n').flatMap((line) => {
    const [type, first = '', second = ''] = line.split(' ');
    return type === 'Z' ? [first] : type === 'L' ? [second] : [];
  });
  return names.filter((name) => name !== 'Factory').sort();
}

/** A release of the database: of each zone `NAME|ABBREVIATIONS|OFFSETS|INDEXES|DIFFERENCES`, in base 60. */
export interface PackedRelease {
  /** `2025b`. */
  readonly version: string;
  readonly zones: readonly string[];
  /** `TARGET|NAME`. */
  readonly links: readonly string[];
}

function firstYear(releases: readonly PackedRelease[]): number {
  return Number(
    releases
      .map(({ version }) => version.slice(0, 4))
      .sort()
      .at(-1),
  );
}

/** By release, ascending: the zones that are as in the newest one since then, and were not before. */
export function changedZones(releases: readonly PackedRelease[]) {
  const from = Date.UTC(firstYear(releases), 0, 1);
  const ordered = [...releases]
    .sort((a, b) => (a.version < b.version ? -1 : 1))
    .map((release) => ({ version: release.version, clocks: clocksIn(release, from) }));
  const newest = ordered.at(-1)?.clocks ?? new Map<string, string>();
  const changedIn = new Map<string, string[]>();
  for (const [zone, clocks] of [...newest].sort()) {
    const other = ordered.findLast((release) => release.clocks.get(zone) !== clocks);
    const since = other && ordered[ordered.indexOf(other) + 1]?.version;
    if (since !== undefined) changedIn.set(since, [...(changedIn.get(since) ?? []), zone]);
  }
  return [...changedIn].sort().map(([release, zones]) => {
    const before = ordered.findLast(({ version }) => version < release)?.clocks;
    const [zone = ''] = zones;
    return { release, zones, probe: [zone, ...firstDifference(newest.get(zone), before?.get(zone), from)] as const };
  });
}

/** The first instant from `from` on, and the minutes that the newer clocks are then ahead of UTC. */
function firstDifference(newer: string | undefined, older: string | undefined, from: number): [string, number] {
  const spansOf = (clocks = '[]') => {
    const [offset, ...later] = JSON.parse(clocks) as [string, ...{ since: number; offset: string }[]];
    return [{ since: from, offset }, ...later];
  };
  const [now, then] = [spansOf(newer), spansOf(older)];
  const offsetAt = (spans: typeof now, instant: number) => spans.findLast(({ since }) => since <= instant)?.offset;
  const instants = [...now, ...then].map(({ since }) => since).sort((a, b) => a - b);
  const at = instants.find((instant) => offsetAt(now, instant) !== offsetAt(then, instant)) ?? from;
  // Packed offsets count to the west.
  return [new Date(at).toISOString().replace(':00.000', ''), 0 - base60(offsetAt(now, at) ?? '')];
}

/** By zone: its offset at `from`, and its changes in the years after it. */
function clocksIn({ zones, links }: PackedRelease, from: number): ReadonlyMap<string, string> {
  const until = from + yearsCompared * 366 * 86_400_000;
  const clocks = new Map(
    zones.map((zone) => {
      const [name = '', , offsets = '', indexes = '', differences = ''] = zone.split('|');
      let at = 0;
      const changes = differences.split(' ').map((difference) => {
        at += base60(difference) * 60_000;
        return at;
      });
      const spans = [...indexes].map((index, place) => ({
        since: changes[place - 1] ?? Number.NEGATIVE_INFINITY,
        offset: offsets.split(' ')[base60(index)],
      }));
      const first = spans.findLast(({ since }) => since <= from);
      const later = spans.filter(({ since }) => since > from && since < until);
      return [name, JSON.stringify([first?.offset, ...later])] as const;
    }),
  );
  for (const link of links) {
    const [target = '', name = ''] = link.split('|');
    clocks.set(name, clocks.get(target) ?? '');
  }
  return clocks;
}

/** Digits, then small letters, then capitals; behind a point, parts of sixty. A time before 1970 is negative. */
function base60(text: string): number {
  if (text.startsWith('-')) return -base60(text.slice(1));
  const digits = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWX';
  const whole = (part: string) => [...part].reduce((value, digit) => value * 60 + digits.indexOf(digit), 0);
  const [before = '', behind = ''] = text.split('.');
  return whole(before) + whole(behind) / 60 ** behind.length;
}
