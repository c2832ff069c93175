// The commands that are advised about what git tracks: a state in an unfinished merge, a state file that nothing uses, and a
// saved plan.

import { execFileSync } from 'node:child_process';
import { advising, after, type Desk, leftInFile, newDesk, succeedsThen } from '../../support/cli/advice.ts';

const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'init.defaultBranch=main'];
const git = ({ path }: Desk, ...argv: readonly string[]) =>
  execFileSync('git', [...identity, ...argv], { cwd: path, stdio: 'pipe' });

advising(
  'where git tracks a state file that nothing uses',
  after(leftInFile, (desk) => {
    git(desk, 'init');
    git(desk, 'add', '.');
  }),
).on('doctor', 'state migrate');
advising(
  'where git tracks a saved plan',
  after(newDesk, async (desk) => {
    await desk.run('plan --out a.plan');
    git(desk, 'init');
    git(desk, 'add', '.');
  }),
).on('apply a.plan --auto-approve', 'plan --out', {
  more: 'a.plan',
  first: (desk) => git(desk, 'rm', '--cached', 'a.plan'),
  then: succeedsThen,
});
