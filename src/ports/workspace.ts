// The files of a workspace. Paths are relative to its root and written with `/`.

import type { Finding } from '../model/workspace/diagnostic.ts';

export interface Workspace {
  /** The absolute path of the root: the folder of almanac.yaml, or the working directory where there is none. */
  readonly root: string;
  /** The configuration file, relative to the root; undefined where there is none. */
  readonly configFile: string | undefined;
  /** The root's path from the repository's root, with `/`; empty where they are the same. `roots`: folders that may be it. */
  inRepository(roots: readonly string[]): string;
  /** The files that match, sorted; node_modules and the like left out. */
  list(globs: readonly string[]): Promise<readonly string[]>;
  /**
   * The files that a user named on the command line, relative to the working directory, sorted; findings for what is
   * not there. A folder stands for the sources inside it (`globs`), else for its YAML files; no path for all sources.
   */
  resolve(
    paths: readonly string[],
    globs: readonly string[],
  ): Promise<{ files: readonly string[]; findings: readonly Finding[] }>;
  /** A file's text (UTF-8, no byte order mark), or why there is none. Never follows a path or link out of the root. */
  read(path: string): { readonly text: string } | { readonly finding: Finding };
  /** Whether anything stands at a path. */
  exists(path: string): boolean;
  /** Writes a file in one step, its folders made. Throws Failure usage where its path or a link leads out of the root. */
  write(path: string, text: string): Promise<void>;
  /** A path that the user named, relative to the root. Throws Failure usage where it leads out of it. */
  locate(path: string): string;
  /** The bytes of any file that the user named (a plan), absolute or relative to the working directory. */
  readOutside(path: string): Promise<string>;
  /** Failure usage where `writeOutside` could not write this file: said before anything is done. */
  checkWritable(path: string): Promise<void>;
  /** Writes a file of the user's choice in one step (a plan). */
  writeOutside(path: string, text: string): Promise<void>;
}
