// Builds `killable-almanac.ts` once for a test file: processes that are killed by the hundred should start fast.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

let folder: Promise<string> | undefined;

/** The path of the program. Remove it when all tests of the file have ended. */
export async function killableProgram(): Promise<string> {
  folder ??= buildInto(mkdtempSync(join(tmpdir(), 'almanac-killable-')));
  return join(await folder, 'killable-almanac.mjs');
}

export async function removeKillableProgram(): Promise<void> {
  if (folder !== undefined) rmSync(await folder, { recursive: true, force: true });
  folder = undefined;
}

async function buildInto(outdir: string): Promise<string> {
  await build({
    entryPoints: ['test/support/killable-almanac.ts'],
    outdir,
    bundle: true,
    // A process reads only the chunks that it needs, like the program that is published.
    splitting: true,
    minify: true,
    outExtension: { '.js': '.mjs' },
    platform: 'node',
    format: 'esm',
    // The build takes it from here, because its folder has no packages.
    alias: { postgres: resolve('node_modules/postgres/src/index.js') },
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);",
    },
  });
  return outdir;
}
