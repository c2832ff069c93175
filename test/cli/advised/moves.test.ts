// The commands that a broken move of the state advises, a run that lost its lock, and what else only some services do.

import { expect } from 'vitest';
import type { Outside } from '../../../src/commands/base/world.ts';
import { connectHttpApi } from '../../../src/service/http/http-api.ts';
import {
  after,
  appliedDesk,
  type Desk,
  newDesk,
  run,
  type SharedDesk,
  settled,
  sharedDesk,
  shows,
  textOf,
} from '../../support/cli/advice.ts';
import { weekly } from '../../support/cli/open-stage.ts';
import { makeInstantClock } from '../../support/fake-clock.ts';
import { start } from '../../support/workspace.ts';

const alone = { 'schedules/all.yaml': { schedules: { weekly } } };
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
  const connect: Outside['connect'] = async (settings) => {
    const api = await connectHttpApi({
      ...settings,
      clock: makeInstantClock(start),
      version: '0.1.0-test',
      environment: {},
    });
    return {
      ...api,
      createSchedule: async (...given) => {
        const made = await api.createSchedule(...given);
        if (isFirst) await desk.place.open().unlock();
        isFirst = false;
        return made;
      },
    };
  };
  const desk: SharedDesk = await sharedDesk({ outside: { connect } });
  return desk;
};

run([
  [
    'a journal that was left behind when the state was moved advises the list of what the state holds',
    {
      from: 'state/unmoved-state.ts: state list',
      situation: leftJournal,
      prints: 'plan',
      after: 'Compare the ids in ',
      then: shows('schedules.weekly'),
    },
  ],
  [
    'a run that lost its lock and kept its state advises another apply',
    {
      from: 'state/file/state-files.ts: apply',
      situation: interfered,
      prints: 'apply --auto-approve',
      after: 'Run ',
      then: settled,
    },
  ],
  [
    'a run that lost its lock advises to compare its state with the one of the place',
    {
      from: 'state/file/state-files.ts: state pull',
      situation: interfered,
      prints: 'apply --auto-approve',
      after: 'compare the two with ',
      then: shows('"lineage"'),
    },
  ],
  [
    'a base URL without TLS advises the option that allows it',
    {
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
  ],
  [
    'a sink that was never sent advises with operations core to create the schedule again',
    {
      from: 'plan/block.ts: apply --env',
      situation: () => appliedDesk({ files: alone, operations: 'core', almanac: { environments: { staging: sunk } } }),
      prints: 'plan --env staging',
      after: 'or create it again with ',
      more: '--allow-orphans',
      then: async (_, desk) => expect(textOf(await desk.run('plan --env staging'))).toContain('No changes.'),
    },
  ],
]);
