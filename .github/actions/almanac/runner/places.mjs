// Where a workspace keeps its files, as Almanac looks for them.

import { posix } from 'node:path';

const configNames = ['almanac.yaml', 'almanac.yml'];

/**
 * Where the almanac.yaml of a workspace may be, the nearest first: in its folder, and in those above it up to the checkout.
 * `at` is the folder, `path` the file, both from the checkout, which is `.`.
 */
export function configPathsFrom(name) {
  const folders = [];
  for (let folder = name; folder !== '.'; folder = posix.dirname(folder)) folders.push(folder);
  return [...folders, '.'].flatMap((at) => configNames.map((file) => ({ at, path: posix.join(at, file) })));
}
