// Programs of other people, used where they are installed: found on PATH or named by a variable, never downloaded.

import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, readFile, realpath } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

export interface Peer {
  readonly path: string;
  readonly version: string;
}

/** `variable` may name the program. */
export async function findPeer(program: string, variable: string): Promise<Peer | undefined> {
  const path = process.env[variable] ?? (await findProgram(program));
  return path === undefined ? undefined : { path, version: await versionOf(path) };
}

export async function findProgram(name: string): Promise<string | undefined> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, name);
    if (await access(path, constants.X_OK).then(...bothWays)) return path;
  }
  return undefined;
}

const bothWays = [() => true, () => false] as const;

/** Of its package, or as it says itself. */
async function versionOf(path: string): Promise<string> {
  const manifest = join(dirname(dirname(await realpath(path))), 'package.json');
  const text = await readFile(manifest, 'utf8').catch(() => undefined);
  if (text !== undefined) return String((JSON.parse(text) as { readonly version?: unknown }).version ?? '');
  const { stdout } = await promisify(execFile)(path, ['--version']);
  return /\d+\.\d+\.\d+/.exec(stdout)?.[0] ?? '';
}
