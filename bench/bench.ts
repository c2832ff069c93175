// `npm run bench`: measures the built program in processes of its own, and prints one table. Arguments name rows of it, such
// as `plan`; without one, all are measured. What counts is user time, which a busy machine changes least: programs take
// turns, and a ratio is that of all rounds together. A program is measured alone: nothing else runs beside it, except the
// emulator that an apply needs. Peers that this machine does not have are left out, and their row says so.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { build } from 'esbuild';
import { createEmulator, type PlanDocument, type State } from '../src/index.ts';
import { version } from '../src/version.ts';

interface Program {
  readonly command: readonly [program: string, ...args: string[]];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A program that fails would be measured as a fast one. */
  readonly mustPrint: string;
  /** It finds what earlier runs kept. Any other run is one in CI, where nothing is kept. */
  readonly isLater?: boolean;
}

/** A limit that the program is held to: the bench fails where a figure is larger. */
interface Target {
  readonly most: number;
  readonly because: string;
}

/** Smaller is better. */
interface Row {
  readonly name: string;
  /** With its unit; undefined: it was not measured, for the reason in `beside`. */
  readonly figure?: number;
  readonly unit?: '×' | 'MB' | 'kB' | 'ms';
  readonly target?: Target | undefined;
  /** User time of a run. */
  readonly milliseconds?: number;
  readonly beside: string;
}

const groups: Readonly<Record<string, () => Promise<readonly Row[]>>> = {
  start: measureStart,
  plan: measureSmallPlans,
  yaml: measureBesideYaml,
  memory: measureMemory,
  loop: measureLoop,
  tables: measureTables,
  linear: measureLinear,
  outside: measureOutside,
  rows: measureRows,
  prove: measureProve,
  apply: measureApply,
  job: measureJob,
  executable: measureExecutable,
  terraform: measureBesideTerraform,
  ajv: measureBesideAjv,
};

const start: Target = { most: 1.9, because: 'each command, hook and completion begins with it' };
const linear: Target = { most: 1.2, because: 'a large workspace should pay no more for each schedule' };
const outsideCheck: Target = { most: 1.5, because: 'nobody should turn the check off to save time' };
const loopCheck: Target = { most: 1.25, because: 'a loop should cost little more than what it stands for' };
const firstOfTables: Target = { most: 1.9, because: 'the first review of an import waits for it' };
const rowsCheck: Target = { most: 1.15, because: 'every plan of a workspace with a table pays it' };
const proofTime: Target = { most: 2.5, because: 'a proof reads whole downloads, each cell of them' };
const proofMemory: Target = { most: 150, because: 'a proof runs in the job that applies' };
const smallJob: Target = { most: 0.5, because: 'every push to a pull request waits for it' };
const largeJob: Target = { most: 0.6, because: 'as above, and it writes a long plan in each form' };
const executableSize: Target = { most: 120, because: 'it is copied to each machine without Node' };
const executablePlan: Target = { most: 1.4, because: 'a machine without Node should not wait much longer' };

const cli = resolve('dist/cli.cjs');
const unchanged = 'No changes.';
const words = (count: number): string => count.toLocaleString('en');
const service = 'https://acme.omniapp.co/api';
/** A divisor of each number of schedules. */
const perFile = 10;
const ofPeers = 1000;
const besidePeers = `plan of ${words(ofPeers)} unchanged`;
const zones = ['Europe/London', 'America/New_York', 'Asia/Tokyo'];
/** Of which everything is applied. */
const appliedWorkspaces = new Map<string, Promise<string>>();
/** Of this machine before. */
const load = loadavg()[0]?.toFixed(1);
const lab = mkdtempSync(join(tmpdir(), 'almanac-bench-'));
process.once('exit', () => rmSync(lab, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const given = process.argv.slice(2);
const unknown = given.filter((name) => !Object.hasOwn(groups, name));
if (unknown.length > 0) {
  process.stderr.write(`No row ${unknown.join(', ')}. There are: ${Object.keys(groups).join(', ')}.\n`);
  process.exitCode = 2;
} else await measureAll();

async function measureAll(): Promise<void> {
  const rows: Row[] = [];
  for (const [name, measure] of Object.entries(groups)) {
    if (given.length > 0 && !given.includes(name)) continue;
    process.stderr.write(`measuring ${name} …\n`);
    try {
      rows.push(...(await measure()));
    } catch (error) {
      rows.push({ name, beside: 'it failed, see above' });
      process.stderr.write(`${error}\n`);
      process.exitCode = 1;
    }
  }
  process.stdout.write(`${tableOf(rows)}\n${machine()}\n`);
  for (const { name, figure = 0, unit, target } of rows) {
    if (target === undefined || Number(shownFigure(figure, unit)) <= target.most) continue;
    process.stderr.write(`${name}: ${shownFigure(figure, unit)} ${unit} is more than ${target.most}.\n`);
    process.exitCode = 1;
  }
}

async function measureStart(): Promise<readonly Row[]> {
  const cwd = newFolder('empty');
  const program = almanac(['--version'], { cwd, mustPrint: version });
  return compare('almanac --version', 40, bareNode(cwd), firstAndLater(program, start));
}

async function measureSmallPlans(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const count of [10, 100, 500]) {
    const cwd = await applied(count);
    const plan = almanac(['plan'], { cwd, mustPrint: unchanged });
    rows.push(...(await compare(`plan of ${count}`, 40, bareNode(cwd), firstAndLater(plan))));
  }
  return rows;
}

/** The package parses every file to documents with positions and converts them to values. */
async function measureBesideYaml(): Promise<readonly Row[]> {
  const script = `const { readdirSync, readFileSync } = require('node:fs');
    const { LineCounter, parseAllDocuments } = require('yaml');
    const folder = process.argv[1] + '/schedules/';
    const values = readdirSync(folder).sort().flatMap((name) =>
      parseAllDocuments(readFileSync(folder + name, 'utf8'), { lineCounter: new LineCounter() }).map((each) => each.toJS()));
    console.log(values.length + ' documents');`;
  const count = 10_000;
  const cwd = await applied(count);
  const command = [process.execPath, '--eval', script, cwd] as const;
  const yaml = { name: 'yaml alone', command, cwd: resolve('.'), mustPrint: `${count / 10} documents` } as const;
  const plan = almanac(['plan'], { cwd, mustPrint: unchanged });
  return compare(`plan of ${words(count)} in 1,000 files`, 5, yaml, firstAndLater(plan));
}

/** The peak of a first plan. */
async function peakOf(what: string, cwd: string): Promise<Row> {
  const hook = join(newFolder('hook'), 'hook.cjs');
  writeFileSync(hook, "process.on('exit', () => console.log(`peak ${process.resourceUsage().maxRSS}`));");
  const env = { NODE_OPTIONS: `--require ${hook}` };
  const [rounds, plan] = [3, almanac(['plan'], { cwd, env, mustPrint: 'peak ' })];
  let [figure, milliseconds] = [0, 0];
  for (let round = 0; round < rounds; round += 1) {
    const ran = await run(plan);
    figure += Number(/peak (\d+)/.exec(ran.output)?.[1]) / 1024 / rounds;
    milliseconds += ran.milliseconds / rounds;
  }
  return { name: `memory of a first plan ${what}`, figure, unit: 'MB', milliseconds, beside: '' };
}

async function measureMemory(): Promise<readonly Row[]> {
  const lists = { files: 2, lists: 100, schedules: 100, people: 5000 };
  return [
    await peakOf('of 10,000', await applied(10_000)),
    await peakOf('for 200 lists of 5,000 people', writeLists(lists)),
  ];
}

async function measureLoop(): Promise<readonly Row[]> {
  const [looped, plain] = [await applied(5000, { isLoop: true }), await applied(5000)];
  const planIn = (cwd: string): Program => almanac(['plan'], { cwd, mustPrint: unchanged });
  const peer = { ...planIn(plain), name: 'a first plan of 5,000 plain ones' };
  return compare('plan of 5,000 instances of loops', 7, peer, [
    { ...planIn(looped), kind: 'first', target: loopCheck },
  ]);
}

/** Of loops over tables, where nothing is applied: what a plan takes beyond the check of what it plans. */
async function measureTables(): Promise<readonly Row[]> {
  const [tables, lines] = [10, 1000];
  const cwd = writeTables(tables, lines);
  const what = `of ${words(tables * lines)} new instances of ${tables} tables`;
  const peer = { ...almanac(['validate'], { cwd, mustPrint: ' warnings in ' }), name: 'validate' };
  const program = almanac(['plan'], { cwd, mustPrint: `Plan: ${words(tables * lines)} to create` });
  return [
    ...(await compare(`plan ${what}`, 5, peer, [{ ...program, kind: 'first', target: firstOfTables }])),
    await peakOf(what, cwd),
  ];
}

/** The time of a schedule: a cost that grows linearly has the ratio 1. */
async function measureLinear(): Promise<readonly Row[]> {
  const [small, large] = [10_000, 100_000];
  const planOf = async (count: number) => almanac(['plan'], { cwd: await applied(count), mustPrint: unchanged });
  const peer = { ...(await planOf(small)), name: `among ${words(small)}` };
  const ours = firstAndLater(await planOf(large)).slice(0, 1);
  const rows = await compare(`plan: a schedule among ${words(large)}`, 3, peer, ours);
  return rows.map((row) => ({ ...row, figure: ((row.figure ?? 0) * small) / large, target: linear }));
}

/** What the check costs that every address is inside, for a list of addresses outside that every schedule uses. */
async function measureOutside(): Promise<readonly Row[]> {
  const validateIn = (check: string): Program =>
    almanac(['validate'], {
      cwd: writeLists({ files: 1, lists: 1, schedules: 1000, people: 1000, check }),
      mustPrint: ' in 1 file.',
    });
  const peer = { ...validateIn('off'), name: 'without the check' };
  const name = 'validate of 1,000 for 1,000 people outside';
  return compare(name, 1, peer, [{ ...validateIn('warning'), kind: 'first', target: outsideCheck }]);
}

/** What the check costs that each receiver outside gets its own rows, where everything is right. */
async function measureRows(): Promise<readonly Row[]> {
  const [count, lines] = [10_000, 5000];
  const applied10k = await applied(count);
  const planWith = (rows: string): Program => {
    const cwd = newFolder('rows');
    cpSync(applied10k, cwd, { recursive: true });
    const safety = `safety:\n  internalDomains: [acme.com]\n${rows}`;
    writeFileSync(join(cwd, 'almanac.yaml'), `api:\n  baseUrl: ${service}\n  rateLimit: 0\n${safety}`);
    const table = Array.from({ length: lines - 2 }, (_, index) => {
      const [kind, at] = [index % 2, Math.floor(index / 2) * 3];
      return `Region ${(at + kind * 2) % 40},${kind === 0 ? `region-${at}@example.com` : `hooks.example.com/regions/${at + 2}`}`;
    });
    // Whoever has no line of its own there.
    const rest = ['shows,receiver', '*,example.com', '*,hooks.example.com/regions'];
    writeFileSync(join(cwd, 'tenants.csv'), [...rest, ...table, ''].join('\n'));
    return almanac(['plan'], { cwd, mustPrint: unchanged });
  };
  const peer = { ...planWith(''), name: 'without the table' };
  const program = planWith('  rows: { filters: [region], allow: tenants.csv }\n');
  const name = `plan of ${words(count)} with a table of ${words(lines)} lines`;
  return compare(name, 5, peer, [{ ...program, kind: 'first', target: rowsCheck }]);
}

/** A file of one customer as a download comes, and what a proof keeps of it; beside reading it as lines. */
async function measureProve(): Promise<readonly Row[]> {
  const [cwd, count, chunk] = [newFolder('prove'), 2_000_000, 50_000];
  const file = join(cwd, 'rows.csv');
  writeFileSync(file, 'Name,Product,Total\n');
  for (let from = 0; from < count; from += chunk) {
    const rows = Array.from({ length: chunk }, (_, index) => `North Pine,Gasket ${index % 97},${index % 1000}\n`);
    appendFileSync(file, rows.join(''));
  }
  const judging = `import { createReadStream } from 'node:fs';
    import { openTable, readSheet } from './src/commands/prove/read-sheet.ts';
    import { openMemory } from './src/observe/downloads/in-memory.ts';
    const table = openTable(new Set(['North Pine', 'South Oak']));
    const query = { fields: ['customers.name', 'orders.product', 'orders.total'], pivots: [] };
    const before = process.resourceUsage().maxRSS;
    const sink = openMemory(64 * 2 ** 20);
    for await (const piece of createReadStream(process.argv[2])) sink.write(piece);
    const sheet = readSheet(sink.bytes(), { query, dividing: ['customers.name'], table });
    console.log(sheet.rows + ' rows, above start ' + (process.resourceUsage().maxRSS - before));`;
  const program = join(cwd, 'judge.mjs');
  const bundling = { bundle: true, platform: 'node', format: 'esm', outfile: program } as const;
  await build({ stdin: { contents: judging, resolveDir: resolve('.'), loader: 'ts' }, ...bundling });
  const judge: Program = { command: [process.execPath, program, file], cwd, mustPrint: `${count} rows` };
  const lines = `let count = -2;
    for (const _ of require('node:fs').readFileSync(process.argv[1], 'utf8').split('\\n')) count += 1;
    console.log(count + ' lines');`;
  const peer: Peer = {
    name: 'reading them as lines',
    command: [process.execPath, '--eval', lines, file],
    cwd,
    mustPrint: `${count} lines`,
  };
  const name = `prove: a file of ${words(count)} rows`;
  const rows = await compare(name, 5, peer, [{ ...judge, kind: 'first', target: proofTime }]);
  const above = Number(/above start (\d+)/.exec((await run(judge)).output)?.[1]) / 1024;
  return [...rows, { name: `${name}, memory above start`, figure: above, unit: 'MB', target: proofMemory, beside: '' }];
}

/** To an emulator on this machine, without a rate limit. An apply includes a plan, so what a plan takes is subtracted. */
async function measureApply(): Promise<readonly Row[]> {
  const [count, rounds] = [500, 5];
  const taken = { plan: 0, apply: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const emulator = createEmulator({ rateLimit: 0 });
    const { baseUrl, organizationKey } = await emulator.listen();
    const place = { cwd: writeWorkspace(count, { baseUrl }), env: { OMNI_API_TOKEN: organizationKey } };
    try {
      const plan = almanac(['plan'], { ...place, mustPrint: `Plan: ${count} to create.` });
      taken.plan += (await run(plan)).milliseconds / rounds;
      const apply = almanac(['apply', '--auto-approve'], { ...place, mustPrint: `Applied ${count} changes.` });
      taken.apply += (await run(apply)).milliseconds / rounds;
    } finally {
      await emulator.close();
    }
  }
  const figure = (taken.apply - taken.plan) / count;
  const beside = `less a plan, ${words(Math.round(taken.plan))} ms`;
  const name = `apply of ${count}: own time a change`;
  return [{ name, figure, unit: 'ms', milliseconds: taken.apply, beside }];
}

/**
 * The step of the action that plans a pull request, beside that of another build: of the checkout in the folder BESIDE. Each
 * has applied by itself what it plans.
 */
async function measureJob(): Promise<readonly Row[]> {
  const other = join(process.env['BESIDE'] ?? '', 'dist/cli.cjs');
  const name = `plan job of a pull request: 1 of ${words(ofPeers)} changed`;
  if (!process.env['BESIDE'] || !existsSync(other))
    return [{ name, beside: 'left out: BESIDE names no folder with another build' }];
  const rows: Row[] = [];
  for (const [changed, target] of [
    [1, smallJob],
    [ofPeers, largeJob],
  ] as const) {
    const peer = { ...(await pullRequest(other, changed)), name: 'the build in BESIDE' };
    const ours = await pullRequest(cli, changed);
    const what = name.replace('1 of', `${words(changed)} of`);
    rows.push(...(await compare(what, 5, peer, [{ ...ours, kind: 'first', target }])));
  }
  return rows;
}

/** The step in a clone whose last commit, and no other, changes some of the applied schedules. */
async function pullRequest(program: string, changed: number): Promise<Program> {
  const emulator = createEmulator({ rateLimit: 0, operations: 'full' });
  const { baseUrl, organizationKey } = await emulator.listen();
  const [cwd, base, out] = [writeWorkspace(ofPeers, { baseUrl }), newFolder('base'), newFolder('out')];
  const config = `api: { baseUrl: "${baseUrl}", rateLimit: 0, operations: full }\n`;
  for (const folder of [cwd, base]) writeFileSync(join(folder, 'almanac.yaml'), config);
  const git = (...args: readonly string[]) => {
    const who = ['-c', 'user.name=bench', '-c', 'user.email=bench@example.com'];
    const { status, stdout, stderr } = spawnSync('git', [...who, ...args], { cwd, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    return stdout.trim();
  };
  const commit = (message: string) => [git('add', '--all'), git('commit', '--quiet', `--message=${message}`)];
  git('init', '--quiet');
  commit('Base');
  const command = [process.execPath, program, 'apply', '--auto-approve'] as const;
  const mustPrint = `Applied ${words(ofPeers)} changes.`;
  await run({ command, cwd, env: { OMNI_API_TOKEN: organizationKey }, mustPrint }).finally(() => emulator.close());
  const folder = join(cwd, 'schedules');
  for (const file of readdirSync(folder).slice(0, Math.ceil(changed / perFile))) {
    const text = readFileSync(join(folder, file), 'utf8');
    const which = changed === 1 ? /paperFormat: a4/ : /paperFormat: a4/g;
    writeFileSync(join(folder, file), text.replace(which, 'paperFormat: a3'));
  }
  commit('Change');
  return {
    command: [process.execPath, program, 'ci', 'run'],
    cwd,
    mustPrint: `Plan: ${words(changed)} to update`,
    env: {
      GITHUB_ACTIONS: 'true',
      GITHUB_WORKSPACE: cwd,
      GITHUB_OUTPUT: join(out, 'outputs'),
      RUNNER_TEMP: out,
      ALMANAC_COMMAND: 'plan',
      ALMANAC_WORKING_DIRECTORY: '.',
      ALMANAC_DETAILED_EXITCODE: 'false',
      ALMANAC_JOB_STATUS: 'success',
      ALMANAC_BASE_BRANCH: 'main',
      ALMANAC_BASE_COMMIT: git('rev-parse', 'HEAD~1'),
      // What the build of 209813a4 is told of the base branch.
      ALMANAC_BASE_FOLDER: base,
    },
  };
}

/** Beside `node dist/cli.cjs`, a run of the same kind: it keeps nothing itself. */
async function measureExecutable(): Promise<readonly Row[]> {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/build.mjs', '--executable'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  const file = resolve('executable/almanac');
  const beside = (program: Program, kind: Ours['kind'], target?: Target) => {
    const { command } = program;
    const isLater = kind === 'later';
    const args = command.slice(2);
    const peer = { ...program, isLater, name: 'node dist/cli.cjs' };
    const name = `executable: ${args.includes('plan') ? 'plan of 100' : `almanac ${args.join(' ')}`}`;
    return compare(name, 40, peer, [{ ...program, isLater, command: [file, ...args], kind, target }]);
  };
  const empty = almanac(['--version'], { cwd: newFolder('empty'), mustPrint: version });
  const plan = almanac(['plan'], { cwd: await applied(100), mustPrint: unchanged });
  return [
    { name: 'executable: its size', figure: statSync(file).size / 1e6, unit: 'MB', target: executableSize, beside: '' },
    ...(await beside(empty, 'first')),
    ...(await beside(plan, 'first', executablePlan)),
    ...(await beside(plan, 'later', executablePlan)),
  ];
}

/** Its built-in resource holds the same values and asks no service, and its state is a file. */
async function measureBesideTerraform(): Promise<readonly Row[]> {
  const terraform = findProgram('terraform');
  if (terraform === undefined) return [{ name: besidePeers, beside: 'left out: Terraform is not on PATH' }];
  const cwd = newFolder('terraform');
  const resources = (await planned(writeWorkspace(ofPeers))).map(({ after }, index) => {
    const values = Object.entries(after ?? {}).map(([key, value]) => `    ${key} = ${JSON.stringify(value)}\n`);
    return `resource "terraform_data" "report_${index}" {\n  input = {\n${values.join('')}  }\n}\n`;
  });
  writeFileSync(join(cwd, 'main.tf'), resources.join(''));
  const call = (command: string, mustPrint: string, ...options: readonly string[]): Program => ({
    cwd,
    env: { CHECKPOINT_DISABLE: '1' },
    command: [terraform, command, '-input=false', '-no-color', ...options],
    mustPrint,
  });
  await run(call('init', 'successfully initialized'));
  await run(call('apply', 'Apply complete!', '-auto-approve'));
  const ours = almanac(['plan'], { cwd: await applied(ofPeers), mustPrint: unchanged });
  const peer = { ...call('plan', 'No changes.'), name: 'Terraform' };
  return compare(besidePeers, 3, peer, firstAndLater(ours));
}

/** Once npx has it, it runs without npx, which takes time of its own. */
async function measureBesideAjv(): Promise<readonly Row[]> {
  const name = `validate of ${words(ofPeers)} in 100 files`;
  const packages = ['--package', 'ajv-cli@5', '--package', 'ajv-formats@2'];
  const found = spawnSync('npx', ['--yes', ...packages, '-c', 'command -v ajv'], { encoding: 'utf8', cwd: lab });
  const ajv = found.status === 0 ? found.stdout.trim() : '';
  if (ajv === '') return [{ name, beside: 'left out: npx cannot get ajv-cli' }];
  const cwd = await applied(ofPeers);
  const files = readdirSync(join(cwd, 'schedules')).flatMap((file) => ['-d', `schedules/${file}`]);
  const how = ['--spec=draft7', '--strict=false', '-c', 'ajv-formats', '-s', resolve('schemas/resources.schema.json')];
  const peer: Peer = {
    name: 'ajv-cli',
    command: [ajv, 'validate', ...how, ...files],
    cwd,
    mustPrint: '0099.yaml valid',
  };
  const ours = almanac(['validate'], { cwd, mustPrint: 'No errors' });
  return compare(name, 5, peer, firstAndLater(ours));
}

function findProgram(name: string): string | undefined {
  const paths = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name));
  return paths.find((path) => existsSync(path));
}

interface Peer extends Program {
  readonly name: string;
}

interface Ours extends Program {
  readonly kind: 'first' | 'later';
  readonly target?: Target | undefined;
}

function firstAndLater(program: Program, target?: Target): readonly Ours[] {
  return [
    { ...program, kind: 'first', target },
    { ...program, kind: 'later', isLater: true, target },
  ];
}

/** A row for each of ours. */
async function compare(name: string, rounds: number, peer: Peer, ours: readonly Ours[]): Promise<readonly Row[]> {
  const taken = [peer, ...ours].map((program) => ({ program, milliseconds: 0 }));
  // Each has run before, so that the files are in memory, and a later run finds what is kept.
  for (const { program } of taken) await run(program);
  for (let round = 0; round < rounds; round += 1)
    for (const each of taken) each.milliseconds += (await run(each.program)).milliseconds / rounds;
  const timeOf = (index: number) => taken[index]?.milliseconds ?? Number.NaN;
  const beside = `${peer.name}, ${words(Math.round(timeOf(0)))} ms`;
  return ours.map(({ kind, target }, index) => {
    const milliseconds = timeOf(index + 1);
    return { name: `${name}, ${kind}`, figure: milliseconds / timeOf(0), unit: '×', milliseconds, target, beside };
  });
}

/** With the variables that the program needs, and none of the shell, which says what user time it took. */
async function run({ command, cwd, env, mustPrint, isLater }: Program) {
  const home = join(lab, 'home');
  mkdirSync(home, { recursive: true });
  const inCi = isLater ? {} : { CI: '1' };
  const clean = { PATH: process.env['PATH'], HOME: home, XDG_CACHE_HOME: join(home, '.cache'), ...inCi, ...env };
  const timed = ['-c', 'TIMEFORMAT="user %3U"; time "$@"', 'bash', ...command];
  const child = spawn('bash', timed, { cwd, env: clean, stdio: ['ignore', 'pipe', 'pipe'] });
  const [said, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  const [timeLine = '', seconds] = /user ([0-9.]+)\n$/.exec(errors) ?? [];
  const output = said + errors.slice(0, errors.length - timeLine.length);
  if (child.exitCode === 0 && output.includes(mustPrint)) return { milliseconds: Number(seconds) * 1000, output };
  throw new Error(`${command.join(' ').slice(0, 200)} ended with ${child.exitCode}: ${output.slice(-500)}`);
}

function almanac(args: readonly string[], rest: Omit<Program, 'command'>): Program {
  return { ...rest, command: [process.execPath, cli, ...args] };
}

function bareNode(cwd: string): Peer {
  return { name: 'node -e 0', command: [process.execPath, '-e', '0'], cwd, mustPrint: '' };
}

function newFolder(name: string): string {
  return mkdtempSync(join(lab, `${name}-`));
}

interface WorkspaceOptions {
  readonly baseUrl?: string;
  /** A loop for each kind of destination instead, in one file. */
  readonly isLoop?: boolean;
}

/** The folder of a workspace, made once. */
function applied(count: number, options: WorkspaceOptions = {}): Promise<string> {
  const key = JSON.stringify([count, options]);
  const made = appliedWorkspaces.get(key) ?? makeApplied(writeWorkspace(count, options));
  appliedWorkspaces.set(key, made);
  return made;
}

/** Writes the state that an apply would leave. */
async function makeApplied(cwd: string): Promise<string> {
  const changes = await planned(cwd);
  const at = '2026-01-01T00:00:00.000Z';
  const idOf = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
  const resources = changes.map(({ address, after }, index) => {
    return [address, { id: idOf(index + 1), attributes: after ?? {}, createdAt: at, updatedAt: at }];
  });
  const state: State = {
    version: 2,
    lineage: idOf(0),
    serial: 1,
    toolVersion: version,
    baseUrl: service,
    salt: Buffer.alloc(16).toString('base64'),
    resources: Object.fromEntries(resources),
    orphans: [],
    unresolved: [],
  };
  writeFileSync(join(cwd, 'almanac.state.json'), `${JSON.stringify(state, null, 2)}\n`);
  return cwd;
}

async function planned(cwd: string): Promise<PlanDocument['changes']> {
  const { output } = await run(almanac(['plan', '--format', 'json'], { cwd, mustPrint: '"changes"' }));
  return (JSON.parse(output) as PlanDocument).changes;
}

/** Schedules for every destination, as a team would write them. Returns the folder. */
function writeWorkspace(count: number, { baseUrl = service, isLoop }: WorkspaceOptions = {}): string {
  const cwd = newFolder(`workspace-${count}`);
  mkdirSync(join(cwd, 'schedules'));
  writeFileSync(join(cwd, 'almanac.yaml'), `api:\n  baseUrl: ${baseUrl}\n  rateLimit: 0\n`);
  const write = (file: number, schedules: readonly string[]) => {
    const name = `team-${String(file).padStart(4, '0')}.yaml`;
    writeFileSync(join(cwd, 'schedules', name), `schedules:\n${schedules.join('\n')}`);
  };
  const items = itemsOf(count);
  if (isLoop)
    write(
      0,
      [0, 1, 2].map((kind) => loopOf(kind, items)),
    );
  else for (let at = 0; at < count; at += perFile) write(at / perFile, items.slice(at, at + perFile).map(plain));
  return cwd;
}

type Item = Readonly<Record<'index' | 'region' | 'hour', number> & Record<'zone', string>>;

function itemsOf(count: number): readonly Item[] {
  return Array.from({ length: count }, (_, index) => {
    return { index, region: index % 40, hour: index % 24, zone: zones[index % zones.length] ?? '' };
  });
}

function plain(item: Item): string {
  return `  region-report-${item.index}:\n${fieldsOf(item.index % 3, item)}`;
}

function loopOf(kind: number, items: readonly Item[]): string {
  const some = items.filter(({ index }) => index % 3 === kind);
  const lines = some.map((item) => `      r${item.index}: ${JSON.stringify(item)}\n`);
  const each = { index: '${each.index}', region: '${each.region}', hour: '${each.hour}', zone: '${each.zone}' };
  return `  region-report-${kind}:\n    forEach:\n${lines.join('')}${fieldsOf(kind, each)}`;
}

/** A loop over each table, a line of which is a report with the rows of one receiver outside. */
function writeTables(tables: number, lines: number): string {
  const cwd = newFolder('tables');
  mkdirSync(join(cwd, 'schedules'));
  const rules = 'safety:\n  internalDomains: [acme.com]\n  rows: { filters: [region], allow: receivers.csv }\n';
  writeFileSync(join(cwd, 'almanac.yaml'), `api: { baseUrl: ${service} }\n${rules}`);
  const allowed = ['shows,receiver'];
  for (let table = 0; table < tables; table += 1) {
    const rows = Array.from({ length: lines }, (_, line) => {
      const index = table * lines + line;
      allowed.push(`Region ${index},region-${index}@example.com`);
      return `r${index},Region ${index},region-${index}@example.com,${index % 24},${zones[index % zones.length]}`;
    });
    writeFileSync(join(cwd, 'schedules', `table-${table}.csv`), ['code,region,to,hour,zone', ...rows, ''].join('\n'));
    writeFileSync(
      join(cwd, 'schedules', `table-${table}.yaml`),
      `schedules:
  region-report-${table}:
    forEachRow: { file: table-${table}.csv, key: code }
    identifier: 12db1a0a
    name: Report of \${each.region}
    schedule: 0 \${each.hour} ? * MON-FRI *
    timezone: \${each.zone}
    format: pdf
    destinationType: email
    recipients: ["\${each.to}"]
    subject: Report of \${each.region}
    filterConfig:
      region: { values: ["\${each.region}"] }
`,
    );
  }
  writeFileSync(join(cwd, 'receivers.csv'), [...allowed, ''].join('\n'));
  return cwd;
}

interface ListsOptions {
  readonly files: number;
  /** Of each file. */
  readonly lists: number;
  readonly schedules: number;
  /** Of each list, all outside. */
  readonly people: number;
  /** Of addresses outside. */
  readonly check?: string;
}

/** Schedules by e-mail, each to one of the lists of its file. */
function writeLists({ files, lists, schedules, people, check = 'off' }: ListsOptions): string {
  const cwd = newFolder('lists');
  const each = (count: number, made: (index: number) => string) => Array.from({ length: count }, (_, n) => made(n));
  const sourceOf = (file: number) => [
    'defaults:',
    '  schedules: { identifier: 12db1a0a, schedule: 0 9 ? * MON *, timezone: UTC, format: pdf, destinationType: email }',
    'audiences:',
    `  list-${file}-0: { emails: &people [${each(people, (index) => `person-${index}@team.example`).join(', ')}] }`,
    ...each(lists - 1, (list) => `  list-${file}-${list + 1}: { emails: *people }`),
    'schedules:',
    ...each(schedules, (index) => {
      const to = `["\${audience.list-${file}-${index % lists}}"]`;
      return `  report-${file}-${index}: { name: Report ${file}-${index}, subject: Numbers, recipients: ${to} }`;
    }),
  ];
  mkdirSync(join(cwd, 'schedules'));
  for (let file = 0; file < files; file += 1)
    writeFileSync(join(cwd, 'schedules', `team-${file}.yaml`), `${sourceOf(file).join('\n')}\n`);
  const safety = `safety: { internalDomains: [acme.com] }\nchecks: { recipient-not-inside: ${check} }\n`;
  writeFileSync(join(cwd, 'almanac.yaml'), `api: { baseUrl: ${service} }\n${safety}`);
  return cwd;
}

/** Filters of a dashboard in the emulator's demo organization. */
function fieldsOf(kind: number, { index, region, hour, zone }: Record<keyof Item, unknown>): string {
  const destination = [
    `    destinationType: email
    recipients: ["region-${index}@example.com", analytics@example.com]
    subject: Region report ${index}
    textBody: |
      Good morning,
      the numbers of yesterday are attached.
`,
    `    destinationType: slack
    slackRecipientType: channel
    recipients: C000000${index}
`,
    `    destinationType: webhook
    url: https://hooks.example.com/regions/${index}
`,
  ];
  return `    # Asked for by the team of region ${region}.
    identifier: 12db1a0a
    name: Region report ${index}
    schedule: 0 ${hour} ? * MON-FRI *
    timezone: ${zone}
    format: pdf
    paperFormat: a4
    filterConfig:
      region: { values: ["Region ${region}"] }
${destination[kind]}`;
}

/** Markdown, which reads well in a terminal and is what docs/architecture.md shows. */
function tableOf(rows: readonly Row[]): string {
  const cells = rows.map(({ name, figure, unit, target, milliseconds, beside }) => {
    if (figure === undefined) return [name, '', '', '', beside, ''];
    const time = milliseconds === undefined ? '' : words(Math.round(milliseconds));
    return [name, `${shownFigure(figure, unit)} ${unit}`, `${target?.most ?? ''}`, time, beside, target?.because ?? ''];
  });
  const head = ['what', 'figure', 'at most', 'user ms', 'beside', 'because'];
  const lines = [head, ['---', '---:', '---:', '---:', '---', '---'], ...cells];
  return lines.map((line) => `| ${line.join(' | ')} |\n`.replaceAll(/ {2,}/g, ' ')).join('');
}

function shownFigure(figure: number, unit: Row['unit']): string {
  return unit === 'MB' || unit === 'kB' ? figure.toFixed(0) : figure.toFixed(2);
}

function machine(): string {
  const processor = cpus()[0]?.model.trim() ?? 'an unknown processor';
  const cores = `${availableParallelism()} cores of ${processor}, ${Math.round(totalmem() / 2 ** 30)} GB`;
  const day = new Date().toISOString().slice(0, 10);
  const node = `Node ${process.versions.node} on ${process.platform}`;
  return `Measured on ${day} with version ${version} and ${node}, ${cores}, with a load of ${load} at the start.`;
}
