import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  aliasTableFile,
  aliasTableText,
  nameTableFile,
  nameTableText,
  releaseOf,
} from '../../scripts/zones/time-zone-tables.ts';

const folder = '/usr/share/zoneinfo';
const read = (name: string) => (existsSync(`${folder}/${name}`) ? readFileSync(`${folder}/${name}`, 'utf8') : '');
const [tzdata, zoneTab] = [read('tzdata.zi'), read('zone.tab')];
const [names, aliases] = [nameTableFile, aliasTableFile].map((file) => readFileSync(file, 'utf8'));
const icu = (process.versions['icu'] ?? '').split('.')[0] ?? '';

// Another release of the database, or of ICU, may hold other names.
const isSameRelease = tzdata.includes('backzone') && names?.includes(`release ${releaseOf(tzdata)},`);
const isSameIcu = aliases?.includes(`(ICU ${icu})`);

it.runIf(isSameRelease)('the table of time zone names is what the IANA database of its release holds', () => {
  expect(names).toBe(nameTableText({ tzdata }));
});

it.runIf(isSameRelease && isSameIcu)('the table of time zone aliases is what ICU and the IANA database say', () => {
  const cldrName = (name: string) => new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  expect(aliases).toBe(aliasTableText({ tzdata, zoneTab, cldrName, icu }));
});

const small = [
  '# version 2030a',
  'Z America/Adak 1 - X',
  'Z Europe/Kyiv 1 - X',
  'Z Etc/UTC 0 - UTC',
  'Z Factory 0 - -00',
  'L Etc/UTC UTC',
  'L America/Adak US/Aleutian',
  'L Europe/Kyiv Europe/Kiev',
].join('\n');
const cldr = new Map([
  ['Europe/Kyiv', 'Europe/Kiev'],
  ['US/Aleutian', 'America/Adak'],
  ['Etc/UTC', 'UTC'],
]);

it('a renewed table of names lists zones and links in order, without Factory', () => {
  expect(nameTableText({ tzdata: small })).toContain(
    '`\nAmerica/Adak Etc/UTC Europe/Kiev Europe/Kyiv US/Aleutian UTC\n`',
  );
});

it('a renewed table of aliases begins each group with the name that its country uses', () => {
  const sources = {
    tzdata: small,
    zoneTab: '# comment\nUA\t+5026+03031\tEurope/Kyiv\t\n',
    cldrName: (name: string) => cldr.get(name) ?? name,
    icu: '99',
  };
  expect(aliasTableText(sources)).toContain('`\nAmerica/Adak US/Aleutian\nEurope/Kyiv Europe/Kiev\nUTC Etc/UTC\n`');
});
