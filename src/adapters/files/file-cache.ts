// The cache as private files in the user's cache folder. On any error it behaves as if it were empty.

import { mkdir, readdir, readFile, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cache } from '../../ports/cache.ts';

/** More than any organization needs; a larger file is not one of ours. */
const mostBytes = 50_000_000;
const mostFiles = 50;

export function openFileCache(folder: string | undefined): Cache {
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
      if (text.length > mostBytes) return;
      // Runs in several containers may share the folder, and their process numbers.
      const beside = `${pathOf(key)}.${crypto.randomUUID()}.tmp`;
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeFile(beside, text, { mode: 0o600, flag: 'wx' });
        await rename(beside, pathOf(key));
        await removeOldest(folder);
      } catch {
        await unlink(beside).catch(() => {});
      }
    },
  };
}

/** Of many workspaces and organizations, those that were written last are kept. What killed runs left counts as well. */
async function removeOldest(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => /\.(?:json|tmp)$/.test(name));
  if (names.length <= mostFiles) return;
  const times = await Promise.all(
    names.map(async (name) => ({ path: join(folder, name), at: (await stat(join(folder, name))).mtimeMs })),
  );
  const oldest = times.sort((a, b) => a.at - b.at).slice(0, names.length - mostFiles);
  await Promise.all(oldest.map(({ path }) => unlink(path)));
}
