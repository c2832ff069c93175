// The filters of a dashboard, and the keys of its queries.

import { expect, test } from 'vitest';
import { startFull } from '../support/emulator/start-emulator.ts';

const sales = '/v1/dashboards/12db1a0a/filters';

test('an update of filters merges each entry and returns the whole configuration', async () => {
  const { send, emulator } = await startFull();
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
  expect((await send('PATCH', sales, body)).body).toEqual(first.body);
  expect((await send('GET', sales)).body).toEqual(first.body);
  const document = emulator.data().documents.find(({ identifier }) => identifier === '12db1a0a');
  expect(document?.updatedAt).toBe('2026-03-01T00:00:00.000Z');
});

test('an update that clears an open draft of a dashboard leaves none', async () => {
  const { send } = await startFull();
  const body = { filters: { channel: { values: ['social'] } } };
  const update = async (more: object) =>
    (await send('PATCH', '/v1/dashboards/d3ad91f6/filters', { ...body, ...more })).status;
  expect([await update({}), await update({ clearExistingDraft: true }), await update({})]).toEqual([409, 200, 200]);
});
