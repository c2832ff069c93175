// Decides how the program is cut into files. esbuild makes a chunk for each set of modules that the same entries need, which
// is a hundred small ones for a plan, and Node takes longer to find and link a file than to compile code that is not
// called. So modules that are loaded together are made one set: every entry that the program imports later needs what
// the program starts with, which is there by then, and the code of every command needs all that most commands need.

import { dirname, resolve } from 'node:path';

/** Declares the options of a command, which help and completion need without its code. */
const optionsOfCommand = /\/command\.ts$/;

/**
 * An esbuild plugin. `start` and `core` are lists of modules: each of the two becomes one chunk, with what it imports.
 * `packages` are those of which the program imports the default export later.
 */
export function gatherChunks({ start, core, packages }) {
  const gathered = { start, core };
  const isStart = (path) => start.some((module) => resolve(module) === path);
  return {
    name: 'gather-chunks',
    setup(build) {
      build.onResolve({ filter: /./ }, ({ kind, path, resolveDir }) => {
        if (kind !== 'dynamic-import') return undefined;
        if (path.startsWith('.')) return { path: resolve(resolveDir, path), namespace: 'later' };
        return packages.includes(path) ? { path, namespace: 'later', pluginData: resolveDir } : undefined;
      });
      build.onLoad({ filter: /./, namespace: 'later' }, ({ path, pluginData: resolveDir = dirname(path) }) => ({
        contents: `import 'gathered:start';
          ${optionsOfCommand.test(path) || isStart(path) ? '' : "import 'gathered:core';"}
          export ${packages.includes(path) ? '{ default }' : '*'} from ${JSON.stringify(path)};`,
        resolveDir,
      }));
      build.onResolve({ filter: /^gathered:/ }, ({ path }) => ({
        path: path.slice('gathered:'.length),
        namespace: 'gathered',
      }));
      build.onLoad({ filter: /./, namespace: 'gathered' }, ({ path }) => ({
        contents: gathered[path].map((module) => `import ${JSON.stringify(resolve(module))};`).join('\n'),
        resolveDir: '.',
      }));
    },
  };
}
