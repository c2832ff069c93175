// The commands that are advised about where the state is: a place that many share, a move, a copy; and about a saved plan
// that is in git.

import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Outside } from '../../../src/commands/base/world.ts';
import { Failure } from '../../../src/model/workspace/failure.ts';
import { renderState } from '../../../src/state/format/parse-state.ts';
import {
  after,
  appliedDesk,
  type Desk,
  newDesk,
  run,
  type SharedDesk,
  sharedDesk,
  shows,
  textOf,
} from '../../support/cli/advice.ts';
import { connecting } from '../../support/cli/connecting.ts';

const git = ({ path }: Desk, ...argv: readonly string[]) =>
  execFileSync(
    'git',
    ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'init.defaultBranch=main', ...argv],
    { cwd: path, stdio: 'pipe' },
  );
const local = (desk: Desk) => desk.write({ 'almanac.yaml': desk.read('almanac.yaml').replace('"git"', '"local"') });
const shared = (desk: Desk) => desk.write({ 'almanac.yaml': desk.read('almanac.yaml').replace('"local"', '"git"') });
/** The state is in the file, and almanac.yaml names a place that many share. */
const leftInFile = after(sharedDesk, async (desk) => {
  local(desk);
  await desk.run('apply --auto-approve');
  shared(desk);
});
const sharedState = after(sharedDesk, ({ run: almanac }) => almanac('apply --auto-approve'));

/** Where the place of the state cannot be reached until `open` is called. */
async function withoutAccess(): Promise<Desk & { readonly access: { isOpen: boolean } }> {
  const access = { isOpen: true };
  const desk: SharedDesk = await sharedDesk({
    outside: {
      openSharedState: async () => {
        if (!access.isOpen) throw new Failure('state-unreadable', 'The place cannot be reached.');
        return desk.place.open();
      },
    },
  });
  await desk.run('apply --auto-approve');
  access.isOpen = false;
  return { ...desk, access };
}
const inReach = (isOpen: boolean) => (desk: Desk) => {
  (desk as Awaited<ReturnType<typeof withoutAccess>>).access.isOpen = isOpen;
};

const inConflict = after(appliedDesk, (desk) => {
  git(desk, 'init');
  git(desk, 'add', '.');
  git(desk, 'commit', '-m', 'a');
  const commit = (serial: number) => {
    desk.write({ 'almanac.state.json': renderState({ ...desk.state(), serial }) });
    git(desk, 'commit', '-am', 'b');
  };
  git(desk, 'checkout', '-b', 'other');
  commit(7);
  git(desk, 'checkout', 'main');
  commit(8);
  expect(() => git(desk, 'merge', 'other')).toThrow();
});
const keepOurs = (desk: Desk) => {
  git(desk, 'checkout', '--ours', 'almanac.state.json');
  git(desk, 'add', 'almanac.state.json');
};

run({
  'a plan without access to the state advises a copy of it, made where there is access': {
    from: 'commands/base/request-proposal.ts: state pull',
    situation: withoutAccess,
    prints: 'plan',
    after: 'A machine without access can plan a copy: ',
    fill: () => ({ FILE: 'copy.json' }),
    first: inReach(true),
    then: async (_, desk) => expect(textOf(await desk.run('plan --state copy.json'))).toContain('No changes.'),
  },
  'a plan without access to the state advises a plan of a copy': {
    from: 'commands/base/request-proposal.ts: plan --state',
    situation: withoutAccess,
    prints: 'plan',
    after: 'where the state can be read, then ',
    fill: () => ({ FILE: 'copy.json' }),
    first: async (desk) => {
      inReach(true)(desk);
      await desk.run('state pull > copy.json');
      inReach(false)(desk);
    },
    then: shows('No changes.'),
  },
  'an apply that lost its lock advises another apply, which goes on': {
    from: 'model/workspace/lock.ts: apply',
    situation: async () => {
      let isFirst = true;
      const connect: Outside['connect'] = async (settings) => {
        if (isFirst) await desk.place.open().unlock();
        isFirst = false;
        return connecting()(settings);
      };
      const desk: SharedDesk = await sharedDesk({ outside: { connect } });
      return desk;
    },
    prints: 'apply --auto-approve',
    after: 'It sends nothing any more. Run ',
  },
  'a place that was rolled back advises a plan that compares, once that was on purpose': {
    from: 'state/log/log-reader.ts: plan --refresh',
    situation: after(sharedState, ({ place }) => void place.log.entries.splice(-2)),
    prints: 'plan',
    after: 'then compare the service with ',
    first: (desk) => rmSync((desk as SharedDesk).place.root, { recursive: true }),
    then: shows('Plan:'),
  },
  'a state in an unfinished merge advises a plan of what differs': {
    from: 'state/file/state-files.ts: plan --refresh',
    situation: inConflict,
    prints: 'plan',
    after: 'What the other side made is not tracked then: ',
    first: keepOurs,
    then: shows('No changes.'),
  },
  'a state in an unfinished merge advises an apply, which prints entries to adopt': {
    from: 'state/file/state-files.ts: apply',
    situation: inConflict,
    prints: 'plan',
    after: 'and with operations full ',
    first: async (desk) => {
      keepOurs(desk);
      await desk.run('state rm schedules.weekly');
    },
    code: 1,
    then: shows('{ to: schedules.weekly, id: '),
  },
  'doctor advises moving a state file that git tracks to the place of the state': {
    from: 'commands/doctor/check-git.ts: state migrate',
    situation: after(leftInFile, (desk) => {
      git(desk, 'init');
      git(desk, 'add', '.');
    }),
    prints: 'doctor',
    after: 'Move it there with ',
  },
  'a move of no state advises the first apply': {
    from: 'commands/state/migrate.ts: apply',
    situation: sharedDesk,
    prints: 'state migrate --auto-approve',
    after: 'The first ',
  },
  'a move to a place that has a state advises to compare the two': {
    from: 'commands/state/migrate.ts: state pull',
    situation: after(leftInFile, async (desk) => {
      await desk.place.write({ ...desk.state(), serial: 9 });
    }),
    prints: 'state migrate --auto-approve',
    after: 'Compare them: ',
    then: shows('"serial": 9'),
  },
  'a kept state beside an empty place advises pushing it': {
    from: 'state/unmoved-state.ts: state push',
    situation: after(leftInFile, (desk) => {
      desk.write({ 'errored.state.json': desk.read('almanac.state.json') });
      rmSync(join(desk.path, 'almanac.state.json'));
    }),
    prints: 'plan',
    after: 'Put it there with ',
  },
  'a saved plan that git tracks advises to save it again': {
    from: 'apply/propose/saved-plan.ts: plan --out',
    situation: after(newDesk, async (desk) => {
      await desk.run('plan --out a.plan');
      git(desk, 'init');
      git(desk, 'add', '.');
    }),
    prints: 'apply a.plan --auto-approve',
    after: 'and save the plan again with ',
    more: 'a.plan',
    first: (desk) => git(desk, 'rm', '--cached', 'a.plan'),
    then: async (_ran, _desk, again) => expect((await again()).code).toBe(0),
  },
});
