// The state of a workspace as files that go from the job that applies to the job that pushes. Where the state belongs in
// the repository is worked out in each of the two jobs: the one that applies cannot choose a file for the other.

import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { Refusal } from '../.github/actions/almanac/runner/inputs.mjs';
import { configNames, defaultState, foldersUpFrom } from '../.github/actions/almanac/runner/places.mjs';
import { runGit } from './git.mjs';
import { runAlmanac } from './job.mjs';

const folderName = 'almanac-state';
const commitFile = 'commit';

/** The state and the journal that belongs to it, each with its name in the folder, from the root of the checkout. */
async function filesOf(place) {
  const { stdout } = await runAlmanac(place, ['validate', '--format=json'], { capture: true });
  const state = resolve(place.folder.path, stateIn(stdout) ?? stateWithoutConfig(place.folder));
  const path = relative(place.folder.checkout, state).split(sep).join('/');
  if (path.startsWith('../') || path.split('/').includes('.git') || !path.endsWith('.json'))
    throw new Refusal('The state is not a .json file in the repository, so it cannot be pushed.');
  return [
    { name: 'state.json', path },
    { name: 'journal', path: `${path}.journal` },
  ];
}

function stateIn(text) {
  try {
    return JSON.parse(text).workspace?.state;
  } catch {
    return undefined;
  }
}

/** almanac names none where there is no almanac.yaml, and where it has errors. */
function stateWithoutConfig({ checkout, name }) {
  const configs = foldersUpFrom(name).flatMap((up) => configNames.map((config) => join(checkout, up, config)));
  if (configs.some((path) => existsSync(path)))
    throw new Refusal('almanac.yaml has errors, so it does not say where the state is.');
  return defaultState;
}

/** Keeps the state, the journal that a killed run leaves, and the commit that they were made from. */
export async function keepState(place) {
  const { checkout } = place.folder;
  const folder = join(checkout, folderName);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const { name, path } of await filesOf(place))
    if (existsSync(join(checkout, path))) copyFileSync(join(checkout, path), join(folder, name));
  writeFileSync(join(folder, commitFile), `${runGit(checkout, ['rev-parse', 'HEAD'])}\n`);
}

/** What keepState kept: the commit, and where each file is now and belongs. Undefined where no apply ran. */
export async function keptState(place) {
  const folder = join(place.folder.checkout, folderName);
  if (!existsSync(join(folder, commitFile))) return undefined;
  const commit = readFileSync(join(folder, commitFile), 'utf8').trim();
  if (!/^[0-9a-f]{40,64}$/.test(commit)) throw new Refusal(`${folderName}/${commitFile} does not hold a commit.`);
  // The state has the place that the configuration of that commit gives it, whatever was merged since.
  runGit(place.folder.checkout, ['checkout', '--quiet', '--force', '--detach', commit]);
  const files = (await filesOf(place)).map(({ name, path }) => ({ kept: join(folder, name), path }));
  return { commit, files };
}
