// A pull request that brings a bare repository along with its files, and names it as the place of the state: git runs
// what the settings and the hooks of a repository say when something is pushed to it.

import { chmodSync, cpSync, existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openGitLog } from '../../src/adapters/state/git/git-log.ts';
import { makeGitStage } from '../support/adapters/git-remote.ts';
import { makeInstantClock } from '../support/fake-clock.ts';
import { placeOf } from '../support/place-of.ts';

/** A clone with the planted repository, and a folder below it where the workspace is. */
function plant() {
  const stage = makeGitStage();
  onTestFinished(() => stage.remove());
  const clone = stage.clone('clone');
  const mark = join(stage.folder, 'attacked');
  const planted = join(clone, 'docs', 'planted.git');
  cpSync(stage.remote, planted, { recursive: true });
  const hook = join(planted, 'hooks', 'pre-receive');
  writeFileSync(hook, `#!/bin/sh\ntouch ${mark}\n`);
  chmodSync(hook, 0o755);
  stage.git(planted, 'config', 'core.alternateRefsCommand', `touch ${mark}`);
  writeFileSync(join(planted, 'objects', 'info', 'alternates'), `${join(stage.remote, 'objects')}\n`);
  const open = async (remote: string) => {
    const place = placeOf({ backend: 'git', remote });
    const log = await openGitLog({ place, root: clone, clock: makeInstantClock(), environment: stage.environment });
    onTestFinished(() => log.close());
    await log.probe();
  };
  return { stage, clone, planted, mark, open };
}

it('a repository among the files of the clone is refused before git looks at it, however its path is written', async () => {
  const { stage, clone, planted, mark, open } = plant();
  const link = join(stage.folder, 'link');
  symlinkSync(join(clone, 'docs'), link);
  symlinkSync(join(clone, 'docs', 'deep'), join(clone, 'outwards'));
  for (const remote of [
    `file://${planted}`,
    `FILE://${planted}`,
    `file://localhost${planted}`,
    `file:///${planted}`,
    `file://${planted.replace('planted', '%70lanted')}`,
    `file://${planted.replace(/\.git$/, '')}`,
    `file://${link}/planted.git`,
    `file://${clone}/outwards/../../docs/planted.git`,
    `file://${clone}/%2e%2e/clone/docs/planted.git`,
    `file://${clone}/docs/./planted.git`,
    `file://${clone}`,
  ]) {
    await expect(open(remote), remote).rejects.toMatchObject({ code: 'state-backend-unfit' });
    expect(existsSync(mark), remote).toBe(false);
  }
});

it('a repository outside of the clone is used, and so is one that the configuration of the clone names', async () => {
  const { stage, clone, planted, mark, open } = plant();
  await open(`file://${stage.remote}`);
  expect(existsSync(mark)).toBe(false);
  // Whoever can write there needs no planted repository.
  stage.git(clone, 'remote', 'set-url', 'origin', planted);
  await open('origin');
  expect(existsSync(mark)).toBe(true);
});
