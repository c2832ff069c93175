// A file that is read once and replaced as a whole: what the emulator keeps, and what is written for users.

import { mkdir, readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Failure } from '../../model/workspace/failure.ts';
import { writeAtomically } from './atomic-write.ts';
import { errnoOf, realFileSystem, whyOf } from './file-system.ts';

/** Undefined where it isn't there. Throws Failure usage where it can't be read. */
export async function readDataFile(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw new Failure('usage', `${path} can not be read: ${whyOf(error)}.`, { cause: error });
  }
}

/** Throws Failure usage where it can't be written. */
export async function writeDataFile(path: string, text: string): Promise<void> {
  const target = resolve(path);
  try {
    await mkdir(dirname(target), { recursive: true });
    await writeAtomically(realFileSystem, target, text);
  } catch (error) {
    throw new Failure('usage', `${path} can not be written: ${whyOf(error)}.`, { cause: error });
  }
}
