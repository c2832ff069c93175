// Where an import writes: the folder, and the line that names the schema for editors.

import { dirname } from 'node:path/posix';
import type { Loaded } from '../../../declare/load/load.ts';
import type { Workspace } from '../../../declare/workspace.ts';
import type { Config } from '../../../model/workspace/config.ts';
import type { SourceFile } from '../../../model/workspace/diagnostic.ts';
import { resourcesSchemaFile } from '../../../model/workspace/source-draft.ts';
import type { FilePlace } from './name-files.ts';

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

const modeline = /^#\s*yaml-language-server:\s*\$schema=(\S+)\s*$/m;

/** The schema named in the first file that names one, relative to `folder`. */
export function schemaNamedIn(sources: readonly SourceFile[], folder: string): string | undefined {
  for (const { path, text } of sources) {
    const schema = modeline.exec(text)?.[1];
    if (schema === undefined) continue;
    if (/^(?:[a-z]+:|\/)/i.test(schema)) return schema;
    return pathFrom(folder, `${dirname(path)}/${schema}`);
  }
  return undefined;
}

/** The way from a folder to a file. */
export function pathFrom(folder: string, file: string): string {
  return relativeTo(segmentsOf(folder), segmentsOf(file));
}

/** Without `.`, and without `..` where it can be resolved. */
function segmentsOf(path: string): readonly string[] {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..' && segments.length > 0 && segments.at(-1) !== '..') segments.pop();
    else if (segment !== '.' && segment !== '') segments.push(segment);
  }
  return segments;
}

function relativeTo(folder: readonly string[], target: readonly string[]): string {
  let shared = 0;
  while (shared < folder.length && shared < target.length - 1 && folder[shared] === target[shared]) shared += 1;
  const up = folder.slice(shared).map(() => '..');
  const path = [...up, ...target.slice(shared)].join('/');
  return up.length === 0 ? `./${path}` : path;
}

export interface SchemaForFiles {
  /** As the file of that path names it. */
  readonly schemaFor: (path: string) => string;
  /** Where the copy is to be written with the files. */
  readonly written: string | undefined;
}

/**
 * The schema that editors check the imported files with: the one that other files of the workspace name, or else the copy
 * that `almanac init` writes. Where there is neither, the import writes that copy.
 */
export async function schemaForFiles(
  { workspace, loaded }: { readonly workspace: Workspace; readonly loaded: Loaded },
  { sources: globs }: Config,
): Promise<SchemaForFiles> {
  const sources = (await workspace.list(globs)).flatMap((path) => loaded.fileNamed(path) ?? []);
  const schemaFor = (path: string) =>
    schemaNamedIn(sources, dirname(path)) ?? pathFrom(dirname(path), resourcesSchemaFile);
  const isThere = schemaNamedIn(sources, '.') !== undefined || workspace.exists(resourcesSchemaFile);
  return { schemaFor, written: isThere ? undefined : resourcesSchemaFile };
}
