// Reports over days in which Omni does not show what was sent.
// It stores filters, drops them, shows none, refuses to show them or loses the report, and runs are killed. No report is
// called right that was not read, and no dashboard is blocked for ever.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { apply } from '../../src/apply/apply.ts';
import type { ApplyRequest } from '../../src/apply/apply-request.ts';
import type { Loaded } from '../../src/declare/load/load.ts';
import { divisionOf } from '../../src/declare/rows/judge-rows.ts';
import { readPermissions } from '../../src/declare/rows/read-permissions.ts';
import { Failure } from '../../src/model/workspace/failure.ts';
import type { Api } from '../../src/omni/api.ts';
import { configOf, loadedOf, randomness, requestOf, serve } from '../support/apply/in-memory.ts';
import { makeStore } from '../support/apply/stage.ts';
import { openService, refusal } from '../support/emulator/service.ts';
import { makeInstantClock } from '../support/fake-clock.ts';
import { runs } from '../support/runs/runs.ts';
import { mail } from '../support/vocabulary.ts';

const internalDomains = ['acme.com'];
const rows = { filters: ['customer'], allow: 'tenants.csv', shared: [], ended: 'leave' } as const;
const table = { path: 'tenants.csv', text: 'shows,receiver\nNorth,north.example\n', isTable: true } as const;
const dashboard = '7ae01c55';
const dayMs = 86_400_000;

/** What Omni does on one day. */
const days = fc.constantFrom('stores', 'drops', 'shows none', 'refuses', 'loses', 'loses the answer', 'kills the run');
type Day = typeof days extends fc.Arbitrary<infer T> ? T : never;

const step = fc.record({
  day: days,
  keys: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 }),
  subject: fc.constantFrom('One', 'Two'),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const limited = { customer: { values: ['North'], kind: 'EQUALS', type: 'string' } };

const reportsOf = (keys: readonly string[], subject: string) =>
  Object.fromEntries(
    keys.map((key) => [
      `schedules.${key}`,
      mail({
        ...{ identifier: dashboard, name: key, recipients: ['cfo@north.example'], subject },
        filterConfig: limited,
      }),
    ]),
  );

function loaded(keys: readonly string[], subject: string): Loaded {
  const made = loadedOf(reportsOf(keys, subject));
  const config = { ...configOf(), safety: { ...configOf().safety, internalDomains } };
  const { value: permissions } = readPermissions(table, '2026-11-21', internalDomains);
  const rules = { ...divisionOf(rows, made.desired.resources, internalDomains), permissions };
  return { ...made, config, rows: { rules, alone: new Set() } };
}

function openWorld() {
  const clock = makeInstantClock(Date.UTC(2026, 10, 21));
  const service = openService(clock);
  for (const { identifier, dashboard: found } of service.data.documents)
    if (found !== null && identifier === dashboard)
      found.filters = { customer: { type: 'string', kind: 'EQUALS', values: [] } };
  const store = makeStore();
  /** The ids of reports that Omni has refused to show, or has shown without filters: of these, nobody can tell. */
  const untold = new Set<string>();
  const applied = async (of: Loaded, day: Day, more: Pick<ApplyRequest, 'refresh' | 'force'> = {}) => {
    let left: typeof store.stored | undefined;
    const connect: Parameters<typeof serve>[0]['connect'] = async (settings) => {
      const api = await service.connect(clock)(settings);
      const changed: Partial<Api> = {
        createSchedule: async (body, options) => {
          const made = await api.createSchedule(body, options);
          if (day === 'drops') drop(made.id ?? '');
          if (day === 'loses the answer') throw refusal(504, 'api-answer-lost');
          return made;
        },
        updateSchedule: async (id, body, options) => {
          await api.updateSchedule(id, body, options);
          if (day === 'drops') drop(id);
        },
        getSchedule: async (id, options) => {
          if (day === 'refuses' || day === 'shows none') untold.add(id);
          if (day === 'refuses') throw refusal(403);
          if (day === 'kills the run') {
            const { state, journal } = store.stored;
            left ??= { state, journal: journal && { ...journal, lines: [...journal.lines] } };
            throw new Error('killed');
          }
          const found = await api.getSchedule(id, options);
          return day === 'shows none' ? { ...found, filterConfig: undefined } : found;
        },
      };
      return { ...api, ...changed };
    };
    const ports = {
      ...{ store, randomness, clock, toolVersion: '0.1.0', signal: undefined, environment: () => undefined },
      confirm: async () => true,
      reporter: { emit: () => undefined },
    };
    try {
      const done = await serve({ config: of.config ?? configOf(), connect, clock }, (connected) =>
        apply({ ...requestOf(of), ...more }, { ...ports, service: connected }),
      );
      return isGreen(done.document) && left === undefined;
    } catch (error) {
      if (left === undefined && !(error instanceof Failure)) throw error;
      return false;
    } finally {
      store.stored = left ?? store.stored;
    }
  };
  const isGreen = (document: Awaited<ReturnType<typeof apply>>['document']) =>
    document !== undefined &&
    document.summary.failed + document.summary.skipped + document.summary.unknown === 0 &&
    document.notReadBack === undefined;
  const drop = (id: string) => {
    for (const { id: each, fields } of service.data.schedules) if (each === id) delete fields['filterConfig'];
  };
  const lose = () => void service.data.schedules.splice(0, 1);
  const tracked = () => Object.entries(store.stored.state?.resources ?? {});
  return { applied, untold, lose, pass: () => clock.sleep(dayMs), tracked, schedules: service.data.schedules };
}

it('no report is called right that was not read, and no dashboard is blocked for ever', async () => {
  const world = async (steps: readonly Step[]) => {
    const { applied, untold, lose, pass, tracked, schedules } = openWorld();
    for (const { day, keys, subject } of steps) {
      if (day === 'loses') lose();
      const isGreen = await applied(loaded(keys, subject), day);
      await pass();
      if (!isGreen) continue;
      const ids = tracked().flatMap(([, { id, notReadBack }]) => {
        expect(notReadBack).toBeUndefined();
        return id ?? [];
      });
      const dropped = schedules.filter(({ id, fields }) => ids.includes(id) && fields['filterConfig'] === undefined);
      expect(dropped.filter(({ id }) => !untold.has(id))).toEqual([]);
    }
    // Omni stores what it is sent from now on, and somebody has given the reports that it had dropped their filters in Omni.
    for (const { fields } of schedules) fields['filterConfig'] ??= limited;
    const { keys = [], subject = '' } = steps.at(-1) ?? {};
    // Only a look finds what was lost and has no change to be sent.
    const looking = { refresh: { depth: 'list', only: false }, force: true } as const;
    let isGreen = false;
    for (let left = 3; left > 0 && !isGreen; left -= 1)
      isGreen = await applied(loaded(keys, subject), 'stores', looking);
    expect(isGreen).toBe(true);
    expect(
      tracked()
        .map(([address]) => address)
        .sort(),
    ).toEqual(keys.map((key) => `schedules.${key}`).sort());
    expect(schedules.filter(({ fields }) => keys.some((key) => key === fields['name']))).toHaveLength(keys.length);
  };
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), world), { numRuns: runs(400) });
});
