// The progress file of an import, a reading of recipients or a probe. The file is next to the state or below the
// workspace: one JSON object a line, readable only by its owner.

import { existsSync } from 'node:fs';
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ProgressFile } from '../model/outside.ts';
import { isJsonObject, type JsonObject, parseJson } from '../model/values/json.ts';
import { Failure } from '../model/workspace/failure.ts';
import { errnoOf, isLink, readIfThere, realFileSystem, whyOf } from './file-system.ts';
import { refuseLinks } from './paths.ts';
import { isTracked } from './repository.ts';
import { ownerOnly, setMode } from './write-atomically.ts';

export interface ProgressFileOptions {
  /** The absolute path. */
  readonly path: string;
  /** The name used in messages. */
  readonly name: string;
  /** The folder below which no link is followed. */
  readonly within?: string | undefined;
}

export function openProgressFile({ path, name, within }: ProgressFileOptions): ProgressFile {
  let file: Promise<FileHandle> | undefined;
  let last: Promise<void> = Promise.resolve();
  const close = async () => {
    await last.catch(() => undefined);
    await (await file?.catch(() => undefined))?.close();
    file = undefined;
  };
  return {
    name,
    read: async () => {
      if (within !== undefined) refuseLinks(within, path, name);
      await refusePlanted(path, name);
      const bytes = await readIfThere(realFileSystem, path).catch((error: unknown) => {
        throw failed(name, 'read', error);
      });
      return bytes && linesOf(Buffer.from(bytes).toString('utf8'), name);
    },
    append: (line) => {
      if (within !== undefined) refuseLinks(within, path, name);
      file ??= openAtLastLine(path, name);
      const opened = file;
      last = last
        .then(async () => (await opened).appendFile(`${JSON.stringify(line)}\n`))
        .catch((error: unknown) => {
          throw failed(name, 'written', error);
        });
      return last;
    },
    close,
    remove: async () => {
      await close();
      await unlink(path).catch((error: unknown) => {
        if (errnoOf(error) !== 'ENOENT') throw failed(name, 'removed', error);
      });
    },
  };
}

/** No run of this machine left a link: it would lead out of the workspace, also where its target does not exist. */
async function refuseLink(path: string, name: string): Promise<void> {
  if (await isLink(realFileSystem, path))
    throw new Failure('refused', `${name} cannot be read: it is a link; Almanac never creates one.`, {
      hint: 'Remove it to start over. Nothing was sent.',
    });
}

/** Refuses a link, and a file that git tracks. */
async function refusePlanted(path: string, name: string): Promise<void> {
  await refuseLink(path, name);
  if (!existsSync(path) || !(await isTracked(path))) return;
  throw new Failure('refused', `${name} is tracked by git, so anybody who can commit may have written it.`, {
    hint: `Remove it: \`git rm -f ${name}\`. Add it to .gitignore. Nothing was sent.`,
  });
}

/** Removes an incomplete last line, so that the next append starts a new line. */
async function openAtLastLine(path: string, name: string): Promise<FileHandle> {
  await refuseLink(path, name);
  const bytes = await readIfThere(realFileSystem, path);
  await mkdir(dirname(path), { recursive: true });
  const file = await open(path, 'a', ownerOnly);
  if (bytes === undefined) return file;
  await setMode(file, ownerOnly);
  await file.truncate(bytes.lastIndexOf(0x0a) + 1);
  return file;
}

function linesOf(text: string, name: string): readonly JsonObject[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const value = parseJson(line);
      if (isJsonObject(value)) return value;
      throw new Failure('refused', `${name} cannot be read: Almanac did not write it.`, {
        hint: 'Remove it to start over.',
      });
    });
}

function failed(name: string, done: string, error: unknown): Failure {
  if (error instanceof Failure) return error;
  return new Failure('refused', `${name} cannot be ${done}: ${whyOf(error)}.`, { cause: error });
}
