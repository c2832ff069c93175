// `npm run bench`: measures the built program in processes of its own, and ends with one table. Arguments name groups;
// without one, all are measured except the slow ones. `--check` compares the ratios with the committed ones and fails
// where one got worse. `--write` commits what was measured.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { type Committed, readCommitted, writeCommitted } from './committed.ts';
import { betterOf, compareFigures, comparisonText } from './compare-figures.ts';
import type { Row } from './figure.ts';
import { type Group, groups } from './groups.ts';
import { type Lab, openLab } from './lab.ts';
import { describeMachine } from './machine.ts';
import { tableText } from './table.ts';

const { values: options, positionals: named } = parseArgs({
  allowPositionals: true,
  options: { check: { type: 'boolean' }, write: { type: 'boolean' } },
});
const unknown = named.filter((name) => !groups.some((group) => group.name === name));
if (unknown.length > 0) {
  process.stderr.write(`No group ${unknown.join(', ')}. Groups: ${namesOf(groups).join(', ')}.\n`);
  process.exitCode = 2;
} else await run();

async function run(): Promise<void> {
  const committed = await readCommitted();
  const machine = describeMachine(new Date());
  process.stdout.write(`${machine}\n`);
  const folder = await mkdtemp(join(tmpdir(), 'almanac-bench-'));
  const measured: Record<string, Committed[string]> = {};
  try {
    const lab = openLab(folder);
    for (const group of groups.filter(isChosen)) {
      process.stderr.write(`measuring ${group.name} …\n`);
      const began = performance.now();
      try {
        measured[group.name] = { machine, rows: await rowsOf(group, lab, committed) };
        process.stderr.write(`${Math.round((performance.now() - began) / 1000)} s\n`);
      } catch (error) {
        process.stderr.write(`${error}\n`);
        process.exitCode = 1;
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  process.stdout.write(`\n${tableText(groups.flatMap((group) => measured[group.name]?.rows ?? notMeasured(group)))}`);
  if (options.write) await writeCommitted(measured, namesOf(groups));
  if (options.check) check(committed, measured);
}

/** A ratio that got worse is measured a second time: a busy minute of the machine is not a regression. */
async function rowsOf(group: Group, lab: Lab, committed: Committed): Promise<readonly Row[]> {
  const first = await group.measure(lab);
  const isWorse = options.check && compareFigures(committed[group.name]?.rows ?? [], first).worse.length > 0;
  return isWorse ? betterOf(first, await group.measure(lab)) : first;
}

function isChosen({ name, slow }: Group): boolean {
  return named.length === 0 ? slow === undefined : named.includes(name);
}

/** Slow groups are only mentioned where nothing was chosen. */
function notMeasured(group: Group): readonly Row[] {
  if (isChosen(group)) return [{ name: group.name, leftOut: 'it failed, see above' }];
  return named.length > 0 ? [] : [{ name: group.name, leftOut: `${group.slow}: npm run bench -- ${group.name}` }];
}

function check(committed: Committed, measured: Committed): void {
  const before = Object.keys(measured).flatMap((name) => committed[name]?.rows ?? []);
  const after = Object.values(measured).flatMap(({ rows }) => rows);
  const comparison = compareFigures(before, after);
  process.stdout.write(`\n${comparisonText(comparison)}`);
  if (comparison.worse.length > 0) process.exitCode = 1;
}

function namesOf(all: readonly Group[]): readonly string[] {
  return all.map(({ name }) => name);
}
