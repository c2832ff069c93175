// The files of a workspace. Paths are relative to its root and use `/`.

import type { Finding, SourceFile } from '../model/workspace/diagnostic.ts';
import type { ParseFile } from '../yaml/read-source.ts';

export interface Workspace {
  /** The absolute path of the root: the folder of almanac.yaml, or else the working directory. */
  readonly root: string;
  /** The configuration file, relative to the root; undefined if there is none. */
  readonly configFile: string | undefined;
  /** A parser for its files, if it is loaded more than once. */
  readonly parse?: ParseFile;
  /** The root's path from the repository's root; empty if they are the same. `roots` are candidates for that root. */
  inRepository(roots: readonly string[]): string;
  /** The matching files, sorted, without node_modules and .git. */
  list(globs: readonly string[]): Promise<readonly string[]>;
  /** The paths, existing or not, that it would list. One that ends in `/` is a folder, in which it would look. */
  among(paths: readonly string[], globs: readonly string[]): Promise<readonly string[]>;
  /**
   * The files that a user named on the command line, relative to the working directory, sorted, with findings for
   * missing ones. A folder means the sources in it (`globs`), or else its YAML files; no path means all sources.
   */
  resolve(
    paths: readonly string[],
    globs: readonly string[],
  ): Promise<{ files: readonly string[]; findings: readonly Finding[] }>;
  /** A file's text (UTF-8, no byte order mark), or why there is none. Never follows a path or link out of the root. */
  read(path: string): Pick<SourceFile, 'text'> | { readonly finding: Finding };
  /**
   * Like `read`, for a text that a declaration sends to Omni: files that may contain credentials are refused. `states`
   * are the states in use, relative to the root or absolute.
   */
  readReference(path: string, states: readonly string[]): { readonly text: string } | { readonly finding: Finding };
  /** Like `read`, for a file anywhere in the repository of the root: a link may not lead out of that. */
  readInRepository(path: string): { readonly text: string } | { readonly finding: Finding };
  exists(path: string): boolean;
  /**
   * Writes a new file atomically and creates its folders. Throws Failure usage if its path leads out of the root, and refused
   * if it exists.
   */
  write(path: string, text: string): Promise<void>;
  /** A clause that says why a file must not be replaced, such as that it is read-only; undefined if it may be. */
  readOnlyReason(path: string): string | undefined;
  /**
   * Writes another text into a file, atomically, keeping its byte order mark. Throws Failure refused if it no longer holds
   * `before`, and usage if it cannot be written.
   */
  replace(path: string, before: string, after: string): Promise<void>;
  /** Like `replace` in two steps: the new file lies beside the old one until it is put in its place. */
  prepare(path: string, before: string, after: string): Promise<PreparedText>;
  /** A path that the user named, relative to the root. Throws Failure usage if it leads out of the root. */
  locate(path: string): string;
  /** The text of any regular file that the user named (a plan), absolute or relative to the working directory. */
  readOutside(path: string): Promise<string>;
  /** True if git tracks a named file, which may come from a commit. Throws Failure refused if git cannot be asked. */
  isTracked(path: string): Promise<boolean>;
  /** The git repository of the root; undefined if there is none, or if it cannot be read. */
  repository(): Repository | undefined;
  /**
   * The file that `writeOutside` will write, its folder without links: two paths may lead to it. Throws Failure usage
   * if it cannot be written, because of a link in the workspace as well, or is one that Almanac reads or keeps.
   */
  findWritable(path: string, keptFiles: KeptFiles): Promise<string>;
  /** Writes any file that the user named (a plan), atomically. `isPrivate`: only its owner can read a new file. */
  writeOutside(path: string, text: string, options?: { readonly isPrivate?: boolean }): Promise<void>;
}

/** The files of states, absolute or from the root, and the globs of sources. */
export interface KeptFiles {
  readonly states: readonly string[];
  readonly sources: readonly string[];
}

export interface PreparedText {
  /** Throws Failure refused if the file no longer holds `before`, and usage if it cannot be written. */
  put(): Promise<void>;
  /** Removes the prepared file. Nothing happens after `put`. */
  drop(): Promise<void>;
}

export interface Repository {
  /** Undefined if no branch is checked out. */
  readonly branch?: string;
  /** The commit that is checked out without a branch. */
  readonly commit?: string;
  /** An operation of git that was neither finished nor aborted. */
  readonly unfinished?: 'merge' | 'rebase' | 'cherry-pick' | 'revert';
  /** A file's status; its path is relative or absolute. As below, throws Failure refused if git cannot be asked. */
  statusOf(path: string): Promise<FileStatus>;
  /** The JSON files of the workspace that git tracks and whose path has `state` in it, relative to its root. */
  trackedStates(): Promise<readonly string[]>;
  /** True if git may track another file of one of these names than the one at a path of the workspace. Git itself is not asked. */
  mayHaveOther(names: readonly string[], path: string | undefined): boolean;
  /** The parts of the workspace that are not in the files of its own repository. Asked once; empty without git. */
  parts(): Promise<Parts>;
}

/** The place of something that a commit of a repository names. */
export interface InRepository {
  /** Relative to the root of the workspace; that of a submodule ends in `/`. */
  readonly path: string;
  /** Relative to the root of the repository. */
  readonly name: string;
  /** The root of the repository, from that of the workspace: `.`, `..` or a submodule that holds another one. */
  readonly repository: string;
}

export interface Unfetched extends InRepository {
  /**
   * `embedded` is a repository in this one that no .gitmodules names. The others are files, which may exist all the
   * same: `sparse` if a sparse checkout of folders leaves it out, `patterns` if one of patterns does, else `skipped`.
   */
  readonly kind: 'submodule' | 'embedded' | 'sparse' | 'patterns' | 'skipped';
}

export interface Parts {
  /** Submodules that are fetched. */
  readonly submodules: readonly InRepository[];
  readonly unfetched: readonly Unfetched[];
}

/** `changed` since it was staged or committed; `outside` of the repository. */
export type FileStatus = 'unchanged' | 'changed' | 'unmerged' | 'untracked' | 'outside';
