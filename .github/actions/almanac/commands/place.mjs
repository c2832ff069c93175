// Where a workspace sends its requests and keeps its state: Almanac itself reads almanac.yaml.

import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parsed } from '../runner/json.mjs';
import { configPathsFrom, defaultState } from '../runner/places.mjs';

/** `state` is relative to `root`, a checkout. Undefined where Almanac could not read almanac.yaml. */
export async function placeOf(root, run) {
  const config = configPathsFrom(run.folder.name).find(({ path }) => existsSync(join(root, path)));
  if (config === undefined)
    return { isConfigured: false, baseUrl: null, state: posix.join(run.folder.name, defaultState) };
  const { stdout } = await run.almanac(['validate', '--format=json'], { capture: true, cwd: join(root, config.at) });
  const workspace = parsed(stdout)?.workspace;
  if (typeof workspace?.state !== 'string') return undefined;
  return { isConfigured: true, baseUrl: workspace.baseUrl, state: posix.join(config.at, workspace.state) };
}
