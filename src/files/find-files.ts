// Finds the files under a folder that match globs. Nothing is skipped silently, because the resources of an unread
// source would count as removed: an unreadable folder and a linked one are failures, and a link or a pipe that a glob
// matches is listed so that reading it reports the problem.

import * as nodeFs from 'node:fs';
import { join } from 'node:path';
import { glob } from 'tinyglobby';
import { byCodeUnit } from '../model/values/json.ts';
import { Failure } from '../model/workspace/failure.ts';
import { errnoOf, whyOf } from './file-system.ts';
import { linkFinder, linkHint } from './paths.ts';
import { relativePath } from './read-source.ts';

type Done = (error: Error | null, entries: nodeFs.Dirent[]) => void;

/** Paths relative to the root with `/`, sorted by code unit. */
export async function findFiles(
  root: string,
  globs: readonly string[],
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const unreadable: { readonly path: string; readonly error: Error }[] = [];
  const links: string[] = [];
  const findLink = linkFinder(root);

  const readdir = (path: string, options: { withFileTypes: true }, done: Done): void => {
    const link = findLink(path);
    if (link !== undefined) {
      links.push(link);
      done(null, []);
      return;
    }
    nodeFs.readdir(path, options, (error, entries) => {
      if (error !== null && errnoOf(error) !== 'ENOENT') unreadable.push({ path, error });
      done(
        error,
        entries?.map((entry) => asListed(path, entry)),
      );
    });
  };

  const found = await glob(globs, {
    cwd: root,
    signal,
    ignore: ['**/node_modules/**', '**/.git/**'],
    expandDirectories: false,
    followSymbolicLinks: false,
    fs: { readdir } as Partial<typeof nodeFs>,
  });
  if (signal?.aborted) throw new Failure('interrupted', 'Interrupted while the workspace was read.');
  const [first] = unreadable;
  if (first !== undefined) {
    throw new Failure('invalid-workspace', `The folder ${first.path} cannot be read: ${whyOf(first.error)}.`, {
      hint: 'Its declarations would count as removed. Fix its permissions.',
      cause: first.error,
    });
  }
  if (links[0] !== undefined) {
    throw new Failure('invalid-workspace', `The folder ${relativePath(root, links[0])} is a symbolic link.`, {
      hint: linkHint,
    });
  }
  return found.sort(byCodeUnit);
}

/**
 * A link counts as the folder or file that it leads to, so that the globs decide whether it matters. A pipe, socket or
 * device is listed as a file.
 */
function asListed(folder: string, entry: nodeFs.Dirent): nodeFs.Dirent {
  if (entry.isFile() || entry.isDirectory()) return entry;
  const isFolder = entry.isSymbolicLink() && leadsToFolder(join(folder, entry.name));
  return Object.assign(Object.create(entry), { isFile: () => !isFolder, isDirectory: () => isFolder });
}

function leadsToFolder(link: string): boolean {
  try {
    return nodeFs.statSync(link).isDirectory();
  } catch {
    return false;
  }
}
