// The holder of a shared lock, stopped anywhere while another run waits. What it asks of the log or hears from it may
// be lost; once the other run has the lock, the holder sends nothing. ALMANAC_RUNS tries more stops.

import { expect, test } from 'vitest';
import { Failure } from '../../src/model/workspace/failure.ts';
import type { StateLog } from '../../src/state/state-log.ts';

import { type FakeClock, makeFakeClock } from '../support/fake-clock.ts';
import { randomFrom, runs } from '../support/runs/runs.ts';
import { makeMemoryPlace } from '../support/state/memory-log.ts';
import { applied, headerOf, intent, openMachine } from '../support/state/team-machine.ts';

const stops = runs(1000);
const firstSeed = Number(process.env['ALMANAC_FIRST_SEED'] ?? 0);
const lease = 120;
const requestMs = 30_000;

/** What a process that is stopped cannot pass. */
function makeGate() {
  let left = Number.POSITIVE_INFINITY;
  let wake: (() => void) | undefined;
  let closed: Promise<void> | undefined;
  let tellStopped: (what: 'stopped') => void;
  const stopped = new Promise<'stopped'>((resolve) => {
    tellStopped = resolve;
  });
  return {
    stopped,
    /** It stops by itself when it has come here that many times more. */
    stopAfter: (times: number) => {
      left = times;
    },
    /** For good. */
    wake: () => {
      left = Number.POSITIVE_INFINITY;
      wake?.();
      closed = undefined;
    },
    pass: async (): Promise<void> => {
      left -= 1;
      if (left === 0) {
        closed = new Promise((resolve) => {
          wake = resolve;
        });
        tellStopped('stopped');
      }
      await closed;
    },
  };
}

type Gate = ReturnType<typeof makeGate>;

function gatedClock(clock: FakeClock, gate: Gate): FakeClock {
  return {
    ...clock,
    sleep: async (milliseconds, signal) => {
      await clock.sleep(milliseconds, signal);
      await gate.pass();
    },
  };
}

function gatedLog(log: StateLog, gate: Gate): StateLog {
  const gated = async <T>(action: () => Promise<T>): Promise<T> => {
    await gate.pass();
    try {
      return await action();
    } finally {
      await gate.pass();
    }
  };
  return {
    name: log.name,
    paceMs: log.paceMs,
    probe: (signal) => log.probe(signal),
    close: () => log.close(),
    read: (after, signal) => gated(() => log.read(after, signal)),
    entry: (n, signal) => gated(() => log.entry(n, signal)),
    append: (n, entry, signal) => gated(() => log.append(n, entry, signal)),
  };
}

/** The other run waits on. */
function notLocked(error: unknown): false {
  if (error instanceof Failure && error.code === 'state-locked') return false;
  throw error;
}

/** Of a hundred requests, `harmed` are lost on their way, and as many are carried out without an answer. */
function unreliableLog(log: StateLog, harmed: () => number, random: () => number): StateLog {
  const through = async <T>(code: 'state-unreadable' | 'state-unwritable', action: () => Promise<T>): Promise<T> => {
    const chance = random() * 100;
    const lost = new Failure(code, 'The place cannot be reached.', { hint: 'Try again.' });
    if (chance < harmed()) throw lost;
    const answer = await action();
    if (chance < 2 * harmed()) throw lost;
    return answer;
  };
  return {
    ...log,
    read: (after, signal) => through('state-unreadable', () => log.read(after, signal)),
    append: (n, entry, signal) => through('state-unwritable', () => log.append(n, entry, signal)),
  };
}

interface Trial {
  readonly isStopped: boolean;
  /** When each request was sent. */
  readonly sentAt: readonly number[];
  /** When the other run got the lock. */
  readonly takenAt: number | undefined;
}

async function tryOnce(seed: number): Promise<Trial> {
  const random = randomFrom(seed + 1);
  let isCalm = true;
  const place = makeMemoryPlace();
  const clock = makeFakeClock();
  const gate = makeGate();
  const ownClock = gatedClock(clock, gate);
  const ownLog = unreliableLog(place.open(), () => (isCalm ? 0 : 3), random);
  const own = openMachine(gatedLog(ownLog, gate), { lease, clock: ownClock, who: 'bo' });
  const other = openMachine(place.open(), { lease, clock });
  const locked = await clock.run(own.store.lock('apply'));
  await locked.begin(headerOf(0));
  isCalm = false;
  gate.stopAfter(1 + Math.floor(random() * 16));
  const sentAt: number[] = [];
  let takenAt: number | undefined;
  let requestsLeft = Number.POSITIVE_INFINITY;

  const work = async (): Promise<void> => {
    for (let seq = 1; !locked.lost.aborted && requestsLeft > 0; seq += 1) {
      await locked.append([intent(seq)]);
      await locked.guard(requestMs);
      await gate.pass();
      if (!locked.holds()) return;
      sentAt.push(clock.monotonic());
      requestsLeft -= 1;
      locked.appendLater([applied(seq)]);
      await ownClock.sleep(random() * 20_000);
    }
  };
  const ended = work().catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
  });
  const ask = async (): Promise<void> => {
    if (await other.store.lock('apply').then(() => true, notLocked)) takenAt = clock.monotonic();
  };
  const isStopped = (await clock.run(Promise.race([ended, gate.stopped]))) === 'stopped';
  if (isStopped) {
    const until = clock.monotonic() + (0.5 + 1.5 * random()) * lease * 1000;
    for (await ask(); takenAt === undefined && clock.monotonic() < until; await ask())
      await clock.advance(random() * 60_000);
    requestsLeft = 2;
    gate.wake();
    for (let left = 4; takenAt === undefined && left > 0; left -= 1) {
      await clock.advance(random() * 10_000);
      await ask();
    }
  }
  await clock.run(ended);
  await own.store.close();
  await other.store.close();
  return { isStopped, sentAt, takenAt };
}

test('a holder that was stopped anywhere sends nothing after it was taken over', { timeout: 120_000 }, async () => {
  const counts = { stops: 0, requests: 0, takenOver: 0 };
  const late: string[] = [];
  for (let seed = firstSeed; seed < firstSeed + stops; seed += 1) {
    const { isStopped, sentAt, takenAt } = await tryOnce(seed);
    counts.stops += Number(isStopped);
    counts.requests += sentAt.length;
    if (takenAt === undefined) continue;
    counts.takenOver += 1;
    // The service may still receive a request when its time is up.
    for (const at of sentAt) if (at + requestMs > takenAt) late.push(`seed ${seed}: ${at + requestMs - takenAt} ms`);
  }
  expect(late).toEqual([]);
  expect(counts.stops).toBeGreaterThan(stops / 2);
  expect(counts.requests).toBeGreaterThan(stops);
  expect(counts.takenOver).toBeGreaterThanOrEqual(stops / 4);
});
