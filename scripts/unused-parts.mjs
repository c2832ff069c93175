// What bundled packages load when they start, and this program never uses.

import { readFileSync } from 'node:fs';

/** An esbuild plugin. */
export const unusedParts = {
  name: 'unused-parts',
  setup(build) {
    // commander starts commands that are programs of their own; there are none.
    build.onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      /[\\/]node_modules[\\/]commander[\\/]/.test(importer) ? { path: 'nothing', namespace: 'nothing' } : undefined,
    );
    build.onLoad({ filter: /./, namespace: 'nothing' }, () => ({ contents: 'module.exports = {};' }));
    // fdir looks for a picomatch around the program, which may be anyone's. tinyglobby has its own and hands it none.
    build.onLoad({ filter: /[\\/]node_modules[\\/]fdir[\\/]dist[\\/]index\.mjs$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const contents = text
        .replace('createRequire(import.meta.url)', 'undefined')
        .replace(/try \{\s*__require\.resolve\("picomatch"\);[^}]*\} catch \{[^}]*\}/, '');
      if (/import\.meta|"picomatch"/.test(contents)) throw new Error('fdir loads picomatch in another way: read it.');
      return { contents, loader: 'js' };
    });
  },
};
