// Keeps the code that V8 made of the program's files, for a Node that does not do it itself. V8 compiles a function when it
// is first called, so the code is taken when the run is over and holds what the run needed. An entry is one file, a
// damaged or foreign one counts as missing, and V8 checks the version and the flags that it was made with once more.
//
// A run writes all that it loaded if one of the files was written fewer than twice: the first run of a command finds
// nothing, and the second takes other ways because the first has kept what it found. So each file of the program leads to
// two runs that write, at most.

import type { createHash } from 'node:crypto';
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { readOwnFile, toEnter } from '../files/private-place.ts';
import { removeOldest } from './kept-folder.ts';

type Load = (module: NodeJS.Module, path: string) => void;

/** What is used of a `require` function. */
export interface Require {
  (name: string): unknown;
  readonly main: { readonly filename: string };
  readonly extensions: Record<string, Load | undefined>;
}

type Digest = (...parts: readonly (string | Uint8Array)[]) => Buffer;

interface Place {
  readonly folder: string;
  readonly user: number;
}

interface Keeping extends Place {
  readonly digest: Digest;
}

interface Entry {
  readonly code: Buffer;
  /** How many runs have written it. */
  readonly times: number;
}

interface Loaded {
  readonly file: string;
  readonly about: string;
  readonly script: Script;
  readonly times: number;
}

const enoughTimes = 2;
/** The files of the program that one user calls for, a few times over: for several versions of Node. */
const mostEntries = 300;
const mostBytes = 20_000_000;
const digestBytes = 32;
/** V8 reads from a whole word on. */
const headBytes = digestBytes + 8;
const interrupted = 128;

const head = '(function(exports,require,module,__filename,__dirname){';
const foot = '\n})';

/** Concerns the files that are loaded after the call. */
export function keepCode({ folder, user, require }: Place & { readonly require: Require }): void {
  const digest = digestWith(require);
  const { '.js': load } = require.extensions;
  const loaded: Loaded[] = [];
  require.extensions['.cjs'] = (module, path) => {
    const made = compile(path, { folder, user, digest });
    if (made === undefined) return load?.(module, path);
    loaded.push(made);
    const required = Object.assign((name: string) => module.require(name), { main: require.main });
    made.script.runInThisContext().call(module.exports, module.exports, required, module, path, dirname(path));
  };
  process.once('exit', (exitCode) => {
    if (exitCode < interrupted && loaded.some(({ times }) => times < enoughTimes)) write(loaded, { folder, digest });
  });
}

/** Undefined if Node has to load the file itself: V8 forgets how kept code imports modules. */
function compile(path: string, { folder, user, digest }: Keeping): Loaded | undefined {
  const source = readFileSync(path, 'utf8');
  const { mtimeMs, size } = statSync(path);
  const { version, versions, arch, platform, execArgv, env } = process;
  // V8 takes the path of the file from the code.
  const about = JSON.stringify([
    path,
    mtimeMs,
    size,
    version,
    versions.v8,
    platform,
    arch,
    execArgv,
    env['NODE_OPTIONS'],
  ]);
  const file = join(folder, `${digest(about).toString('hex')}.bin`);
  const entry = readEntry(file, about, { user, digest });
  if (entry === undefined && source.includes('import(')) return undefined;
  const script = new Script(head + source + foot, {
    filename: path,
    columnOffset: -head.length,
    ...(entry === undefined ? {} : { cachedData: entry.code }),
  });
  return { file, about, script, times: entry?.times ?? 0 };
}

function readEntry(file: string, about: string, { user, digest }: Omit<Keeping, 'folder'>): Entry | undefined {
  const bytes = readOwnFile(file, user, toEnter, mostBytes);
  if (bytes === undefined || bytes.length <= headBytes) return undefined;
  const isWhole = bytes.subarray(0, digestBytes).equals(digest(about, bytes.subarray(digestBytes)));
  return isWhole ? { times: bytes.readUInt8(digestBytes), code: bytes.subarray(headBytes) } : undefined;
}

/** The program has ended by then: what goes wrong here concerns nobody. */
function write(loaded: readonly Loaded[], { folder, digest }: Omit<Keeping, 'user'>): void {
  let beside: string | undefined;
  try {
    for (const { file, about, script, times } of loaded) {
      beside = `${file}.${crypto.randomUUID()}.tmp`;
      const count = Buffer.alloc(headBytes - digestBytes);
      count.writeUInt8(Math.min(times + 1, enoughTimes));
      const rest = Buffer.concat([count, script.createCachedData()]);
      writeFileSync(beside, Buffer.concat([digest(about, rest), rest]), { mode: 0o600, flag: 'wx' });
      renameSync(beside, file);
    }
    removeOldest(folder, mostEntries);
  } catch {
    if (beside !== undefined) rmSync(beside, { force: true });
  }
}

/** Loads what hashes now, and not with this file: a version is printed without. */
function digestWith(require: Require): Digest {
  const loaded = require('node:crypto') as { readonly createHash: typeof createHash };
  return (...parts) => {
    const hash = loaded.createHash('sha256');
    for (const part of parts) hash.update(part);
    return hash.digest();
  };
}
