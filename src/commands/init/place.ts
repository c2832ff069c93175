// Where a new workspace is created: its folder, the repository around it, and the package.json that installs Almanac.

import { join, relative, resolve, sep } from 'node:path';
import { isJsonObject } from '../../model/values/json.ts';
import { packageName } from '../../version.ts';
import type { Run } from '../base/run.ts';
import type { DataFile } from '../base/world.ts';
import type { InitOptions } from './command.ts';
import { stateRemote } from './scaffold/ci-shape.ts';

export interface Place {
  /** The root of the repository; the workspace itself if there is none. Absolute. */
  readonly root: string;
  /** The workspace, from the root; '' for the root. */
  readonly folder: string;
  readonly isRepository: boolean;
  /** Where package.json is, from the root; '' for the root, also if there is none. */
  readonly packageFolder: string;
  /** What package.json installs Almanac from; undefined if it does not. */
  readonly installedFrom: string | undefined;
}

/** Reads, and writes nothing. */
export async function findPlace(run: Run, options: InitOptions): Promise<Place> {
  const workspace = resolve(startOf(run, options), options.dir ?? '.');
  const repository = await run.placeInRepository(workspace);
  const { root, folder } = repository ?? { root: workspace, folder: '' };
  const named = { root, folder, isRepository: repository !== undefined };
  for (const packageFolder of foldersUpFrom(folder)) {
    const text = await run.openDataFile(join(root, packageFolder, 'package.json')).read();
    if (text !== undefined) return { ...named, packageFolder, installedFrom: installedFrom(text) };
  }
  return { ...named, packageFolder: '', installedFrom: undefined };
}

/** A file, by its path from the root. */
export function fileIn(run: Run, { root }: Place, path: string): DataFile {
  return run.openDataFile(join(root, path), root);
}

/** As a user finds it from the current folder. */
export function shownPath(run: Run, options: InitOptions, { root }: Place, path: string): string {
  return relative(startOf(run, options), join(root, path)).split(sep).join('/');
}

/** Whether the repository has the remote in which a branch can keep the state. A linked worktree counts as one without. */
export async function hasStateRemote(run: Run, place: Place): Promise<boolean> {
  const config = place.isRepository
    ? await fileIn(run, place, '.git/config')
        .read()
        .catch(() => undefined)
    : undefined;
  return config?.includes(`[remote "${stateRemote}"]`) ?? false;
}

/** Where package.json takes Almanac from, if that is a file outside of the repository: no other machine finds it. */
export function strayPackage({ root, packageFolder, installedFrom }: Place): string | undefined {
  const path = /^file:(.*)$/.exec(installedFrom ?? '')?.[1];
  if (path === undefined) return undefined;
  const target = relative(root, resolve(root, packageFolder, path));
  return target === '..' || target.startsWith(`..${sep}`) || resolve(target) === target ? path : undefined;
}

/** The folder and those above it, up to the root, which is ''. */
function foldersUpFrom(folder: string): readonly string[] {
  const parts = folder === '' ? [] : folder.split('/');
  return Array.from({ length: parts.length + 1 }, (_, index) => parts.slice(0, parts.length - index).join('/'));
}

function installedFrom(manifest: string): string | undefined {
  const value = parsed(manifest);
  if (!isJsonObject(value)) return undefined;
  for (const name of ['dependencies', 'devDependencies', 'optionalDependencies']) {
    const group = value[name];
    const from = isJsonObject(group) ? group[packageName] : undefined;
    if (typeof from === 'string') return from;
  }
  return undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function startOf({ cwd }: Run, { chdir }: InitOptions): string {
  return resolve(cwd, chdir ?? '.');
}
