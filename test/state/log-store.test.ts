// The store over a log, where a backend makes no difference: clocks, renewals, faults and damage.

import { describe, expect, test } from 'vitest';
import type { State } from '../../src/model/plan/state.ts';
import { Failure } from '../../src/model/workspace/failure.ts';
import { EntryTooLarge } from '../../src/state/log/backend.ts';
import type { StateLog } from '../../src/state/state-log.ts';
import { failureOf } from '../support/failure-of.ts';
import { type FakeClock, makeFakeClock } from '../support/fake-clock.ts';
import { atFullSize } from '../support/runs/runs.ts';
import { makeMemoryPlace } from '../support/state/memory-log.ts';
import {
  applied,
  at,
  headerOf,
  intent,
  type MachineOptions,
  manyCreates,
  openMachine,
  stateOf,
} from '../support/state/team-machine.ts';

const locked = expect.objectContaining({ code: 'state-locked' });

function kindsIn(place: { readonly entries: readonly { readonly kind: string }[] }): readonly string[] {
  return place.entries.map(({ kind }) => kind);
}

/** A machine that holds the lock of a place; with `lines`, it has begun a journal of so many. */
async function holding({
  lines,
  paceMs = 0,
  ...options
}: MachineOptions & { readonly lines?: 0 | 1; readonly paceMs?: number } = {}) {
  const place = makeMemoryPlace();
  place.paceMs = paceMs;
  const machine = openMachine(place.open(), options);
  const held = await machine.store.lock('apply');
  if (lines !== undefined) await held.begin(headerOf(0));
  if (lines === 1) await held.append([intent(1)]);
  return { ...machine, place, held };
}

describe('the lease', () => {
  test('a run that waits renews its lock each third of its lease, until it is released', async () => {
    const { place, clock, held } = await holding();
    await clock.advance(39_000);
    expect(kindsIn(place)).toEqual(['lock']);
    await clock.advance(81_000);
    expect(kindsIn(place)).toEqual(['lock', 'lines', 'lines', 'lines']);
    expect(held.holds()).toBe(true);
    await held.release();
    await clock.advance(600_000);
    expect(kindsIn(place)).toEqual(['lock', 'lines', 'lines', 'lines', 'unlock']);
    expect(clock.sleepers()).toBe(0);
  });

  test('what a run writes anyway renews its lock', async () => {
    const { place, clock, held } = await holding({ lines: 0 });
    for (const seq of [1, 2, 3]) {
      await clock.advance(30_000);
      await held.append([intent(seq)]);
    }
    await clock.advance(30_000);
    expect(kindsIn(place)).toEqual(['lock', 'lines', 'lines', 'lines']);
    await held.commit(stateOf(1), { release: true });
    await clock.advance(600_000);
    expect([clock.sleepers(), held.lost.aborted, held.holds()]).toEqual([0, false, false]);
  });

  test('a renewal counts from before its write began', async () => {
    const { place, clock } = await holding();
    let answer = () => {};
    place.beforeAppend = () => new Promise((resolve) => (answer = resolve));
    await clock.advance(130_000);
    place.beforeAppend = () => undefined;
    answer();
    await clock.advance(0);
    expect(kindsIn(place)).toEqual(['lock', 'lines', 'lines']);
  });

  test('a store that is closed renews nothing any more', async () => {
    const { place, store, clock } = await holding();
    await store.close();
    await clock.advance(600_000);
    expect(kindsIn(place)).toEqual(['lock']);
    expect(clock.sleepers()).toBe(0);
  });

  test('a run that is cut off tries again to renew its lock, and loses it when its lease is over', async () => {
    const { place, clock, held } = await holding();
    place.cut();
    await clock.advance(80_000);
    expect([held.lost.aborted, held.holds()]).toEqual([false, true]);
    place.mend();
    await clock.advance(5000);
    // The write that had no answer is repeated first. It counts from its first try, so that another follows at once.
    expect(kindsIn(place)).toEqual(['lock', 'lines', 'lines']);
    place.cut();
    await clock.advance(130_000);
    expect([held.lost.aborted, held.holds()]).toEqual([true, false]);
    expect(held.lost.reason).toMatchObject({
      code: 'state-lock-lost',
      message: expect.stringMatching(/could not be renewed in time. memory cannot be reached: connection refused./),
    });
    await expect(held.append([intent(1)])).rejects.toMatchObject({ code: 'state-lock-lost' });
    expect(clock.sleepers()).toBe(0);
  });

  test('a run that was cut off and not overtaken still writes its state', async () => {
    const { place, clock, held } = await holding({ lines: 1 });
    place.cut();
    await clock.advance(130_000);
    expect(held.lost.aborted).toBe(true);
    place.mend();
    await held.commit(stateOf(1), { release: true });
    expect((await openMachine(place.open()).store.read()).state).toEqual(stateOf(1));
  });

  test('the guard fails where the lock cannot be renewed, and aborts what is under way', async () => {
    const { place, clock, held } = await holding();
    place.cut();
    await clock.advance(86_000);
    await expect(held.guard(30_000)).rejects.toMatchObject({ code: 'state-lock-lost' });
    expect([held.lost.aborted, held.holds()]).toEqual([true, false]);
  });

  test('the guard renews the lock before a request that would outlast it', async () => {
    const { place, clock, held } = await holding({ lease: 100 });
    await clock.advance(30_000);
    await held.guard(65_000);
    expect(kindsIn(place)).toEqual(['lock']);
    await held.guard(66_000);
    expect(kindsIn(place)).toEqual(['lock', 'lines']);
    await expect(held.guard(96_000)).rejects.toMatchObject({ code: 'state-lock-lost' });
  });

  test('a request whose guard passed may not go out when it would outlast the lease', async () => {
    const { place, clock, held } = await holding();
    await held.guard(30_000);
    place.beforeAppend = () => new Promise(() => undefined);
    await clock.advance(89_000);
    expect(held.holds()).toBe(true);
    await clock.advance(2000);
    expect(held.holds()).toBe(false);
  });

  test('a wall clock that is set forward takes nothing over early, and one that is set back delays nothing', async () => {
    const place = makeMemoryPlace();
    await openMachine(place.open()).store.lock('apply');
    const clock = shifted(makeFakeClock());
    const { store } = openMachine(place.open(), { clock });
    await expect(store.lock('apply')).rejects.toEqual(locked);
    clock.wall += 3_600_000;
    await expect(store.lock('apply')).rejects.toEqual(locked);
    clock.wall -= 7_200_000;
    await clock.advance(120_000);
    await (await store.lock('apply')).release();
  });

  test.for(['wall', 'steady'] as const)(
    'the holder trusts the clock that went further, where the %s clock stands still',
    async (stands) => {
      const place = makeMemoryPlace();
      const clock = shifted(makeFakeClock());
      const held = await openMachine(place.open(), { clock }).store.lock('apply');
      place.cut();
      clock[stands === 'wall' ? 'steady' : 'wall'] += 121_000;
      expect(held.holds()).toBe(false);
      await expect(held.guard(30_000)).rejects.toMatchObject({ code: 'state-lock-lost' });
    },
  );

  test('a lock whose process on this host has ended is taken over at once', async () => {
    const place = makeMemoryPlace();
    const host = { name: 'laptop', bootId: async () => 'boot', pid: 4711, isAlive: () => false };
    await openMachine(place.open(), { host }).store.lock('apply');
    const { store } = openMachine(place.open(), { host: { ...host, pid: 4712 } });
    expect(await store.lockHolder()).toMatchObject({ isDead: true, expiresIn: 0 });
    const held = await store.lock('apply');
    expect(held.notes).toEqual([expect.stringMatching(/its process 4711 on this host is no longer running\.$/)]);
  });

  test('a process of another machine with the same host name is not taken for dead', async () => {
    const place = makeMemoryPlace();
    const host = { name: 'runner', pid: 4711, isAlive: () => false };
    for (const [mine, other] of [
      ['boot a', 'boot b'],
      [undefined, undefined],
    ]) {
      await openMachine(place.open(), { host: { ...host, bootId: async () => mine } }).store.lock('apply');
      const { store } = openMachine(place.open(), { host: { ...host, bootId: async () => other } });
      await expect(store.lock('apply')).rejects.toEqual(locked);
      await store.unlock();
    }
  });

  test('the refusal of a held lock names the run, its URL and when it may be taken over', async () => {
    const place = makeMemoryPlace();
    await openMachine(place.open(), { who: 'ben', runUrl: 'https://ci.example/7' }).store.lock('apply');
    const { store, clock } = openMachine(place.open());
    await expect(store.lock('apply')).rejects.toEqual(locked);
    await clock.advance(30_000);
    expect(await failureOf(store.lock('apply'))).toMatchObject({
      message: expect.stringMatching(
        /^the place is locked by ben on machine-\d+ \(process \d+, `apply`\) since .*Z\. Its run: https:\/\/ci\.example\/7$/,
      ),
      hint: expect.stringMatching(/taken over in 90 s.*`almanac state unlock`/),
    });
  });
});

describe('the journal', () => {
  test.each([
    [0, undefined],
    [1000, 5000],
    [10_000, 5000],
  ])('where a write may follow each %i ms, a lock is asked for each %s ms', async (paceMs, pollMs) => {
    expect((await holding({ paceMs })).store.pollMs).toBe(pollMs);
  });

  test('a noted outcome is durable after the pace of the log and two seconds', async () => {
    const { place, clock, held } = await holding({ paceMs: 10_000, lines: 1 });
    held.appendLater([applied(1)]);
    await clock.advance(11_999);
    expect(kindsIn(place)).toEqual(['lock', 'lines']);
    await clock.advance(1);
    expect(kindsIn(place)).toEqual(['lock', 'lines', 'lines']);
    expect((await openMachine(place.open()).store.read()).journal?.lines).toEqual([intent(1), applied(1)]);
  });

  test('a noted outcome goes with the next append, and before its lines', async () => {
    const { place, clock, held } = await holding({ lines: 1 });
    held.appendLater([applied(1)]);
    await held.append([intent(2)]);
    expect(kindsIn(place)).toEqual(['lock', 'lines', 'lines']);
    expect((await held.read()).journal?.lines).toEqual([intent(1), applied(1), intent(2)]);
    await clock.advance(5000);
    expect(kindsIn(place)).toEqual(['lock', 'lines', 'lines']);
  });

  test('a run that ends without a commit leaves its noted outcomes to the next', async () => {
    const { place, held } = await holding({ lines: 1 });
    held.appendLater([applied(1)]);
    await held.release();
    const { store } = openMachine(place.open());
    expect((await store.read()).journal?.lines).toEqual([intent(1), applied(1)]);
    const next = await store.lock('apply');
    await expect(next.begin(headerOf(0))).rejects.toMatchObject({ code: 'state-conflict' });
  });

  test('a small apply takes three entries', async () => {
    const { place, held } = await holding({ lines: 1 });
    held.appendLater([applied(1)]);
    await held.commit(stateOf(1), { release: true });
    expect(kindsIn(place)).toEqual(['lock', 'lines', 'commit']);
    expect(place.titles).toEqual(['apply: locked', 'apply: 2 lines of its journal', 'apply: 1 change (serial 1)']);
  });

  test('a run without changes writes no state, and one whose changes all failed ends its journal', async () => {
    const place = makeMemoryPlace();
    const { store } = openMachine(place.open());
    await (await store.lock('apply')).commit(undefined, { release: true });
    expect(kindsIn(place)).toEqual(['lock', 'unlock']);
    const held = await store.lock('apply');
    await held.begin(headerOf(0));
    await held.append([intent(1)]);
    held.appendLater([{ ...applied(1), status: 'failed' }]);
    await held.commit(undefined, { release: true });
    expect(kindsIn(place)).toEqual(['lock', 'unlock', 'lock', 'lines', 'commit']);
    const other = openMachine(place.open());
    expect(await other.store.read()).toEqual({ state: undefined, journal: undefined });
    const next = await other.store.lock('apply');
    await next.begin(headerOf(0));
    await next.commit(stateOf(1), { release: true });
    expect((await openMachine(place.open()).store.read()).state).toEqual(stateOf(1));
  });
});

describe('a write that fails', () => {
  test('after lines that could not be written all others are refused, and the state is still committed', async () => {
    const { place, held } = await holding({ lines: 0 });
    place.cut();
    await expect(held.append([intent(1)])).rejects.toMatchObject({ code: 'state-unwritable' });
    place.mend();
    await expect(held.append([intent(2)])).rejects.toMatchObject({ code: 'state-unwritable' });
    await held.commit(stateOf(1), { release: true });
    expect(kindsIn(place)).toEqual(['lock', 'lines', 'commit']);
    expect((await openMachine(place.open()).store.read()).state).toEqual(stateOf(1));
  });

  test('of a state that cannot be written, the outcomes that the log may lack are told', async () => {
    const { place, held } = await holding({ lines: 1 });
    held.appendLater([applied(1)]);
    place.cut();
    await expect(held.commit(stateOf(1), { release: true })).rejects.toMatchObject({
      code: 'state-unwritable',
      message: 'memory cannot be reached: connection refused.',
    });
    expect([held.journal, held.unwritten()]).toEqual(['the log of the place', [applied(1)]]);
    place.mend();
    expect((await openMachine(place.open()).store.read()).journal?.lines).toEqual([intent(1)]);
  });

  test('an outcome that went with an intent that could not be written is told as well, and the intent is not written', async () => {
    const { place, held } = await holding({ lines: 1 });
    place.cut();
    await expect(held.append([intent(2)])).rejects.toMatchObject({ code: 'state-unwritable' });
    held.appendLater([applied(1)]);
    await expect(held.commit(stateOf(1), { release: true })).rejects.toMatchObject({ code: 'state-unwritable' });
    expect(held.unwritten()).toEqual([applied(1)]);
  });

  test('the outcomes of a state that the place refuses are written without it, and none is told', async () => {
    const { place, held, store } = await holding({ lines: 1 });
    held.appendLater([applied(1)]);
    const unreadable = stateOf(Number.MAX_SAFE_INTEGER + 1);
    await expect(held.commit(unreadable, { release: true })).rejects.toMatchObject({ code: 'state-unreadable' });
    expect(held.unwritten()).toEqual([]);
    expect((await store.read()).journal?.lines).toEqual([intent(1), applied(1)]);
    expect(kindsIn(place)).toEqual(['lock', 'lines', 'lines', 'unlock']);
  });

  test('a run that began no journal says that nothing was changed in Omni, and where to look for the state', async () => {
    const { place, held } = await holding();
    place.cut();
    expect(await failureOf(held.commit(stateOf(1), { release: true }))).toMatchObject({
      message:
        'memory cannot be reached: connection refused. Nothing was changed in Omni; `almanac state history` shows whether the state was written all the same.',
    });
  });

  atFullSize(
    'a state that is too large is refused with the way out: the log keeps the journal, and a smaller one can be written',
    async () => {
      const { place, held, store } = await holding({ lines: 1 });
      const large = { attributes: { textBody: 'x'.repeat(60_000_000) }, createdAt: at, updatedAt: at };
      held.appendLater([applied(1)]);
      await expect(
        held.commit(stateOf(1, { resources: { 'schedules.s1': large } }), { release: true }),
      ).rejects.toMatchObject({
        code: 'state-unwritable',
        message: 'the place cannot be written: the entry would have more than 60 MB.',
        hint: expect.stringMatching(/^Divide the workspace.*state rm/),
      });
      expect(held.unwritten()).toEqual([]);
      expect((await store.read()).journal?.lines).toEqual([intent(1), applied(1)]);
      await (await openMachine(place.open()).store.lock('state rm')).commit(stateOf(1), { release: true });
      expect((await openMachine(place.open()).store.read()).state).toEqual(stateOf(1));
    },
  );

  test('an overtaken run writes no state, and tells the outcomes that it had noted', async () => {
    const { place, held } = await holding({ lines: 1 });
    held.appendLater([applied(1)]);
    await openMachine(place.open()).store.unlock();
    await expect(held.commit(stateOf(1), { release: true })).rejects.toMatchObject({
      code: 'state-lock-lost',
      hint: expect.stringMatching(/finds out what this one left open/),
    });
    expect(held.unwritten()).toEqual([applied(1)]);
    expect(kindsIn(place)).toEqual(['lock', 'lines', 'unlock']);
  });

  test('an outcome of a write that was still open when the run was overtaken is told', async () => {
    const { place, held } = await holding({ lines: 1 });
    held.appendLater([applied(1)]);
    place.cut();
    await expect(held.append([intent(2)])).rejects.toMatchObject({ code: 'state-unwritable' });
    place.mend();
    await openMachine(place.open()).store.unlock();
    await expect(held.commit(stateOf(1), { release: true })).rejects.toMatchObject({ code: 'state-lock-lost' });
    expect(held.unwritten()).toEqual([applied(1)]);
  });

  test('a commit whose answer never came is tried once more, and is written once', async () => {
    const place = makeMemoryPlace();
    const log = place.open();
    const { store } = openMachine({
      ...log,
      append: async (n, entry) => {
        const answer = await log.append(n, entry);
        if (entry.kind !== 'commit' || !isLost) return answer;
        isLost = false;
        throw new Failure('state-unwritable', 'The answer was lost.');
      },
    });
    let isLost = true;
    const held = await store.lock('apply');
    await held.commit(stateOf(1), { release: true });
    expect(kindsIn(place)).toEqual(['lock', 'commit']);
    expect((await openMachine(place.open()).store.read()).state).toEqual(stateOf(1));
  });

  test('a run that has released its lock writes nothing any more', async () => {
    const { place, held } = await holding();
    await held.commit(stateOf(1), { release: true });
    expect(held.holds()).toBe(false);
    await expect(held.append([intent(1)])).rejects.toThrow();
    await expect(held.commit(stateOf(2))).rejects.toThrow();
    expect(kindsIn(place)).toEqual(['lock', 'commit']);
  });

  test('lines whose request was lost are not written after a takeover', async () => {
    const { place, held } = await holding({ lines: 0 });
    place.cut();
    await expect(held.append([intent(1)])).rejects.toMatchObject({ code: 'state-unwritable' });
    place.mend();
    await openMachine(place.open()).store.unlock();
    await held.release();
    expect(kindsIn(place)).toEqual(['lock', 'unlock']);
  });

  test('a lock whose answer is lost is held once', async () => {
    const place = makeMemoryPlace();
    place.loseAnswer();
    const held = await openMachine(place.open()).store.lock('apply');
    await held.append([intent(1)]);
    expect(kindsIn(place)).toEqual(['lock', 'lines']);
  });
});

describe('the room for results', () => {
  test('what announces changes takes as much room as their results, and later lines only their own', async () => {
    const place = makeMemoryPlace();
    const { store } = openMachine(place.open());
    let before: State | undefined;
    for (const count of [300, 1]) {
      const { header, intents, after } = manyCreates(count, before);
      const held = await store.lock('apply');
      await held.begin(header, () => intents);
      await held.append(intents.slice(0, 1));
      await held.append([applied(1)]);
      await held.commit(after, { release: true });
      const [, announced = 0, later = 0, results = 0] = place.entries.slice(-4).map(({ bytes }) => bytes.length);
      expect(announced / results).toBeGreaterThan(1);
      expect(announced / results).toBeLessThan(1.05);
      expect(later).toBeLessThan(1000);
      expect((await store.read()).state).toEqual(after);
      before = after;
    }
  });

  test('a run that sends nothing, such as one that only moves, asks for no room', async () => {
    const { place, held } = await holding({ lines: 1 });
    await held.release();
    expect(place.entries.some(({ bytes }) => new TextDecoder().decode(bytes).includes('"fill"'))).toBe(false);
  });

  test('a place that is too small for the results refuses the announcement, and the lock is released', async () => {
    const place = makeMemoryPlace();
    place.beforeAppend = (_, { bytes }) => {
      if (bytes.length > 20_000) throw new EntryTooLarge(new Failure('state-unwritable', 'It takes 20 kB.'));
    };
    const { store } = openMachine(place.open());
    const { header, intents, after } = manyCreates(100);
    const held = await store.lock('apply');
    await held.begin(header, () => intents);
    await expect(held.append(intents.slice(0, 1))).rejects.toMatchObject({ message: 'It takes 20 kB.' });
    await expect(held.append([])).resolves.toBeUndefined();
    await held.commit(undefined, { release: true });
    expect(kindsIn(place)).toEqual(['lock', 'unlock']);
    place.beforeAppend = () => undefined;
    const again = await store.lock('apply');
    await again.begin(header, () => intents);
    await again.append(intents);
    await again.commit(after, { release: true });
    expect((await store.read()).state).toEqual(after);
  });

  test('results that a smaller place no longer takes are in the journal, and the lock is released', async () => {
    const place = makeMemoryPlace();
    const { store } = openMachine(place.open());
    const { header, intents, after } = manyCreates(100);
    const held = await store.lock('apply');
    await held.begin(header, () => intents);
    await held.append(intents);
    place.beforeAppend = (_, { bytes }) => {
      if (bytes.length > 20_000) throw new EntryTooLarge(new Failure('state-unwritable', 'It takes 20 kB.'));
    };
    await expect(held.commit(after, { release: true })).rejects.toMatchObject({ message: /It takes 20 kB/ });
    expect(kindsIn(place)).toEqual(['lock', 'lines', 'unlock']);
    expect((await store.read()).journal?.lines).toHaveLength(100);
  });
});

describe('the place', () => {
  test('a place without an entry is probed before its first lock, and no other', async () => {
    const place = makeMemoryPlace();
    place.unfit = true;
    await expect(openMachine(place.open()).store.lock('apply')).rejects.toMatchObject({ code: 'state-backend-unfit' });
    expect(kindsIn(place)).toEqual([]);
    place.unfit = false;
    await (await openMachine(place.open()).store.lock('apply')).release();
    await (await openMachine(place.open()).store.lock('apply')).release();
    expect(place.probes).toBe(2);
  });

  test('a place that does not show what it says is taken is refused', async () => {
    const place = makeMemoryPlace();
    await (await openMachine(place.open()).store.lock('apply')).release();
    const stale: StateLog = { ...place.open(), read: async () => [] };
    await expect(openMachine(stale).store.lock('apply')).rejects.toMatchObject({ code: 'state-backend-unfit' });
  });
});

/** A clock whose two faces can be set by hand. */
function shifted(clock: FakeClock): FakeClock & { wall: number; steady: number } {
  const own = { ...clock, wall: 0, steady: 0 };
  own.now = () => clock.now() + own.wall;
  own.monotonic = () => clock.monotonic() + own.steady;
  return own;
}
