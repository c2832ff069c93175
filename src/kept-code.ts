// Loads the parts of the program as an earlier run compiled them. Node keeps compiled code itself from 22.1 on, in a folder
// that it is told; before, V8's `cachedData` is kept here. Whoever can write there runs code as this user, so the folders are
// the user's own, nobody else can enter them, and they are in no repository. Where anything about them is unusual, nothing is
// kept, nor in CI, where a job that may apply would run what a job of any branch has left.

import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { Script } from 'node:vm';
import { repositoryRoot } from './files/paths.ts';

/** `build` tells the program from every other one. `require` is that of a file beside it. */
export function loadKept(file: string, build: string, require: NodeJS.Require): unknown {
  const folder = codeFolder(build);
  if (folder === undefined) return require(file);
  const { enableCompileCache } = require('node:module') as {
    readonly enableCompileCache?: (folder: string) => unknown;
  };
  if (enableCompileCache === undefined) return loader(folder, require)(file);
  enableCompileCache(folder);
  return require(file);
}

const maxBuilds = 4;

/** A folder for each build, made if it is missing; undefined where nothing may be kept. */
function codeFolder(build: string): string | undefined {
  const { XDG_CACHE_HOME: given = '', NODE_DISABLE_COMPILE_CACHE: isOff = '', CI: ci = '' } = process.env;
  try {
    const cache = isAbsolute(given) ? given : join(homedir(), '.cache');
    const compiled = join(cache, 'almanac', 'compiled');
    const folder = join(compiled, build);
    const folders = [dirname(compiled), compiled, folder];
    const above = existsSync(cache) ? cache : dirname(cache);
    const nearest = folders.findLast((path) => existsSync(path)) ?? above;
    if (isOff !== '' || ci !== '' || !isAbsolute(cache) || repositoryRoot(realpathSync(nearest)) !== undefined)
      return undefined;
    // The folder may be in the home of another user, with sudo, who could not remove what is put there.
    if (statSync(above).uid !== process.geteuid?.()) return undefined;
    if (!existsSync(cache)) mkdirSync(cache, 0o700);
    const isNew = !existsSync(folder);
    for (const path of folders) {
      if (!existsSync(path)) mkdirSync(path, 0o700);
      if (!isPrivate(path)) return undefined;
    }
    if (isNew) removeOldest(compiled);
    return folder;
  } catch {
    return undefined; // what cannot be made or read, or was made by two runs at once
  }
}

/** True for the user's own file or folder that is no link, and grants nothing to others. */
function isPrivate(path: string): boolean {
  const stats = lstatSync(path);
  return (stats.isFile() || stats.isDirectory()) && stats.uid === process.geteuid?.() && (stats.mode & 0o077) === 0;
}

function removeOldest(folder: string): void {
  const written = readdirSync(folder).map((name) => ({ name, at: lstatSync(join(folder, name)).mtimeMs }));
  for (const { name } of written.sort((a, b) => b.at - a.at).slice(maxBuilds))
    rmSync(join(folder, name), { recursive: true, force: true });
}

/** Makes a function that loads a file, and in turn the parts of the program that this requires, each once. */
function loader(folder: string, require: NodeJS.Require): (file: string) => unknown {
  const modules = new Map<string, { readonly exports: unknown }>();
  const load = (file: string): unknown => {
    const known = modules.get(file);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    modules.set(file, module);
    const requirePart = (id: string) => (parts.test(id) ? load(join(dirname(file), id)) : require(id));
    const start = compiled(file, folder);
    start.call(module.exports, module.exports, requirePart as NodeJS.Require, module, file, dirname(file));
    return module.exports;
  };
  return load;
}

/** The parts into which scripts/parts.mjs divides the program. */
const parts = /^\.\/(?:program|plan|findings|faults|apply|ci|others)\.cjs$/;

type StartModule = (
  exports: unknown,
  require: NodeJS.Require,
  module: unknown,
  filename: string,
  dirname: string,
) => void;

/** There is an entry for each command: functions are compiled when they are first called. */
function compiled(file: string, folder: string): StartModule {
  const { mtimeMs, size } = statSync(file);
  // An argument that does not look like a command may be a secret.
  const command = /^[a-z-]{1,20}$/.exec(process.argv[2] ?? '')?.[0];
  const about = JSON.stringify([file, mtimeMs, size, process.version, process.arch, command]);
  const entry = join(folder, `${digestOf(about).toString('hex')}.bin`);
  const head = '(function(exports,require,module,__filename,__dirname){';
  const cachedData = readEntry(entry, about);
  const source = `${head}${readFileSync(file, 'utf8')}\n})`;
  const script = new Script(source, { filename: file, columnOffset: -head.length, cachedData });
  if (cachedData === undefined || script.cachedDataRejected === true) {
    // A run that failed or was interrupted has compiled too little, or names no command.
    process.once('exit', (code) => [0, 2].includes(code) && writeEntry(entry, about, script.createCachedData()));
  }
  return script.runInThisContext() as StartModule;
}

function readEntry(entry: string, about: string): Buffer | undefined {
  try {
    const bytes = isPrivate(entry) ? readFileSync(entry) : Buffer.alloc(0);
    const code = bytes.subarray(digestBytes);
    return bytes.subarray(0, digestBytes).equals(digestOf(about, code)) ? code : undefined;
  } catch {
    return undefined;
  }
}

const digestBytes = 32;

/** V8 does not look for damage, which would end the process. */
function digestOf(about: string, code: Uint8Array = new Uint8Array()): Buffer {
  return createHash('sha256').update(about).update(code).digest();
}

function writeEntry(entry: string, about: string, code: Buffer): void {
  const temporary = `${entry}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, Buffer.concat([digestOf(about, code), code]), { mode: 0o600 });
    renameSync(temporary, entry);
  } catch {
    rmSync(temporary, { force: true }); // the program has ended by then: what goes wrong concerns nobody
  }
}
