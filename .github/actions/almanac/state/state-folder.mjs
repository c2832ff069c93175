// The folder in which one job leaves the state for another: the files under names that an artifact keeps, and a manifest
// that says where they belong and what the checked-out commit held there.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isCommit } from '../runner/event.mjs';
import { Refusal } from '../runner/inputs.mjs';

export const manifestName = 'manifest.json';
export const fileNames = [
  { name: 'state.json', ending: '' },
  { name: 'state.json.journal', ending: '.journal' },
];

const foreign = 'The input state-folder does not name a folder that an apply left.';

/**
 * `{ commit, environment, state, files: [{ path, before, content }] }`: `before` is the blob in that commit, `content` the path of the
 * file now, each undefined where there is none.
 */
export function readStateFolder(folder) {
  const manifest = parsed(join(folder, manifestName));
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

function parsed(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
