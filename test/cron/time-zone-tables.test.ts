import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { nameTableFile, nameTableText, releaseOf } from '../../scripts/time-zones.ts';

const file = '/usr/share/zoneinfo/tzdata.zi';
const tzdata = existsSync(file) ? readFileSync(file, 'utf8') : '';
const names = readFileSync(nameTableFile, 'utf8');

// Another release of the database may hold other names.
const isSameRelease = tzdata.includes('backzone') && names.includes(`release ${releaseOf(tzdata)},`);

it.runIf(isSameRelease)('the table of time zone names is what the IANA database of its release holds', () => {
  expect(names).toBe(nameTableText(tzdata));
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

it('a renewed table of names lists zones and links in order, without Factory', () => {
  expect(nameTableText(small)).toContain('`\nAmerica/Adak Etc/UTC Europe/Kiev Europe/Kyiv US/Aleutian UTC\n`');
});
