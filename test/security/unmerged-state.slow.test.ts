// Two branches that were both applied: git's conflict leaves the whole state of one side, without markers.

import { expect, it } from 'vitest';
import { git as run } from '../support/action/repository.ts';
import { schedule, stateOf } from '../support/plan/planning.ts';
import { expectRefused } from '../support/security/refused.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';

function mergeTwoApplies() {
  const folder = makeFolder({
    'schedules/a.yaml': { schedules: { a: schedule() } },
    '.gitattributes': '*.state.json -merge\n',
    'almanac.state.json': JSON.stringify(stateOf({})),
  });
  const git = (...argv: readonly string[]) => run(folder.path, ...argv);
  const applied = (serial: number, id: string) =>
    folder.write({
      'almanac.state.json': JSON.stringify(stateOf({ 'schedules.a': { id, attributes: schedule() } }, { serial })),
    });
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'start');
  git('checkout', '-qb', 'other');
  applied(8, 'theirs');
  git('commit', '-qam', 'other');
  git('checkout', '-q', 'main');
  applied(9, 'ours');
  git('commit', '-qam', 'main');
  expect(() => git('merge', 'other')).toThrow();
  return { ...workspaceIn(folder, {}), git };
}

it('a state that git has not finished merging is refused, with the way out', async () => {
  const { run, git, read } = mergeTwoApplies();
  expect(JSON.parse(read('almanac.state.json'))).toMatchObject({ serial: 9 });
  for (const argv of [['plan'], ['apply', '--auto-approve'], ['state', 'list'], ['show']]) {
    await expectRefused(
      { run },
      argv,
      'unfinished merge',
      'git checkout --theirs almanac.state.json',
      'almanac plan --refresh',
      'shared',
    );
  }
  git('checkout', '--theirs', 'almanac.state.json');
  git('add', 'almanac.state.json');
  expect(await run('plan')).toMatchObject({ code: 0, stdout: expect.stringContaining('No changes') });
});
