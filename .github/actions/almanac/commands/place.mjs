// Where a workspace sends its requests and keeps its state: Almanac itself reads almanac.yaml.

import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parsed } from '../runner/json.mjs';
import { configPathsFrom, defaultState, statesIn } from '../runner/places.mjs';

/**
 * `place` is how Almanac names where the state is kept. Of a file, `state` is its path from `root`, a checkout, and `isFound`
 * says whether the job that pushes it will find it in almanac.yaml, where nothing but git runs. `files` are the paths of
 * states that nobody but Almanac may edit, also where another place is the current one. `settings` are the sections of
 * almanac.yaml that say what is refused, reported or left out, as far as they differ from the defaults. Undefined where
 * Almanac could not read almanac.yaml.
 */
export async function placeOf(root, run) {
  const config = configPathsFrom(run.folder.name).find(({ path }) => existsSync(join(root, path)));
  if (config === undefined) {
    const state = posix.join(run.folder.name, defaultState);
    return { isConfigured: false, baseUrl: null, place: state, state, files: [state], isFound: true, settings: {} };
  }
  // What almanac.yaml says, also where it is not what the job expects: the reviewer is then told of both.
  const env = { ALMANAC_STATE_PLACE: undefined };
  const cwd = join(root, config.at);
  const { stdout } = await run.almanac(['validate', '--format=json'], { capture: true, cwd, env });
  const workspace = parsed(stdout)?.workspace;
  if (typeof workspace?.state !== 'string') return undefined;
  const { baseUrl, safety, ignore, checks } = workspace;
  const settings = { safety, ignore, checks };
  if (workspace.backend !== undefined) {
    const files = [posix.join(config.at, defaultState)];
    return { isConfigured: true, baseUrl, place: workspace.state, state: undefined, files, isFound: true, settings };
  }
  const state = posix.join(config.at, workspace.state);
  const isFound = statesIn(config.at, readFileSync(join(root, config.path), 'utf8')).has(state);
  return { isConfigured: true, baseUrl, place: state, state, files: [state], isFound, settings };
}
