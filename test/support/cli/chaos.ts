// Runs on a shared state that die or fall asleep anywhere, in a network that may lose things. Each has a machine of its
// own: a new folder that knows nothing but the declarations. What must be true at the end does not depend on where it
// happened.

import { createEmulator, type Emulator } from '../../../src/emulator/emulator.ts';
import type { State } from '../../../src/model/plan/state.ts';
import { connectHttpApi } from '../../../src/service/http/http-api.ts';
import { openLog, openStoreOver } from '../../../src/state/log/open-shared-state.ts';
import type { StateLog } from '../../../src/state/state-log.ts';
import { mustSucceed, resolveByHand, unaccounted } from '../resolve-by-hand.ts';
import { makeNetwork } from '../state/unreliable-network.ts';
import { openFolder, type Workspace, type WorkspaceFolder, workspaceIn } from '../workspace.ts';
import { type Access, type OpenPlace, prepareFolder } from './chaos-places.ts';
import { clockRate, startRun } from './chaos-run.ts';
import { declarations, randomFrom, type Trial } from './chaos-trials.ts';
import { hastyClock } from './hasty-clock.ts';

export interface Outcome {
  /** Whether it was struck at all: a run may be over before. */
  readonly struck: boolean;
  /** What exists although it must not, or twice. */
  readonly duplicates: readonly string[];
  /** What must exist and does not, or is not in the state. */
  readonly lost: readonly string[];
  /** What the run sent after another one had taken over its lock, or while another one held the lock. */
  readonly late: readonly string[];
  /** Of the run that was struck. */
  readonly stderr: string;
  readonly ms: number;
}

const lease = 120;
const timeout = 30;
const outageMs = (1.5 * lease * 1000) / clockRate;
const clock = hastyClock(clockRate);

/** Throws where a run that nothing disturbs fails. */
export async function survive(open: OpenPlace, trial: Trial): Promise<Outcome> {
  const { operations, how, isEarly, harmed, delayMs, seed } = trial;
  const emulator = createEmulator({ rateLimit: 0, operations, data: { ...createEmulator().data(), schedules: [] } });
  const { baseUrl, organizationKey } = await emulator.listen();
  const random = randomFrom(seed + 1);
  const toService = makeNetwork({ random, harmed, delayMs, outageMs });
  const toState = makeNetwork({ random, harmed, delayMs, outageMs });
  const place = await open((target) => toState.lead(target));
  const late: string[] = [];
  /** The old run may send nothing. */
  let isForbidden = false;
  const port = await toService.lead(Number(new URL(baseUrl).port), (piece) => {
    const [, line] = /^([A-Z]+ \S+) HTTP/.exec(piece.toString('latin1')) ?? [];
    if (isForbidden && line !== undefined) late.push(line);
  });

  const { before, after } = declarations[operations];
  const folders: WorkspaceFolder[] = [];
  const machine = (schedules: object, access: Access) => {
    const { state, environment } = access;
    const folder = openFolder();
    folders.push(folder);
    prepareFolder(folder.path, access);
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
  const calmly = (schedules: object, onLock?: (isHeld: boolean, isTakeover: boolean) => void): Workspace => {
    const { folder, environment } = machine(schedules, place.calm);
    return workspaceIn(folder, environment, {
      clock,
      connect: async (settings) => connectHttpApi({ ...settings, clock, version: 'next', environment }),
      openSharedState: async (given) => {
        const options = { ...given, clock, environment };
        const log = await openLog(options);
        return openStoreOver(onLock === undefined ? log : watched(log, onLock), options);
      },
    });
  };

  try {
    mustSucceed(await calmly(before).run('apply', '--auto-approve'));
    const { folder, environment } = machine(after, place.access);
    const way = { WAY_TO_API: baseUrl.replace(/:\d+/, `:${port}`) };
    const run = await startRun(folder.path, { ...environment, ...way }, trial);
    const end = await run.struckOrEnded();
    if (end === 'competing') toState.goDown(2 * random() * outageMs);

    let isFenced = false;
    const next = calmly(after, (isHeld, isTakeover) => {
      isFenced ||= isTakeover;
      isForbidden = isFenced || isHeld;
      if (isHeld && isEarly) run.wake();
    });
    const isAsleep = how === 'stop' && !isEarly;
    await applied(next, emulator, isAsleep ? undefined : run.ended);
    run.wake();
    const { stderr, ms } = await run.ended;

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
      stderr,
      ms,
    };
  } finally {
    for (const folder of folders) folder.remove();
    await place.end();
    await toService.close();
    await toState.close();
    await emulator.close();
  }
}

/** Tells when the lock is held, and whether it was taken from another run; and when it is about to be released. */
function watched(log: StateLog, onLock: (isHeld: boolean, isTakeover: boolean) => void): StateLog {
  return {
    name: log.name,
    traits: log.traits,
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
