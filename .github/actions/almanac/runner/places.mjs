// Where a workspace keeps its files, as Almanac looks for them.

import { posix } from 'node:path';

const configNames = ['almanac.yaml', 'almanac.yml'];
export const defaultState = 'almanac.state.json';

/**
 * Where the almanac.yaml of a workspace may be, the nearest first: in its folder, and in those above it up to the checkout.
 * `at` is the folder, `path` the file, both from the checkout, which is `.`.
 */
export function configPathsFrom(name) {
  const folders = [];
  for (let folder = name; folder !== '.'; folder = posix.dirname(folder)) folders.push(folder);
  return [...folders, '.'].flatMap((at) => configNames.map((file) => ({ at, path: posix.join(at, file) })));
}

/** Every path of a state that almanac.yaml may mean: only Almanac itself reads which one it is. */
export function statesIn(at, text) {
  const named = [...text.matchAll(/\bpath["']?[ \t]*:[ \t]*(?=(.+))/g)].flatMap(([, rest]) => valuesIn(rest));
  const paths = [defaultState, ...named].map((path) => posix.join(at, path));
  return new Set(paths.filter((path) => !path.startsWith('../') && !posix.isAbsolute(path)));
}

/** The texts that YAML may read after a colon: quoted, up to a comment, or up to the end of an entry in braces. */
function valuesIn(rest) {
  const [, double, single] = /^(?:"([^"]*)"|'([^']*)')/.exec(rest) ?? [];
  const quoted = double ?? single;
  if (quoted !== undefined) return [quoted];
  const plain = rest.replace(/\s+#.*$/, '').trim();
  return [plain, plain.replace(/[,{}].*$/, '').trim()].filter((path) => path !== '');
}
