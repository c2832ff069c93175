// What this workspace has seen of shared states, so that an older one is noticed. Almanac makes no link here: one that came with
// a commit may lead anywhere. And a file that git tracks says what others saw.

import { dirname, join } from 'node:path';
import { errnoOf, type FileSystem, isLink, readIfThere } from '../../files/file-system.ts';
import { isTracked } from '../../files/repository.ts';
import { createFile, writeAtomically } from '../../files/write-atomically.ts';
import { parseJson } from '../../model/values/json.ts';
import { constant, mapOf, nonEmptyText, record, serial, type TypeOf } from '../../model/values/schema.ts';
import { isDocument } from '../../yaml/document-problem.ts';

const positionSchema = record({ serial, lineage: nonEmptyText });
type SeenPosition = TypeOf<typeof positionSchema>;

/** The last positions that were seen, by the name of the place. */
const seenSchema = record({ version: constant(1), places: mapOf(positionSchema) });

/** From the root of the workspace. */
export const seenFile = '.almanac/state-seen.json';
/** Schemas that people commit may be in the same folder, so no more than these is ignored. */
const ignored = '/.gitignore\n/state-seen.json*\n';

export class SeenStates {
  readonly #fs: FileSystem;
  readonly #path: string;
  /** Asked once, and only where the file is there. */
  #isTracked: Promise<boolean> | undefined;

  constructor(fs: FileSystem, root: string) {
    this.#fs = fs;
    this.#path = join(root, seenFile);
  }

  /** Undefined if nothing usable was kept. Never throws. */
  async last(place: string): Promise<SeenPosition | undefined> {
    return (await this.#read())?.get(place);
  }

  /** Never throws: a workspace may be read-only. */
  async note(place: string, position: SeenPosition): Promise<void> {
    const fs = this.#fs;
    const folder = dirname(this.#path);
    try {
      if (await isLink(fs, folder)) return;
      await fs.mkdir(folder);
      await createFile(fs, join(folder, '.gitignore'), ignored).catch((error: unknown) => {
        if (errnoOf(error) !== 'EEXIST') throw error;
      });
      const places = await this.#read();
      if (places === undefined) return;
      const all = [...places.set(place, position)].sort();
      const document: TypeOf<typeof seenSchema> = { version: 1, places: Object.fromEntries(all) };
      // A link is replaced, not followed.
      if (await isLink(fs, this.#path)) await fs.unlink(this.#path);
      await writeAtomically(fs, this.#path, `${JSON.stringify(document, null, 2)}\n`, { isPrivate: true });
    } catch {}
  }

  /** Empty if nothing usable was kept; undefined if git tracks it. Where git cannot be asked, it counts as this machine's. */
  async #read(): Promise<Map<string, SeenPosition> | undefined> {
    if (await isLink(this.#fs, dirname(this.#path))) return new Map();
    const isLinked = await isLink(this.#fs, this.#path);
    const bytes = isLinked ? undefined : await readIfThere(this.#fs, this.#path).catch(() => undefined);
    if (bytes === undefined && !isLinked) return new Map();
    this.#isTracked ??= isTracked(this.#path).catch(() => false);
    if (await this.#isTracked) return undefined;
    const value = parseJson(new TextDecoder().decode(bytes));
    return new Map(isDocument(seenSchema, value) ? Object.entries(value.places) : []);
  }
}
