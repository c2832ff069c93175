// Writes a file completely or not at all: writes and fsyncs a temporary file next to it, renames it over the old one,
// and fsyncs the folder. A symlink stays a link; its target is replaced. With `replacesLink` the link itself is.

import { randomUUID } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { errnoOf, type FileSystem, isLink, notRegular, type OpenFile, unlinkIfThere } from './file-system.ts';

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
  /** Called after `put`. */
  sync(): Promise<void>;
  /** Called in place of `put`. */
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
  const temporaryPath = `${target}.${randomUUID()}.tmp`;
  const mode = await modeOf(fs, target);
  // The mode of what a link leads to is not that of the link.
  const keptMode = isReplaced ? undefined : mode;
  await createFile(fs, temporaryPath, text, { mode: keptMode ?? (isPrivate ? ownerOnly : undefined) });
  return {
    put: () => fs.rename(temporaryPath, target),
    sync: () => syncFolder(fs, dirname(target)),
    drop: () => unlinkIfThere(fs, temporaryPath),
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
