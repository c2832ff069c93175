// What three hundred changes cost at sixty requests a minute: thirty troubles of ten kinds among them take no more requests than the
// same apply without, but for a tenth, and receivers who are swapped none more than another subject.

import { expect, it } from 'vitest';
import type { ApplyDocument } from '../../src/model/plan/apply-outcome.ts';
import { mail } from '../support/vocabulary.ts';
import { openWorld, type World } from '../support/world.ts';

const dashboards = ['12db1a0a', '3f9c2b71', '7ae01c55'];
const count = 300;

type Declared = Record<string, Record<string, unknown>>;

const reports = (more: object): Declared =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `s${index}`,
      mail({ name: `S${index}`, identifier: dashboards[index % 3], recipients: ['ana@example.com'], ...more }),
    ]),
  );

const inOmni = (more: object) => (world: World, index: number) =>
  world.change(`S${index}`, (fields) => void Object.assign(fields, more));
const declared = (more: object) => (_: World, index: number, files: Declared) => {
  files[`s${index}`] = { ...files[`s${index}`], ...more };
};

/** Each befalls three schedules. */
const kinds: readonly ((world: World, index: number, files: Declared) => void)[] = [
  (world, index) => inOmni({ name: `Renamed ${index}` })(world, index),
  (world, index) => inOmni({ identifier: 'b4d86e20' })(world, index),
  inOmni({ schedule: '0 7 ? * TUE *' }),
  inOmni({ recipients: ['ana@example.com', 'eve@northpine.example'] }),
  inOmni({ timezone: 'Asia/Tokyo' }),
  (world, index) =>
    world.change(
      `S${index}`,
      (_, schedule) => void Object.assign(schedule, { disabledAt: '2026-03-01T00:00:00.000Z' }),
    ),
  (world, index) =>
    world.emulator.edit((data) => {
      data.schedules.splice(
        data.schedules.findIndex(({ fields }) => fields['name'] === `S${index}`),
        1,
      );
    }),
  declared({ userGroups: ['Bord'] }),
  declared({ owner: 'nobody@example.com' }),
  (world, index) => inOmni({ format: 'xlsx' })(world, index),
];

async function applied(
  isTroubled: boolean,
  changed: object = { subject: 'Two' },
): Promise<{ readonly requests: number; readonly left: number }> {
  const world = await openWorld({ schedules: reports({}) }, { api: { rateLimit: 60 } });
  await world.apply();
  const files = reports(changed);
  if (isTroubled)
    for (const [at, befalls] of kinds.entries())
      for (const nth of [0, 1, 2]) befalls(world, 10 * at + 100 * nth, files);
  world.write({ 'schedules/all.yaml': { schedules: files } });
  world.asked();
  const ran = await world.run('apply', '--auto-approve', '--format', 'json');
  expect(ran.code, ran.stderr).toBe(isTroubled ? 1 : 0);
  const { results } = JSON.parse(ran.stdout) as ApplyDocument;
  return { requests: world.asked().length, left: results.filter(({ status }) => status !== 'applied').length };
}

it('thirty troubles among three hundred changes take at most a tenth more requests, and leave thirty changes', async () => {
  const calm = await applied(false);
  const troubled = await applied(true);
  expect([calm.left, troubled.left]).toEqual([0, 30]);
  expect(troubled.requests).toBeLessThanOrEqual(1.1 * calm.requests);
});

it('three hundred receivers who are swapped take no request more than three hundred other subjects', async () => {
  const [swapped, others] = [await applied(false, { recipients: ['bo@example.com'] }), await applied(false)];
  expect(swapped).toEqual(others);
});
