// Which state this workspace last saw in each shared place, in .almanac/state-seen.json. It is a cache: where it is missing,
// nothing is compared. With it, a place that was rolled back or emptied is noticed on machines that live longer than a job.

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createFile } from '../../files/atomic-write.ts';
import { errnoOf, type FileSystem, readIfThere } from '../../files/file-system.ts';
import { validateSeen } from './seen-file.compiled.js';

export interface SeenPosition {
  readonly serial: number;
  readonly lineage: string;
}

export interface SeenDocument {
  readonly version: 1;
  readonly places: Readonly<Record<string, SeenPosition>>;
}

export interface SeenFile {
  /** How users call it. */
  readonly path: string;
  /** Undefined if nothing usable was kept. */
  read(): Promise<SeenPosition | undefined>;
  /** Never throws: a workspace may be read-only. */
  write(position: SeenPosition): Promise<void>;
}

const folderName = '.almanac';
const fileName = 'state-seen.json';
/** Schemas that people commit may be in the same folder, so no more than these is ignored. */
const ignored = `/.gitignore\n/${fileName}*\n`;

export function openSeenFile(fs: FileSystem, root: string, place: string): SeenFile {
  const folder = join(root, folderName);
  const path = join(folder, fileName);
  return {
    path: `${folderName}/${fileName}`,
    read: async () => (await readAll(fs, folder, path)).get(place),
    write: async (position) => {
      try {
        if (await isLink(fs, folder)) return;
        await fs.mkdir(folder);
        await createFile(fs, join(folder, '.gitignore'), ignored).catch((error: unknown) => {
          if (errnoOf(error) !== 'EEXIST') throw error;
        });
        const places = (await readAll(fs, folder, path)).set(place, position);
        const document: SeenDocument = { version: 1, places: Object.fromEntries([...places].sort()) };
        await replace(fs, path, `${JSON.stringify(document, null, 2)}\n`);
      } catch {}
    },
  };
}

async function readAll(fs: FileSystem, folder: string, path: string): Promise<Map<string, SeenPosition>> {
  try {
    if ((await isLink(fs, folder)) || (await isLink(fs, path))) return new Map();
    const bytes = await readIfThere(fs, path);
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return new Map(validateSeen(value) ? Object.entries(value.places) : []);
  } catch {
    return new Map();
  }
}

/** Almanac makes none here. One that came with a commit may lead anywhere. */
function isLink(fs: FileSystem, path: string): Promise<boolean> {
  return fs.readlink(path).then(
    () => true,
    () => false,
  );
}

/** Replaces a link instead of following it. */
async function replace(fs: FileSystem, path: string, text: string): Promise<void> {
  const beside = `${path}.${randomUUID()}.tmp`;
  await createFile(fs, beside, text, { mode: 0o600 });
  try {
    await fs.rename(beside, path);
  } catch (error) {
    await fs.unlink(beside);
    throw error;
  }
}
