// What a deep look costs: the pages of the list, the details of each schedule, which prove to whom an e-mail goes, and the filters
// of each dashboard.

import { expect, it } from 'vitest';
import { mail } from '../support/vocabulary.ts';
import { openWorld, type World } from '../support/world.ts';

const identifiers = Array.from({ length: 40 }, (_, index) => `many-${index}`);
const report = (index: number, more: object = {}) =>
  mail({
    name: `Report ${index}`,
    identifier: identifiers[index % 40] ?? '',
    recipients: ['ana@example.com'],
    ...more,
  });
const named = (more: object = {}) =>
  Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`s${index}`, report(index, index === 0 ? more : {})]));

async function openMany(): Promise<World> {
  const world = await openWorld({ schedules: named() });
  world.emulator.edit(({ documents }) => {
    const [model] = documents;
    for (const identifier of identifiers)
      documents.push({ ...structuredClone(model), identifier, name: identifier } as (typeof documents)[number]);
  });
  await world.apply();
  world.asked();
  return world;
}

it('a deep look at 300 e-mails on 40 dashboards takes 343 requests, and one more for each that a group receives', async () => {
  const world = await openMany();
  expect((await world.drift('--deep')).code).toBe(0);
  expect(world.asked()).toHaveLength(343);
  world.change('Report 7', (_, schedule) =>
    Object.assign(schedule, { userGroupIds: [world.emulator.data().userGroups?.[0]?.id] }),
  );
  expect((await world.drift('--deep')).code).toBe(2);
  expect(world.asked().filter((line) => line.endsWith('/recipients'))).toHaveLength(1);
});

it('an update of an e-mail reads its details and nothing else of it, and the plan says so', async () => {
  const world = await openMany();
  world.declare(named({ subject: 'Two' }));
  // With the list and the filters of its dashboard.
  expect((await world.plan()).requests).toBe(4);
  world.asked();
  await world.apply();
  const id = world.idOf('schedules.s0');
  expect(world.asked().filter((line) => line.includes(id))).toEqual([
    `GET /v1/schedules/${id}`,
    `PUT /v1/schedules/${id}`,
  ]);
});

it.each([
  [
    'another destination',
    { destinationType: 'webhook', url: 'https://hooks.example.com/x', recipients: undefined, subject: undefined },
  ],
  ['a user group', { userGroups: ['Board'] }],
])('an update of %s asks who receives it as well', async (_, more) => {
  const world = await openWorld({ schedules: { a: mail(more) } });
  await world.apply();
  world.declare({ a: mail({ ...more, timezone: 'Asia/Tokyo' }) });
  expect((await world.plan()).requests).toBeGreaterThanOrEqual(4);
  world.asked();
  await world.apply();
  const id = world.idOf('schedules.a');
  expect(
    world
      .asked()
      .filter((line) => line.includes(id))
      .slice(0, 3),
  ).toEqual([`GET /v1/schedules/${id}`, `GET /v1/schedules/${id}/recipients`, `PUT /v1/schedules/${id}`]);
});
