// Pushes the state that an apply left, so that the next run finds it. The state is never merged: if somebody else pushed
// another state meanwhile, nothing is pushed, and a person compares them. On top of other commits it is pushed again. It
// needs no files of the checkout, only its repository.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openGit } from '../runner/git.mjs';
import { Refusal } from '../runner/inputs.mjs';
import { configPathsFrom, statesIn } from '../runner/places.mjs';

const attempts = 5;

/**
 * `left` is what readStateFolder read. `push` sends a commit to the branch, and returns undefined, or the words of a
 * refusal that another attempt cannot change. Returns what it did.
 */
export function pushLeft({ checkout, name }, left, { branch, author, push }) {
  const repository = openGit(checkout);
  for (let attempt = 1; ; attempt += 1) {
    const tip = fetched(repository, branch);
    if (!statesAt(repository, tip, name).has(left.state))
      throw new Refusal('It is not at a path that almanac.yaml names.');
    const blobs = blobsOf(repository, tip, left);
    if (blobs.every(({ now, next }) => now === next)) return 'The state has not changed.';
    if (blobs.some(({ now, before }) => now !== before))
      throw new Refusal('Another state was pushed during this apply: two applies ran at the same time.');
    const refused = push(committed(repository, tip, blobs, left, author));
    if (refused === undefined) return 'Pushed the state.';
    // Rejected although nothing was pushed meanwhile, so another attempt changes nothing.
    if (attempt === attempts || fetched(repository, branch) === tip) throw new Refusal(refused);
  }
}

function fetched({ git }, branch) {
  git(['fetch', '--quiet', '--no-tags', 'origin', `refs/heads/${branch}`]);
  return git(['rev-parse', 'FETCH_HEAD']);
}

/** Every path that almanac.yaml at the tip of the branch may mean: no artifact decides which file is overwritten. */
function statesAt({ tryGit }, tip, name) {
  for (const { at, path } of configPathsFrom(name)) {
    const text = tryGit(['show', `${tip}:${path}`]);
    if (text !== undefined) return statesIn(at, text);
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
function committed({ git }, tip, blobs, { commit, environment }, author) {
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
    return git([...identityOf(author), 'commit-tree', tree, '-p', tip, '-m', words]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function identityOf({ name, email }) {
  return ['-c', `user.name=${name}`, '-c', `user.email=${email}`];
}
