// Where a workspace sends its requests and keeps its state: Almanac itself reads almanac.yaml.

import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parsed } from '../runner/json.mjs';
import { configPathsFrom } from '../runner/places.mjs';

const defaultState = 'almanac.state.json';

/**
 * `place` is how Almanac names where the state is kept, and `file` its path from `root`, a checkout; undefined where the
 * state is shared. `settings` are the sections of almanac.yaml that say what is refused, reported or left out, as far as
 * they differ from the defaults. The whole is undefined where Almanac could not read almanac.yaml.
 */
export async function placeOf(root, run) {
  const config = configPathsFrom(run.folder.name).find(({ path }) => existsSync(join(root, path)));
  if (config === undefined) {
    const file = posix.join(run.folder.name, defaultState);
    return { isConfigured: false, baseUrl: null, place: file, file, settings: {} };
  }
  // What almanac.yaml says, also where it is not what the job expects: the reviewer is then told of both.
  const env = { ALMANAC_STATE_PLACE: undefined };
  const cwd = join(root, config.at);
  const { stdout } = await run.almanac(['validate', '--format=json'], { capture: true, cwd, env });
  const workspace = parsed(stdout)?.workspace;
  if (typeof workspace?.state !== 'string') return undefined;
  const { baseUrl, state, backend, safety, ignore, checks } = workspace;
  const file = backend === undefined ? posix.join(config.at, state) : undefined;
  return { isConfigured: true, baseUrl, place: file ?? state, file, settings: { safety, ignore, checks } };
}
