// What a look at the service makes of odd answers: nothing counts as gone that may be there, and no secret comes back.

import { expect, it } from 'vitest';
import { observe } from '../../src/engine/observe.ts';
import { Failure } from '../../src/model/failure.ts';
import type { ListedSchedule, RemoteSchedule } from '../../src/model/remote.ts';
import type { Api } from '../../src/ports/api.ts';
import { dashboard, schedule, stateOf } from '../plan/planning.ts';
import { makeInstantClock } from '../support/fake-clock.ts';
import { serviceFailure } from './applying.ts';

const s = 'schedules.s';
const id = `id of ${s}`;
const hook = { ...schedule(), destinationType: 'webhook', url: 'https://hooks.example.com/token' };
const row: ListedSchedule = {
  id,
  identifier: '12db1a0a',
  name: 'Weekly sales',
  schedule: '0 9 ? * MON *',
  timezone: 'Europe/London',
  format: 'pdf',
  destinationType: 'webhook',
  paused: false,
  isTile: false,
};
const details: RemoteSchedule = {
  ...row,
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
  metadata: {},
  destinations: [],
};
const gone = () => Promise.reject(serviceFailure('api-rejected', 404));

function look(answers: Partial<Api>, secret: readonly string[] = [], tracked = { [s]: hook }) {
  const api = {
    listSchedules: async () => [row],
    getSchedule: async () => details,
    getRecipients: async () => ({ type: 'webhook', settings: { url: 'https://hooks.example.com/token' } }),
    ...answers,
  } as Api;
  return observe({
    state: stateOf(tracked),
    api,
    clock: makeInstantClock(Date.UTC(2026, 5, 1)),
    depth: 'deep',
    only: undefined,
    concurrency: 1,
    signal: undefined,
    secretFields: () => new Set(secret),
  });
}

it('a schedule is gone where neither the list nor its id shows it', async () => {
  const { observed } = await look({ listSchedules: async () => [], getSchedule: gone });
  expect(observed.get(s)).toEqual({ found: false });
});

it.each<[string, Partial<Api>]>([
  ['it is listed and not found by its id', { getSchedule: gone }],
  ['its recipients are not found', { getRecipients: gone }],
  ['its recipients are not found and it is not listed', { getRecipients: gone, listSchedules: async () => [] }],
  ['it may not be seen', { getSchedule: () => Promise.reject(serviceFailure('api-unauthorized', 403)) }],
])('nothing is said where %s', async (_, answers) => {
  const { observed, findings } = await look(answers);
  expect(observed.has(s)).toBe(false);
  expect(findings).toMatchObject([{ code: 'not-observed', address: s }]);
});

it('an outage ends the look', async () => {
  const down = new Failure('api-unreachable', 'No connection.');
  await expect(look({ getSchedule: () => Promise.reject(down) })).rejects.toBe(down);
});

it('a field that is secret in the declaration does not come back in plain', async () => {
  expect(JSON.stringify([...(await look({})).observed.values()])).toContain('token');
  expect(JSON.stringify([...(await look({}, ['url'])).observed.values()])).not.toContain('token');
  const filters = {
    identifier: '12db1a0a',
    filters: { status: { values: ['t0ken'] } },
    controls: {},
    filterOrder: ['t0ken'],
  };
  const tracked = { 'dashboards.d': dashboard({ filterOrder: ['x'] }) } as never;
  const seen = await look({ getFilters: async () => filters }, ['filters', 'filterOrder'], tracked);
  expect(JSON.stringify([...seen.observed.values()])).not.toContain('t0ken');
});
