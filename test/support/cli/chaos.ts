// Runs on a shared state that die or fall asleep anywhere. Each has a machine of its own: a new folder that knows nothing
// but the declarations. What must be true at the end does not depend on where it happened.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect } from 'vitest';
import { connectHttpApi } from '../../../src/adapters/http/http-api.ts';
import { createEmulator, type Emulator } from '../../../src/emulator/emulator.ts';
import type { State } from '../../../src/model/plan/state.ts';
import { mustSucceed, resolveByHand, unaccounted } from '../resolve-by-hand.ts';
import { openFolder, type Workspace, type WorkspaceFolder, workspaceIn } from '../workspace.ts';
import { hastyClock } from './hasty-clock.ts';

/** A place for shared states, each test in one of its own. */
export interface ChaosPlace {
  /** `state` of almanac.yaml. */
  readonly state: Readonly<Record<string, unknown>>;
  readonly environment: Readonly<Record<string, string>>;
  /** As other machines reach it, which no fault strikes; the same if undefined. */
  readonly calm?: Pick<ChaosPlace, 'state' | 'environment'>;
  end(): Promise<void>;
}

/** Seconds; with requests of a second, the least that is allowed. */
const lease = 32;
const timeout = 1;
/** How much faster all clocks run, so that a lease is over in half a second. */
const clockRate = 60;
const clock = hastyClock(clockRate);

const schedule = (name: string, fields: object = {}) => ({
  identifier: '12db1a0a',
  name,
  schedule: '0 9 ? * MON *',
  timezone: 'Europe/London',
  format: 'json',
  destinationType: 'webhook',
  url: 'https://hooks.example.com/in',
  ...fields,
});
const moved = { url: 'https://hooks.example.com/new' };

/** What is declared first, and what then; and how many schedules run in the end, orphans left out. */
const declarations = {
  full: {
    before: {
      changed: schedule('Changed'),
      gone: schedule('Gone'),
      replaced: schedule('Replaced'),
      'to-pause': schedule('To pause'),
      'to-resume': schedule('To resume', { paused: true }),
    },
    after: {
      changed: schedule('Changed', moved),
      new: schedule('New'),
      'new-and-paused': schedule('New and paused', { paused: true }),
      replaced: schedule('Replaced', moved),
      'to-pause': schedule('To pause', { paused: true }),
      'to-resume': schedule('To resume'),
    },
  },
  core: {
    before: { kept: schedule('Kept'), gone: schedule('Gone'), changed: schedule('Changed') },
    after: { kept: schedule('Kept'), changed: schedule('Changed', moved), one: schedule('One'), two: schedule('Two') },
  },
} as const;

export interface Trial {
  readonly operations: 'core' | 'full';
  /** Which effect of the run it is, from 1. */
  readonly point: number;
  readonly how: 'kill' | 'stop';
  /** Whether a run that was stopped goes on while the next one is at work, instead of after it. */
  readonly isEarly: boolean;
}

export interface Outcome {
  /** Whether it was struck at all: a run may be over before. */
  readonly struck: boolean;
  /** Of the run that was stopped. */
  readonly stderr: string;
  readonly code: number | null;
}

let program: Promise<{ readonly path: string; readonly folder: string }> | undefined;

/** Bundled once, since a thousand processes load it. */
function builtProgram() {
  program ??= (async () => {
    const folder = mkdtempSync(join(tmpdir(), 'almanac-chaos-'));
    await build({
      entryPoints: ['test/support/killable-almanac.ts'],
      outdir: folder,
      bundle: true,
      splitting: true,
      minify: true,
      outExtension: { '.js': '.mjs' },
      platform: 'node',
      format: 'esm',
      external: ['postgres'],
      banner: {
        js: "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);",
      },
    });
    return { path: join(folder, 'killable-almanac.mjs'), folder };
  })();
  return program;
}

export async function removeProgram(): Promise<void> {
  if (program !== undefined) rmSync((await program).folder, { recursive: true, force: true });
}

/** Throws where something was lost, exists twice, or was sent by a run that had lost its lock. */
export async function survive(place: ChaosPlace, { operations, point, how, isEarly }: Trial): Promise<Outcome> {
  const emulator = createEmulator({ rateLimit: 0, operations, data: { ...createEmulator().data(), schedules: [] } });
  const { baseUrl, organizationKey } = await emulator.listen();
  const { before, after } = declarations[operations];
  const calm = place.calm ?? place;
  const folders: WorkspaceFolder[] = [];
  const machine = (schedules: object, { state, environment }: Pick<ChaosPlace, 'state' | 'environment'>) => {
    const folder = openFolder();
    folders.push(folder);
    folder.write({
      'almanac.yaml': {
        api: { baseUrl, operations, rateLimit: 0, timeout },
        state: { ...state, lease },
        safety: { allowOrphans: true, maxDeletePercent: 100 },
      },
      'schedules/all.yaml': { schedules },
    });
    return { folder, environment: { ...environment, OMNI_API_TOKEN: organizationKey } };
  };
  const inside = ({ folder, environment }: ReturnType<typeof machine>, onConnect?: () => void): Workspace => {
    return workspaceIn(folder, environment, {
      clock,
      connect: async (settings) => {
        onConnect?.();
        return connectHttpApi({ ...settings, clock, version: 'next', environment });
      },
    });
  };
  try {
    mustSucceed(await inside(machine(before, calm)).run('apply', '--auto-approve'));
    const dying = start(machine(after, place), { [how === 'kill' ? 'KILL_AT' : 'STOP_AT']: String(point) });
    const end = await dying.struckOrEnded();
    if (end === 'stopped') await sleep((lease * 1000) / clockRate + 50);

    const next = inside(machine(after, calm), isEarly && end === 'stopped' ? () => dying.wake() : undefined);
    await applied(next, emulator);
    const sent = emulator.requests().length;
    dying.wake();
    const { code, stderr } = await dying.ended;
    const where = `${operations}, ${how} at ${point}: ${stderr}`;
    if (end === 'stopped' && !isEarly) expect(emulator.requests().length, where).toBe(sent);

    const last = inside(machine(after, calm));
    await applied(last, emulator);
    expect((await last.run('plan')).stdout, where).toContain('No changes');
    const state = JSON.parse(mustSucceed(await last.run('state', 'pull')).stdout) as State;
    expect(unaccounted({ state: () => state }, emulator), where).toEqual([]);
    expect(standing(state, emulator), where).toEqual(Object.values(after).map(described).sort());
    return { struck: end !== 'ended', code, stderr };
  } finally {
    for (const folder of folders) folder.remove();
    await emulator.close();
  }
}

/** Applies, as often as a person would who checks Omni where Almanac asks for it. */
async function applied(workspace: Workspace, emulator: Emulator): Promise<void> {
  const apply = () => workspace.run('apply', '--auto-approve', '--lock-timeout', '600');
  const ran = await apply();
  if (ran.code === 0) return;
  expect(ran.stderr).toContain('almanac state resolve');
  await resolveByHand(workspace, emulator);
  mustSucceed(await apply());
}

/** What runs, orphans left out. */
function standing({ orphans }: State, emulator: Emulator): readonly string[] {
  const left = new Set(orphans.map(({ id }) => id));
  const { schedules } = emulator.data();
  return schedules
    .filter(({ id }) => !left.has(id))
    .map(({ fields, disabledAt }) => described({ ...fields, paused: disabledAt !== undefined }))
    .sort();
}

function described(fields: Readonly<Record<string, unknown>>): string {
  return `${fields['name']} ${fields['url']}${fields['paused'] === true ? ' paused' : ''}`;
}

/** The program as a process of its own. */
function start(
  { folder, environment }: { readonly folder: WorkspaceFolder; readonly environment: Readonly<Record<string, string>> },
  strike: Readonly<Record<string, string>>,
) {
  let child: ChildProcess | undefined;
  let stderr = '';
  const ended = builtProgram().then(
    ({ path }) =>
      new Promise<{ readonly code: number | null; readonly signal: string | null; readonly stderr: string }>(
        (resolve) => {
          const env = {
            PATH: process.env['PATH'] ?? '',
            NODE_PATH: join(process.cwd(), 'node_modules'),
            CLOCK_RATE: String(clockRate),
            ...environment,
            ...strike,
          };
          child = spawn(process.execPath, [path, 'apply', '--auto-approve', '-q'], { cwd: folder.path, env });
          child.stderr?.on('data', (chunk) => {
            stderr += chunk;
          });
          child.stdout?.resume();
          child.on('close', (code, signal) => resolve({ code, signal, stderr }));
        },
      ),
  );
  const stopped = async (): Promise<'stopped'> => {
    for (;;) {
      await sleep(10);
      if (child?.pid !== undefined && stateOf(child.pid) === 'T') return 'stopped';
      if (child?.exitCode !== null && child !== undefined) return new Promise(() => undefined);
      if (child?.signalCode !== null && child !== undefined) return new Promise(() => undefined);
    }
  };
  return {
    ended,
    struckOrEnded: () =>
      Promise.race([
        ended.then(({ signal }) => (signal === 'SIGKILL' ? ('killed' as const) : ('ended' as const))),
        stopped(),
      ]),
    wake: () => void child?.kill('SIGCONT'),
  };
}

/** `T` for a process that is stopped. */
function stateOf(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[0];
  } catch {
    return undefined;
  }
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
