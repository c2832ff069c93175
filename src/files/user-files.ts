// Files that a user names: read once, or read and replaced as a whole.

import { promises } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Failure } from '../model/workspace/failure.ts';
import { readIfThere, readRegular, realFileSystem, whyOf } from './file-system.ts';
import { refuseLinks } from './paths.ts';
import { decodeUtf8, hasMark, relativePath } from './read-source.ts';
import { writeAtomically } from './write-atomically.ts';

/** The text without its byte order mark. `name`: the path as users know it. Throws Failure usage, also if there is no such file. */
export async function readText(absolute: string, name: string): Promise<string> {
  return decodedText(await readRegular(realFileSystem, absolute).catch(refuse(name, 'read')), name);
}

function decodedText(bytes: Uint8Array, name: string): string {
  const decoded = decodeUtf8(bytes);
  if ('text' in decoded) return decoded.text;
  throw new Failure('usage', `${name} cannot be read: ${decoded.problem}.`, { hint: decoded.hint });
}

/** The text with its byte order mark; undefined without a file. Throws Failure usage if it is not readable UTF-8. */
export async function readDataFile(path: string, within?: string): Promise<string | undefined> {
  if (within !== undefined) refuseLinks(within, path, relativePath(within, path));
  const bytes = await readIfThere(realFileSystem, path).catch(refuse(path, 'read'));
  return bytes && `${hasMark(bytes) ? '\uFEFF' : ''}${decodedText(bytes, path)}`;
}

/** Throws Failure usage if the file cannot be written. */
export async function writeDataFile(path: string, text: string, within?: string): Promise<void> {
  if (within !== undefined) refuseLinks(within, path, relativePath(within, path));
  const target = resolve(path);
  await promises
    .mkdir(dirname(target), { recursive: true })
    .then(() => writeAtomically(realFileSystem, target, text))
    .catch(refuse(path, 'written'));
}

/** Reads the file, which may be a pipe, or the standard input. */
export async function readBytes(path: string | undefined): Promise<Uint8Array> {
  if (path !== undefined) return promises.readFile(path).catch(refuse(path, 'read'));
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Translates the error of a failed system call. */
export function refuse(path: string, done: 'read' | 'written'): (error: unknown) => never {
  return (error) => {
    throw new Failure('usage', `${path} cannot be ${done}: ${whyOf(error)}.`, { cause: error });
  };
}
