// The folder in which one job leaves the state for another: the files under names that an artifact keeps, and a manifest
// that says where they belong and what the checked-out commit held there.

import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isCommit } from '../runner/event.mjs';
import { headOf, openGit } from '../runner/git.mjs';
import { Refusal } from '../runner/inputs.mjs';
import { readJson } from '../runner/json.mjs';

const manifestName = 'manifest.json';
const fileNames = [
  { name: 'state.json', ending: '' },
  { name: 'state.json.journal', ending: '.journal' },
];

const foreign = 'The input state-folder does not name a folder that an apply left.';

/**
 * Copies the state at `path` of the checkout and the journal of a killed run. False if no commit is checked out, so that
 * there is nowhere to push them.
 */
export function leaveState(folder, { checkout, path, environment }) {
  const commit = headOf(checkout);
  if (commit === undefined) return false;
  const { tryGit } = openGit(checkout);
  const files = fileNames.map(({ name, ending }) => {
    const file = `${path}${ending}`;
    if (existsSync(join(checkout, file))) copyFileSync(join(checkout, file), join(folder, name));
    return { name, path: file, before: tryGit(['rev-parse', '--verify', '--quiet', `${commit}:${file}`]) ?? null };
  });
  const manifest = { version: 1, commit, environment, files };
  writeFileSync(join(folder, manifestName), `${JSON.stringify(manifest, null, 2)}\n`);
  return true;
}

/**
 * `{ commit, environment, state, files: [{ path, before, content }] }`: `before` is the blob in that commit, `content` the
 * path of the file now, each undefined where there is none.
 */
export function readStateFolder(folder) {
  const manifest = readJson(join(folder, manifestName));
  const { version, commit, environment, files } = manifest ?? {};
  const isWhole =
    version === 1 && isCommit(commit) && typeof environment === 'string' && files?.length === fileNames.length;
  if (!isWhole) throw new Refusal(foreign);
  const state = files[0]?.path;
  return {
    commit,
    environment,
    state,
    files: fileNames.map(({ name, ending }, at) => {
      const { name: named, path, before } = files[at] ?? {};
      if (typeof state !== 'string' || named !== name || path !== `${state}${ending}`) throw new Refusal(foreign);
      if (before !== null && !isCommit(before)) throw new Refusal(foreign);
      const content = join(folder, name);
      return { path, before: before ?? undefined, content: existsSync(content) ? content : undefined };
    }),
  };
}
