// What git knows of a folder, read from the files of the repository: a machine that applies may have a checkout but no
// git, and the configuration of a repository can make git itself run programs.

import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { FileStatus, Repository } from '../declare/workspace.ts';
import { gitFolder, indexEntry, trackedPaths } from './git-index.ts';
import { realPath, repositoryRoot } from './paths.ts';

/** What git leaves in its folder until an operation is finished or given up. */
const unfinished: Readonly<Record<string, NonNullable<Repository['unfinished']>>> = {
  MERGE_HEAD: 'merge',
  'rebase-merge': 'rebase',
  'rebase-apply': 'rebase',
  CHERRY_PICK_HEAD: 'cherry-pick',
  REVERT_HEAD: 'revert',
};

/** Undefined outside of a repository, and where git's own files cannot be read. */
export function readRepository(folder: string): Repository | undefined {
  const root = repositoryRoot(realPath(folder));
  if (root === undefined) return undefined;
  try {
    const git = gitFolder(root);
    const left = Object.keys(unfinished).find((name) => existsSync(join(git, name)));
    return {
      ...headOf(readFileSync(join(git, 'HEAD'), 'utf8').trim()),
      unfinished: left === undefined ? undefined : unfinished[left],
      statusOf: (path) => statusOf(root, path),
      trackedStates: () => trackedStates(root, realPath(folder)),
    };
  } catch {
    return undefined;
  }
}

function trackedStates(root: string, folder: string): readonly string[] {
  const before = relative(root, folder).split(sep).join('/');
  const start = before === '' ? '' : `${before}/`;
  const states = trackedPaths(root)
    .filter((path) => path.startsWith(start) && path.endsWith('.json'))
    .map((path) => path.slice(start.length))
    .filter((path) => path.includes('state'));
  // A file in conflict is in the index once for each side.
  return [...new Set(states)];
}

/** A repository with the newer format of references does not name its branch in HEAD. */
function headOf(head: string): Pick<Repository, 'branch' | 'commit'> {
  const branch = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1];
  if (branch !== undefined) return branch === '.invalid' ? {} : { branch };
  return /^[0-9a-f]{40,64}$/.test(head) ? { commit: head } : {};
}

function statusOf(root: string, path: string): FileStatus {
  if (repositoryRoot(realPath(dirname(path))) !== root) return 'outside';
  const entry = indexEntry(path);
  if (entry === undefined) return 'untracked';
  if (entry.stage !== 0) return 'unmerged';
  // Git keeps the target of a link instead.
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) return 'unchanged';
  return hashesOf(path, entry.hash.length).some((hash) => hash.equals(entry.hash)) ? 'unchanged' : 'changed';
}

/** As git counts the content of a file, also where it was checked out with other line ends; none if it cannot be read. */
function hashesOf(path: string, length: number): readonly Buffer[] {
  const bytes = contentOf(path);
  if (bytes === undefined) return [];
  const withoutReturns = Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
  return [bytes, withoutReturns].map((content) =>
    createHash(length === 32 ? 'sha256' : 'sha1')
      .update(`blob ${content.length}\0`)
      .update(content)
      .digest(),
  );
}

function contentOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
