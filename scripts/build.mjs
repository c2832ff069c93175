// Bundles the program in its parts, its start, its packages and the library. With `--executable`, all of the program
// becomes one file, from which executable.mjs makes the executable. The licences of the bundled packages are written
// next to them.

import { createHash } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { build } from 'esbuild';
import { makeExecutable } from './executable.mjs';
import { licenceNotices } from './licence-notices.mjs';
import { partsOf } from './parts.mjs';

const common = {
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  minifySyntax: true,
  minifyWhitespace: true,
  metafile: true,
  loader: { '.yml': 'text', '.md': 'text' },
  define: { almanacBuild: JSON.stringify(digestOfSources()), almanacIsExecutable: 'false' },
  // Users install it themselves if they keep their state in PostgreSQL.
  external: ['pg'],
  alias: {
    // Its Node build reads an environment variable for every token, which takes a seventh of the time of a plan.
    yaml: resolve('node_modules/yaml/browser/index.js'),
    // The other form loads a picomatch from around the program, which may be anyone's; this one, the picomatch of the bundle.
    fdir: resolve('node_modules/fdir/dist/index.cjs'),
  },
};

/**
 * V8 reads all of a file when it loads it. A run without findings and edits needs no yaml, an offline one no undici, one that
 * shows no schedule no cronstrue, and one of a company whose domain ends with .com no tldts.
 */
const ofTheirOwn = {
  cronstrue: 'node_modules/cronstrue/dist/cronstrue.js',
  tldts: 'node_modules/tldts/dist/es6/index.js',
  undici: 'node_modules/undici/index.js',
  yaml: 'node_modules/yaml/browser/index.js',
};

const asProgram = {
  ...common,
  format: 'cjs',
  // Few runs need a schema.
  external: [...common.external, './schemas/*'],
  outExtension: { '.js': '.cjs' },
  // Code that is kept cannot import a package that a user installs; it can require one.
  supported: { 'dynamic-import': false },
  // With a character that is not ASCII, the text takes twice the memory and longer to read.
  charset: 'ascii',
  legalComments: 'external',
  plugins: [withoutPrograms()],
};

if (process.argv[2] === '--executable') {
  const define = { ...common.define, almanacIsExecutable: 'true' };
  // pg is inside; what it looks for beside it is another way to the same.
  await makeExecutable({ ...asProgram, define, external: ['pg-native'] });
} else await buildPackage();

async function buildPackage() {
  rmSync('dist', { recursive: true, force: true });
  const plugins = [...asProgram.plugins, besideTheProgram(Object.keys(ofTheirOwn))];
  const parts = await partsOf({ ...asProgram, plugins });
  const program = await Promise.all([
    build({ ...asProgram, entryPoints: { cli: 'src/cli.ts' }, plugins }),
    // A stack that somebody sends us needs the names of our code, and not those of packages.
    build({ ...asProgram, entryPoints: ofTheirOwn, plugins, minifyIdentifiers: true }),
    ...parts.map(({ entryPoints, plugin }) => build({ ...asProgram, entryPoints, plugins: [plugin, ...plugins] })),
  ]);
  chmodSync('dist/cli.cjs', 0o755);
  const library = await build({ ...common, entryPoints: ['src/index.ts'] });

  const metafiles = [...program, library].map(({ metafile }) => metafile);
  writeFileSync('dist/THIRD-PARTY-LICENSES.txt', licenceNotices(metafiles));
}

/** An esbuild plugin: these packages are required as files of their own. */
function besideTheProgram(names) {
  return {
    name: 'beside-the-program',
    setup: ({ onResolve }) => {
      onResolve({ filter: new RegExp(`^(?:${names.join('|')})$`) }, ({ path }) => ({
        path: `./${path}.cjs`,
        external: true,
      }));
    },
  };
}

/** An esbuild plugin: commander loads what starts commands that are programs of their own, and Almanac has none. */
function withoutPrograms() {
  return {
    name: 'without-programs',
    setup: ({ onLoad, onResolve }) => {
      onResolve({ filter: /^node:child_process$/ }, ({ path, importer }) =>
        /[/\\]commander[/\\]/.test(importer) ? { path, namespace: 'without-programs' } : undefined,
      );
      onLoad({ filter: /^/, namespace: 'without-programs' }, () => ({ contents: '' }));
    },
  };
}

function digestOfSources() {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(?:[jt]s|yml|md)$/.test(file),
  );
  const hash = createHash('sha256');
  for (const file of ['package-lock.json', ...files.sort().map((name) => `src/${name}`)])
    hash.update(readFileSync(file));
  return hash.digest('base64url');
}
