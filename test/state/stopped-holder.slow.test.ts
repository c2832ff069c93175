// The holder of a shared lock stops anywhere, for any time, in a network that loses things, while another run waits for
// the lock: once that one has it, the holder sends nothing more. ALMANAC_RUNS tries more stops.

import { expect, onTestFinished, test } from 'vitest';
import type { Clock } from '../../src/model/outside.ts';
import { Failure } from '../../src/model/workspace/failure.ts';
import { openLog } from '../../src/state/log/open-shared-state.ts';
import type { StateLog } from '../../src/state/state-log.ts';
import { type Access, chaosPlaces, prepareFolder } from '../support/cli/chaos-places.ts';
import { randomFrom } from '../support/cli/chaos-trials.ts';
import { type FakeClock, makeFakeClock } from '../support/fake-clock.ts';
import { placeOf } from '../support/place-of.ts';
import { runs } from '../support/runs/runs.ts';
import { applied, headerOf, intent, openMachine } from '../support/state/team-machine.ts';
import { makeNetwork } from '../support/state/unreliable-network.ts';
import { makeFolder } from '../support/workspace.ts';

const stops = runs(8);
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
    traits: log.traits,
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

async function open(access: Access, clock: Clock): Promise<StateLog> {
  const { state, environment } = access;
  const place = placeOf({ lease, ...state } as unknown as Parameters<typeof placeOf>[0]);
  const { PATH, HOME, TMPDIR } = process.env;
  const root = makeFolder().path;
  prepareFolder(root, access);
  const given = { place, root, clock, environment: { PATH, HOME, TMPDIR, ...environment } };
  const log = await openLog(given);
  onTestFinished(() => log.close());
  return log;
}

test.each(Object.entries(chaosPlaces))(
  'with a state in %s a holder that was stopped anywhere sends nothing after it was taken over',
  { timeout: 60_000 + stops * 20_000 },
  async (_, openPlace) => {
    const counts = { stops: 0, requests: 0, takenOver: 0 };
    const late: string[] = [];
    for (let seed = firstSeed; seed < firstSeed + stops; seed += 1) {
      const random = randomFrom(seed + 1);
      let isCalm = true;
      const network = makeNetwork({ random: () => (isCalm ? 0.999 : random()), harmed: 3, delayMs: 0, outageMs: 40 });
      const place = await openPlace((target) => network.lead(target));
      const clock = makeFakeClock(Date.now());
      const gate = makeGate();
      const ownClock = gatedClock(clock, gate);
      const ownLog = await open(place.access, ownClock);
      const otherLog = await open(place.calm, clock);
      const own = openMachine(gatedLog(ownLog, gate), { lease, clock: ownClock, who: 'bo' });
      const other = openMachine(otherLog, { lease, clock });
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
      if ((await clock.run(Promise.race([ended, gate.stopped]))) === 'stopped') {
        counts.stops += 1;
        const until = clock.monotonic() + (0.5 + 1.5 * random()) * lease * 1000;
        for (await ask(); takenAt === undefined && clock.monotonic() < until; await ask()) {
          await clock.advance(random() * 60_000);
          if (random() < 0.3) network.goDown(40);
        }
        requestsLeft = 2;
        gate.wake();
        for (let left = 4; takenAt === undefined && left > 0; left -= 1) {
          await clock.advance(random() * 10_000);
          await ask();
        }
      }
      await clock.run(ended);
      counts.requests += sentAt.length;
      if (takenAt !== undefined) {
        counts.takenOver += 1;
        // The service may still receive a request when its time is up.
        for (const at of sentAt)
          if (at + requestMs > takenAt) late.push(`seed ${seed}: ${at + requestMs - takenAt} ms`);
      }
      await own.store.close();
      await other.store.close();
      await network.close();
      await place.end();
    }
    expect(late).toEqual([]);
    expect(counts.takenOver).toBeGreaterThanOrEqual(stops / 4);
  },
);
