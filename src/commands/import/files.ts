// The files of an import: one for each dashboard, in folders as in Omni. Includes the schema that their first lines
// name. Every segment is made of ASCII letters, digits and hyphens, in lower case, so that a path is safe and stays
// unique on every file system.

import { dirname, join, relative } from 'node:path/posix';
import type { Loaded } from '../../declare/load/load.ts';
import type { Workspace } from '../../declare/workspace.ts';
import { kebabOf } from '../../model/values/words.ts';
import type { Config } from '../../model/workspace/config.ts';
import { resourcesSchemaFile } from '../../model/workspace/source-draft.ts';
import { takeName } from '../base/kebab.ts';
import { byNature } from './choose-keys.ts';

interface NamedDashboard {
  readonly identifier: string;
  readonly name: string;
  /** The path of its folder in Omni, with `/`. */
  readonly folder?: string | undefined;
}

export interface FilePlace {
  readonly folder: string;
  readonly extension: string;
  /** True if files in folders below it are sources as well. */
  readonly hasFolders: boolean;
}

/** The folder that contains all matches of a glob, and the extension of its files: `schedules`, `.yaml`. */
export function placeOfGlob(glob: string): FilePlace {
  const segments = glob.replace(/^\.\//, '').split('/');
  const fixed = segments.slice(0, -1);
  const magic = fixed.findIndex((segment) => /[*?[\]{}()!]/.test(segment));
  const folder = (magic < 0 ? fixed : fixed.slice(0, magic)).join('/');
  const last = segments.at(-1) ?? '';
  const extension = /yml/.test(last) && !/yaml/.test(last) ? '.yml' : '.yaml';
  return { folder: folder === '' ? '.' : folder, extension, hasFolders: fixed.at(-1) === '**' };
}

/** Names of devices on Windows, with any extension. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;
/** Deeper folders are joined into one. */
const maxFolders = 6;

/** A file for each dashboard, keyed by its identifier, in the order of the paths. */
export function nameFiles(
  dashboards: readonly NamedDashboard[],
  { folder, extension, hasFolders }: FilePlace,
): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  const sorted = [...dashboards].sort((a, b) => byNature(a.name, b.name) || byNature(a.identifier, b.identifier));
  const files = sorted.map(({ identifier, name, folder: inOmni = '' }): [string, string] => {
    const base = safe(kebabOf(name) || kebabOf(identifier) || 'dashboard', 'dashboard');
    const folders = [...(folder === '.' ? [] : [folder]), ...(hasFolders ? segmentsOf(inOmni) : [])];
    const inFolder = (file: string) => [...folders, file].join('/');
    // Paths are longer than keys, so a number is appended without a limit.
    const path = takeName([base, `${base}-${kebabOf(identifier)}`].map(inFolder), taken, (file, n) => `${file}-${n}`);
    return [identifier, path + extension];
  });
  return new Map(files.sort(([, a], [, b]) => byNature(a, b)));
}

/** The paths that an import may write, never over an existing file. */
export interface Targets {
  /** The file of each dashboard, keyed by its identifier. */
  readonly fileOf: ReadonlyMap<string, string>;
  readonly routines: string;
  /** The file of `adopt` entries for resources that are declared already. */
  readonly adopt: string;
  /** The existing files, keyed by the new file beside each. */
  readonly existingFiles: ReadonlyMap<string, string>;
}

/** `files` are the wished paths. If a file exists, the new one gets the next free number, such as `sales-2.yaml`. */
export function freeTargets(
  files: ReadonlyMap<string, string>,
  { folder, extension }: FilePlace,
  exists: (path: string) => boolean,
): Targets {
  const taken = new Set(files.values());
  const existingFiles = new Map<string, string>();
  const numbered = (path: string): string => {
    for (let number = 2; ; number += 1) {
      const candidate = `${path.slice(0, -extension.length)}-${number}${extension}`;
      if (taken.has(candidate) || exists(candidate)) continue;
      taken.add(candidate);
      return candidate;
    }
  };
  const free = (path: string): string => {
    if (!exists(path)) return path;
    const numberedPath = numbered(path);
    existingFiles.set(numberedPath, path);
    return numberedPath;
  };
  const named = (name: string): string => {
    const path = join(folder, name + extension);
    return taken.has(path) ? numbered(path) : free(path);
  };
  const fileOf = new Map([...files].map(([identifier, path]) => [identifier, free(path)]));
  return { fileOf, routines: named('routines'), adopt: named('adopt'), existingFiles };
}

function segmentsOf(path: string): readonly string[] {
  const segments = path
    .split('/')
    .map(kebabOf)
    .filter((segment) => segment !== '');
  return segments.slice(0, maxFolders).map((segment) => safe(segment, 'folder'));
}

function safe(name: string, noun: string): string {
  return reserved.test(name) ? `${name}-${noun}` : name;
}

const modeline = /^#\s*yaml-language-server:\s*\$schema=(\S+)\s*$/m;

/**
 * The schema that editors check the imported files with: the one named by the first other file that names any, or else
 * the copy that `almanac init` writes. If there is neither, the import writes that copy: `schema` is its path.
 */
export async function schemaForFiles(
  {
    workspace,
    loaded,
  }: { readonly workspace: Pick<Workspace, 'root' | 'list' | 'exists'>; readonly loaded: Pick<Loaded, 'fileNamed'> },
  { sources }: Pick<Config, 'sources'>,
) {
  const files = (await workspace.list(sources)).flatMap((path) => loaded.fileNamed(path) ?? []);
  const [named] = files.flatMap(({ path, text }) => {
    const schema = modeline.exec(text)?.[1];
    return schema === undefined ? [] : { schema, isElsewhere: /^(?:[a-z]+:|\/)/i.test(schema), folder: dirname(path) };
  });
  const schemaFor = (path: string) => {
    if (named?.isElsewhere) return named.schema;
    const schema = named === undefined ? resourcesSchemaFile : join(named.folder, named.schema);
    const way = relative(join(workspace.root, dirname(path)), join(workspace.root, schema));
    return way.startsWith('../') ? way : `./${way}`;
  };
  const isThere = named !== undefined || workspace.exists(resourcesSchemaFile);
  return { schemaFor, schema: isThere ? undefined : resourcesSchemaFile };
}
