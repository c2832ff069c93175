// Threat: somebody who may write the state, but merges nothing, changes a field under ignoreChanges there between review and
// apply. The reviewed update sends the whole schedule, and so what the state has of that field.

import { expect, it } from 'vitest';
import type { Json } from '../../src/model/values/json.ts';
import { weekly } from '../support/cli/open-stage.ts';
import { expectRefused } from '../support/security/refused.ts';
import { openApplied } from '../support/world.ts';

const filtered = (value: string) => ({ filterConfig: { region: { values: [value] } } });
const schedule = { ...weekly, ...filtered('North'), lifecycle: { ignoreChanges: ['filterConfig'] } };
const reviewedApply = ['apply', '--auto-approve', '--expect-changes', 'reviewed.txt'];

/** A reviewed change of another field. */
async function openReviewed() {
  const world = await openApplied({ schedules: { weekly: schedule } });
  world.write({ 'schedules/all.yaml': { schedules: { weekly: { ...schedule, subject: 'Another subject' } } } });
  const { changes } = await world.plan();
  world.write({ 'reviewed.txt': changes.map(({ digest }) => `${digest}\n`).join('') });
  world.sent();
  return world;
}

it.each<[what: string, filterConfig: Json | undefined]>([
  ['has another value', filtered('South').filterConfig],
  ['is gone', undefined],
])('a reviewed update is refused if a field under ignoreChanges %s in the state', async (_, filterConfig) => {
  const world = await openReviewed();
  const { resources, ...state } = world.state();
  const edited = Object.entries(resources).map(([address, { attributes, ...rest }]) => [
    address,
    { ...rest, attributes: { ...attributes, filterConfig } },
  ]);
  const written = { ...state, serial: state.serial + 1, resources: Object.fromEntries(edited) };
  world.write({ 'almanac.state.json': JSON.parse(JSON.stringify(written)) });
  for (const refresh of [[], ['--refresh'], ['--refresh=deep']])
    await expectRefused(world, [...reviewedApply, ...refresh], 'error[not-reviewed]');
  expect(world.sent()).toEqual([]);
});

it('a reviewed update sends a field under ignoreChanges as somebody has changed it in Omni since', async () => {
  const world = await openReviewed();
  world.change(weekly.name, (fields) => void Object.assign(fields, filtered('South')));
  const { code, stderr } = await world.run(...reviewedApply, '--refresh=deep');
  expect(code, stderr).toBe(0);
  expect(world.emulator.data().schedules[0]?.fields).toMatchObject({
    ...filtered('South'),
    subject: 'Another subject',
  });
  await world.expectQuiet();
});
