// The part of node:fs/promises that the state needs. Tests replace it with a failing disk.

import { mkdir, open, readFile, readlink, realpath, rename, stat, unlink } from 'node:fs/promises';

export interface OpenFile {
  writeFile(text: string): Promise<void>;
  sync(): Promise<void>;
  chmod(mode: number): Promise<void>;
  truncate(length: number): Promise<void>;
  close(): Promise<void>;
}

export interface FileSystem {
  open(path: string, flags: 'r' | 'wx'): Promise<OpenFile>;
  readFile(path: string): Promise<Uint8Array>;
  stat(path: string): Promise<{ readonly mode: number }>;
  realpath(path: string): Promise<string>;
  readlink(path: string): Promise<string>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  mkdir(path: string): Promise<void>;
}

export const realFileSystem: FileSystem = {
  open,
  readFile: (path) => readFile(path),
  stat,
  realpath: (path) => realpath(path),
  readlink: (path) => readlink(path),
  rename,
  unlink,
  mkdir: async (path) => {
    await mkdir(path, { recursive: true });
  },
};

/** A file's bytes; undefined if the file does not exist. */
export async function readIfThere(fs: FileSystem, path: string): Promise<Uint8Array | undefined> {
  try {
    return await fs.readFile(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

export async function unlinkIfThere(fs: FileSystem, path: string): Promise<void> {
  try {
    await fs.unlink(path);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}

/** The system's error code of a failed call, such as ENOENT. */
export function errnoOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

const words: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is exhausted',
  EROFS: 'the file system is read-only',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'part of the path is not a folder',
  EISDIR: 'it is a folder',
  ELOOP: 'its links form a loop',
  EIO: 'the disk reports an error',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
};

/** Why a call failed, as a clause. */
export function whyOf(error: unknown): string {
  const errno = errnoOf(error);
  if (errno === undefined) return error instanceof Error ? error.message : String(error);
  const known = words[errno];
  return known === undefined ? errno : `${known} (${errno})`;
}
