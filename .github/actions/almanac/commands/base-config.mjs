// The almanac.yaml of the base branch as a file, so that Almanac itself can read it. A code host's API or git gives its text.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { configPathsFrom } from '../runner/places.mjs';

/** Of the workspace with that name; `read` resolves to the text of a path in the base branch, undefined if it has none. */
export async function writeBaseConfig(folder, name, read) {
  for (const { path } of configPathsFrom(name)) {
    const text = await read(path);
    if (text === undefined) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
    return;
  }
}
