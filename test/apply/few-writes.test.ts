// How many entries of a shared place the updates of an apply take: what several of them are about to send is one, and what became
// of them another, whatever requests each takes.

import { expect, it } from 'vitest';
import { stage } from '../support/apply/stage.ts';
import { arrived } from '../support/emulator/service.ts';
import { atFullSize } from '../support/runs/runs.ts';
import { makeMemoryPlace } from '../support/state/memory-log.ts';
import { openMachine } from '../support/state/team-machine.ts';
import { mail } from '../support/vocabulary.ts';

const userGroups = ['Board', 'Sales'].map((name, index) => ({
  name,
  id: `00000000-0000-4000-9000-00000000000${index}`,
  memberIds: [],
}));

const declared = (count: number, fields: object) => ({
  schedules: Object.fromEntries(
    Array.from({ length: count }, (_, nth) => [`s${nth}`, mail({ name: `S${nth}`, ...fields })]),
  ),
});

/** The entries that an apply of so many updates takes, each of which changes content, groups and pause. */
async function entriesOf(count: number): Promise<number> {
  const place = makeMemoryPlace();
  const { store } = openMachine(place.open());
  const made = stage(declared(count, { subject: 'One', userGroups: ['Board'] }), { instead: { store } });
  Object.assign(made.service.data, { userGroups });
  await made.apply();
  for (const document of made.service.data.documents)
    Object.assign(document, { scope: 'organization', sharedWithGroups: userGroups.map(({ id }) => id) });
  made.files['schedules/all.yaml'] = declared(count, { subject: 'Two', userGroups: ['Sales'], paused: true });
  const before = place.entries.length;
  // What comes meanwhile goes into the next entry together.
  place.beforeAppend = async () => {
    for (let turn = 0; turn < 20; turn += 1) await arrived();
  };
  expect((await made.apply()).document?.summary).toMatchObject({ applied: count });
  return place.entries.length - before;
}

it('50 updates of content, groups and pause take fewer than half as many entries of a shared place', async () => {
  expect(await entriesOf(50)).toBeLessThan(25);
});

atFullSize(
  '300 updates of content, groups and pause take fewer than half as many entries of a shared place',
  async () => {
    expect(await entriesOf(300)).toBeLessThan(150);
  },
);
