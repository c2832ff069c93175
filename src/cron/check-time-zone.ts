// Checks names of time zones against those of the IANA database. Nothing else that Intl happens to take is accepted
// (PST, SystemV/EST5, +05:30 on newer Nodes). The list is our own, so every Node gives the same answer. It also says
// what a refused name meant, and which names stand for the same clocks.

import { memoize } from '../model/values/memoize.ts';
import { zoneOfAbbreviation, zoneOfCity, zoneOfOffset, zoneOnWindows } from './meant-zone.ts';
import { isZoneKnown } from './time-zone.ts';
import { timeZoneNameTable } from './time-zone-names.ts';

interface TimeZoneProblem {
  readonly code: 'invalid-timezone' | 'timezone-spelling';
  /** Full sentences: what is wrong, then why. */
  readonly message: string;
  /** A better name, if this one gives it away; the caller compares a misspelled name with all names. */
  readonly hint?: string;
}

interface TimeZoneCheck {
  /** The name as the database spells it. Absent if the name is invalid. */
  readonly zone?: string;
  readonly problem?: TimeZoneProblem;
}

const names: readonly string[] = timeZoneNameTable.trim().split(/\s+/);
const nameOfLowerCase = new Map(names.map((name) => [name.toLowerCase(), name]));

/** All names of the IANA time zone database, backward links included, sorted. */
export function timeZoneNames(): readonly string[] {
  return names;
}

/** Judges the name of a time zone. */
export const checkTimeZone = memoize(judge);

function judge(name: string): TimeZoneCheck {
  const spelled = nameOfLowerCase.get(name.toLowerCase()) ?? newerName(name);
  if (spelled === undefined) return { problem: complainOfUnknown(name) };
  if (!isZoneKnown(spelled)) {
    const message = `This version of Node has no rules for \`${spelled}\`: its time zone data is too old.`;
    return { problem: { code: 'invalid-timezone', message, hint: 'Use a newer release of Node.' } };
  }
  if (spelled === name) return { zone: spelled };
  const message = `\`${name}\` is spelled \`${spelled}\` in the IANA time zone database. Not every system accepts another spelling.`;
  return { zone: spelled, problem: { code: 'timezone-spelling', message, hint: `Write \`${spelled}\`.` } };
}

/**
 * The one name that Intl has for all names of the same clocks, such as US/Eastern and America/New_York; it joins no two
 * countries. For comparing within a run: another release of Node may have another one. An invalid name stays as it is.
 */
export const clocksOf = memoize((name: string): string => {
  const { zone } = checkTimeZone(name);
  return zone === undefined ? name : new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
});

/** A zone that is newer than our list, on a Node that knows it. */
function newerName(name: string): string | undefined {
  return name.includes('/') && Intl.supportedValuesOf('timeZone').includes(name) ? name : undefined;
}

function complainOfUnknown(name: string): TimeZoneProblem {
  const code = 'invalid-timezone';
  if (/^(UTC|GMT)?[+-]\d/i.test(name)) {
    const message = `\`${name}\` is an offset. A schedule needs a place, because offsets do not follow the change of clocks.`;
    const place = zoneOfOffset(name);
    const such = place === undefined ? '' : `, such as \`${place}\``;
    return { code, message, hint: `Write the zone of a place${such}, or \`UTC\`.` };
  }
  const message = `\`${name}\` is not a name of the IANA time zone database.`;
  const onWindows = zoneOnWindows(name);
  if (onWindows !== undefined) return { code, message, hint: `Write a name of a place, for example \`${onWindows}\`.` };
  const isAbbreviation = /^[A-Z]{2,4}$/.test(name);
  const ofPlace = isAbbreviation ? undefined : (sameCity(name) ?? zoneOfCity(cityOf(name)));
  const similar = zoneOfAbbreviation(name) ?? ofPlace;
  return { code, message, hint: similar && `Did you mean \`${similar}\`?` };
}

/** The zone with the same city: `new york`, `America/New York` and `USA/New_York` mean America/New_York. */
function sameCity(name: string): string | undefined {
  const city = cityOf(name);
  const found = city === '' ? [] : names.filter((zone) => zone.includes('/') && cityOf(zone) === city);
  // `Pacific` is that of the United States rather than of Canada.
  return found.find((zone) => zone.startsWith('US/')) ?? found[0];
}

function cityOf(zone: string): string {
  return zone
    .slice(zone.lastIndexOf('/') + 1)
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
}
