// Where a workspace sends its requests and keeps its state: Almanac itself reads almanac.yaml.

import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { configNames, defaultState, foldersUpFrom } from '../runner/places.mjs';

/** `state` is relative to `root`, a checkout. Undefined where Almanac could not read almanac.yaml. */
export async function placeOf(root, run) {
  const at = foldersUpFrom(run.folder.name).find((name) =>
    configNames.some((file) => existsSync(join(root, name, file))),
  );
  if (at === undefined) return { isConfigured: false, baseUrl: null, state: posix.join(run.folder.name, defaultState) };
  const { stdout } = await run.almanac(['validate', '--format=json'], { capture: true, cwd: join(root, at) });
  try {
    const { workspace } = JSON.parse(stdout);
    if (typeof workspace?.state !== 'string') return undefined;
    return { isConfigured: true, baseUrl: workspace.baseUrl, state: posix.join(at, workspace.state) };
  } catch {
    return undefined;
  }
}
