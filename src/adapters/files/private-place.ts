// Which files and folders are the user's own, so that what is kept there can be believed: nobody else can have put it there.
// This file imports nothing of the program, because every run starts with it.

import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** The number of the user who runs the program; undefined where files have no owners, and so none that is somebody else's. */
export type User = number | undefined;

/** What others must not be allowed to do: the bits of a mode. */
export const toWrite = 0o022;
export const toEnter = 0o077;

interface Owned {
  readonly uid: number;
  readonly mode: number;
}

const isOwn = ({ uid, mode }: Owned, user: User, refused: number) =>
  user === undefined || (uid === user && (mode & refused) === 0);

/** Whether it is a folder of the user, and no link to one, in which others may not do what is refused to them. */
export function isOwnFolder(folder: string, user: User, refused: number): boolean {
  const stats = lstatSync(folder);
  return stats.isDirectory() && isOwn(stats, user, refused);
}

/** With sudo, HOME may be that of somebody else, who could not remove what is put there. */
export function mayMakeFolder(folder: string, user: User): boolean {
  const { uid } = statSync(nearestFolder(dirname(folder)));
  return user === undefined || uid === user || uid === 0;
}

/** The folder itself if it exists, or the first one above it that does. */
export function nearestFolder(folder: string): string {
  return existsSync(folder) || folder === dirname(folder) ? folder : nearestFolder(dirname(folder));
}

/**
 * Makes a folder, with those above it, that only the user can enter. Returns whether it is new. Node's own `recursive` never
 * ends where the system answers "no such file" for a new name in a folder that exists, as it does below /proc and where
 * homes are mounted on demand.
 */
export function makeFolders(folder: string): boolean {
  if (existsSync(folder)) return false;
  makeFolders(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    // Another run may have made it meanwhile.
    if (existsSync(folder)) return false;
    throw error;
  }
}

/** Undefined for what cannot be read, is not a file of the user or is larger. Does not wait for the writer of a pipe. */
export function readOwnFile(path: string, user: User, refused: number, mostBytes: number): Buffer | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stats = fstatSync(file);
    return stats.isFile() && isOwn(stats, user, refused) && stats.size <= mostBytes ? readFileSync(file) : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
