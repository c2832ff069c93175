// The part of the file system that the state needs. Tests replace it with a failing disk.
//
// What only reads does not wait for a thread of Node: that and the module for it take longer than to read a few small files.
// Node loads that module when `promises` is first asked for.

import { randomUUID } from 'node:crypto';
import { promises, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

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
export const largest = 250_000_000;

/**
 * A file's bytes. Refuses what is not a regular file (a pipe would wait forever, a device never ends) and what is larger
 * than 250 MB.
 */
export async function readRegular(fs: FileSystem, path: string): Promise<Uint8Array> {
  const fault = faultOf(await fs.stat(path));
  if (fault !== undefined) throw new Error(fault);
  return fs.readFile(path);
}

/** As `readRegular`, at once. */
export function readRegularNow(path: string): Buffer {
  const fault = faultOf(statSync(path));
  if (fault !== undefined) throw new Error(fault);
  return readFileSync(path);
}

/** As `readRegular`; undefined if the file does not exist. */
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
  if (stats.size <= largest) return undefined;
  return `it has ${Math.round(stats.size / 1e6)} MB; the limit is ${largest / 1e6} MB`;
}

export async function unlinkIfThere(fs: FileSystem, path: string): Promise<void> {
  try {
    await fs.unlink(path);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}

/** Also one whose target does not exist. */
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

/** Why a call failed, as a clause. */
export function whyOf(error: unknown): string {
  const errno = errnoOf(error);
  if (errno === undefined && 'pnp' in process.versions)
    return "Yarn's Plug'n'Play does not offer what Almanac needs to write safely; set `nodeLinker: node-modules` in .yarnrc.yml";
  if (errno === undefined) return error instanceof Error ? error.message : String(error);
  const known = words[errno];
  return known === undefined ? errno : `${known} (${errno})`;
}

// Writes a file completely or not at all: writes and fsyncs a temporary file next to it, renames it over the old one,
// and fsyncs the folder. A symlink stays a link; its target is replaced. With `replacesLink` the link itself is.

/** The mode of files that name recipients, hosts and accounts. */
export const ownerOnly = 0o600;

interface WriteOptions {
  readonly isPrivate?: boolean;
  readonly replacesLink?: boolean;
}

/**
 * Keeps the mode of an existing file. Throws the system's error, or what `check` throws at the last moment; in that case the
 * old file is unchanged and no temporary file is left.
 */
export async function writeAtomically(
  fs: FileSystem,
  path: string,
  text: string,
  { check, ...options }: WriteOptions & { readonly check?: () => void } = {},
): Promise<void> {
  const prepared = await prepareFile(fs, path, text, options);
  try {
    check?.();
    await prepared.put();
  } catch (error) {
    await prepared.drop();
    throw error;
  }
  await prepared.sync();
}

/** A durable file beside the one whose place it takes. */
interface PreparedFile {
  put(): Promise<void>;
  /** After `put`. */
  sync(): Promise<void>;
  /** In place of `put`. */
  drop(): Promise<void>;
}

export async function prepareFile(
  fs: FileSystem,
  path: string,
  text: string,
  { isPrivate = false, replacesLink = false }: WriteOptions = {},
): Promise<PreparedFile> {
  const isReplaced = replacesLink && (await isLink(fs, path));
  const target = isReplaced ? path : await targetOf(fs, path);
  const beside = `${target}.${randomUUID()}.tmp`;
  const mode = await modeOf(fs, target);
  // The mode of what a link leads to is not that of the link.
  const kept = isReplaced ? undefined : mode;
  await createFile(fs, beside, text, { mode: kept ?? (isPrivate ? ownerOnly : undefined) });
  return {
    put: () => fs.rename(beside, target),
    sync: () => syncFolder(fs, dirname(target)),
    drop: () => unlinkIfThere(fs, beside),
  };
}

/** Creates a durable file; only its folder entry is not synced. EEXIST if it exists. An error leaves no file. */
export async function createFile(
  fs: FileSystem,
  path: string,
  text: string,
  options: { readonly mode?: number | undefined } = {},
): Promise<void> {
  const file = await fs.open(path, 'wx');
  try {
    if (options.mode !== undefined) await setMode(file, options.mode);
    await file.writeFile(text);
    await file.sync();
    await file.close();
  } catch (error) {
    await file.close().catch(ignore);
    await fs.unlink(path).catch(ignore);
    throw error;
  }
}

/** A file system without modes leaves the file as it is. */
export async function setMode(file: OpenFile, mode: number): Promise<void> {
  await file.chmod(mode).catch((error: unknown) => {
    if (!modesNotKept.has(errnoOf(error) ?? '')) throw error;
  });
}

const modesNotKept = new Set(['EPERM', 'EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** Makes a new folder entry durable, on systems that can do that. */
export async function syncFolder(fs: FileSystem, path: string): Promise<void> {
  try {
    const folder = await fs.open(path, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  } catch (error) {
    if (!foldersNotSynced.has(errnoOf(error) ?? '')) throw error;
  }
}

const foldersNotSynced = new Set(['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP', 'ENOSYS']);

/** The path after following its links. The target of the last link may not exist yet. */
export async function targetOf(fs: FileSystem, path: string): Promise<string> {
  try {
    return await fs.realpath(path);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
  try {
    return await targetOf(fs, resolve(dirname(path), await fs.readlink(path)));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'EINVAL') return path;
    throw error;
  }
}

async function modeOf(fs: FileSystem, path: string): Promise<number | undefined> {
  try {
    const stats = await fs.stat(path);
    if (!stats.isFile() && !stats.isDirectory()) throw new Error(notRegular);
    return stats.mode & 0o7777;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function ignore(): void {}
