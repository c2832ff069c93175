// Time zones for queries, and options that no field stands for. Tested are the requests that hold them, and names that
// attack. What drift, plans and imports say, the transcript omni/query-zone shows.

import { expect, it } from 'vitest';
import { hostileTexts } from '../support/report/hostile-text.ts';
import { mail } from '../support/vocabulary.ts';
import { openApplied, openWorld, type World } from '../support/world.ts';

const updates = ({ emulator }: World) =>
  emulator.requests().flatMap(({ method, body }) => (method === 'PUT' ? [body as object] : []));

it('a zone for queries that somebody sets in Omni is reset by null', async () => {
  const world = await openApplied({ schedules: { weekly: mail() } });
  world.change('Weekly sales', (fields) => Object.assign(fields, { timezoneOverride: 'Asia/Tokyo' }));
  world.declare({ weekly: mail({ subject: 'Other' }) });
  await world.apply('--refresh=deep');
  expect(updates(world)).toMatchObject([{ subject: 'Other', timezoneOverride: null }]);
});

it('a zone for queries is declared by an import, and an update without one sends none', async () => {
  const world = await openWorld();
  await world.create('email', { name: 'Weekly', timezoneOverride: 'Asia/Tokyo' });
  await world.create('email', { name: 'Daily' });
  await world.import('--write-state');
  const path = 'schedules/sales/sales-overview.yaml';
  expect(world.read(path)).toContain('timezoneOverride: Asia/Tokyo');
  world.write({ [path]: world.read(path).replaceAll('format: pdf', 'format: png') });
  await world.apply();
  const sent = updates(world).filter((body) => 'timezoneOverride' in body);
  expect(sent).toMatchObject([{ name: 'Weekly', timezoneOverride: 'Asia/Tokyo' }]);
});

it('options that no field stands for are named in few words, whatever their names', async () => {
  const world = await openApplied({ schedules: { a: mail(), b: mail({ name: 'Other' }) } });
  const options = Object.fromEntries([...hostileTexts, 'x'.repeat(5000)].map((name) => [name, 1]));
  world.change('Weekly sales', (_, schedule) => void Object.assign(schedule, { options }));
  world.change('Other', (_, schedule) => void Object.assign(schedule, { options: {} }));
  const { document } = await world.drift('--deep');
  const [{ message } = { message: '' }] = document.diagnostics;
  expect(message.length).toBeLessThan(700);
  expect(message).toMatch(/and \d+ more\)/);
  expect(message).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

it('an option that comes back as null is one that nobody has set', async () => {
  const world = await openApplied({ schedules: { a: mail(), b: mail({ name: 'Other' }) } });
  world.change('Weekly sales', (_, schedule) => void Object.assign(schedule, { options: { watermarkText: null } }));
  expect((await world.drift('--deep')).document.diagnostics).toEqual([]);
});
