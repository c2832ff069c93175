// A file that is read once and replaced as a whole: what the emulator keeps.

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { writeAtomically } from './atomic-write.ts';
import { errnoOf, realFileSystem } from './file-system.ts';

/** Undefined where it isn't there. */
export async function readDataFile(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

export async function writeDataFile(path: string, text: string): Promise<void> {
  await writeAtomically(realFileSystem, resolve(path), text);
}
