// The commands that are advised about what git tracks: a state in an unfinished merge, a state file that nothing uses, and a
// saved plan.

import { git } from '../../support/action/repository.ts';
import { advising, after, leftInFile, newDesk, succeedsThen } from '../../support/cli/advice.ts';

advising(
  'where git tracks a state file that nothing uses',
  after(leftInFile, (desk) => {
    git(desk.path, 'init');
    git(desk.path, 'add', '.');
  }),
).on('doctor', 'state migrate');
advising(
  'where git tracks a saved plan',
  after(newDesk, async (desk) => {
    await desk.run('plan --out a.plan');
    git(desk.path, 'init');
    git(desk.path, 'add', '.');
  }),
).on('apply a.plan --auto-approve', 'plan --out', {
  more: 'a.plan',
  first: (desk) => git(desk.path, 'rm', '--cached', 'a.plan'),
  then: succeedsThen,
});
