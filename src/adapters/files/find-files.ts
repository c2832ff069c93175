// Finds the files under a folder that match globs. Nothing is skipped silently, because the resources of an unread
// source would count as removed: an unreadable folder is a failure, and a broken link or a pipe is listed so that reading
// it reports the problem.

import * as nodeFs from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { glob } from 'tinyglobby';
import { byCodeUnit } from '../../model/values/json.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { errnoOf, whyOf } from './file-system.ts';

type Done<T> = (error: Error | null, value: T) => void;

/** Paths relative to the root with `/`, sorted by code unit. A file with several names through links is listed once. */
export async function findFiles(
  root: string,
  globs: readonly string[],
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const unreadable: { readonly path: string; readonly error: Error }[] = [];
  const leading: string[] = [];
  const outside = outsideOf(root);
  const linksTo = new Map<string, string>();

  const readdir = (path: string, options: { withFileTypes: true }, done: Done<nodeFs.Dirent[]>): void => {
    nodeFs.readdir(path, options, (error, entries) => {
      if (error !== null && errnoOf(error) !== 'ENOENT') unreadable.push({ path, error });
      done(error, entries?.map(asListed));
    });
  };
  const realpath = (path: string, done: Done<string>): void => {
    nodeFs.realpath(path, (error, real) => {
      const target = error === null ? real : path;
      linksTo.set(target, path);
      done(null, target);
    });
  };
  const stat = (path: string, done: Done<nodeFs.Stats>): void => {
    nodeFs.stat(path, (error, stats) => {
      if (error !== null) return nodeFs.lstat(path, done);
      if (!stats.isDirectory() || !outside(path)) return done(null, stats);
      leading.push(linksTo.get(path) ?? path);
      done(null, Object.assign(Object.create(stats), { isDirectory: () => false }));
    });
  };

  const found = await glob(globs, {
    cwd: root,
    ...(signal === undefined ? {} : { signal }),
    ignore: ['**/node_modules/**', '**/.git/**'],
    expandDirectories: false,
    fs: { readdir, realpath, stat } as Partial<typeof nodeFs>,
  });
  if (signal?.aborted) throw new Failure('interrupted', 'Interrupted while the workspace was read.');
  const [first] = unreadable;
  if (first !== undefined) {
    throw new Failure('invalid-workspace', `The folder ${first.path} cannot be read: ${whyOf(first.error)}.`, {
      hint: 'Its declarations would count as removed. Fix its permissions.',
      cause: first.error,
    });
  }
  if (leading[0] !== undefined) {
    throw new Failure('invalid-workspace', `The link ${leading[0]} leads to a folder outside the workspace.`, {
      hint: 'Move the folder into the workspace, or narrow `sources` so that no glob reaches the link.',
    });
  }
  const files = [...new Set(found)].sort(byCodeUnit);
  return linksTo.size === 0 ? files : oncePerFile(root, files);
}

/** Whether a real path is outside the folder. */
function outsideOf(root: string): (path: string) => boolean {
  const realRoot = nodeFs.realpathSync.native(root);
  return (path) => path !== realRoot && !path.startsWith(realRoot.endsWith(sep) ? realRoot : realRoot + sep);
}

/** A pipe, socket or device is listed as a file, so that reading it reports the problem. */
function asListed(entry: nodeFs.Dirent): nodeFs.Dirent {
  if (entry.isFile() || entry.isDirectory() || entry.isSymbolicLink()) return entry;
  return Object.assign(Object.create(entry), { isFile: () => true });
}

/** Keeps the name that is not a link, or else the first name. */
function oncePerFile(root: string, files: readonly string[]): readonly string[] {
  const realRoot = nodeFs.realpathSync(root);
  const chosen = new Map<string, string>();
  for (const file of files) {
    const real = realPathOf(join(root, file));
    if (!chosen.has(real) || relative(realRoot, real).split(sep).join('/') === file) chosen.set(real, file);
  }
  return [...chosen.values()].sort(byCodeUnit);
}

function realPathOf(path: string): string {
  try {
    return nodeFs.realpathSync(path);
  } catch {
    return join(nodeFs.realpathSync(dirname(path)), basename(path)); // a broken link
  }
}
