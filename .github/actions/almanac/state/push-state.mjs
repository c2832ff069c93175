// Commits the state after an apply and pushes it, so that the next run finds it. The state is never merged: if somebody
// else pushed another state meanwhile, this one is saved for a person to compare. If only other commits were pushed,
// the push is repeated on top of them.

import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { addToSummary, annotate, setOutputs } from '../runner/files.mjs';
import { Refusal, readEnvironment, readFile, readFolder } from '../runner/inputs.mjs';

const attempts = 5;
const author = [
  '-c',
  'user.name=github-actions[bot]',
  '-c',
  'user.email=41898282+github-actions[bot]@users.noreply.github.com',
];

const folder = readFolder();
const state = readFile(folder.path, process.env.ALMANAC_PUSH_STATE);

try {
  pushState();
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  const kept = putAside();
  annotate('error', error.message);
  addToSummary(
    `**The state was not pushed.** ${error.message}\n\nWhat was applied is recorded in \`${basename(state)}\`, which the output unpushed-state-path names. Keep this file, and put it in place before the next apply.`,
  );
  setOutputs({ 'unpushed-state-path': kept });
  process.exitCode = 1;
}

function pushState() {
  const branch = branchOfRun();
  // A killed run leaves a journal, which belongs to the state until the next run folds it.
  const files = [state, `${state}.journal`].filter((file) => existsSync(file) || isTracked(file));
  if (!existsSync(state) && files.length === 0) throw new Refusal('The file that push-state names does not exist.');
  git('add', '--force', '--all', '--', ...files);
  if (succeeds('diff', '--cached', '--quiet', '--', ...files)) {
    process.stdout.write('The state has not changed.\n');
    return;
  }
  const environment = readEnvironment();
  const words = `Almanac state${environment === '' ? '' : ` of ${environment}`} after ${git('rev-parse', '--short', 'HEAD')} [skip ci]`;
  git(...author, 'commit', '--quiet', '--no-verify', '-m', words, '--only', '--', ...files);
  for (let attempt = 1; !succeeds('push', '--quiet', 'origin', `HEAD:refs/heads/${branch}`); attempt += 1) {
    if (attempt === attempts)
      throw new Refusal(
        'The branch rejected the push of this run: it may be protected, or the job may lack contents: write.',
      );
    git('fetch', '--quiet', 'origin', `refs/heads/${branch}`);
    if (!succeeds('diff', '--quiet', 'HEAD~1', 'FETCH_HEAD', '--', ...files))
      throw new Refusal('Another state was pushed during this apply: two applies ran at the same time.');
    git(...author, 'rebase', '--quiet', '--autostash', '--onto', 'FETCH_HEAD', 'HEAD~1');
  }
  process.stdout.write('Pushed the state.\n');
}

function branchOfRun() {
  const { GITHUB_REF: ref = '', GITHUB_REF_NAME: name = '' } = process.env;
  if (!ref.startsWith('refs/heads/') || !succeeds('check-ref-format', '--branch', name))
    throw new Refusal('This run does not belong to a branch, so there is nowhere to push the state.');
  return name;
}

function putAside() {
  const reports = mkdtempSync(join(process.env.RUNNER_TEMP || tmpdir(), 'almanac-state-'));
  const kept = join(reports, basename(state));
  for (const end of ['', '.journal']) if (existsSync(`${state}${end}`)) copyFileSync(`${state}${end}`, `${kept}${end}`);
  return kept;
}

function isTracked(file) {
  return succeeds('ls-files', '--error-unmatch', '--', relative(folder.path, file));
}

function succeeds(...args) {
  return spawnSync('git', args, { cwd: folder.path, stdio: 'ignore' }).status === 0;
}

/** Does not show the output of git: the URL of a remote may contain a token. */
function git(...args) {
  const { status, stdout } = spawnSync('git', args, {
    cwd: folder.path,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const command = args.find((arg) => /^[a-z-]+$/.test(arg) && arg !== '-c');
  if (status !== 0) throw new Refusal(`git ${command} failed.`);
  return stdout.trim();
}
