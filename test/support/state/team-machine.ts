// A machine of a team: a store over a log with a clock, a folder and a host of its own, and a state to write.

import { createHash, randomUUID } from 'node:crypto';
import type { JournalHeader, JournalIntent, JournalOutcome } from '../../../src/model/plan/journal.ts';
import type { State } from '../../../src/model/plan/state.ts';
import { thisHost } from '../../../src/state/file/file-lock.ts';
import { foldJournal } from '../../../src/state/fold-journal.ts';
import { openLogStore } from '../../../src/state/log/log-store.ts';
import type { StateLog } from '../../../src/state/state-log.ts';
import type { StateStore } from '../../../src/state/state-store.ts';
import { type FakeClock, makeFakeClock } from '../fake-clock.ts';

export interface Machine {
  readonly store: StateStore;
  readonly clock: FakeClock;
}

export interface MachineOptions {
  readonly who?: string;
  readonly lease?: number;
  /** Its host, its boot and its process; another machine by default. */
  readonly host?: Partial<typeof thisHost>;
  /** Where its wall clock stands at the start. */
  readonly start?: number;
  readonly clock?: FakeClock;
  readonly runUrl?: string;
}

let count = 0;

export function openMachine(log: StateLog, options: MachineOptions = {}): Machine {
  count += 1;
  const { who = 'ana', lease = 120, start, clock = makeFakeClock(start), runUrl } = options;
  const host = {
    ...thisHost,
    name: `machine-${count}`,
    environment: runUrl === undefined ? {} : { CI_JOB_URL: runUrl },
    user: () => who,
    bootId: async () => `boot-${count}`,
    ...options.host,
  };
  return { store: openLogStore({ log, name: 'the place', leaseSeconds: lease, clock, host }), clock };
}

export const lineage = 'a-lineage';
export const at = '2026-01-01T00:00:00.000Z';

export function stateOf(serial: number, rest: Partial<State> = {}): State {
  return {
    version: 2,
    lineage,
    serial,
    toolVersion: '0.1.0',
    baseUrl: 'https://acme.omniapp.co/api',
    salt: 'c2FsdA==',
    resources: {},
    orphans: [],
    unresolved: [],
    ...rest,
  };
}

export function headerOf(serial: number): JournalHeader {
  const { baseUrl, salt, toolVersion } = stateOf(serial);
  return { type: 'header', version: 2, lineage, serial, baseUrl, salt, toolVersion };
}

export const intent = (seq: number): JournalIntent => ({
  type: 'intent',
  seq,
  kind: 'request',
  address: `schedules.s${seq}`,
  action: 'create',
  at,
});

/** An apply that makes schedules with texts of their own: what it announces, and the state after it. */
export function manyCreates(count: number, before?: State) {
  const header = headerOf(before?.serial ?? 0);
  const words = (seq: number) => createHash('sha512').update(`${count} ${seq}`).digest('base64');
  const intents = Array.from({ length: count }, (_, index) => {
    const seq = index + 1;
    const attributes = { name: `Report ${seq}`, schedule: '0 9 ? * MON *', timezone: 'UTC', subject: words(seq) };
    return { ...intent(seq), address: `schedules.of-${count}-s${seq}`, attributes };
  });
  const lines = intents.flatMap((each) => [each, { ...applied(each.seq), id: randomUUID() }]);
  const after = foldJournal(before, { header, lines }, 'the place') as State;
  return { header, intents, after };
}

export const applied = (seq: number): JournalOutcome => ({
  type: 'outcome',
  seq,
  status: 'applied',
  id: `id-${seq}`,
  at,
});
