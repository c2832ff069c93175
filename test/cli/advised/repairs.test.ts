// The commands that are advised about what the state holds: repairs by hand, and files that cannot be read.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { OpenChange, State } from '../../../src/model/plan/state.ts';
import { renderState } from '../../../src/state/format/parse-state.ts';
import { after, appliedDesk, type Desk, run, sharedDesk, shows, succeedsThen } from '../../support/cli/advice.ts';
import { weekly } from '../../support/cli/open-stage.ts';

const edit = (change: (state: State) => State) => (desk: Desk) =>
  desk.write({ 'almanac.state.json': renderState(change(desk.state())) });
const open = (entry: Partial<OpenChange> & Pick<OpenChange, 'action'>) =>
  edit((state) => {
    const since = '2026-03-01T00:00:00.000Z';
    return { ...state, unresolved: [{ address: 'schedules.weekly', since, ...entry } as OpenChange] };
  });

const listsAddresses = shows('schedules.weekly');

run([
  [
    'an orphan that is not there advises the list of orphans',
    {
      from: 'state/repair-state.ts: state orphans',
      situation: appliedDesk,
      prints: 'state orphans --clear 2abba91d-9bec-41a0-8a8d-6f133b4ff0b7',
      after: '',
      then: shows('No orphans'),
    },
  ],
  [
    'nothing to resolve advises a plan',
    {
      from: 'state/repair-state.ts: plan',
      situation: appliedDesk,
      prints: 'state resolve schedules.weekly --retry',
      after: '',
      then: shows('No changes.'),
    },
  ],
  [
    'a recurring schedule resolved without its id advises to give it',
    {
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
  ],
  [
    'a move of what is not resolved advises to resolve it first',
    {
      from: 'state/repair-state.ts: state resolve',
      situation: after(appliedDesk, open({ action: 'update', attributes: weekly })),
      prints: 'state mv schedules.weekly schedules.monday',
      after: 'Resolve it first: ',
      then: succeedsThen,
    },
  ],
  [
    'a move to what is tracked advises to show it',
    {
      from: 'state/repair-state.ts: state show',
      situation: appliedDesk,
      prints: 'state mv schedules.weekly schedules.daily',
      after: 'is tracked already.',
      then: shows('Daily sales'),
    },
  ],
  [
    'a resource that is not tracked advises the list of those that are',
    {
      from: 'state/repair-state.ts: state list',
      situation: appliedDesk,
      prints: 'state rm schedules.other',
      after: '',
      then: listsAddresses,
    },
  ],
  [
    'a state in conflict advises a plan that compares',
    {
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
  ],
  [
    'a broken journal advises a plan once it is away',
    {
      from: 'state/format/parse-state.ts: plan',
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
      from: 'state/shared-place.ts: state migrate',
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
      from: ['state/log/log-store.ts: state history'],
      situation: after(sharedDesk, ({ run: almanac }) => almanac('apply --auto-approve')),
      prints: 'state pull --serial 99',
      after: '',
      then: shows('serial 1'),
    },
  ],
  [
    'an empty place beside a state file advises moving the file there',
    {
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
  ],
]);
