// Entries of a log that say two things about the state they hold. A commit says it for the next run that writes, and in
// the state itself. An empty entry must not pass for a place without a state.

import { createHash, randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { withSum } from '../../src/state/format/log-entry.ts';
import { renderState } from '../../src/state/format/parse-state.ts';
import { ana, makeMemoryPlace } from '../support/apply/memory-place.ts';
import { schedule, stateOf } from '../support/plan/planning.ts';

const state = stateOf({ 'schedules.weekly': schedule() });
const { serial, lineage } = state;

async function open() {
  const place = makeMemoryPlace('team');
  await place.write(state);
  const plant = (kind: 'lock' | 'commit', content: object) => {
    const id = randomUUID();
    const head = { v: 1, id, n: place.log.entries.length + 1, kind, run: 'planted', at: ana.since, info: ana };
    const bytes = new TextEncoder().encode(withSum(JSON.stringify({ ...head, ...content })));
    place.log.entries.push({ id, kind, bytes });
  };
  const commit = (text: string, names: { readonly serial: number; readonly lineage: string }) => {
    plant('lock', { lease: 120 });
    const sha256 = createHash('sha256').update(text).digest('hex');
    plant('commit', { state: text, sha256, ...names, changes: 0, previous: 2, release: true });
  };
  return { place, commit };
}

it.each([
  ['another serial', renderState(state), { serial: serial + 2, lineage }],
  ['another lineage', renderState({ ...state, lineage: 'other' }), { serial, lineage }],
  ['no state, and the serial of one', '', { serial, lineage }],
])('an entry with %s is refused by reading and by the lock, and never taken for no state', async (_, text, names) => {
  const { place, commit } = await open();
  commit(text, names);
  const refused = expect.objectContaining({ code: 'state-unreadable' });
  await expect(place.open().read()).rejects.toEqual(refused);
  const written = place.log.entries.length;
  await expect(
    place
      .open()
      .lock('apply')
      .then((held) => held.read()),
  ).rejects.toEqual(refused);
  const kinds = place.log.entries.slice(written).map(({ kind }) => kind);
  expect(kinds).not.toContain('commit');
});

it('a state that nobody could read back is not written', async () => {
  const { place } = await open();
  const held = await place.open().lock('apply');
  const written = place.log.entries.length;
  const tooFar = { ...state, serial: Number.MAX_SAFE_INTEGER + 1 };
  await expect(held.commit(tooFar, { release: true })).rejects.toMatchObject({
    code: 'state-unreadable',
    message: expect.stringContaining('Nothing was changed'),
  });
  expect(place.log.entries.slice(written).map(({ kind }) => kind)).toEqual(['unlock']);
  expect((await place.open().read()).state).toEqual(state);
});
