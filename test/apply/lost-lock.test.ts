// A run whose lock is taken over: nothing more is sent, and what is under way ends.

import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/model/workspace/failure.ts';
import type { HeldLock, StateStore } from '../../src/state/state-store.ts';
import { withLock } from '../../src/state/with-lock.ts';
import { lostCreate, schedule, stateOf } from '../support/apply/declared.ts';
import { baseUrl, makeStore, type Stage, stage } from '../support/apply/stage.ts';
import { madeId } from '../support/emulator/service.ts';
import { failureOf } from '../support/failure-of.ts';
import { makeFakeClock, makeInstantClock } from '../support/fake-clock.ts';

const schedules = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((key) => [key, schedule(key)]));
const api = { baseUrl, rateLimit: 0, concurrency: 2, timeout: 30, operations: 'full' };
const failureOfApply = (made: Stage, options = {}) => failureOf(made.apply(options));

describe('the guard of the lock', () => {
  it('every request of an apply is guarded for as long as a request may take', async () => {
    const made = stage(
      {
        schedules: { ...schedules, gone: schedule('gone'), changed: schedule('new name') },
        dashboards: { d: { identifier: '12db1a0a', filters: { status: { values: ['x'] } } } },
      },
      {
        almanac: { api },
        state: stateOf(
          { 'schedules.changed': { id: madeId(77), attributes: schedule('changed') } },
          { unresolved: [lostCreate('schedules.gone', schedule('gone'))] },
        ),
      },
    );
    made.service.add(madeId(77), schedule('changed'));
    let asked = 0;
    const count = <T>(request: () => T): T => {
      asked += 1;
      return request();
    };
    made.service.instead = ({ listSchedules, getSchedule, getRecipients, getFilters }) => ({
      getFilters: (...request) => count(() => getFilters(...request)),
      listSchedules: (...request) => count(() => listSchedules(...request)),
      getSchedule: (...request) => count(() => getSchedule(...request)),
      getRecipients: (...request) => count(() => getRecipients(...request)),
    });
    const { document } = await made.apply();
    expect(document?.summary).toMatchObject({ applied: 9, failed: 0 });
    expect(asked).toBeGreaterThan(2);
    expect(made.store.guarded).toHaveLength(asked + made.service.sent.length);
    expect(new Set(made.store.guarded)).toEqual(new Set([30_000]));
  });

  it('a request that is held back as it goes out was not carried out, and nothing follows it', async () => {
    const made = stage({ schedules }, { almanac: { api } });
    made.service.instead = ({ createSchedule }) => ({
      createSchedule: (...[attributes, options]) => {
        if (attributes['name'] !== 'c') return createSchedule(attributes, options);
        // It is taken over after the guard was asked, and before the request goes out.
        const beforeRequest = async () => made.store.takeOver();
        return createSchedule(attributes, { ...options, beforeRequest });
      },
    });
    expect(await failureOfApply(made)).toMatchObject({ code: 'state-lock-lost' });
    expect(made.service.sent).not.toContain('POST c');
    expect(made.service.sent.length).toBeLessThan(4);
    const ended = made.events.flatMap((event) => (event.type === 'change-ended' ? [event.result] : []));
    expect(ended.find(({ address }) => address === 'schedules.c')).toMatchObject({
      status: 'skipped',
      error: { code: 'state-lock-lost', message: 'Not started: the lock of the state was lost.' },
    });
  });
});

describe('a lock that is lost', () => {
  /** Taken over while b is under way. */
  function takenOver() {
    const made = stage({ schedules }, { almanac: { api } });
    made.service.reach = (point) => {
      if (point === 'before POST b') made.store.takeOver();
    };
    return made;
  }

  it('a run whose lock is lost sends nothing more, finishes what is under way, and fails', async () => {
    const made = takenOver();
    expect(await failureOfApply(made)).toMatchObject({ code: 'state-lock-lost' });
    expect(made.service.sent.slice().sort()).toEqual(['POST a', 'POST b']);
    const statuses = made.events.flatMap((event) => (event.type === 'change-ended' ? [event.result.status] : []));
    expect(statuses.sort()).toEqual(['applied', 'applied', 'skipped', 'skipped', 'skipped', 'skipped']);
  });

  it('the next apply finds what a run without a lock had sent, and creates nothing twice', async () => {
    const made = takenOver();
    await failureOfApply(made);
    made.service.reach = () => undefined;
    await made.clock.sleep(60_000);
    expect((await made.apply()).document?.summary).toMatchObject({ failed: 0, unknown: 0 });
    expect([...made.service.schedules().values()].map(({ fields }) => fields['name']).sort()).toEqual(
      Object.keys(schedules),
    );
    expect((await made.plan()).changes).toEqual([]);
  });

  it('a run whose lock is lost while it asks for a confirmation sends nothing', async () => {
    const made = stage({ schedules }, { almanac: { api } });
    const confirm = async () => {
      made.store.takeOver();
      return true;
    };
    expect(await failureOfApply(made, { confirm })).toMatchObject({ code: 'state-lock-lost' });
    expect(made.service.sent).toEqual([]);
  });
});

describe('waiting for a lock with a lease', () => {
  const holder = { who: 'bo', host: 'ci-7', pid: 1, command: 'apply', since: '2026-03-01T00:00:00.000Z' };

  /** Free after that many refusals. */
  function heldFor(refusals: number, held: HeldLock, rest: Partial<StateStore> = {}) {
    const store = Object.assign(makeStore(), { lockHolder: async () => held, ...rest });
    let left = refusals;
    store.fail = (call) => {
      if (call !== 'lock' || left === 0) return undefined;
      left -= 1;
      return new Failure('state-locked', 'It is locked by bo.');
    };
    return store;
  }

  const waitOn = (clock = makeInstantClock()) => {
    const told: string[] = [];
    const onWait = (message: string) => void told.push(message);
    return { told, clock, wait: { command: 'apply', timeout: 60, clock, onWait, onNote: () => undefined } };
  };

  it('a run that waits for a lock says once when it may be taken over', async () => {
    const { told, wait } = waitOn();
    await withLock(heldFor(3, { holder, isDead: false, expiresIn: 79.2 }), wait, async () => undefined);
    expect(told).toEqual(['It is locked by bo. If that run has broken off, its lock may be taken over in 80 s.']);
  });

  it('a run asks again each second, or as seldom as the store wants it', async () => {
    const often = waitOn();
    await withLock(heldFor(3, { isDead: false }), often.wait, async () => undefined);
    expect(often.clock.slept).toEqual([1000, 1000, 1000]);
    const seldom = waitOn();
    await withLock(heldFor(3, { isDead: false }, { pollMs: 5000 }), seldom.wait, async () => undefined);
    expect(seldom.clock.slept).toEqual([5000, 5000, 5000]);
  });

  it('a run waits no longer for a lock because the clock was set back', async () => {
    const clock = makeFakeClock();
    const begun = clock.monotonic();
    const waiting = withLock(heldFor(9999, { isDead: false }), { ...waitOn().wait, clock }, async () => undefined);
    waiting.catch(() => undefined);
    await clock.advance(1000);
    clock.setBack(3_600_000);
    await expect(clock.run(waiting)).rejects.toMatchObject({ code: 'state-locked' });
    expect(clock.monotonic() - begun).toBe(60_000);
  });
});
