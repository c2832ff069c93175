// The commands that are advised about the lock of the state and its place.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Outside } from '../../../src/commands/base/world.ts';
import { openFileState } from '../../../src/state/file/file-state.ts';
import {
  type Advice,
  after,
  type Desk,
  newDesk,
  run,
  sharedDesk,
  shows,
  succeedsThen,
  textOf,
} from '../../support/cli/advice.ts';

const lock = 'almanac.state.json.lock';
const held = JSON.stringify({
  id: 'a',
  who: 'ana',
  host: 'runner-7',
  pid: 42,
  command: 'apply',
  since: '2026-03-01T00:00:00.000Z',
});
const locked = after(newDesk, ({ write }) => write({ [lock]: held }));
const unlock = ({ path }: Desk) => rmSync(join(path, lock));
const sharedLocked = after(sharedDesk, async ({ place, run: almanac }) => {
  await almanac('apply --auto-approve');
  await place.open().lock('apply');
});

const changesNothing: Advice['then'] = async (_, desk) =>
  expect(textOf(await desk.run('plan'))).toContain('No changes.');

/** Something else writes the state while an apply holds its lock. */
const changedWhileLocked: Outside['openState'] = async (options) => {
  const store = openFileState(options);
  const lock: typeof store.lock = async (command) => {
    const locked = await store.lock(command);
    const commit = locked.commit.bind(locked);
    if (command !== 'apply') return locked;
    return Object.assign(locked, {
      commit: async (...given: Parameters<typeof commit>) => {
        writeFileSync(options.path, ' ');
        return commit(...given);
      },
    });
  };
  return { ...store, lock };
};

run([
  [
    'a locked state advises waiting for its lock',
    {
      from: 'model/workspace/lock.ts: apply --lock-timeout',
      situation: locked,
      prints: 'apply --auto-approve',
      after: 'Wait for that run to end, or let ',
      fill: () => ({ SECONDS: '60' }),
      first: unlock,
      then: changesNothing,
    },
  ],
  [
    'a state whose run has ended advises removing its lock',
    {
      from: 'model/workspace/lock.ts: state unlock',
      situation: locked,
      prints: 'apply --auto-approve',
      after: 'If it has certainly ended, ',
      then: succeedsThen,
    },
  ],
  [
    'a lock that names nobody advises removing it',
    {
      from: 'state/file/file-lock.ts: state unlock',
      situation: after(newDesk, ({ write }) => write({ [lock]: '{"by":"hand"}' })),
      prints: 'apply --auto-approve',
      after: 'If no other run is active, remove the lock with ',
      then: succeedsThen,
    },
  ],
  [
    'doctor advises removing the lock of a run that has ended',
    {
      from: 'commands/doctor/check-state.ts: state unlock',
      situation: locked,
      prints: 'doctor',
      after: 'If it has certainly ended, ',
      then: succeedsThen,
    },
  ],
  [
    'doctor advises waiting for the lock of a shared state',
    {
      from: 'commands/doctor/check-state.ts: apply --lock-timeout',
      situation: sharedLocked,
      prints: 'doctor',
      after: 'the next apply may take the lock over',
      first: (desk) => (desk as Awaited<ReturnType<typeof sharedDesk>>).place.endProcesses(),
      then: changesNothing,
    },
  ],
  [
    'a state that changed during an apply advises pushing the one of the apply',
    {
      from: 'state/file/state-files.ts: state push',
      situation: () => newDesk({ outside: { openState: changedWhileLocked } }),
      prints: 'apply --auto-approve',
      after: 'put it in place with ',
      first: ({ path }) => rmSync(join(path, 'almanac.state.json')),
      then: changesNothing,
    },
  ],
  [
    'a command that would change a copy of a shared state advises a plan of it',
    {
      from: 'commands/base/state-place.ts: plan --state',
      situation: after(sharedDesk, async ({ run: almanac }) => {
        await almanac('apply --auto-approve');
        await almanac('state pull > copy.json');
      }),
      prints: 'apply --state copy.json --auto-approve',
      after: 'take a copy of the state, such as ',
      fill: () => ({ FILE: 'copy.json' }),
      then: shows('No changes.'),
    },
  ],
  [
    'state list without a state advises the first apply',
    {
      from: 'state/current-state.ts: apply',
      situation: newDesk,
      prints: 'state show',
      after: 'The first ',
      then: succeedsThen,
    },
  ],
]);
