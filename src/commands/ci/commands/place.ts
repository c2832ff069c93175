// Finds the almanac.yaml of a workspace, and the places that it names. Almanac itself reads from the file where
// requests go and where the state is kept.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { parseJson } from '../../../model/values/json.ts';
import { usualFile } from '../../../model/workspace/state-place.ts';
import type { ValidateDocument } from '../../validate/validate-document.ts';
import type { Reads } from '../reviews/history.ts';
import type { Folder } from '../runner/inputs.ts';
import type { Almanac } from '../runner/output.ts';

const configNames = ['almanac.yaml', 'almanac.yml'];

/**
 * The paths where a workspace's almanac.yaml may be, nearest first: in its folder and in those above it up to the
 * checkout. `at` is the folder, `path` the file, both relative to the checkout, which is `.`.
 */
export function configPathsFrom(name: string): readonly { readonly at: string; readonly path: string }[] {
  const folders: string[] = [];
  for (let folder = name; folder !== '.'; folder = posix.dirname(folder)) folders.push(folder);
  return [...folders, '.'].flatMap((at) => configNames.map((file) => ({ at, path: posix.join(at, file) })));
}

/**
 * The almanac.yaml of the base branch as a file, so that Almanac itself can read it, with the table of permissions that it names.
 * `read` resolves to the text of a path in that branch, undefined if it has none: a code host's API or git gives it.
 */
export async function writeBaseConfig(
  folder: string,
  name: string,
  read: (path: string) => Promise<string | undefined>,
): Promise<void> {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const { at, path } of configPathsFrom(name)) {
    const text = await read(path);
    if (text === undefined) continue;
    write(path, text);
    for (const named of tablesIn(text)) {
      const table = posix.join(at, named);
      const lines = isInside(table) ? await read(table) : undefined;
      if (lines !== undefined) write(table, lines);
    }
    return;
  }
}

/** A file that names more does not list anybody's table. */
const maxTables = 10;

/** Paths that may be the table's, found without a YAML parser. Almanac decides, and reports a missing table. */
function tablesIn(text: string): ReadonlySet<string> {
  const named = [...text.matchAll(/\ballow['"]?:\s*(?:"([^"\n]+)"|'([^'\n]+)'|([^\s,}#]+))/g)];
  return new Set(named.slice(0, maxTables).flatMap(([, double, single, plain]) => double ?? single ?? plain ?? []));
}

function isInside(path: string): boolean {
  return !posix.isAbsolute(path) && path !== '..' && !path.startsWith('../');
}

interface Table {
  readonly name: string;
  readonly path: string | undefined;
  readonly lines: readonly string[];
}

export interface KnownPlace {
  readonly isUnread: false;
  readonly isConfigured: boolean;
  readonly baseUrl: string | null;
  readonly place: string;
  readonly file: string | undefined;
  readonly settings: Pick<ReadWorkspace, 'safety' | 'ignore' | 'checks'>;
  readonly table?: Table | undefined;
  readonly reads: Reads;
}

export interface UnreadPlace {
  readonly isUnread: true;
  readonly file?: undefined;
  readonly reads?: undefined;
  readonly lacksEnvironment: boolean;
}

type ReadWorkspace = NonNullable<ValidateDocument['workspace']>;

export interface PlaceQuestion {
  readonly folder: Folder;
  readonly environment: string;
  readonly almanac: Almanac;
}

/**
 * `place` names the state's place as Almanac does, and `file` is its path from `root`, a checkout; undefined if the
 * state is shared. `settings` are the sections of almanac.yaml that say what is refused, reported or left out, if they
 * differ from the defaults. `table` is that of `safety.rows`: its `name` from almanac.yaml, its `path`, undefined if it
 * does not exist, and its `lines`; undefined if rows belong to nobody. `reads` is the folder of almanac.yaml, with the
 * patterns of its sources and the paths of tables and texts from there. If Almanac could not read almanac.yaml, the
 * result only says whether it lacks the environment of this run.
 */
export async function placeOf(root: string, run: PlaceQuestion): Promise<KnownPlace | UnreadPlace> {
  const config = configPathsFrom(run.folder.name).find(({ path }) => existsSync(join(root, path)));
  if (config === undefined) {
    const file = posix.join(run.folder.name, usualFile(undefined));
    const reads = { folder: join(root, run.folder.name), sources: ['**'], files: [] };
    return { isUnread: false, isConfigured: false, baseUrl: null, place: file, file, settings: {}, reads };
  }
  // The value from almanac.yaml, even if the job expects another one: the reviewer is then told both.
  const env = { ALMANAC_STATE_PLACE: undefined };
  const cwd = join(root, config.at);
  const { stdout } = await run.almanac(['validate', '--format=json'], { capture: true, cwd, env });
  const { workspace, diagnostics = [] } = (parseJson(stdout) ?? {}) as Partial<ValidateDocument>;
  // A resource may name an environment that does not exist as well.
  const lacksEnvironment = diagnostics.some(
    ({ code, address }) => code === 'unknown-environment' && address === undefined,
  );
  if (typeof workspace?.state !== 'string') return { isUnread: true, lacksEnvironment };
  const { baseUrl, state, backend, safety, ignore, checks, sources, reads: files = [] } = workspace;
  const file = backend === undefined ? posix.join(config.at, state) : undefined;
  const settings = { safety, ignore, checks };
  const reads = { folder: cwd, sources, files };
  return {
    isUnread: false,
    isConfigured: true,
    baseUrl,
    place: file ?? state,
    file,
    settings,
    table: tableOf(workspace, cwd),
    reads,
  };
}

function tableOf({ safety, permissions = [] }: ReadWorkspace, folder: string): Table | undefined {
  const name = safety?.rows?.allow;
  if (name === undefined) return undefined;
  const path = join(folder, name);
  return { name, path: existsSync(path) ? path : undefined, lines: permissions };
}
