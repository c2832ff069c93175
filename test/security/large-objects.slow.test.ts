// A small state branch that holds an object of gigabytes. Zeros compress well.

import { execFileSync } from 'node:child_process';
import { expect, it, onTestFinished } from 'vitest';
import { openGitLog } from '../../src/state/git/git-log.ts';
import { makeInstantClock } from '../support/fake-clock.ts';
import { makeGitStage, stateBranch } from '../support/state/git-remote.ts';
import { placeOf } from '../support/state/place-of.ts';

it.each([
  ['an entry', 1],
  ['many entries', 5],
])('%s of a state branch larger than any state is refused before it is in memory', async (_, count) => {
  const stage = makeGitStage();
  onTestFinished(() => stage.remove());
  const make = (args: readonly string[], input: string | Buffer) =>
    execFileSync('git', ['-C', stage.remote, ...args], { env: stage.environment, input, encoding: 'utf8' }).trim();
  const blob = make(['hash-object', '-w', '--stdin'], Buffer.alloc(count === 1 ? 80_000_000 : 60_000_000));
  const names = Array.from({ length: count }, (_, index) => `${index + 1}.json`.padStart(17, '0'));
  const log = make(['mktree'], names.map((name) => `100644 blob ${blob}\t${name}\n`).join(''));
  const tree = make(['mktree'], `040000 tree ${log}\tlog\n`);
  const parents = count === 1 ? [] : ['-p', 'main'];
  const commit = stage.git(stage.remote, 'commit-tree', tree, ...parents, '-m', 'x');
  stage.git(stage.remote, 'update-ref', `refs/heads/${stateBranch}`, commit);

  const place = placeOf({ backend: 'git' });
  const { environment } = stage;
  const opened = await openGitLog({ place, root: stage.clone('clone'), clock: makeInstantClock(), environment });
  onTestFinished(() => opened.close());
  const before = process.memoryUsage.rss();
  await expect(opened.read(0)).rejects.toMatchObject({ code: 'state-unreadable' });
  if (count === 1) expect(process.memoryUsage.rss() - before).toBeLessThan(60_000_000);
});
