// The cache as private files in the user's cache folder. On any error it behaves as if it were empty.

import { mkdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cache } from '../../ports/cache.ts';
import { cacheFolder } from './cache-folder.ts';

/** More than any organization needs; a larger file is not one of ours. */
const mostBytes = 50_000_000;

export function openFileCache(environment: Readonly<Record<string, string | undefined>>): Cache {
  const folder = cacheFolder(environment);
  if (folder === undefined) return { read: async () => undefined, write: async () => {} };
  const pathOf = (key: string) => join(folder, `${key}.json`);
  return {
    read: async (key) => {
      try {
        const text = await readFile(pathOf(key), 'utf8');
        return text.length <= mostBytes ? text : undefined;
      } catch {
        return undefined;
      }
    },
    write: async (key, text) => {
      const beside = `${pathOf(key)}.${process.pid}.tmp`;
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeFile(beside, text, { mode: 0o600, flag: 'wx' });
        await rename(beside, pathOf(key));
      } catch {
        await unlink(beside).catch(() => {});
      }
    },
  };
}
