// Renews the tables of time zones in src/cron/zones: `npm run time-zones [FOLDER]`. FOLDER holds tzdata.zi and zone.tab
// of one release of the IANA database: /usr/share/zoneinfo where the system's package tzdata keeps them, else a folder
// made by `make tzdata.zi PACKRATDATA=backzone PACKRATLIST=zone.tab` in the sources (https://data.iana.org/time-zones/).
// Use the newest Node: its ICU says which names mean the same clocks.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  aliasTableFile,
  aliasTableText,
  nameTableFile,
  nameTableText,
  type TimeZoneSources,
} from './zones/time-zone-tables.ts';

const folder = process.argv[2] ?? '/usr/share/zoneinfo';
const sources: TimeZoneSources = {
  tzdata: await readFile(join(folder, 'tzdata.zi'), 'utf8'),
  zoneTab: await readFile(join(folder, 'zone.tab'), 'utf8'),
  cldrName: (name) => new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone,
  icu: (process.versions['icu'] ?? '').split('.')[0] ?? '',
};
await writeFile(nameTableFile, nameTableText(sources));
await writeFile(aliasTableFile, aliasTableText(sources));
