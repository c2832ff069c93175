// The commands that are advised about the state: its lock and its place, a move that broke off, repairs by hand, and files
// that cannot be read.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Outside } from '../../../src/commands/base/world.ts';
import type { OpenChange, State } from '../../../src/model/plan/state.ts';
import { openFileState } from '../../../src/state/file/file-state.ts';
import { renderState } from '../../../src/state/format/parse-state.ts';
import {
  after,
  alone,
  appliedDesk,
  type Desk,
  held,
  lockFile,
  newDesk,
  run,
  type SharedDesk,
  sharedDesk,
  shows,
  succeedsThen,
  textOf,
} from '../../support/cli/advice.ts';
import { connecting } from '../../support/cli/connecting.ts';
import { weekly } from '../../support/cli/open-stage.ts';

const locked = after(newDesk, ({ write }) => write({ [lockFile]: held }));
const unlock = ({ path }: Desk) => rmSync(join(path, lockFile));
const sharedLocked = after(sharedDesk, async ({ place, run: almanac }) => {
  await almanac('apply --auto-approve');
  await place.open().lock('apply');
});

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

const edit = (change: (state: State) => State) => (desk: Desk) =>
  desk.write({ 'almanac.state.json': renderState(change(desk.state())) });
const open = (entry: Partial<OpenChange> & Pick<OpenChange, 'action'>) =>
  edit((state) => {
    const since = '2026-03-01T00:00:00.000Z';
    return { ...state, unresolved: [{ address: 'schedules.weekly', since, ...entry } as OpenChange] };
  });

const listsAddresses = shows('schedules.weekly');

const sunk = { state: { path: 'almanac.state.json' }, deliver: { email: ['ana@example.com'] } };
const backend = (from: 'git' | 'local', to: 'git' | 'local') => (desk: Desk) =>
  desk.write({ 'almanac.yaml': desk.read('almanac.yaml').replace(`"${from}"`, `"${to}"`) });
/** The state was moved from the file to the place. */
const moved = async () => {
  const desk = await sharedDesk();
  backend('git', 'local')(desk);
  await desk.run('apply --auto-approve');
  desk.write({ 'before.json': desk.read('almanac.state.json') });
  backend('local', 'git')(desk);
  await desk.run('state migrate --auto-approve');
  return desk;
};
const journal = 'almanac.state.json.journal';
const leftJournal = after(moved, ({ write }) => write({ [journal]: 'left here' }));
/** Another run removes the lock as soon as something was sent. */
const interfered = async () => {
  let isFirst = true;
  const connect = connecting(({ createSchedule }) => ({
    createSchedule: async (...given) => {
      const made = await createSchedule(...given);
      if (isFirst) await desk.place.open().unlock();
      isFirst = false;
      return made;
    },
  }));
  const desk: SharedDesk = await sharedDesk({ outside: { connect } });
  return desk;
};

run({
  'a locked state advises waiting for its lock': {
    from: 'model/workspace/lock.ts: apply --lock-timeout',
    situation: locked,
    prints: 'apply --auto-approve',
    after: 'Wait for that run to end, or let ',
    fill: () => ({ SECONDS: '60' }),
    first: unlock,
  },
  'a state whose run has ended advises removing its lock': {
    from: 'model/workspace/lock.ts: state unlock',
    situation: locked,
    prints: 'apply --auto-approve',
    after: 'If it has certainly ended, ',
    then: succeedsThen,
  },
  'a lock that names nobody advises removing it': {
    from: 'state/file/file-lock.ts: state unlock',
    situation: after(newDesk, ({ write }) => write({ [lockFile]: '{"by":"hand"}' })),
    prints: 'apply --auto-approve',
    after: 'If no other run is active, remove the lock with ',
    then: succeedsThen,
  },
  'doctor advises removing the lock of a run that has ended': {
    from: 'commands/doctor/check-state.ts: state unlock',
    situation: locked,
    prints: 'doctor',
    after: 'If it has certainly ended, ',
    then: succeedsThen,
  },
  'doctor advises waiting for the lock of a shared state': {
    from: 'commands/doctor/check-state.ts: apply --lock-timeout',
    situation: sharedLocked,
    prints: 'doctor',
    after: 'the next apply may take the lock over',
    first: (desk) => (desk as Awaited<ReturnType<typeof sharedDesk>>).place.endProcesses(),
  },
  'a state that changed during an apply advises pushing the one of the apply': {
    from: 'state/file/state-files.ts: state push',
    situation: () => newDesk({ outside: { openState: changedWhileLocked } }),
    prints: 'apply --auto-approve',
    after: 'put it in place with ',
    first: ({ path }) => rmSync(join(path, 'almanac.state.json')),
  },
  'a command that would change a copy of a shared state advises a plan of it': {
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
  'state list without a state advises the first apply': {
    from: 'state/current-state.ts: apply',
    situation: newDesk,
    prints: 'state show',
    after: 'The first ',
    then: succeedsThen,
  },
  'an orphan that is not there advises the list of orphans': {
    from: 'state/repair-state.ts: state orphans',
    situation: appliedDesk,
    prints: 'state orphans --clear 2abba91d-9bec-41a0-8a8d-6f133b4ff0b7',
    after: '',
    then: shows('No orphans'),
  },
  'nothing to resolve advises a plan': {
    from: 'state/repair-state.ts: plan',
    situation: appliedDesk,
    prints: 'state resolve schedules.weekly --retry',
    after: '',
    then: shows('No changes.'),
  },
  'a recurring schedule resolved without its id advises to give it': {
    from: 'state/repair-state.ts: state resolve',
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
  'a move of what is not resolved advises to resolve it first': {
    from: 'state/repair-state.ts: state resolve',
    situation: after(appliedDesk, open({ action: 'update', attributes: weekly })),
    prints: 'state mv schedules.weekly schedules.monday',
    after: 'Resolve it first: ',
    then: succeedsThen,
  },
  'a move to what is tracked advises to show it': {
    from: 'state/repair-state.ts: state show',
    situation: appliedDesk,
    prints: 'state mv schedules.weekly schedules.daily',
    after: 'is tracked already.',
    then: shows('Daily sales'),
  },
  'a resource that is not tracked advises the list of those that are': {
    from: 'state/repair-state.ts: state list',
    situation: appliedDesk,
    prints: 'state rm schedules.other',
    after: '',
    then: listsAddresses,
  },
  'a state in conflict advises a plan that compares': {
    from: 'state/format/parse-state.ts: plan --refresh',
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
  'a broken journal advises a plan once it is away': {
    from: 'state/format/parse-state.ts: plan --refresh',
    situation: after(appliedDesk, ({ write }) => write({ 'almanac.state.json.journal': 'nothing\n' })),
    prints: 'plan --refresh',
    after: 'move it away and compare the service with ',
    first: ({ path }) => rmSync(join(path, 'almanac.state.json.journal')),
    then: shows('No changes.'),
  },
  'a history of a file advises moving it to a place that keeps one': {
    from: 'commands/state/read.ts: state migrate',
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
  'a serial that is not kept advises the history': {
    from: 'state/log/log-store.ts: state history',
    situation: after(sharedDesk, ({ run: almanac }) => almanac('apply --auto-approve')),
    prints: 'state pull --serial 99',
    after: '',
    then: shows('serial 1'),
  },
  'an empty place beside a state file advises moving the file there': {
    from: 'state/unmoved-state.ts: state migrate',
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
  'a journal that was left behind when the state was moved advises the list of what the state holds': {
    from: 'state/unmoved-state.ts: state list',
    situation: leftJournal,
    prints: 'plan',
    after: 'Compare the ids in ',
    then: shows('schedules.weekly'),
  },
  'a run that lost its lock and kept its state advises another apply': {
    from: 'state/file/state-files.ts: apply',
    situation: interfered,
    prints: 'apply --auto-approve',
    after: 'Run ',
  },
  'a run that lost its lock advises to compare its state with the one of the place': {
    from: 'state/file/state-files.ts: state pull',
    situation: interfered,
    prints: 'apply --auto-approve',
    after: 'compare the two with ',
    then: shows('"lineage"'),
  },
  'a base URL without TLS advises the option that allows it': {
    from: 'service/http/exchange.ts: apply --allow-http',
    situation: after(newDesk, (desk) =>
      desk.write({ 'almanac.yaml': desk.read('almanac.yaml').replace('127.0.0.1', '0.0.0.0') }),
    ),
    prints: 'apply --auto-approve',
    after: 'If you trust the network, ',
    // The emulator answers for no host but its own: the request went out.
    code: 1,
    then: shows('does not answer for the host'),
  },
  'a sink that was never sent advises with operations core to create the schedule again': {
    from: 'plan/block.ts: apply --env',
    situation: () => appliedDesk({ files: alone, operations: 'core', almanac: { environments: { staging: sunk } } }),
    prints: 'plan --env staging',
    after: 'or create it again with ',
    more: '--allow-orphans',
    then: async (_, desk) => expect(textOf(await desk.run('plan --env staging'))).toContain('No changes.'),
  },
});
