// Keeps V8's compiled code of the program between runs, in a folder of the user's cache that only the user can write.

import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { Script } from 'node:vm';

type Environment = Readonly<Record<string, string | undefined>>;

/** What others must not be allowed to do: the bits of a mode. */
const toWrite = 0o022;
const toEnter = 0o077;

/** Whether it is the user's, and grants nobody else what is refused. */
function isOwn({ uid, mode }: Stats, refused: number): boolean {
  return uid === process.geteuid?.() && (mode & refused) === 0;
}

/** Whether it is a folder of the user, and no link to one, in which others may not do what is refused to them. */
function isOwnFolder(folder: string, refused: number): boolean {
  const stats = lstatSync(folder);
  return stats.isDirectory() && isOwn(stats, refused);
}

/** With sudo, HOME may be that of somebody else, who could not remove what is put there. */
function mayMakeFolder(folder: string): boolean {
  const { uid } = statSync(nearestFolder(dirname(folder)));
  return uid === process.geteuid?.() || uid === 0;
}

/** The folder itself if it exists, or the first one above it that does. */
function nearestFolder(folder: string): string {
  return existsSync(folder) || folder === dirname(folder) ? folder : nearestFolder(dirname(folder));
}

/**
 * Makes a folder, with those above it, that only the user can enter. Returns whether it is new. Node's own `recursive` never
 * ends where the system answers "no such file" for a new name in a folder that exists, as it does below /proc and where
 * homes are mounted on demand.
 */
function makeFolders(folder: string): boolean {
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
function readOwnFile(path: string): Buffer | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stats = fstatSync(file);
    return stats.isFile() && isOwn(stats, toEnter) && stats.size <= mostBytes ? readFileSync(file) : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** XDG_CACHE_HOME counts only if it is absolute. Undefined if there is no home folder either. */
export function cacheFolder({
  XDG_CACHE_HOME: given = '',
  HOME: home = homeOrNone(),
}: Environment): string | undefined {
  if (isAbsolute(given)) return join(given, 'almanac');
  return isAbsolute(home) ? join(home, '.cache', 'almanac') : undefined;
}

/** A container may run as a user whom its system does not know. */
function homeOrNone(): string {
  try {
    return homedir();
  } catch {
    return '';
  }
}

/** A folder for each program that was installed. */
const mostBuilds = 4;

/** Made if it is missing. Undefined: no code may be kept, because something is unusual about the folder. */
export function codeFolder(
  cache: string | undefined,
  build: string,
  { NODE_DISABLE_COMPILE_CACHE: isOff = '' }: Environment,
): string | undefined {
  // A system without owners cannot say who wrote a file.
  if (cache === undefined || process.geteuid === undefined || isOff !== '') return undefined;
  const compiled = join(cache, 'compiled');
  const folder = join(compiled, build);
  try {
    if (isInRepository(nearestFolder(folder)) || !mayMakeFolder(folder)) return undefined;
    const isNew = makeFolders(folder);
    if (!isOwnFolder(cache, toWrite)) return undefined;
    if (![compiled, folder].every((path) => isOwnFolder(path, toEnter))) return undefined;
    if (isNew) removeOldest(compiled, mostBuilds);
    return folder;
  } catch {
    // It cannot be made or read.
    return undefined;
  }
}

/** What git writes when it checks a repository out is not private, but it may be the user's own. */
function isInRepository(folder: string): boolean {
  for (let above = realpathSync(folder); ; above = dirname(above)) {
    if (existsSync(join(above, '.git'))) return true;
    if (above === dirname(above)) return false;
  }
}

/** Keeps what was written last. */
function removeOldest(folder: string, most: number): void {
  const names = readdirSync(folder);
  if (names.length <= most) return;
  const written = names.map((name) => {
    const path = join(folder, name);
    return { path, at: lstatSync(path).mtimeMs };
  });
  const oldest = written.sort((a, b) => b.at - a.at).slice(most);
  for (const { path } of oldest) rmSync(path, { recursive: true, force: true });
}

/** One for each command that a user calls, for a few versions of Node. */
const mostEntries = 12;
const mostBytes = 20_000_000;
const digestBytes = 32;
const interrupted = 128;

const head = '(function(exports,require,module,__filename,__dirname){';
const foot = '\n})';

/** `folder` is one that only the user can enter. `require` is that of a file beside the program. */
export function loadKept(file: string, folder: string, require: NodeJS.Require): unknown {
  const { enableCompileCache } = require('node:module') as {
    readonly enableCompileCache?: (folder: string) => unknown;
  };
  if (enableCompileCache === undefined) return load(file, folder, require);
  enableCompileCache(folder);
  return require(file);
}

function load(file: string, folder: string, require: NodeJS.Require): unknown {
  const { mtimeMs, size } = statSync(file);
  const { argv, version, arch } = process;
  // What looks like no command may be a secret.
  const command = /^[a-z-]{1,20}$/.exec(argv[2] ?? '')?.[0];
  // V8 takes the path of the file from the code.
  const about = JSON.stringify([file, mtimeMs, size, version, arch, command]);
  const entry = join(folder, `${digestOf(about).toString('hex')}.bin`);
  const kept = readEntry(entry, about);
  const script = new Script(head + readFileSync(file, 'utf8') + foot, {
    filename: file,
    columnOffset: -head.length,
    cachedData: kept,
  });
  if (kept === undefined || script.cachedDataRejected === true) {
    process.once('exit', (exitCode) => {
      if (exitCode < interrupted) writeEntry(entry, about, script.createCachedData());
    });
  }
  const module = { exports: {} };
  script.runInThisContext().call(module.exports, module.exports, require, module, file, dirname(file));
  return module.exports;
}

function readEntry(entry: string, about: string): Buffer | undefined {
  const bytes = readOwnFile(entry);
  const code = bytes?.subarray(digestBytes);
  return code !== undefined && bytes?.subarray(0, digestBytes).equals(digestOf(about, code)) ? code : undefined;
}

/** The program has ended by then: what goes wrong here concerns nobody. */
function writeEntry(entry: string, about: string, code: Buffer): void {
  const beside = `${entry}.${crypto.randomUUID()}.tmp`;
  try {
    writeFileSync(beside, Buffer.concat([digestOf(about, code), code]), { mode: 0o600, flag: 'wx' });
    renameSync(beside, entry);
    removeOldest(dirname(entry), mostEntries);
  } catch {
    rmSync(beside, { force: true });
  }
}

function digestOf(about: string, code: Uint8Array = new Uint8Array()): Buffer {
  return createHash('sha256').update(about).update(code).digest();
}
