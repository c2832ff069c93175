// `command: push-state`: commits the state that an apply left and pushes it, so that the next run finds it. The state is
// never merged: if somebody else pushed another state meanwhile, nothing is pushed, and a person compares them. On top of
// other commits it is pushed again. It needs no files of the checkout, only its repository.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { addToSummary, annotate } from '../runner/files.mjs';
import { openGit } from '../runner/git.mjs';
import { Refusal, readFolder } from '../runner/inputs.mjs';
import { configNames, foldersUpFrom, statesIn } from '../runner/places.mjs';
import { branchOfRun } from './branch.mjs';
import { readStateFolder } from './state-folder.mjs';

const attempts = 5;
const author = [
  '-c',
  'user.name=github-actions[bot]',
  '-c',
  'user.email=41898282+github-actions[bot]@users.noreply.github.com',
];

try {
  pushState();
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  annotate('error', `The state was not pushed. ${error.message}`);
  addToSummary(
    `**The state was not pushed.** ${error.message}\n\nWhat was applied is recorded in the artifact of this run. Put its state.json in place before the next apply.`,
  );
  process.exitCode = 1;
}

function pushState() {
  const { checkout, name } = readFolder();
  const repository = openGit(checkout);
  const branch = branchOfRun(checkout);
  const left = readStateFolder(resolve(checkout, process.env.ALMANAC_STATE_FOLDER || '.'));
  for (let attempt = 1; ; attempt += 1) {
    const tip = fetched(repository, branch);
    if (!statesAt(repository, tip, name).has(left.state))
      throw new Refusal('It is not at a path that almanac.yaml names.');
    const blobs = blobsOf(repository, tip, left);
    if (blobs.every(({ now, next }) => now === next)) {
      process.stdout.write('The state has not changed.\n');
      return;
    }
    if (blobs.some(({ now, before }) => now !== before))
      throw new Refusal('Another state was pushed during this apply: two applies ran at the same time.');
    const commit = committed(repository, tip, blobs, left);
    if (repository.tryGit(['push', '--quiet', 'origin', `${commit}:refs/heads/${branch}`]) !== undefined) {
      process.stdout.write('Pushed the state.\n');
      return;
    }
    // Rejected although nothing was pushed meanwhile, so another attempt changes nothing.
    if (attempt === attempts || fetched(repository, branch) === tip)
      throw new Refusal(
        'The branch rejected the push: it may be protected, or the job may lack contents: write. Give the checkout a deploy key that may bypass its rules (ssh-key, STATE_DEPLOY_KEY).',
      );
  }
}

function fetched({ git }, branch) {
  git(['fetch', '--quiet', '--no-tags', 'origin', `refs/heads/${branch}`]);
  return git(['rev-parse', 'FETCH_HEAD']);
}

/** Every path that almanac.yaml at the tip of the branch may mean: no artifact decides which file is overwritten. */
function statesAt({ tryGit }, tip, name) {
  for (const at of foldersUpFrom(name)) {
    for (const file of configNames) {
      const text = tryGit(['show', `${tip}:${at === '.' ? '' : `${at}/`}${file}`]);
      if (text !== undefined) return statesIn(at, text);
    }
  }
  return statesIn(name, '');
}

/** Each file as the branch has it now, as the apply found it, and as the apply left it. */
function blobsOf({ git, tryGit }, tip, { files }) {
  return files.map(({ path, before, content }) => ({
    path,
    before,
    now: tryGit(['rev-parse', '--verify', '--quiet', `${tip}:${path}`]),
    next: content === undefined ? undefined : git(['hash-object', '-w', '--no-filters', '--', content]),
  }));
}

/** Built beside the checkout, in an index of its own. */
function committed({ git }, tip, blobs, { commit, environment }) {
  const folder = mkdtempSync(join(process.env.RUNNER_TEMP || tmpdir(), 'almanac-index-'));
  const env = { GIT_INDEX_FILE: join(folder, 'index') };
  try {
    git(['read-tree', tip], { env });
    for (const { path, next } of blobs) {
      const change = next === undefined ? ['--force-remove', path] : ['--add', '--cacheinfo', `100644,${next},${path}`];
      git(['update-index', ...change], { env });
    }
    const tree = git(['write-tree'], { env });
    const words = `Almanac state${environment === '' ? '' : ` of ${environment}`} after ${commit.slice(0, 9)} [skip ci]`;
    return git([...author, 'commit-tree', tree, '-p', tip, '-m', words]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
