import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { changedZones, nameTableFile, nameTableText, releaseOf, tablesText } from '../../scripts/time-zones.ts';

const file = '/usr/share/zoneinfo/tzdata.zi';
const tzdata = existsSync(file) ? readFileSync(file, 'utf8') : '';
const names = readFileSync(nameTableFile, 'utf8');

// Another release of the database may hold other names.
const isSameRelease = tzdata.includes('backzone') && names.includes(`release ${releaseOf(tzdata)},`);

it.runIf(isSameRelease)('the table of time zone names is what the IANA database of its release holds', () => {
  expect(names.startsWith(nameTableText(tzdata))).toBe(true);
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

/** A release in which the clocks of A/Here change on these days since 1970. */
function packed(version: string, ...days: readonly number[]) {
  const digit = (value: number) => '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWX'.charAt(value % 60);
  const written = days.map((day, index) => {
    const minutes = (day - (days[index - 1] ?? 0)) * 1440;
    return [216_000, 3600, 60, 1].map((unit) => digit(Math.floor(minutes / unit))).join('');
  });
  const indexes = days.map((_, index) => (index + 1) % 2).join('');
  const zones = [`A/Here|X Y|60 50|0${indexes}|${written.join(' ')}`, 'A/There|Z|0|0|'];
  return { version, zones, links: ['A/Here|Here'] };
}

it('a table of changes names the release since which the clocks of a zone are right, whatever lies in the past', () => {
  const [first, second, third] = [packed('1971a', 100, 500), packed('1971b', 99, 500), packed('1971c', 99, 510)];
  const zones = ['A/Here', 'Here'];
  expect(changedZones([second, first])).toEqual([]);
  const of = (...probe: readonly [string, string, number]) => ({ zones, probe });
  // The clocks of the first and of the second change on day 500, those of the third on day 510.
  expect(changedZones([third, first, second])).toEqual([
    { release: '1971c', ...of('A/Here', '1971-05-16T00:00Z', -300) },
  ]);
  expect(changedZones([first, third, packed('1971d', 99, 500)])).toEqual([
    { release: '1971d', ...of('A/Here', '1971-05-16T00:00Z', -360) },
  ]);
  expect(tablesText(small, [first, third])).toContain(
    "zoneRelease = '2030a';\n\nexport const changedZoneTable = `\n1971c A/Here Here\n`",
  );
  expect(tablesText(small, [first, third])).toContain(
    'export const releaseProbeTable = `\n1971c A/Here 1971-05-16T00:00Z -300\n`',
  );
});
