// Files that a user names: read once, or read and replaced as a whole.

import { mkdir, readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Failure } from '../model/workspace/failure.ts';
import { readIfThere, realFileSystem, whyOf, writeAtomically } from './file-system.ts';
import { refuseLinks } from './paths.ts';
import { decodeUtf8, hasMark, relativePath } from './read-source.ts';

/** With its byte order mark; undefined if the file does not exist. Throws Failure usage if it cannot be read, or is not UTF-8. */
export async function readDataFile(path: string, within?: string): Promise<string | undefined> {
  if (within !== undefined) refuseLinks(within, path, relativePath(within, path));
  const bytes = await readIfThere(realFileSystem, path).catch((error: unknown) => {
    throw new Failure('usage', `${path} cannot be read: ${whyOf(error)}.`, { cause: error });
  });
  if (bytes === undefined) return undefined;
  const decoded = decodeUtf8(bytes);
  if ('text' in decoded) return `${hasMark(bytes) ? '\uFEFF' : ''}${decoded.text}`;
  throw new Failure('usage', `${path} cannot be read: ${decoded.problem}.`, { hint: 'Save it as UTF-8.' });
}

/** Throws Failure usage if the file cannot be written. */
export async function writeDataFile(path: string, text: string, within?: string): Promise<void> {
  if (within !== undefined) refuseLinks(within, path, relativePath(within, path));
  const target = resolve(path);
  try {
    await mkdir(dirname(target), { recursive: true });
    await writeAtomically(realFileSystem, target, text);
  } catch (error) {
    throw new Failure('usage', `${path} cannot be written: ${whyOf(error)}.`, { cause: error });
  }
}

export async function readBytes(path: string | undefined): Promise<Uint8Array> {
  if (path === undefined) {
    const chunks: Buffer[] = [];
    for await (const chunk of process.stdin as AsyncIterable<Buffer>) chunks.push(chunk);
    return Buffer.concat(chunks);
  }
  try {
    return await readFile(path);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Failure('usage', `${path} cannot be read: ${why}.`, { cause });
  }
}
