// The job `push-state`: commits what the apply left behind and pushes it, so that the next run finds it. The state is
// never merged: where somebody else pushed another one since, this one stays in the artifacts for a person to compare.

import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Refusal } from '../.github/actions/almanac/runner/inputs.mjs';
import { commitAs, push, readTarget, runGit, tryGit } from './git.mjs';
import { readPlace, runJob } from './job.mjs';
import { keptState } from './state-files.mjs';

const attempts = 5;

await runJob(async () => {
  const place = readPlace();
  const kept = await keptState(place);
  const said = kept === undefined ? 'No apply ran, so there is no state to push.' : pushState(place, kept);
  process.stdout.write(`${said}\n`);
  return 0;
});

function pushState({ folder: { checkout }, environment }, { commit, files }) {
  const target = readTarget();
  const paths = files.map(({ path }) => path);
  const words = `Almanac state${environment === '' ? '' : ` of ${environment}`} after ${commit.slice(0, 10)} [skip ci]`;
  for (let attempt = 1; ; attempt += 1) {
    runGit(checkout, ['fetch', '--quiet', 'origin', `refs/heads/${target.branch}`]);
    if (runGit(checkout, ['diff', '--name-only', commit, 'FETCH_HEAD', '--', ...paths]) !== '')
      throw unpushed('Another state was pushed during this apply: two applies ran at the same time.');
    runGit(checkout, ['checkout', '--quiet', '--force', '--detach', 'FETCH_HEAD']);
    const there = files.filter((file) => place(checkout, file));
    if (there.length === 0) return 'There is no state to push.';
    runGit(checkout, ['add', '--force', '--all', '--', ...there.map(({ path }) => path)]);
    if (tryGit(checkout, ['diff', '--cached', '--quiet']).status === 0) return 'The state has not changed.';
    commitAs(
      checkout,
      words,
      there.map(({ path }) => path),
    );
    const refused = push(checkout, target, ['--quiet']);
    if (refused === undefined) return 'Pushed the state.';
    // Other commits came in meanwhile: the state goes on top of them.
    if (attempt === attempts) throw unpushed(`The branch rejected the push: it may be protected.\n${refused}`);
  }
}

/** Puts a file where it belongs, or removes it there. Whether git has something to do for it. */
function place(checkout, { kept, path }) {
  const target = join(checkout, path);
  if (existsSync(kept)) {
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(kept, target);
    return true;
  }
  rmSync(target, { force: true });
  return tryGit(checkout, ['ls-files', '--error-unmatch', '--', path]).status === 0;
}

function unpushed(reason) {
  return new Refusal(
    `${reason}\nThe state was not pushed. What was applied is recorded in almanac-state, among the artifacts of the job apply: put it in place before the next apply.`,
  );
}
