// Where a workspace sends its requests and keeps its state: Almanac itself reads almanac.yaml.

import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parsed } from '../runner/json.mjs';
import { configPathsFrom, defaultState, statesIn } from '../runner/places.mjs';

/**
 * `state` is relative to `root`, a checkout, and `isFound` says whether the job that pushes it will find it in almanac.yaml,
 * where nothing but git runs. Undefined where Almanac could not read almanac.yaml.
 */
export async function placeOf(root, run) {
  const config = configPathsFrom(run.folder.name).find(({ path }) => existsSync(join(root, path)));
  if (config === undefined)
    return { isConfigured: false, baseUrl: null, state: posix.join(run.folder.name, defaultState), isFound: true };
  const { stdout } = await run.almanac(['validate', '--format=json'], { capture: true, cwd: join(root, config.at) });
  const workspace = parsed(stdout)?.workspace;
  if (typeof workspace?.state !== 'string') return undefined;
  const state = posix.join(config.at, workspace.state);
  const isFound = statesIn(config.at, readFileSync(join(root, config.path), 'utf8')).has(state);
  return { isConfigured: true, baseUrl: workspace.baseUrl, state, isFound };
}
