// The cache as private files in the user's cache folder. On any error it behaves as if it were empty, and so it does for a
// file that is not as it was written: its first line is a digest of the rest.

import { createHash } from 'node:crypto';
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
        return wholeText(await readFile(pathOf(key)));
      } catch {
        return undefined;
      }
    },
    write: async (key, text) => {
      const bytes = Buffer.from(text);
      if (bytes.length > mostBytes) return;
      // Runs in several containers may share the folder, and their process numbers.
      const beside = `${pathOf(key)}.${crypto.randomUUID()}.tmp`;
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeFile(beside, [`${digestOf(bytes)}\n`, bytes], { mode: 0o600, flag: 'wx' });
        await rename(beside, pathOf(key));
        await removeOldest(folder);
      } catch {
        await unlink(beside).catch(() => {});
      }
    },
  };
}

/** Of bytes, not of the text: a run that finds everything kept checks them all, and has nothing else to encode. */
function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url');
}

function wholeText(file: Buffer): string | undefined {
  const end = file.indexOf('\n');
  const isWhole = end >= 0 && file.toString('latin1', 0, end) === digestOf(file.subarray(end + 1));
  return isWhole ? file.toString('utf8', end + 1) : undefined;
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
