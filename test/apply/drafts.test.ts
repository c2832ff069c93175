// A draft of a dashboard that a PATCH would discard: a person is told whose it is before the question, and what was edited after
// that stays.

import { expect, it } from 'vitest';
import type { EmulatorData } from '../../src/emulator/store.ts';
import { openWorld, type World, type WorldOptions } from '../support/world.ts';

const identifier = 'd3ad91f6';
const funnel = { identifier, clearExistingDraft: true, filters: { channel: { values: ['Email'] } } };

const boardOf = (data: EmulatorData) => data.documents.find((each) => each.identifier === identifier)?.dashboard;

async function opened(answer: (world: () => World) => string, options: WorldOptions = {}): Promise<World> {
  const asked: WorldOptions = { ...options, outside: { asker: () => async () => answer(() => world) } };
  const world = await openWorld({ dashboards: { funnel } }, asked);
  return world;
}

it.each([
  ['yes', 0, null],
  ['no', 1, { createdAt: '2026-02-02T16:20:00.000Z' }],
])('a person who answers %s has been told whose draft of when would be discarded', async (answer, code, left) => {
  const world = await opened(() => answer);
  const ran = await world.run('apply');
  expect(ran.code, ran.stderr).toBe(code);
  expect(ran.stderr).toContain('discards the draft of Bo Lindqvist, edited on 2026-02-02 16:20 UTC.');
  const { draft } = boardOf(world.emulator.data()) ?? {};
  if (left === null) expect(draft).toBeNull();
  else expect(draft).toMatchObject(left);
});

it('a draft that was edited while the question was open is not discarded, and the next apply names it', async () => {
  const world = await opened((open) => {
    open().emulator.edit((data) => {
      const board = boardOf(data);
      if (board?.draft) board.draft.createdAt = '2026-02-28T08:00:00.000Z';
    });
    return 'yes';
  });
  const ran = await world.run('apply');
  expect(ran.code).toBe(1);
  const said = (ran.stdout + ran.stderr).replace(/\s+/g, ' ');
  expect(said).toContain(
    'discards the draft of Bo Lindqvist, edited on 2026-02-28 08:00 UTC. Nobody has confirmed that',
  );
  expect(boardOf(world.emulator.data())?.draft).toMatchObject({ createdAt: '2026-02-28T08:00:00.000Z' });
  expect(world.sent()).toEqual([]);
  expect((await world.run('apply')).code).toBe(0);
  expect(boardOf(world.emulator.data())?.draft).toBeNull();
});

it('a saved plan with a draft that nobody has seen is refused as a whole before anything is sent', async () => {
  const world = await opened(() => 'yes');
  expect((await world.run('plan', '--out', 'plan.json')).code).toBe(0);
  const ran = await world.run('apply', 'plan.json', '--auto-approve');
  expect(ran.code).toBe(1);
  expect(ran.stderr.replace(/\s+/g, ' ')).toContain('the draft of Bo Lindqvist, edited on 2026-02-02 16:20 UTC');
  expect(world.sent()).toEqual([]);
});
