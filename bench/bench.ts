// The figures of docs/performance.md: ratios, each measured within one run. Measures the built program in processes of
// its own, on workspaces generated in a temporary folder. With the argument `shared-state`: only an apply to each place of
// the state, under the limit of the service, which takes four minutes.

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createEmulator } from '../src/emulator/emulator.ts';
import type { PlanDocument, State } from '../src/index.ts';
import { measure, type Program, runOnce } from './measure.ts';
import { measureSharedStates } from './shared-state.ts';
import { writeWorkspace } from './workspace.ts';

const cli = resolve('dist/cli.cjs');
const yamlAlone = resolve('bench/yaml-alone.mjs');
const small = [10, 100, 500];
const sizes = [2500, 5000, 10_000];
/** Parses every file; without it a second run parses only those that changed. */
const cold = ['plan', '--no-cache'];
const applied = [500, 2000];
const baseUrl = 'https://acme.omniapp.co/api';
const emptyPlan = 'No changes.';

const folder = await mkdtemp(join(tmpdir(), 'almanac-bench-'));
try {
  say(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim()}, ${process.platform} ${process.arch}`);
  if (process.argv.includes('shared-state')) await measureStates();
  else {
    await measureStart();
    await measurePlans();
    await measureApplies();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Each beside a Node that does nothing. */
async function measureStart(): Promise<void> {
  const programs: [string, readonly string[], string][] = [
    ['almanac --version', ['--version'], folder],
    ['almanac --help', ['--help'], folder],
  ];
  for (const count of small) {
    const { workspace } = await appliedWorkspace(count);
    programs.push([`plan of ${count}, cold`, cold, workspace], [`plan of ${count}, warm`, ['plan'], workspace]);
  }
  const rows: string[][] = [];
  for (const [name, args, cwd] of programs) {
    const [bare, measured] = await measure(25, [
      { args: ['-e', '0'], cwd, timeOnly: true },
      { args: [cli, ...args], cwd, timeOnly: true },
    ]);
    if (bare === undefined || measured === undefined) continue;
    const { milliseconds } = measured;
    rows.push([name, whole(bare.milliseconds), whole(milliseconds), ratio(milliseconds, bare.milliseconds)]);
  }
  table('Start, and small plans without changes', ['', 'node -e 0 ms', 'ms', '× node -e 0'], rows);
}

async function measurePlans(): Promise<void> {
  const rows: string[][] = [];
  for (const count of sizes) {
    const { workspace, files } = await appliedWorkspace(count);
    const [yaml, plan, warm] = await measure(5, [
      { args: [yamlAlone, workspace], cwd: workspace, mustPrint: `${files} documents` },
      { args: [cli, ...cold], cwd: workspace, mustPrint: emptyPlan },
      { args: [cli, 'plan'], cwd: workspace, mustPrint: emptyPlan },
    ]);
    if (yaml === undefined || plan === undefined || warm === undefined) continue;
    rows.push([
      `${count} in ${files}`,
      whole(yaml.milliseconds),
      whole(plan.milliseconds),
      ratio(plan.milliseconds, yaml.milliseconds),
      whole(warm.milliseconds),
      ratio(warm.milliseconds, yaml.milliseconds),
      ...[yaml, plan, warm].map(({ megabytes }) => whole(megabytes)),
    ]);
  }
  const head = ['schedules in files', 'yaml ms', 'cold ms', '× yaml', 'warm ms', '× yaml', 'MB', 'cold MB', 'warm MB'];
  table('A plan without changes, compared with the yaml package alone on the same files', head, rows);
}

/** Everything that is declared was applied, and a plan has kept what it parsed. */
async function appliedWorkspace(count: number): Promise<{ readonly workspace: string; readonly files: number }> {
  const workspace = join(folder, `plan-${count}`);
  const files = await writeWorkspace(workspace, count, baseUrl);
  await writeState(workspace);
  await runOnce({ args: [cli, 'plan'], cwd: workspace, mustPrint: emptyPlan });
  return { workspace, files };
}

/** The state after everything that is declared was applied. */
async function writeState(workspace: string): Promise<void> {
  const run = promisify(execFile);
  const options = { cwd: workspace, maxBuffer: 2 ** 28 };
  const { stdout } = await run(process.execPath, [cli, 'plan', '--format', 'json'], options);
  const { changes, toolVersion } = JSON.parse(stdout) as PlanDocument;
  const at = '2026-01-01T00:00:00.000Z';
  const state: State = {
    version: 2,
    lineage: idOf(0),
    serial: 1,
    toolVersion,
    baseUrl,
    salt: Buffer.alloc(16).toString('base64'),
    resources: Object.fromEntries(
      changes.map(({ address, after }, index) => [
        address,
        { id: idOf(index + 1), attributes: after ?? {}, createdAt: at, updatedAt: at },
      ]),
    ),
    orphans: [],
    unresolved: [],
  };
  await writeFile(join(workspace, 'almanac.state.json'), `${JSON.stringify(state, null, 2)}\n`);
}

function idOf(index: number): string {
  return `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
}

/** An apply includes a plan, so the time of planning the same workspace is subtracted. */
async function measureApplies(): Promise<void> {
  const rows: string[][] = [];
  for (const count of applied) {
    const taken: number[] = [];
    const megabytes: number[] = [];
    let sent = 0;
    for (let run = 0; run < 3; run += 1) {
      const workspace = join(folder, `apply-${count}-${run}`);
      const emulator = createEmulator({ rateLimit: 0 });
      const { baseUrl: service, organizationKey } = await emulator.listen();
      await writeWorkspace(workspace, count, service);
      const almanac = (args: readonly string[], mustPrint: string): Program => ({
        args: [cli, ...args],
        cwd: workspace,
        env: { OMNI_API_TOKEN: organizationKey },
        mustPrint,
      });
      const plan = await runOnce(almanac(['plan'], `Plan: ${count} to create.`));
      const apply = await runOnce(almanac(['apply', '--auto-approve'], `Applied ${count} changes.`));
      taken.push((apply.milliseconds - plan.milliseconds) / count);
      megabytes.push(apply.megabytes);
      sent = emulator.requests().length;
      await emulator.close();
    }
    const middle = (values: number[]) => values.sort((a, b) => a - b)[1] ?? 0;
    rows.push([String(count), String(sent), middle(taken).toFixed(2), whole(middle(megabytes))]);
  }
  const head = ['changes', 'requests sent', 'ms per change', 'MB'];
  table('An apply to an emulator on this machine without a rate limit, minus the time of the plan', head, rows);
}

async function measureStates(): Promise<void> {
  const head = ['', 'creates s', '× file', 'writes', 'updates s', '× file', 'writes'];
  const rows = await measureSharedStates(cli, folder);
  table('An apply of 200 changes under 60 requests a minute, by the place of the state', head, rows);
}

function table(title: string, head: readonly string[], rows: readonly (readonly string[])[]): void {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ');
  say(`\n${title}\n\n${all.map((row) => `  ${line(row)}`.trimEnd()).join('\n')}`);
}

function whole(value: number): string {
  return value.toFixed(0);
}

function ratio(value: number, of: number): string {
  return (value / of).toFixed(2);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
