// Bundles the program, in a few files of code that is loaded together, and the library, in one file. Writes the licences
// of the bundled packages next to them.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { build } from 'esbuild';
import { billOfMaterials, bundledPackages, licenceNotices } from './bundled-packages.mjs';
import { toCommonJs } from './common-js.mjs';
import { gatherChunks } from './gather-chunks.mjs';
import { unusedParts } from './unused-parts.mjs';
import { withoutFacades } from './without-facades.mjs';

const common = {
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  minifySyntax: true,
  minifyWhitespace: true,
  metafile: true,
  define: { almanacBuild: JSON.stringify(digestOfSources()) },
  // Users install it themselves if they keep their state in PostgreSQL.
  external: ['postgres'],
  // Its Node build reads an environment variable for every token, which takes a seventh of the time of a plan.
  alias: { yaml: resolve('node_modules/yaml/browser/index.js') },
};

rmSync('dist', { recursive: true, force: true });
const program = await build({
  ...common,
  entryPoints: ['src/cli.ts'],
  splitting: true,
  write: false,
  outExtension: { '.js': '.cjs' },
  chunkNames: 'chunks/[name]-[hash]',
  plugins: [
    gatherChunks({
      start: ['src/process.ts', 'src/model/values/address.ts', 'src/model/fields/field.ts'],
      core: ['src/commands/plan/plan.ts', 'src/adapters/files/fs-workspace.ts', 'src/adapters/state/file-state.ts'],
      packages: ['cronstrue'],
    }),
    unusedParts,
  ],
});
const files = withoutFacades(new Map(program.outputFiles.map(({ path, text }) => [path, text])));
for (const [path, text] of files) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, await toCommonJs(text));
}
chmodSync('dist/cli.cjs', 0o755);
execFileSync(process.execPath, ['scripts/run.mjs', 'scripts/answers.ts'], { stdio: 'inherit' });
const library = await build({ ...common, entryPoints: ['src/index.ts'] });

const packages = bundledPackages([program.metafile, library.metafile]);
const bill = billOfMaterials(packages, readJson('package.json'), readJson('package-lock.json'));
writeFileSync('dist/THIRD-PARTY-LICENSES.txt', licenceNotices(packages));
writeFileSync('dist/sbom.cdx.json', `${JSON.stringify(bill, null, 2)}\n`);

function digestOfSources() {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => /\.[jt]s$/.test(file));
  const hash = createHash('sha256');
  for (const file of ['package-lock.json', ...files.sort().map((name) => `src/${name}`)])
    hash.update(readFileSync(file));
  return hash.digest('base64url');
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
