// Runs on a shared state on real servers that die or fall asleep at any of their effects. Each has a machine of its own:
// a new folder that knows nothing but the declarations. What must be true at the end does not depend on where it
// happened. A seed says all of a trial.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createEmulator, type Emulator } from '../../../src/emulator/emulator.ts';
import type { State } from '../../../src/model/plan/state.ts';
import { connectHttpApi } from '../../../src/omni/http-api.ts';
import { openLog, openStoreOver } from '../../../src/state/log/open-shared-state.ts';
import type { StateLog } from '../../../src/state/state-log.ts';
import { openGateway } from '../emulator/gateway.ts';
import { mustSucceed, resolveByHand, unaccounted } from '../resolve-by-hand.ts';
import { randomFrom } from '../runs/runs.ts';
import { startGitServer } from '../state/git-server.ts';
import { isWithoutPostgres, postgresServer } from '../state/postgres-server.ts';
import { documentedSql } from '../state/postgres-stage.ts';
import { startS3Double } from '../state/s3-double.ts';
import { openFolder, type Workspace, type WorkspaceFolder, workspaceIn } from '../workspace.ts';
import { hastyClock } from './hasty-clock.ts';
import { killableProgram } from './killable-program.ts';

/** A new place for the state of one trial. */
interface ChaosPlace {
  /** `state` of almanac.yaml. */
  readonly state: Readonly<Record<string, unknown>>;
  readonly environment: Readonly<Record<string, string>>;
  /** The address of the remote that a machine's clone has. */
  readonly origin?: string;
  end(): Promise<void>;
}

type OpenPlace = () => Promise<ChaosPlace>;

export const chaosPlaces: Readonly<Record<string, OpenPlace>> = {
  git: openGitServer,
  S3: openS3,
  ...(isWithoutPostgres() ? {} : { PostgreSQL: openPostgres }),
};

async function openGitServer(): Promise<ChaosPlace> {
  const remote = mkdtempSync(join(tmpdir(), 'almanac-remote-'));
  execFileSync('git', ['init', '--quiet', '--bare', remote]);
  execFileSync('git', ['-C', remote, 'config', 'http.receivepack', 'true']);
  const environment = { PATH: process.env['PATH'] ?? '' };
  const where = { root: dirname(remote), repository: basename(remote) };
  const server = await startGitServer({ ...where, user: 'ana', password: 'pa55word', environment });
  return {
    state: { backend: 'git' },
    // As a job may hand a header to git.
    environment: {
      ...environment,
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'http.extraheader',
      GIT_CONFIG_VALUE_0: `AUTHORIZATION: basic ${Buffer.from('ana:pa55word').toString('base64')}`,
    },
    origin: server.url,
    end: async () => {
      await server.close();
      rmSync(remote, { recursive: true, force: true });
    },
  };
}

async function openS3(): Promise<ChaosPlace> {
  const { bucket, endpoint, keys, close } = await startS3Double();
  return { state: { backend: 's3', bucket, prefix: 'almanac', endpoint }, environment: { ...keys }, end: close };
}

const table = 'chaos';
let prepared: Promise<string> | undefined;

async function openPostgres(): Promise<ChaosPlace> {
  const server = await postgresServer();
  prepared ??= (async () => {
    const role = await server.role();
    await server.admin.query(documentedSql(table, role));
    return role;
  })();
  const environment = { ALMANAC_STATE_URL: server.url(await prepared) };
  return { state: { backend: 'postgres', table, name: randomUUID() }, environment, end: async () => undefined };
}

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
/** Several requests are under way at once. */
const several = (fields: object) =>
  Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((key) => [key, schedule(`One of several ${key}`, fields)]));

/** What is declared first, and what then. */
const declarations = {
  full: {
    before: {
      ...several({}),
      changed: schedule('Changed'),
      gone: schedule('Gone'),
      'to-pause': schedule('To pause'),
      'to-resume': schedule('To resume', { paused: true }),
    },
    after: {
      ...several(moved),
      changed: schedule('Changed', moved),
      new: schedule('New'),
      'new-and-paused': schedule('New and paused', { paused: true }),
      'to-pause': schedule('To pause', { paused: true }),
      'to-resume': schedule('To resume'),
    },
  },
  core: {
    before: { ...several({}), kept: schedule('Kept'), gone: schedule('Gone'), changed: schedule('Changed') },
    after: {
      ...several(moved),
      kept: schedule('Kept'),
      changed: schedule('Changed', moved),
      one: schedule('One'),
      two: schedule('Two'),
    },
  },
} as const;

export type Operations = keyof typeof declarations;

export interface Trial {
  readonly operations: Operations;
  /** `wake`: stopped, and awake again as soon as the next run has taken the lock, instead of after its end. */
  readonly how: 'kill' | 'stop' | 'wake';
  /** Which effect of the run it is, from 1; 0: nothing happens. */
  readonly point: number;
}

/** Three seeds in a row try every way. */
const ways = ['kill', 'stop', 'wake'] as const;

/** `points`: how many effects a run has to which nothing happens. */
export function trialOf(seed: number, points: Readonly<Record<Operations, number>>): Trial {
  const random = randomFrom(seed);
  const operations = random() < 0.5 ? 'full' : 'core';
  const how = ways[seed % ways.length] ?? 'kill';
  return { operations, how, point: 1 + Math.floor(random() * points[operations]) };
}

/** How much faster all clocks run, so that a lease of two minutes is over in two seconds. */
const clockRate = 60;
const clock = hastyClock(clockRate);
const lease = 120;
const timeout = 30;

export interface Outcome {
  /** Whether it was struck at all: a run may have fewer effects than the one that was counted. */
  readonly struck: boolean;
  /** What exists although it must not, or twice. */
  readonly duplicates: readonly string[];
  /** What must exist and does not, or is not in the state. */
  readonly lost: readonly string[];
  /** What the run sent after another one had taken over its lock, or while another one held the lock. */
  readonly late: readonly string[];
  /** The effects of the run, where it came to its end. */
  readonly points: number;
}

/** Throws where a run that nothing disturbs fails. */
export async function survive(open: OpenPlace, { operations, how, point }: Trial): Promise<Outcome> {
  const emulator = createEmulator({ rateLimit: 0, operations, data: { ...createEmulator().data(), schedules: [] } });
  const { baseUrl, organizationKey } = await emulator.listen();
  const place = await open();
  const late: string[] = [];
  /** The old run may send nothing. */
  let isForbidden = false;
  const gateway = await openGateway(baseUrl, ({ method, path }, forward) => {
    if (isForbidden) late.push(`${method} ${path}`);
    return forward();
  });

  const { before, after } = declarations[operations];
  const folders: WorkspaceFolder[] = [];
  const environment = { ...place.environment, OMNI_API_TOKEN: organizationKey };
  const machine = (schedules: object): WorkspaceFolder => {
    const folder = openFolder();
    folders.push(folder);
    if (place.origin !== undefined) {
      execFileSync('git', ['init', '--quiet', folder.path]);
      execFileSync('git', ['-C', folder.path, 'remote', 'add', 'origin', place.origin]);
    }
    folder.write({
      'almanac.yaml': {
        api: { baseUrl, operations, rateLimit: 0, timeout },
        state: { ...place.state, lease },
        safety: { allowOrphans: true, maxDeletePercent: 100 },
      },
      'schedules/all.yaml': { schedules },
    });
    return folder;
  };
  const calmly = (schedules: object, onLock?: (isHeld: boolean, isTakeover: boolean) => void): Workspace =>
    workspaceIn(machine(schedules), environment, {
      clock,
      connect: async (settings) => connectHttpApi({ ...settings, clock, version: 'next', environment }),
      openSharedState: async (given) => {
        const options = { ...given, clock, environment };
        const log = await openLog(options);
        return openStoreOver(onLock === undefined ? log : watched(log, onLock), options);
      },
    });

  try {
    mustSucceed(await calmly(before).run('apply', '--auto-approve'));
    const struckAt = { [how === 'kill' ? 'KILL_AT' : 'STOP_AT']: String(point) };
    const way = { WAY_TO_API: gateway.baseUrl, CLOCK_RATE: String(clockRate) };
    const run = await startRun(machine(after).path, { ...environment, ...way, ...struckAt });
    const end = await run.struckOrEnded;

    let isFenced = false;
    const next = calmly(after, (isHeld, isTakeover) => {
      isFenced ||= isTakeover;
      isForbidden = isFenced || isHeld;
      if (isHeld && how === 'wake') run.wake();
    });
    await applied(next, emulator, how === 'stop' ? undefined : run.ended);
    run.wake();
    const { stderr } = await run.ended;

    const last = calmly(after);
    await applied(last, emulator);
    const planned = (await last.run('plan')).stdout;
    if (!planned.includes('No changes')) throw new Error(`The last plan has changes: ${planned}`);
    const state = JSON.parse(mustSucceed(await last.run('state', 'pull')).stdout) as State;
    const there = standing(state, emulator);
    const declared = Object.values(after).map(described);
    return {
      struck: end !== 'ended',
      duplicates: without(there, declared),
      lost: [...without(declared, there), ...unaccounted({ state: () => state }, emulator)],
      late,
      points: Number(/points: (\d+)/.exec(stderr)?.[1]),
    };
  } finally {
    for (const folder of folders) folder.remove();
    await place.end();
    await gateway.close();
    await emulator.close();
  }
}

interface ChaosRun {
  /** Rejects when it does not end. */
  readonly ended: Promise<{ readonly signal: string | null; readonly stderr: string }>;
  readonly struckOrEnded: Promise<'killed' | 'stopped' | 'ended'>;
  wake(): void;
}

const longestMs = 120_000;

/** The program as a process of its own. */
async function startRun(cwd: string, environment: Readonly<Record<string, string>>): Promise<ChaosRun> {
  const env = { PATH: process.env['PATH'] ?? '', ...environment };
  const child = spawn(process.execPath, [await killableProgram(), 'apply', '--auto-approve', '-q'], { cwd, env });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  child.stdout.resume();
  const ended = new Promise<Awaited<ChaosRun['ended']>>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`The run did not end within ${longestMs / 1000} s: ${stderr}`));
    }, longestMs);
    child.on('close', (_, signal) => {
      clearTimeout(timer);
      resolve({ signal, stderr });
    });
  });
  ended.catch(() => undefined);
  const over = ended.then(({ signal }) => (signal === 'SIGKILL' ? ('killed' as const) : ('ended' as const)));
  return { ended, struckOrEnded: Promise.race([over, stopped(child)]), wake: () => void child.kill('SIGCONT') };
}

/** Never resolves if it ends instead. */
async function stopped(child: ChildProcess): Promise<'stopped'> {
  while (child.exitCode === null && child.signalCode === null) {
    if (isStopped(child.pid)) return 'stopped';
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return new Promise(() => undefined);
}

function isStopped(pid: number | undefined): boolean {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).startsWith('T');
  } catch {
    return false;
  }
}

/** Tells when the lock is held, and whether it was taken from another run; and when it is about to be released. */
function watched(log: StateLog, onLock: (isHeld: boolean, isTakeover: boolean) => void): StateLog {
  return {
    name: log.name,
    paceMs: log.paceMs,
    probe: (signal) => log.probe(signal),
    read: (after, signal) => log.read(after, signal),
    entry: (n, signal) => log.entry(n, signal),
    append: async (n, entry, signal) => {
      const { release, over } = JSON.parse(new TextDecoder().decode(entry.bytes)) as Record<string, unknown>;
      if (entry.kind === 'unlock' || release === true) onLock(false, false);
      const answer = await log.append(n, entry, signal);
      if (entry.kind === 'lock' && answer === 'written') onLock(true, over !== undefined);
      return answer;
    },
    close: () => log.close(),
  };
}

/**
 * Applies, as often as a person would who checks Omni where Almanac asks for it, when the other run is at its end.
 */
async function applied(workspace: Workspace, emulator: Emulator, other?: Promise<unknown>): Promise<void> {
  const apply = () => workspace.run('apply', '--auto-approve', '--lock-timeout', '1200');
  const ran = await apply();
  if (ran.code === 0) return;
  if (!ran.stderr.includes('almanac state resolve')) mustSucceed(ran);
  await other;
  await resolveByHand(workspace, emulator);
  mustSucceed(await apply());
}

/** What runs, orphans left out. */
function standing({ orphans }: State, emulator: Emulator): readonly string[] {
  const left = new Set(orphans.map(({ id }) => id));
  const { schedules } = emulator.data();
  return schedules
    .filter(({ id }) => !left.has(id))
    .map(({ fields, disabledAt }) => described({ ...fields, paused: disabledAt !== undefined }));
}

function described(fields: Readonly<Record<string, unknown>>): string {
  return `${fields['name']} ${fields['url']}${fields['paused'] === true ? ' paused' : ''}`;
}

/** What is left of a list when each item of the other was taken away once. */
function without(items: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...items];
  for (const other of others) {
    const index = left.indexOf(other);
    if (index >= 0) left.splice(index, 1);
  }
  return left;
}
