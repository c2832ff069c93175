// The part of the file system that the state needs. Tests replace it with a failing disk.
//
// What only reads does not wait for a thread of Node: that and the module for it take longer than to read a few small files.
// Node loads that module when `promises` is first asked for.

import { promises, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';

export interface OpenFile {
  writeFile(text: string): Promise<void>;
  sync(): Promise<void>;
  chmod(mode: number): Promise<void>;
  truncate(length: number): Promise<void>;
  close(): Promise<void>;
}

interface FileStats {
  readonly mode: number;
  readonly size: number;
  readonly mtimeMs: number;
  isFile(): boolean;
  isDirectory(): boolean;
}

export interface FileSystem {
  open(path: string, flags: 'r' | 'wx'): Promise<OpenFile>;
  readFile(path: string): Promise<Uint8Array>;
  stat(path: string): Promise<FileStats>;
  realpath(path: string): Promise<string>;
  readlink(path: string): Promise<string>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  mkdir(path: string): Promise<void>;
  rmdir(path: string): Promise<void>;
}

export const realFileSystem: FileSystem = {
  open: (path, flags) => promises.open(path, flags),
  readFile: async (path) => readFileSync(path),
  stat: async (path) => statSync(path),
  realpath: async (path) => realpathSync.native(path),
  readlink: async (path) => readlinkSync(path),
  rename: (from, to) => promises.rename(from, to),
  unlink: (path) => promises.unlink(path),
  mkdir: async (path) => {
    await promises.mkdir(path, { recursive: true });
  },
  rmdir: (path) => promises.rmdir(path),
};

/** More than a state or plan of 100,000 schedules, and less than the longest text that Node can hold. */
export const largestFile = 250_000_000;

/**
 * A file's bytes. Refuses what is not a regular file (a pipe would wait forever, a device never ends) and what is larger
 * than 250 MB.
 */
export async function readRegular(fs: FileSystem, path: string): Promise<Uint8Array> {
  const fault = faultOf(await fs.stat(path));
  if (fault !== undefined) throw new Error(fault);
  return fs.readFile(path);
}

/** Does the same as `readRegular`, at once. */
export function readRegularNow(path: string): Buffer {
  const fault = faultOf(statSync(path));
  if (fault !== undefined) throw new Error(fault);
  return readFileSync(path);
}

/** Does the same as `readRegular`; returns undefined if the file does not exist. */
export async function readIfThere(fs: FileSystem, path: string): Promise<Uint8Array | undefined> {
  try {
    return await readRegular(fs, path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

export const notRegular = 'it is not a regular file';

/** A folder has no fault here: reading it fails with the system's own words. */
function faultOf(stats: FileStats): string | undefined {
  if (!stats.isFile() && !stats.isDirectory()) return notRegular;
  if (stats.size <= largestFile) return undefined;
  return `it has ${Math.round(stats.size / 1e6)} MB; the limit is ${largestFile / 1e6} MB`;
}

export async function unlinkIfThere(fs: FileSystem, path: string): Promise<void> {
  try {
    await fs.unlink(path);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}

/** True even for a link whose target does not exist. */
export function isLink(fs: FileSystem, path: string): Promise<boolean> {
  return fs.readlink(path).then(
    () => true,
    () => false,
  );
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
  ENOTEMPTY: 'it is a folder that is not empty',
  ELOOP: 'its links form a loop',
  EIO: 'the disk reports an error',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
};

/** The reason why a call failed, as a clause. */
export function whyOf(error: unknown): string {
  const errno = errnoOf(error);
  if (errno === undefined && 'pnp' in process.versions)
    return "Yarn's Plug'n'Play does not offer what Almanac needs to write safely; set `nodeLinker: node-modules` in .yarnrc.yml";
  if (errno === undefined) return error instanceof Error ? error.message : String(error);
  const known = words[errno];
  return known === undefined ? errno : `${known} (${errno})`;
}
