// Renews the table of time zone names in src/cron, made of the IANA database alone, so that every Node accepts the
// same ones: `node scripts/run.mjs scripts/time-zones.ts [FOLDER]`. FOLDER holds tzdata.zi of one release of the database:
// /usr/share/zoneinfo where the system's package tzdata keeps it, else a folder made by
// `make tzdata.zi PACKRATDATA=backzone PACKRATLIST=zone.tab` in the sources (https://data.iana.org/time-zones/).

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const nameTableFile = 'src/cron/time-zone-names.ts';
const width = 120;

if (process.argv[1]?.endsWith('time-zones.ts')) {
  const folder = process.argv[2] ?? '/usr/share/zoneinfo';
  writeFileSync(nameTableFile, nameTableText(readFileSync(join(folder, 'tzdata.zi'), 'utf8')));
}

/** `2025b`. */
export function releaseOf(tzdata: string): string {
  return /^# version (\S+)/.exec(tzdata)?.[1] ?? '';
}

/** `tzdata`: tzdata.zi of the IANA database, made with its backward links. */
export function nameTableText(tzdata: string): string {
  const lines: string[] = [];
  for (const name of namesIn(tzdata)) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + name.length > width) lines.push(name);
    else lines[lines.length - 1] = `${line} ${name}`;
  }
  return `// The names of the IANA time zone database, release ${releaseOf(tzdata)}, with its backward links (US/Eastern, Asia/Calcutta): data,
// sorted, kept here so that every Node gives the same answer. "Factory", which names no place, is left out.
// Written by scripts/time-zones.ts.

export const timeZoneNameTable = \`
${lines.join('\n')}
\`;
`;
}

/** `Z NAME …` is a zone with rules of its own, `L TARGET NAME` another name for one. */
function namesIn(tzdata: string): readonly string[] {
  const names = tzdata.split('\n').flatMap((line) => {
    const [type, first = '', second = ''] = line.split(' ');
    return type === 'Z' ? [first] : type === 'L' ? [second] : [];
  });
  return names.filter((name) => name !== 'Factory').sort();
}
