// Loads the program with the code that an earlier run compiled of it. Node keeps that itself from 22.1 on; before, this
// file does. V8 compiles a function when it is first called, so the code is taken when a run is over, and each command
// has an entry of its own. A damaged or foreign entry counts as missing, and V8 checks its own version and flags.

import { createHash } from 'node:crypto';
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { removeOldest } from './code-folder.ts';
import { readOwnFile, toEnter } from './private-place.ts';

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
  const bytes = readOwnFile(entry, process.geteuid?.(), toEnter, mostBytes);
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
