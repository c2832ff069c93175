// Files that are written piece by piece: beside their place, readable by their owner only, and put there when they are whole.

import { randomUUID } from 'node:crypto';
import { createReadStream, ftruncateSync, lstatSync, promises, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GrowingFile, OpenOutput, OutputFolder } from '../model/outside.ts';
import { Failure } from '../model/workspace/failure.ts';
import { errnoOf, realFileSystem, unlinkIfThere } from './file-system.ts';
import { refuse } from './fs-workspace.ts';
import { refuseLinks } from './paths.ts';
import { ownerOnly } from './write-atomically.ts';

const headLength = 64;

/** `write`: takes a piece of the standard output. Throws Failure usage where the folder cannot be written. */
export async function openOutput(folder: OutputFolder, write: WriteOut = writeOut): Promise<OpenOutput> {
  const { path: given, within, ignored, overwrites } = folder;
  const shown = given ?? tmpdir();
  const check = () => {
    if (given !== undefined && within !== undefined) refuseLinks(within, given, shown);
  };
  check();
  const path = await (given === undefined
    ? promises.mkdtemp(join(tmpdir(), 'almanac-'))
    : promises.mkdir(given, { recursive: true }).then(() => given)
  ).catch(refuse(shown, 'written'));
  if (ignored) await ignore(path).catch(refuse(shown, 'written'));
  const isThere = (name: string) => lstatSync(join(path, name), { throwIfNoEntry: false }) !== undefined;
  return {
    isThere,
    create: async () => {
      const temporaryPath = join(path, `.${randomUUID()}.tmp`);
      const file = await promises.open(temporaryPath, 'wx', ownerOnly).catch(refuse(shown, 'written'));
      const put = async (name: string) => {
        check();
        if (!overwrites && isThere(name))
          throw new Failure('refused', `${name} is there already, so it was not written.`, {
            hint: 'Choose another place with --out, or replace it with --force.',
          });
        await promises.rename(temporaryPath, join(path, name)).catch(refuse(join(path, name), 'written'));
      };
      return growing(file, temporaryPath, put, write);
    },
    close: async () => {
      if (given === undefined) await promises.rm(path, { recursive: true, force: true });
    },
  };
}

function growing(
  file: promises.FileHandle,
  path: string,
  rename: (name: string) => Promise<void>,
  write: WriteOut,
): GrowingFile {
  let size = 0;
  let head = Buffer.alloc(0);
  let isOpen = true;
  const close = async () => {
    if (isOpen) await file.close();
    isOpen = false;
  };
  const orRefuse = (work: () => void) => {
    try {
      work();
    } catch (error) {
      refuse(path, 'written')(error);
    }
  };
  return {
    size: () => size,
    head: () => head,
    restart: () => {
      [size, head] = [0, Buffer.alloc(0)];
      orRefuse(() => ftruncateSync(file.fd, 0));
    },
    write: (piece) => {
      if (head.length < headLength) head = Buffer.concat([head, piece]).subarray(0, headLength);
      orRefuse(() => {
        for (let done = 0; done < piece.length; ) {
          const written = writeSync(file.fd, piece, done, piece.length - done, size);
          done += written;
          size += written;
        }
      });
    },
    put: async (name) => {
      await file.sync().catch(refuse(path, 'written'));
      await close();
      await rename(name);
    },
    copyOut: async () => {
      await close();
      for await (const piece of createReadStream(path)) await write(piece as Buffer);
    },
    drop: async () => {
      await close();
      await unlinkIfThere(realFileSystem, path);
    },
  };
}

async function ignore(folder: string): Promise<void> {
  await promises.writeFile(join(folder, '.gitignore'), '*\n', { flag: 'wx' }).catch((error: unknown) => {
    if (errnoOf(error) !== 'EEXIST') throw error;
  });
}

type WriteOut = (piece: Uint8Array) => Promise<void>;

/** Waits for a reader that is slower. One that has gone ends nothing; after anything else the output is not complete. */
const writeOut: WriteOut = async (piece) => {
  const { stdout } = process;
  if (stdout.destroyed) return;
  // The callback says the same.
  if (!stdout.listeners('error').includes(ignoreEvent)) stdout.on('error', ignoreEvent);
  await new Promise<void>((resolve, reject) => {
    stdout.write(piece, (error) => (error == null ? resolve() : reject(error)));
  }).catch((error: unknown) => {
    if (errnoOf(error) !== 'EPIPE') refuse('The standard output', 'written')(error);
  });
};

const ignoreEvent = () => {};
