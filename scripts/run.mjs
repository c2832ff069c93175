// Runs a TypeScript file of this repository under plain Node 20. That Node has no type stripping: esbuild bundles the
// repository's own sources into one file next to the script, and packages stay external.
import { rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const [entry, ...args] = process.argv.slice(2);
const outfile = join(dirname(entry), `.run-${process.pid}.mjs`);
try {
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    loader: { '.md': 'text' },
  });
  process.argv = [process.argv[0], entry, ...args];
  await import(pathToFileURL(resolve(outfile)).href);
} finally {
  await rm(outfile, { force: true });
}
