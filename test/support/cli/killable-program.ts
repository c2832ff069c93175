// The program as a process that kills itself at one of its effects. `killable-almanac.ts` is built once for a worker:
// processes that are killed by the hundred should start fast.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

interface Killed {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  /** What it reached, where it was not killed. */
  readonly points: readonly string[];
}

/** Without `killAt` it runs to its end. */
export async function runKillable(
  argv: readonly string[],
  { path, environment }: { readonly path: string; readonly environment: Readonly<Record<string, string>> },
  killAt = 0,
): Promise<Killed> {
  const kill = killAt === 0 ? {} : { KILL_AT: String(killAt) };
  const env = { PATH: process.env['PATH'] ?? '', ...environment, ...kill };
  const child = spawn(process.execPath, [await killableProgram(), ...argv], { cwd: path, env });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    said.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    said.stderr += chunk;
  });
  return new Promise((done) => {
    child.on('close', (code, signal) => {
      const points = JSON.parse(/^points: \d+ (.*)/m.exec(said.stderr)?.[1] ?? '[]') as string[];
      done({ code, signal, ...said, points });
    });
  });
}

/** The first and the last point of each kind, counted from 1. */
export function firstAndLast(points: readonly string[]): readonly number[] {
  const isTelling = (name: string, index: number) =>
    points.indexOf(name) === index || points.lastIndexOf(name) === index;
  return points.flatMap((name, index) => (isTelling(name, index) ? [index + 1] : []));
}

let program: Promise<string> | undefined;

/** The path of the program, which is there until this process ends. */
function killableProgram(): Promise<string> {
  program ??= buildProgram();
  return program;
}

async function buildProgram(): Promise<string> {
  const outdir = mkdtempSync(join(tmpdir(), 'almanac-killable-'));
  process.on('exit', () => rmSync(outdir, { recursive: true, force: true }));
  await build({
    entryPoints: ['test/support/killable-almanac.ts'],
    outdir,
    bundle: true,
    loader: { '.yml': 'text', '.md': 'text' },
    // A process reads only the chunks that it needs, like the program that is published.
    splitting: true,
    minify: true,
    outExtension: { '.js': '.mjs' },
    platform: 'node',
    format: 'esm',
    // The build takes it from here, because its folder has no packages.
    alias: { pg: resolve('node_modules/pg/lib/index.js') },
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);",
    },
  });
  return join(outdir, 'killable-almanac.mjs');
}
