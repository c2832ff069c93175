// The schema that editors check the imported files with: the one that other files of the workspace name, or else the
// copy that `almanac init` writes. Where there is neither, the import writes that copy.

import { dirname } from 'node:path/posix';
import type { Config } from '../../../model/workspace/config.ts';
import { resourcesSchemaFile } from '../../../render/scaffold/workspace-files.ts';
import type { ImportOptions } from '../import-options.ts';
import { pathFrom, schemaNamedIn } from './out-files.ts';

export interface SchemaForFiles {
  /** As the file of that path names it. */
  readonly schemaFor: (path: string) => string;
  /** Where the copy is to be written with the files. */
  readonly written: string | undefined;
}

export async function schemaForFiles(
  { workspace, loaded }: Pick<ImportOptions, 'workspace' | 'loaded'>,
  { sources: globs }: Config,
): Promise<SchemaForFiles> {
  const sources = (await workspace.list(globs)).flatMap((path) => loaded.fileNamed(path) ?? []);
  const schemaFor = (path: string) =>
    schemaNamedIn(sources, dirname(path)) ?? pathFrom(dirname(path), resourcesSchemaFile);
  const isThere = schemaNamedIn(sources, '.') !== undefined || workspace.exists(resourcesSchemaFile);
  return { schemaFor, written: isThere ? undefined : resourcesSchemaFile };
}
