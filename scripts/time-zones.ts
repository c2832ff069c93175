// Renews the table of time zones in src/cron/zones: `npm run time-zones [FOLDER]`. FOLDER holds tzdata.zi of one release of
// the IANA database: /usr/share/zoneinfo where the system's package tzdata keeps it, else a folder made by
// `make tzdata.zi PACKRATDATA=backzone PACKRATLIST=zone.tab` in the sources (https://data.iana.org/time-zones/).

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nameTableFile, nameTableText } from './zones/time-zone-tables.ts';

const folder = process.argv[2] ?? '/usr/share/zoneinfo';
await writeFile(nameTableFile, nameTableText(await readFile(join(folder, 'tzdata.zi'), 'utf8')));
