// The long tests of shared states, and what they measured as one table: `npm run test:races`. It takes hours, so it is not
// a part of npm test, which runs the same tests with fewer entries and trials. ALMANAC_RACES says how many entries are
// raced for (10,000), ALMANAC_SEEDS how many runs come to harm (1,000). Words after `--` choose the places by name.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Figures } from '../test/support/figures.ts';

const races = process.env['ALMANAC_RACES'] ?? '10000';
const seeds = process.env['ALMANAC_SEEDS'] ?? '1000';
const chosen = process.argv.slice(2).map((word) => word.toLowerCase());

interface Long {
  readonly what: string;
  readonly file: string;
  /** Of the titles of its tests. */
  readonly pattern: string;
  readonly environment?: Readonly<Record<string, string>>;
}

const race = 'that race (in|for)';
const dying = (place: string): Long => ({
  what: `${place}: ${seeds} runs that come to harm`,
  file: 'test/cli/shared-killed.test.ts',
  pattern: `with a state in ${place} nothing`,
});
const stopped = (place: string): Long => ({
  what: `${place}: ${seeds} holders that stop`,
  file: 'test/adapters/stopped-holder.scale.test.ts',
  pattern: `with a state in ${place} a holder`,
});
const all: readonly Long[] = [
  {
    what: `PostgreSQL: a race for ${races} entries`,
    file: 'test/adapters/postgres-log.test.ts',
    pattern: race,
  },
  {
    what: `S3 (the double): a race for ${races} entries`,
    file: 'test/adapters/s3-log-conformance.test.ts',
    pattern: race,
  },
  {
    what: `S3 on Ceph: a race for ${races} entries`,
    file: 'test/adapters/s3-log-ceph.test.ts',
    pattern: 'processes that race',
    environment: { ALMANAC_CEPH: '1' },
  },
  {
    what: `git: a race in ${races} rounds`,
    file: 'test/adapters/git-log-race.scale.test.ts',
    pattern: 'to a folder at once',
  },
  {
    what: `git over HTTP: a race in ${races} rounds`,
    file: 'test/adapters/git-log-race.scale.test.ts',
    pattern: 'to a server at once',
  },
  ...['S3', 'PostgreSQL', 'git', 'git over HTTP'].flatMap((place) => [dying(place), stopped(place)]),
];

const folder = mkdtempSync(join(tmpdir(), 'almanac-races-'));
const file = join(folder, 'figures');
const failed: string[] = [];
for (const { what, file: test, pattern, environment } of all) {
  if (chosen.length > 0 && !chosen.some((word) => what.toLowerCase().includes(word))) continue;
  console.log(`\n${what}`);
  const { status } = spawnSync('npx', ['vitest', 'run', test, '-t', pattern], {
    stdio: 'inherit',
    env: { ...process.env, ALMANAC_RACES: races, ALMANAC_SEEDS: seeds, ALMANAC_FIGURES: file, ...environment },
  });
  if (status !== 0) failed.push(what);
}

const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
rmSync(folder, { recursive: true, force: true });
const figures = lines.map((line) => JSON.parse(line) as Figures);
const cell = (value: number | boolean | string): string =>
  typeof value === 'boolean' ? (value ? 'yes' : 'NO') : value.toLocaleString('en', { maximumFractionDigits: 0 });
const row = (...cells: readonly (number | boolean | string)[]): string => `| ${cells.map(cell).join(' | ')} |`;

const cores = cpus();
console.log(`\nNode ${process.versions.node}, ${cores.length} cores, ${cores[0]?.model ?? 'unknown'}\n`);
console.log('| races | entries | winners | gapless | refused | seconds |\n|---|---:|---:|---|---:|---:|');
for (const each of figures) {
  if (each.kind !== 'race') continue;
  console.log(row(each.place, each.entries, each.winners, each.gapless, each.refused, each.seconds));
}
console.log('\n| harm | trials | struck | duplicates | lost | requests after the takeover | failed | seconds |');
console.log('|---|---:|---:|---:|---:|---:|---:|---:|');
for (const each of figures) {
  if (each.kind !== 'chaos') continue;
  const { place, trials, struck, duplicates, lost, late, failures, seconds } = each;
  console.log(row(place, trials, struck, duplicates, lost, late, failures, seconds));
}
console.log('\n| stops | stopped | requests | taken over | requests after the takeover | seconds |');
console.log('|---|---:|---:|---:|---:|---:|');
for (const each of figures) {
  if (each.kind !== 'stops') continue;
  console.log(row(each.place, each.stops, each.requests, each.takenOver, each.late, each.seconds));
}
for (const what of failed) console.log(`\nFAILED: ${what}`);
process.exitCode = failed.length === 0 ? 0 : 1;
