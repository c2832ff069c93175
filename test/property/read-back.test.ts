// An apply that reads back filters ends, whatever changes are planned. Changes may be of schedules, filters of
// dashboards and jobs, wait for others, and be sent in any number at once. Of each dashboard, one schedule that sets a
// dividing filter is sent alone and read; where Omni shows another filter, it stays the only one.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { apply } from '../../src/apply/apply.ts';
import { otherRows } from '../../src/apply/read-back.ts';
import type { Loaded } from '../../src/declare/load/load.ts';
import { divisionOf } from '../../src/declare/rows/judge-rows.ts';
import { readPermissions } from '../../src/declare/rows/read-permissions.ts';
import type { Config } from '../../src/model/workspace/config.ts';
import type { DeclaredObject } from '../../src/model/workspace/resource.ts';
import { loadedOf, randomness, requestOf, serve } from '../support/apply/in-memory.ts';
import { makeStore } from '../support/apply/stage.ts';
import { openService } from '../support/emulator/service.ts';
import type { Reached } from '../support/emulator/watched-api.ts';
import { makeInstantClock } from '../support/fake-clock.ts';
import { runs } from '../support/runs/runs.ts';
import { aiJob, mail } from '../support/vocabulary.ts';

/** Both get a filter `customer` without a value. */
const dashboards = ['7ae01c55', 'b4d86e20'] as const;
const internalDomains = ['acme.com'];
const rows = { filters: ['customer'], allow: 'tenants.csv', shared: [], ended: 'leave' } as const;
const table = {
  path: 'tenants.csv',
  text: 'shows,receiver\nNorth,north.example\nSouth,south.example\n',
  isTable: true,
} as const;

const reports = fc.dictionary(
  fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  fc.record({
    on: fc.constantFrom(...dashboards),
    customer: fc.constantFrom('North', 'South', undefined),
    to: fc.constantFrom('cfo@north.example', 'cfo@south.example', 'ana@acme.com'),
    life: fc.constantFrom('recurring', 'paused', 'test'),
    subject: fc.constantFrom('One', 'Two'),
  }),
);
const worlds = fc.record({
  reports,
  filters: fc.array(fc.constantFrom(undefined, '', 'North', 'Nobody'), { minLength: 2, maxLength: 2 }),
  jobs: fc.nat(2),
});
type World = typeof worlds extends fc.Arbitrary<infer T> ? T : never;

const limitedTo = (customer: string) => ({
  customer: { values: customer === '' ? [] : [customer], kind: 'EQUALS', type: 'string' },
});

function declared({ reports: all, filters, jobs }: World): Record<string, DeclaredObject> {
  const schedules = Object.entries(all).map(([key, { on, customer, to, life, subject }]) => [
    // What recurs cannot become a test.
    `schedules.${key}${life === 'test' ? '-test' : ''}`,
    mail({
      ...{ identifier: on, name: key, recipients: [to], subject },
      ...(customer === undefined ? {} : { filterConfig: limitedTo(customer) }),
      ...(life === 'recurring' ? {} : life === 'paused' ? { paused: true } : { testNow: true }),
    }),
  ]);
  const settings = dashboards.flatMap((identifier, index) => {
    const value = filters[index];
    return value === undefined ? [] : [[`dashboards.d${index}`, { identifier, filters: limitedTo(value) }] as const];
  });
  const asked = Array.from({ length: jobs }, (_, index) => [
    `aiJobs.j${index}`,
    aiJob({ prompt: `Question ${index}` }),
  ]);
  return Object.fromEntries([...schedules, ...settings, ...asked]);
}

function loaded(world: World, concurrency: number, isJudged: boolean): Loaded & Required<Pick<Loaded, 'config'>> {
  const made = loadedOf(declared(world));
  if (made.config === undefined) throw new Error('no configuration');
  const { api, safety } = made.config;
  const config: Config = {
    ...made.config,
    api: { ...api, concurrency },
    safety: { ...safety, internalDomains },
    // A report outside may follow a filter that changes.
    checks: { 'rows-of-others': 'warning' },
  };
  if (!isJudged) return { ...made, config };
  const { value: permissions } = readPermissions(table, '2026-11-21', internalDomains);
  const rules = { ...divisionOf(rows, made.desired.resources, internalDomains), permissions };
  return { ...made, config, rows: { rules, alone: new Set() } };
}

interface Happened {
  readonly on: string;
  readonly what: 'sent' | 'done' | 'read';
  readonly isTest?: boolean;
}

function openOrganization(storedFilters: 'as-sent' | 'dropped' | 'respelled' | 'turned') {
  const clock = makeInstantClock(Date.UTC(2026, 10, 21));
  const service = openService(clock, { storedFilters });
  for (const { identifier, dashboard } of service.data.documents)
    if (dashboard !== null && dashboards.some((each) => each === identifier))
      dashboard.filters = { customer: { type: 'string', kind: 'EQUALS', values: [] } };
  const store = makeStore();
  let log: Happened[] = [];
  const reach: Reached = (when, { kind, sent = {} }) => {
    const { filterConfig = {} } = sent;
    const isDividing = Object.keys(filterConfig as object).length > 0;
    if (!isDividing || (kind !== 'POST schedule' && kind !== 'PUT schedule')) return;
    const what = when === 'before' ? 'sent' : 'done';
    log.push({ on: String(sent['identifier']), what, isTest: sent['testNow'] === true });
  };
  const applied = async (of: ReturnType<typeof loaded>) => {
    const connect: Parameters<typeof serve>[0]['connect'] = async (settings) => {
      const api = await service.connect(clock, { reach })(settings);
      return {
        ...api,
        getSchedule: (id, options) => {
          const on = service.data.schedules.find((each) => each.id === id)?.fields['identifier'];
          log.push({ on: String(on), what: 'read' });
          return api.getSchedule(id, options);
        },
      };
    };
    const ports = {
      ...{ store, randomness, clock, toolVersion: '0.1.0', signal: undefined, environment: () => undefined },
      confirm: async () => true,
      // What is asked before belongs to the look.
      reporter: {
        emit: ({ type }: { readonly type: string }) => {
          if (type === 'started') log = [];
        },
      },
    };
    const done = await serve({ config: of.config, connect, clock }, (connected) =>
      apply(requestOf(of), { ...ports, service: connected }),
    );
    return { ...done, results: done.document?.results ?? [], log };
  };
  return { applied };
}

it('an apply that reads back ends, with any concurrency, kinds and waiting filters, and sends the first of a dashboard alone', async () => {
  const stores = fc.constantFrom('as-sent', 'dropped', 'respelled', 'turned');
  const concurrencies = fc.integer({ min: 1, max: 5 });
  const ends = async (
    before: World,
    after: World,
    storedFilters: 'as-sent' | 'dropped' | 'respelled' | 'turned',
    concurrency: number,
  ) => {
    const { applied } = openOrganization(storedFilters);
    await applied(loaded(before, 2, false));
    const { plan, results, log } = await applied(loaded(after, concurrency, true));
    expect(results.map(({ address }) => address)).toEqual(plan.changes.map(({ address }) => address));
    const others = results.filter(({ error }) => error?.code === otherRows).map(({ address }) => address);
    for (const on of dashboards) {
      const there = log.filter((each) => each.on === on);
      const reads = there.filter(({ what }) => what === 'read').length;
      expect(reads).toBeLessThanOrEqual(1);
      if (reads > 0)
        expect(there.slice(0, 3)).toMatchObject([{ what: 'sent', isTest: false }, { what: 'done' }, { what: 'read' }]);
      const isOther = others.some((address) => after.reports[address.replace('schedules.', '')]?.on === on);
      if (isOther) expect(there).toHaveLength(3);
    }
    const isKept = storedFilters === 'as-sent' || storedFilters === 'respelled';
    if (!isKept) return;
    expect(results.filter(({ status }) => status !== 'applied')).toEqual([]);
    expect((await applied(loaded(after, concurrency, true))).results).toEqual([]);
  };
  await fc.assert(fc.asyncProperty(worlds, worlds, stores, concurrencies, ends), { numRuns: runs(400) });
});
