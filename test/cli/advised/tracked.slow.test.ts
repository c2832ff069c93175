// The commands that are advised about what git tracks: a state in an unfinished merge, a state file that nothing uses, and a
// saved plan.

import { execFileSync } from 'node:child_process';
import { expect } from 'vitest';
import { renderState } from '../../../src/state/format/parse-state.ts';
import {
  advising,
  after,
  appliedDesk,
  type Desk,
  leftInFile,
  newDesk,
  shows,
  succeedsThen,
} from '../../support/cli/advice.ts';

const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'init.defaultBranch=main'];
const git = ({ path }: Desk, ...argv: readonly string[]) =>
  execFileSync('git', [...identity, ...argv], { cwd: path, stdio: 'pipe' });

const inMerge = after(appliedDesk, (desk) => {
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

advising('where a merge of the state is unfinished', inMerge, [
  ['plan', 'plan --refresh', { first: keepOurs, then: shows('No changes.') }],
  [
    'plan',
    'apply',
    {
      first: async (desk) => {
        keepOurs(desk);
        await desk.run('state rm schedules.weekly');
      },
      code: 1,
      then: shows('{ to: schedules.weekly, id: '),
    },
  ],
]);
advising(
  'where git tracks a state file that nothing uses',
  after(leftInFile, (desk) => {
    git(desk, 'init');
    git(desk, 'add', '.');
  }),
  [['doctor', 'state migrate']],
);
advising(
  'where git tracks a saved plan',
  after(newDesk, async (desk) => {
    await desk.run('plan --out a.plan');
    git(desk, 'init');
    git(desk, 'add', '.');
  }),
  [
    [
      'apply a.plan --auto-approve',
      'plan --out',
      { more: 'a.plan', first: (desk) => git(desk, 'rm', '--cached', 'a.plan'), then: succeedsThen },
    ],
  ],
);
