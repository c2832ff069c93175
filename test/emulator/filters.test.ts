import { expect, test } from 'vitest';
import { ids, startEmulator } from '../support/emulator/start-emulator.ts';

const sales = '/v1/dashboards/12db1a0a/filters';
const marketing = '/v1/dashboards/d3ad91f6/filters';

test('an update of filters merges each entry and returns the whole configuration', async () => {
  const { send } = await startEmulator();
  const body = {
    filters: { order_status: { values: ['shipped', 'delivered'] }, order_date: { left_side: '7 days ago' } },
    controls: { metric: { label: 'Measure', id: 'renamed' } },
    filterOrder: ['region', 'metric', 'order_status'],
  };
  const first = await send('PATCH', sales, body);
  expect(first.status).toBe(200);
  expect(first.body).toMatchObject({
    identifier: '12db1a0a',
    filters: {
      order_status: { type: 'string', values: ['shipped', 'delivered'], label: 'Order status' },
      order_date: { left_side: '7 days ago', right_side: '30 days' },
      region: { values: [] },
    },
    controls: [{ id: 'metric', type: 'FIELD_SELECTION', label: 'Measure' }],
    filterOrder: ['region', 'metric', 'order_status'],
  });
  const again = await send('PATCH', sales, body);
  expect(again.body).toEqual(first.body);
});

test('an update of filters is kept with its time', async () => {
  const { send, emulator } = await startEmulator();
  await send('PATCH', sales, { filters: { region: { values: ['EMEA'] } } });
  const document = emulator.data().documents.find(({ identifier }) => identifier === '12db1a0a');
  expect(document?.dashboard?.filters.region?.values).toEqual(['EMEA']);
  expect(document?.updatedAt).toBe('2026-03-01T00:00:00.000Z');
});

test('an open draft prevents an update of filters until it is cleared, and nothing changes meanwhile', async () => {
  const { send, emulator } = await startEmulator();
  const draft = () => emulator.data().documents.find(({ identifier }) => identifier === 'd3ad91f6')?.dashboard?.draft;
  const body = { filters: { channel: { values: ['social'] } } };
  for (const clear of [{}, { clearExistingDraft: false }]) {
    const refused = await send('PATCH', marketing, { ...body, ...clear });
    expect(refused.body).toEqual({
      detail: 'draft already exists. Set clearExistingDraft to true to proceed.',
      status: 409,
    });
  }
  expect((await send('PATCH', marketing, { filters: { x: {} }, clearExistingDraft: true })).status).toBe(400);
  expect(draft()).not.toBeNull();
  expect((await send('PATCH', marketing, { ...body, clearExistingDraft: true })).status).toBe(200);
  expect(draft()).toBeNull();
  expect((await send('PATCH', marketing, body)).status).toBe(200);
});

test.each<[string, object, string]>([
  ['an empty body', {}, 'At least one of filters, controls or filterOrder must be provided'],
  [
    'only a draft to clear',
    { clearExistingDraft: true },
    'At least one of filters, controls or filterOrder must be provided',
  ],
  [
    'empty collections',
    { filters: {}, controls: {}, filterOrder: [] },
    'At least one of filters, controls or filterOrder must be provided',
  ],
  [
    'an unknown filter',
    { filters: { Region: {} } },
    'filters: Unknown IDs: Region. Valid IDs are: order_status, order_date, region.',
  ],
  ['an unknown control', { controls: { region: {} } }, 'controls: Unknown IDs: region. Valid IDs are: metric.'],
  [
    'an unknown ID in the order',
    { filterOrder: ['region', 'x'] },
    'filterOrder: Unknown IDs: x. Valid IDs are: order_status, order_date, region, metric.',
  ],
  ['an ID twice in the order', { filterOrder: ['region', 'region'] }, 'filterOrder: An ID stands in it twice'],
  ['an unknown key', { filter: { region: {} } }, "Unrecognized key(s) in object: 'filter'"],
  [
    'a boolean as text',
    { filters: { region: {} }, clearExistingDraft: 'true' },
    'clearExistingDraft: Expected boolean, received string',
  ],
  ['filters as a list', { filters: [] }, 'filters: Expected object, received array'],
  [
    'an entry that is not an object',
    { filters: { region: 'EMEA' } },
    'filters.region: Expected object, received string',
  ],
  [
    'values that are not a list',
    { filters: { region: { values: 'EMEA' } } },
    'filters.region.values: Expected array, received string',
  ],
  [
    'values of another type',
    { filters: { region: { values: [1] } } },
    'filters.region.values: Expected string, received number',
  ],
  ['an order of numbers', { filterOrder: [1] }, 'filterOrder: Expected string, received number'],
  ['null', { filters: null }, 'filters: Expected object, received null'],
])('an update of filters is answered with 400 for %s', async (_, body, detail) => {
  const { send, emulator } = await startEmulator();
  const before = emulator.data();
  const reply = await send('PATCH', sales, body);
  expect(reply.body).toEqual({ detail, status: 400 });
  expect(emulator.data()).toEqual(before);
});

test('a key such as __proto__ is an unknown filter', async () => {
  const { send } = await startEmulator();
  expect((await send('PATCH', sales, '{"filters":{"__proto__":{"values":[]}}}')).status).toBe(400);
});

test.each(['ffffffff', 'a17b3e94', '0ddba115'])(
  'an update of filters is answered with 404 for %s: unknown, without a dashboard, deleted',
  async (id) => {
    const { send } = await startEmulator();
    const reply = await send('PATCH', `/v1/dashboards/${id}/filters`, { filters: { region: {} } });
    expect(reply.body).toEqual({ detail: `Dashboard with identifier "${id}" not found`, status: 404 });
  },
);

test('userId of an update of filters may be set to a member by an organization key, and not by a personal token', async () => {
  const { send, personalToken } = await startEmulator();
  const body = { filters: { region: {} } };
  const personal = { Authorization: `Bearer ${personalToken}` };
  expect((await send('PATCH', `${sales}?userId=${ids.bo}`, body)).status).toBe(200);
  expect((await send('PATCH', sales, body, personal)).status).toBe(200);
  expect((await send('PATCH', `${sales}?userId=${ids.ana}`, body, personal)).status).toBe(403);
  expect((await send('PATCH', `${sales}?userId=nobody`, body)).body).toEqual({
    detail: 'User with id nobody does not exist',
    status: 404,
  });
  expect((await send('PATCH', `${sales}?user=x`, body)).status).toBe(400);
});
