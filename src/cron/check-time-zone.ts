// Checks names of time zones against those of the IANA database. Nothing else that Intl happens to take is accepted
// (PST, SystemV/EST5, +05:30 on newer Nodes). The list is our own, so every Node gives the same answer. It also says
// what a refused name meant, and which names stand for the same clocks.

import { memoize, once } from '../model/values/collections.ts';
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

// The time zone that people most likely mean by another name or an offset.

/** Large cities that the database does not name. */
const cities: Readonly<Record<string, readonly string[]>> = {
  'America/Chicago': ['austin', 'dallas', 'houston', 'minneapolis', 'st_louis'],
  'America/Los_Angeles': ['las_vegas', 'portland', 'san_diego', 'san_francisco', 'san_jose', 'seattle'],
  'America/New_York': ['atlanta', 'boston', 'charlotte', 'miami', 'philadelphia', 'washington', 'washington_dc'],
  'America/Sao_Paulo': ['brasilia', 'rio', 'rio_de_janeiro'],
  'America/Toronto': ['ottawa', 'quebec'],
  'Asia/Kolkata': ['bangalore', 'bengaluru', 'chennai', 'delhi', 'hyderabad', 'mumbai', 'new_delhi', 'pune'],
  'Asia/Dubai': ['abu_dhabi'],
  'Asia/Ho_Chi_Minh': ['hanoi'],
  'Asia/Jerusalem': ['haifa'],
  'Asia/Shanghai': ['beijing', 'guangzhou', 'peking', 'shenzhen'],
  'Asia/Tokyo': ['kyoto', 'osaka'],
  'Australia/Sydney': ['canberra'],
  'Europe/Amsterdam': ['rotterdam', 'the_hague', 'utrecht'],
  'Europe/Berlin': ['cologne', 'dresden', 'dusseldorf', 'frankfurt', 'hamburg', 'leipzig', 'munich', 'stuttgart'],
  'Europe/Brussels': ['antwerp', 'ghent'],
  'Europe/London': ['birmingham', 'bristol', 'cardiff', 'edinburgh', 'glasgow', 'leeds', 'liverpool', 'manchester'],
  'Europe/Madrid': ['barcelona', 'seville', 'valencia'],
  'Europe/Paris': ['bordeaux', 'lille', 'lyon', 'marseille', 'nice', 'toulouse'],
  'Europe/Rome': ['florence', 'milan', 'naples', 'turin'],
  'Europe/Stockholm': ['gothenburg', 'malmo'],
  'Europe/Vienna': ['graz', 'salzburg'],
  'Europe/Warsaw': ['cracow', 'gdansk', 'krakow', 'wroclaw'],
  'Europe/Zurich': ['basel', 'bern', 'geneva', 'lausanne'],
};

const zones = new Map(Object.entries(cities).flatMap(([zone, names]) => names.map((name) => [name, zone] as const)));

/** Finds a city by its name in lower case, with `_` between words. */
function zoneOfCity(city: string): string | undefined {
  return zones.get(city);
}

/** The zone of a large place with this offset from UTC, in winter. */
const places: Readonly<Record<string, string>> = {
  '-10': 'Pacific/Honolulu',
  '-9': 'America/Anchorage',
  '-8': 'America/Los_Angeles',
  '-7': 'America/Denver',
  '-6': 'America/Chicago',
  '-5': 'America/New_York',
  '-4': 'America/Halifax',
  '-3': 'America/Sao_Paulo',
  '+0': 'Europe/London',
  '+1': 'Europe/Berlin',
  '+2': 'Europe/Athens',
  '+3': 'Europe/Istanbul',
  '+4': 'Asia/Dubai',
  '+5': 'Asia/Karachi',
  '+5:30': 'Asia/Kolkata',
  '+6': 'Asia/Dhaka',
  '+7': 'Asia/Bangkok',
  '+8': 'Asia/Singapore',
  '+9': 'Asia/Tokyo',
  '+10': 'Australia/Sydney',
  '+12': 'Pacific/Auckland',
};

/** Takes `GMT+1`, `UTC-05:00` and `+0530`. */
function zoneOfOffset(name: string): string | undefined {
  const [, sign = '+', hours = '', minutes = '00'] = /([+-])(\d{1,2}):?(\d\d)?/.exec(name) ?? [];
  return places[`${sign}${Number(hours)}${minutes === '00' ? '' : `:${minutes}`}`];
}

const abbreviations = new Map(
  Object.entries({
    PT: 'America/Los_Angeles',
    PST: 'America/Los_Angeles',
    PDT: 'America/Los_Angeles',
    MT: 'America/Denver',
    MDT: 'America/Denver',
    CT: 'America/Chicago',
    CST: 'America/Chicago',
    CDT: 'America/Chicago',
    ET: 'America/New_York',
    EDT: 'America/New_York',
    BST: 'Europe/London',
    CEST: 'Europe/Berlin',
    EEST: 'Europe/Athens',
    IST: 'Asia/Kolkata',
    JST: 'Asia/Tokyo',
    AEST: 'Australia/Sydney',
    NZST: 'Pacific/Auckland',
    Z: 'UTC',
  }),
);

/** Takes `PST`, in any case. */
function zoneOfAbbreviation(name: string): string | undefined {
  return abbreviations.get(name.toUpperCase());
}

/**
 * Names of Windows without their end, ` Standard Time`: the zone that CLDR 48 (windowsZones, territory 001) gives for the whole
 * world, as the IANA database spells it today. Unicode License v3: scripts/licences/unicode.txt.
 */
const windowsTable = `
AUS Central: Australia/Darwin; AUS Eastern: Australia/Sydney; Afghanistan: Asia/Kabul; Alaskan: America/Anchorage
Aleutian: America/Adak; Altai: Asia/Barnaul; Arab: Asia/Riyadh; Arabian: Asia/Dubai; Arabic: Asia/Baghdad
Argentina: America/Argentina/Buenos_Aires; Astrakhan: Europe/Astrakhan; Atlantic: America/Halifax
Aus Central W.: Australia/Eucla; Azerbaijan: Asia/Baku; Azores: Atlantic/Azores; Bahia: America/Bahia
Bangladesh: Asia/Dhaka; Belarus: Europe/Minsk; Bougainville: Pacific/Bougainville; Canada Central: America/Regina
Cape Verde: Atlantic/Cape_Verde; Caucasus: Asia/Yerevan; Cen. Australia: Australia/Adelaide; Central: America/Chicago
Central America: America/Guatemala; Central Asia: Asia/Bishkek; Central Brazilian: America/Cuiaba
Central Europe: Europe/Budapest; Central European: Europe/Warsaw; Central Pacific: Pacific/Guadalcanal
Central Standard Time (Mexico): America/Mexico_City; Chatham Islands: Pacific/Chatham; China: Asia/Shanghai
Cuba: America/Havana; Dateline: Etc/GMT+12; E. Africa: Africa/Nairobi; E. Australia: Australia/Brisbane
E. Europe: Europe/Chisinau; E. South America: America/Sao_Paulo; Easter Island: Pacific/Easter
Eastern: America/New_York; Eastern Standard Time (Mexico): America/Cancun; Egypt: Africa/Cairo
Ekaterinburg: Asia/Yekaterinburg; FLE: Europe/Kyiv; Fiji: Pacific/Fiji; GMT: Europe/London; GTB: Europe/Bucharest
Georgian: Asia/Tbilisi; Greenland: America/Nuuk; Greenwich: Atlantic/Reykjavik; Haiti: America/Port-au-Prince
Hawaiian: Pacific/Honolulu; India: Asia/Kolkata; Iran: Asia/Tehran; Israel: Asia/Jerusalem; Jordan: Asia/Amman
Kaliningrad: Europe/Kaliningrad; Korea: Asia/Seoul; Libya: Africa/Tripoli; Line Islands: Pacific/Kiritimati
Lord Howe: Australia/Lord_Howe; Magadan: Asia/Magadan; Magallanes: America/Punta_Arenas; Marquesas: Pacific/Marquesas
Mauritius: Indian/Mauritius; Middle East: Asia/Beirut; Montevideo: America/Montevideo; Morocco: Africa/Casablanca
Mountain: America/Denver; Mountain Standard Time (Mexico): America/Mazatlan; Myanmar: Asia/Yangon
N. Central Asia: Asia/Novosibirsk; Namibia: Africa/Windhoek; Nepal: Asia/Kathmandu; New Zealand: Pacific/Auckland
Newfoundland: America/St_Johns; Norfolk: Pacific/Norfolk; North Asia: Asia/Krasnoyarsk; North Asia East: Asia/Irkutsk
North Korea: Asia/Pyongyang; Omsk: Asia/Omsk; Pacific: America/Los_Angeles; Pacific SA: America/Santiago
Pacific Standard Time (Mexico): America/Tijuana; Pakistan: Asia/Karachi; Paraguay: America/Asuncion
Qyzylorda: Asia/Qyzylorda; Romance: Europe/Paris; Russia Time Zone 10: Asia/Srednekolymsk
Russia Time Zone 11: Asia/Kamchatka; Russia Time Zone 3: Europe/Samara; Russian: Europe/Moscow
SA Eastern: America/Cayenne; SA Pacific: America/Bogota; SA Western: America/La_Paz; SE Asia: Asia/Bangkok
Saint Pierre: America/Miquelon; Sakhalin: Asia/Sakhalin; Samoa: Pacific/Apia; Sao Tome: Africa/Sao_Tome
Saratov: Europe/Saratov; Singapore: Asia/Singapore; South Africa: Africa/Johannesburg; South Sudan: Africa/Juba
Sri Lanka: Asia/Colombo; Sudan: Africa/Khartoum; Syria: Asia/Damascus; Taipei: Asia/Taipei; Tasmania: Australia/Hobart
Tocantins: America/Araguaina; Tokyo: Asia/Tokyo; Tomsk: Asia/Tomsk; Tonga: Pacific/Tongatapu; Transbaikal: Asia/Chita
Turkey: Europe/Istanbul; Turks And Caicos: America/Grand_Turk; US Eastern: America/Indiana/Indianapolis
US Mountain: America/Phoenix; Ulaanbaatar: Asia/Ulaanbaatar; Venezuela: America/Caracas; Vladivostok: Asia/Vladivostok
Volgograd: Europe/Volgograd; W. Australia: Australia/Perth; W. Central Africa: Africa/Lagos; W. Europe: Europe/Berlin
W. Mongolia: Asia/Hovd; West Asia: Asia/Tashkent; West Bank: Asia/Hebron; West Pacific: Pacific/Port_Moresby
Yakutsk: Asia/Yakutsk; Yukon: America/Whitehorse
`;

/** The zones by the Windows name in lower case. */
export const windowsZones = once(() => {
  const rows = windowsTable.trim().split(/;\s|\n/);
  return new Map(rows.map((row) => row.split(': ', 2)).map(([name = '', zone = '']) => [name.toLowerCase(), zone]));
});

/** Takes `W. Europe Standard Time`, `Eastern Daylight Time` and, as in Rails, `Eastern Time (US & Canada)`. */
function zoneOnWindows(name: string): string | undefined {
  if (!/\btime\b/i.test(name)) return undefined;
  const end = / (?:(?:standard|daylight|summer) )?time(?: \((?:us & )?canada\))?$/;
  const withoutOffset = name.toLowerCase().replace(/^\((?:utc|gmt)[^)]*\) /, '');
  return windowsZones().get(withoutOffset.replace(end, ''));
}
