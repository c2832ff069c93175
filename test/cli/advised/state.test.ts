// The commands that are advised about the state: its lock, its file, its moves, and repairs by hand.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openFileState } from '../../../src/adapters/state/file-state.ts';
import type { Outside } from '../../../src/commands/base/world.ts';
import type { OpenChange, State } from '../../../src/model/plan/state.ts';
import { renderState } from '../../../src/render/state/render-state.ts';
import {
  type Advice,
  after,
  appliedDesk,
  type Desk,
  newDesk,
  run,
  sharedDesk,
  textOf,
} from '../../support/cli/advice.ts';
import { weekly } from '../../support/cli/open-stage.ts';

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
const edit = (change: (state: State) => State) => (desk: Desk) =>
  desk.write({ 'almanac.state.json': renderState(change(desk.state())) });
const open = (entry: Partial<OpenChange> & Pick<OpenChange, 'action'>) =>
  edit((state) => {
    const since = '2026-03-01T00:00:00.000Z';
    return { ...state, unresolved: [{ address: 'schedules.weekly', since, ...entry } as OpenChange] };
  });

const shows = (words: string) => ((ran) => expect(textOf(ran)).toContain(words)) satisfies Advice['then'];
const listsAddresses = shows('schedules.weekly');
const succeedsThen: Advice['then'] = async (_ran, _desk, again) => expect(await again()).toMatchObject({ code: 0 });
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
      from: 'adapters/state/file-lock.ts: apply --lock-timeout',
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
      from: 'adapters/state/file-lock.ts: state unlock',
      situation: locked,
      prints: 'apply --auto-approve',
      after: 'If it has certainly ended, ',
      then: succeedsThen,
    },
  ],
  [
    'doctor advises removing the lock of a run that has ended',
    {
      from: 'engine/doctor/check-lock.ts: state unlock',
      situation: locked,
      prints: 'doctor',
      after: 'If it has certainly ended, ',
      then: succeedsThen,
    },
  ],
  [
    'doctor advises waiting for the lock of a shared state',
    {
      from: 'engine/doctor/check-lock.ts: apply --lock-timeout',
      situation: sharedLocked,
      prints: 'doctor',
      after: 'the next apply may take the lock over',
      first: (desk) => (desk as Awaited<ReturnType<typeof sharedDesk>>).place.endProcesses(),
      then: changesNothing,
    },
  ],
  [
    'a locked shared state advises waiting for its lock',
    {
      from: 'adapters/state/shared/lock-failures.ts: apply --lock-timeout',
      situation: sharedLocked,
      prints: 'apply --auto-approve',
      after: 'Wait for that run to end, or let ',
      fill: () => ({ SECONDS: '60' }),
      first: (desk) => (desk as Awaited<ReturnType<typeof sharedDesk>>).place.endProcesses(),
      then: changesNothing,
    },
  ],
  [
    'a locked shared state advises removing a lock whose run has ended',
    {
      from: 'adapters/state/shared/lock-failures.ts: state unlock',
      situation: sharedLocked,
      prints: 'apply --auto-approve',
      after: 'If it has certainly ended, ',
      then: succeedsThen,
    },
  ],
  [
    'a state that changed during an apply advises pushing the one of the apply',
    {
      from: 'adapters/state/keep-aside.ts: state push',
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
      from: 'commands/base/session.ts: plan --state',
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
    'state init advises moving a state that is elsewhere',
    {
      from: 'commands/state/init.ts: state migrate',
      situation: async () => {
        const desk = await sharedDesk();
        const { 'almanac.yaml': config } = { 'almanac.yaml': desk.read('almanac.yaml') };
        desk.write({ 'almanac.yaml': config.replace('"git"', '"local"') });
        await desk.run('apply --auto-approve');
        desk.write({ 'almanac.yaml': config });
        return desk;
      },
      prints: 'state init',
      after: 'If there is one elsewhere, ',
      then: changesNothing,
    },
  ],
  [
    'state init advises the first apply where there is no state',
    {
      from: 'commands/state/init.ts: apply',
      situation: sharedDesk,
      prints: 'state init',
      after: 'otherwise the first ',
      then: changesNothing,
    },
  ],
  [
    'state init --print-sql for another place advises state init',
    {
      from: 'commands/state/init.ts: state init',
      situation: sharedDesk,
      prints: 'state init --print-sql',
      after: 'Run ',
      then: shows('is ready'),
    },
  ],
  [
    'state list without a state advises the first apply',
    {
      from: 'engine/state/current-state.ts: apply',
      situation: newDesk,
      prints: 'state show',
      after: 'The first ',
      then: succeedsThen,
    },
  ],
  [
    'an orphan that is not there advises the list of orphans',
    {
      from: 'engine/state/repair-state.ts: state orphans',
      situation: appliedDesk,
      prints: 'state orphans --clear 2abba91d-9bec-41a0-8a8d-6f133b4ff0b7',
      after: '',
      then: shows('No orphans'),
    },
  ],
  [
    'nothing to resolve advises a plan',
    {
      from: 'engine/state/repair-state.ts: plan',
      situation: appliedDesk,
      prints: 'state resolve schedules.weekly --retry',
      after: '',
      then: shows('No changes.'),
    },
  ],
  [
    'a recurring schedule resolved without its id advises to give it',
    {
      from: 'engine/state/repair-state.ts: state resolve',
      situation: after(
        appliedDesk,
        open({
          action: 'create',
          address: 'schedules.new',
          name: 'New',
          identifier: '12db1a0a',
          attributes: { ...weekly, name: 'New' },
        }),
      ),
      prints: 'state resolve schedules.new --done',
      after: '',
      fill: () => ({ ID: '2abba91d-9bec-41a0-8a8d-6f133b4ff0b7' }),
      then: async (_, desk) =>
        expect(desk.state().resources['schedules.new']).toMatchObject({ id: '2abba91d-9bec-41a0-8a8d-6f133b4ff0b7' }),
    },
  ],
  [
    'a move of what is not resolved advises to resolve it first',
    {
      from: 'engine/state/repair-state.ts: state resolve',
      situation: after(appliedDesk, open({ action: 'update', attributes: weekly })),
      prints: 'state mv schedules.weekly schedules.monday',
      after: 'Resolve it first: ',
      then: succeedsThen,
    },
  ],
  [
    'a move to what is tracked advises to show it',
    {
      from: 'engine/state/repair-state.ts: state show',
      situation: appliedDesk,
      prints: 'state mv schedules.weekly schedules.daily',
      after: 'is tracked already.',
      then: shows('Daily sales'),
    },
  ],
  [
    'a resource that is not tracked advises the list of those that are',
    {
      from: 'engine/state/repair-state.ts: state list',
      situation: appliedDesk,
      prints: 'state rm schedules.other',
      after: '',
      then: listsAddresses,
    },
  ],
  [
    'a state in conflict advises a plan that compares',
    {
      from: 'parse/state/parse-state.ts: plan --refresh',
      situation: after(appliedDesk, (desk) =>
        desk.write({
          'almanac.state.json': `<<<<<<< ours\n${desk.read('almanac.state.json')}=======\n>>>>>>> theirs\n`,
        }),
      ),
      prints: 'plan',
      after: 'What the other side made is not tracked then: ',
      first: (desk) =>
        desk.write({
          'almanac.state.json': desk
            .read('almanac.state.json')
            .split('\n')
            .filter((line) => !/^[<=>]{7}/.test(line))
            .join('\n'),
        }),
      then: shows('No changes.'),
    },
  ],
  [
    'a broken journal advises a plan once it is away',
    {
      from: 'parse/state/parse-journal.ts: plan',
      situation: after(appliedDesk, ({ write }) => write({ 'almanac.state.json.journal': 'nothing\n' })),
      prints: 'plan',
      after: 'move it away and compare the service with ',
      first: ({ path }) => rmSync(join(path, 'almanac.state.json.journal')),
      then: shows('No changes.'),
    },
  ],
  [
    'a history of a file advises moving it to a place that keeps one',
    {
      from: 'engine/state/shared-place.ts: state migrate',
      situation: async () => {
        const desk = await sharedDesk();
        const config = desk.read('almanac.yaml');
        desk.write({ 'almanac.yaml': config.replace('"git"', '"local"'), 'git.yaml': config });
        await desk.run('apply --auto-approve');
        return desk;
      },
      prints: 'state history',
      after: 'A place that many share keeps a history; ',
      first: (desk) => desk.write({ 'almanac.yaml': desk.read('git.yaml') }),
      then: succeedsThen,
    },
  ],
  [
    'a serial that is not kept advises the history',
    {
      from: ['adapters/state/shared/read-history.ts: state history'],
      situation: after(sharedDesk, ({ run: almanac }) => almanac('apply --auto-approve')),
      prints: 'state pull --serial 99',
      after: '',
      then: shows('serial 1'),
    },
  ],
  [
    'an empty place beside a state file advises moving the file there',
    {
      from: 'engine/state/unmoved-state.ts: state migrate',
      situation: async () => {
        const desk = await sharedDesk();
        const config = desk.read('almanac.yaml');
        desk.write({ 'almanac.yaml': config.replace('"git"', '"local"') });
        await desk.run('apply --auto-approve');
        desk.write({ 'almanac.yaml': config });
        return desk;
      },
      prints: 'plan',
      after: 'Move it with ',
      then: succeedsThen,
    },
  ],
]);
