// What an apply makes of what it reads back. What it sends and says then, the transcript apply/read-back shows.

import { describe, expect, it, test } from 'vitest';
import { storedOf } from '../../src/apply/read-back.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import type { Api } from '../../src/omni/api.ts';
import { connecting } from '../support/cli/connecting.ts';
import { refusal } from '../support/emulator/service.ts';
import { mail } from '../support/vocabulary.ts';
import { openWorld } from '../support/world.ts';

const equal = (...values: readonly (string | number)[]) => ({ values, kind: 'EQUALS', type: 'string' });
const own = { customer: { ...equal(), fieldName: 'users.name', label: 'Customer' } };

describe('what Omni shows of a filter that was sent', () => {
  test.each<[shown: JsonObject | undefined, is: string, words?: string]>([
    [{ customer: equal('North') }, 'as-sent'],
    [{ customer: { ...equal('North'), fieldName: 'users.name', is_negative: false } }, 'as-sent'],
    [{ customer: { values: ['North'], kind: 'equals', type: 'String' } }, 'as-sent'],
    [{ customer: { ...equal('North'), kind: 'EQ' } }, 'respelled', '`customer` has `kind: EQ`'],
    [{ customer: { ...equal('North'), type: 'text' } }, 'respelled', '`customer` has `type: text`'],
    [{ customer: ['North'] }, 'respelled', '`customer` has no `kind` and no `type`'],
    [{ customer: { values: ['North'] } }, 'respelled', '`customer` has no `kind` and no `type`'],
    [{ customer: equal('South') }, 'other', 'Omni shows `South` as `customer`, and `North` was sent'],
    [{ customer: equal('north') }, 'other', 'Omni shows `north` as `customer`, and `North` was sent'],
    [{ customer: equal('North', 'South') }, 'other', 'Omni shows `North, South` as `customer`, and `North` was sent'],
    [
      { customer: { ...equal('North'), is_negative: true } },
      'other',
      'Omni shows `not North` as `customer`, and `North` was sent',
    ],
    [
      { customer: { ...equal('North'), kind: 'CONTAINS' } },
      'other',
      'Omni shows `CONTAINS North` as `customer`, and `North` was sent',
    ],
    [
      { customer: { ...equal('North'), case_insensitive: true } },
      'other',
      'Omni shows `North, case_insensitive true` as `customer`, and `North` was sent',
    ],
    [
      { customer: { ...equal(), kind: 'EQ' } },
      'other',
      "Omni shows the dashboard's own `customer` (no value), and `North` was sent",
    ],
    [{ customer: null }, 'other', "Omni shows the dashboard's own `customer` (no value), and `North` was sent"],
    [{ region: equal('North') }, 'other', 'Omni shows no filter `customer`, and `North` was sent'],
    [{}, 'other', 'Omni shows no filter `customer`, and `North` was sent'],
    [undefined, 'untold', 'Omni shows no filters of it'],
  ])('%j is %s', (shown, is, words) => {
    const stored = storedOf(new Map([['customer', equal('North')]]), { filterConfig: shown }, own);
    expect(stored).toEqual(words === undefined ? { is } : { is, words });
  });

  test.each<[own: JsonObject | undefined, is: string]>([
    [{ customer: equal('North') }, 'untold'],
    [{ customer: { values: ['North'] } }, 'untold'],
    [undefined, 'untold'],
    [{}, 'as-sent'],
    [{ customer: equal('North', 'South') }, 'as-sent'],
    [{ customer: { ...equal('North'), is_negative: true } }, 'as-sent'],
  ])('the same is told apart from the filters %j of the dashboard: %s', (dashboards, is) => {
    const sent = new Map([['customer', equal('North')]]);
    expect(storedOf(sent, { filterConfig: { customer: equal('North') } }, dashboards).is).toBe(is);
  });

  test('one of two filters is enough to tell, and each that is another is named', () => {
    const sent = new Map([
      ['customer', equal('North')],
      ['region', equal('Europe')],
    ]);
    const dashboards = { customer: equal('North'), region: equal() };
    expect(storedOf(sent, { filterConfig: { customer: equal('North'), region: equal('Europe') } }, dashboards)).toEqual(
      {
        is: 'as-sent',
      },
    );
    expect(storedOf(sent, { filterConfig: {} }, dashboards)).toEqual({
      is: 'other',
      words:
        'Omni shows no filter `customer`, and `North` was sent; Omni shows no filter `region`, and `Europe` was sent',
    });
  });

  test('a value at the end of a long list that is another one is named by its key', () => {
    const names = Array.from({ length: 40 }, (_, index) => `Customer ${index}`);
    const sent = new Map([['customer', equal(...names)]]);
    const shown = { customer: equal(...names.slice(1).toReversed(), 'Another') };
    expect(storedOf(sent, { filterConfig: shown }, own)).toMatchObject({ is: 'other' });
    const last = { customer: equal(...names.slice(0, -1)) };
    expect(storedOf(sent, { filterConfig: last }, own)).toMatchObject({
      is: 'other',
      words: expect.stringMatching(/and they differ in `values`$/),
    });
  });
});

const customers = '7ae01c55';
const report = (name: string, domain: string, more: object = {}) =>
  mail({
    ...{ identifier: customers, name, recipients: [`cfo@${domain}`], filterConfig: { customer: { values: [name] } } },
    ...more,
  });
const files = {
  'tenants.csv': 'shows,receiver\nNorth,north.example\nSouth,south.example\n',
  'schedules/all.yaml': { schedules: { a: report('North', 'north.example'), b: report('South', 'south.example') } },
};
const safety = { internalDomains: ['acme.com'], rows: { filters: ['customer'], allow: 'tenants.csv' } };

/** With what answers in place of the service. */
async function open(change: (api: Api) => Partial<Api>, options: object = {}) {
  return openWorld(files, { config: { safety }, outside: { connect: connecting(change) }, ...options });
}

it.each([
  ['does not answer', () => refusal(503), 'The service answered 503.'],
  ['refuses', () => refusal(403), 'The service answered 403.'],
])('where Omni %s what it stored, the change counts as sent and the others are left', async (_, failure, why) => {
  const { run, sent, state } = await open(() => ({
    getSchedule: async () => {
      throw failure();
    },
  }));
  const { code, stdout } = await run('apply --auto-approve --format json');
  expect(code).toBe(1);
  const { results } = JSON.parse(stdout);
  expect(results).toMatchObject([
    {
      address: 'schedules.a',
      status: 'failed',
      error: {
        message: `It was created. The filters that Omni stored could not be read. ${why}`,
        hint: 'The next `almanac apply` reads them again. `almanac drift --deep --target schedules.a` shows the filters.',
      },
    },
    {
      address: 'schedules.b',
      status: 'skipped',
      error: { message: 'The filters that Omni stored of schedules.a, on the same dashboard, could not be read.' },
    },
  ]);
  expect(sent()).toEqual(['POST /api/v1/schedules']);
  expect(Object.keys(state().resources)).toEqual(['schedules.a']);
});

it('details without filters tell nothing, and the apply goes on', async () => {
  const { run, sent, expectQuiet } = await open(({ getSchedule }) => ({
    getSchedule: async (...given) => ({ ...(await getSchedule(...given)), filterConfig: undefined }),
  }));
  const { code, stderr } = await run('apply --auto-approve -q');
  expect(code).toBe(0);
  expect(stderr).toContain(
    'warning: Almanac cannot tell whether Omni stores the filters of schedules.a: Omni shows no filters of it.',
  );
  expect(sent()).toHaveLength(2);
  await expectQuiet();
});

it('a new schedule that is not found for a moment is read once it is', async () => {
  const { run, asked, expectQuiet } = await openWorld(files, { config: { safety }, eventualConsistencyMs: 3000 });
  const { code, stderr } = await run('apply --auto-approve -q');
  expect(code, stderr).toBe(0);
  expect(asked().filter((line) => /^GET \/v1\/schedules\/\w/.test(line)).length).toBeGreaterThan(1);
  await expectQuiet();
});

it('a run that is killed while it reads a filter back has announced nothing that waits for it', async () => {
  let journal = '';
  const world = await open(({ getSchedule }) => ({
    getSchedule: (...given) => {
      journal ||= world.read('almanac.state.json.journal');
      return getSchedule(...given);
    },
  }));
  expect((await world.run('apply --auto-approve -q')).code).toBe(0);
  const lines = journal.trim().split('\n');
  expect(
    lines.map((line) => JSON.parse(line)).flatMap(({ type, address }) => (type === 'intent' ? address : [])),
  ).toEqual(['schedules.a']);
  expect(world.sent()).toHaveLength(2);
  await world.expectQuiet();
});

it('the result has the link to the schedule that is to be paused', async () => {
  let service = '';
  const world = await openWorld(files, {
    config: { safety },
    storedFilters: 'dropped',
    api: { baseUrl: 'https://acme.omniapp.co/api' },
    outside: {
      connect: (settings) => connecting()({ ...settings, baseUrl: service, allowHttp: true } as typeof settings),
    },
  });
  service = world.baseUrl;
  const { stdout } = await world.run('apply --auto-approve --format json');
  const { hint } = JSON.parse(stdout).results[0].error;
  const id = world.idOf('schedules.a');
  const page = `https://acme.omniapp.co/dashboards/${customers}/schedules/${id}`;
  expect(hint).toBe(`Pause the schedule ${id} in Omni before it delivers: ${page}`);
});

it('a filter of the dashboard that waits for what was sent and not stored says that it failed', async () => {
  const waived = { 'rows-of-others': { reason: 'They merge.', until: '2027-03-31' } };
  const without = mail({ identifier: customers, name: 'North', recipients: ['cfo@north.example'], accept: waived });
  const follower = { ...without, filterConfig: { customer: { values: ['North'] } } };
  const filters = (value: string) => ({
    dashboards: { d: { identifier: customers, filters: { customer: { values: [value] } } } },
  });
  const { 'tenants.csv': table } = files;
  const world = await openWorld(
    { 'tenants.csv': table, 'schedules/all.yaml': { schedules: { a: without }, ...filters('East') } },
    { config: { safety }, storedFilters: 'dropped' },
  );
  expect((await world.run('apply --auto-approve')).code).toBe(0);
  world.write({ 'schedules/all.yaml': { schedules: { a: follower }, ...filters('South') } });
  const { code, stdout } = await world.run('apply --auto-approve');
  expect(code).toBe(1);
  expect(stdout).toContain('the change of schedules.a, which has to come first, failed.');
});
