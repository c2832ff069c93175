// The files in which this workspace may still have a state, because something names them: the usual name, almanac.yaml as it is
// and as it was, and git, which tracks them. Nothing is searched: what only looks like a state belongs to somebody else.

import { posix } from 'node:path';
import { loadConfig } from '../declare/load/load-config.ts';
import type { Repository, Workspace } from '../declare/workspace.ts';
import type { Journal } from '../model/plan/journal.ts';
import type { State } from '../model/plan/state.ts';
import { isJsonObject, parseJson } from '../model/values/json.ts';
import type { Config } from '../model/workspace/config.ts';
import { Failure } from '../model/workspace/failure.ts';
import { parseJournal } from './format/parse-journal.ts';
import { parseState } from './format/parse-state.ts';

export interface NamedState {
  /** From the root of the workspace. */
  readonly path: string;
  /** Which runs keep their state there by almanac.yaml as it is; none where it was left behind. */
  readonly usedBy: Config['stateFiles'];
  /** False where git was not asked. */
  readonly isTracked: boolean;
  /** With resources. */
  readonly state: State | undefined;
  /** What an apply left that broke off. */
  readonly journal: Journal | undefined;
  /** Why nobody knows what it holds. */
  readonly unreadable: Failure | undefined;
}

interface Which {
  /** Also those that a run in this or another environment uses. */
  readonly inUse: boolean;
  /** Also those that git tracks, and those that almanac.yaml named before. */
  readonly inGit: boolean;
}

/** Of this organization, the usual one first. Throws Failure refused if git cannot be asked. */
export async function namedStates(
  workspace: Workspace,
  config: Config,
  { inUse, inGit }: Which,
): Promise<readonly NamedState[]> {
  const repository = inGit ? workspace.repository() : undefined;
  const tracked = repository === undefined ? [] : await trackedStates(workspace, repository);
  const before = repository === undefined ? [] : await namedBefore(workspace, repository);
  const present = config.stateFiles.map((each) => ({ ...each, path: posix.normalize(each.path) }));
  const meant = new Set(['almanac.state.json', ...[...present, ...before].map(({ path }) => posix.normalize(path))]);
  const found: NamedState[] = [];
  for (const path of new Set([...meant, ...tracked])) {
    const usedBy = present.filter((each) => each.path === path);
    if (leadsOut(path) || (usedBy.length > 0 && !inUse)) continue;
    const held = await heldIn(workspace, path, config.api.baseUrl, meant.has(path));
    if (held !== undefined) found.push({ path, usedBy, isTracked: tracked.includes(path), ...held });
  }
  return found;
}

function leadsOut(path: string): boolean {
  return posix.isAbsolute(path) || path.startsWith('../');
}

/** A folder with an almanac.yaml of its own is another workspace. */
async function trackedStates(workspace: Workspace, repository: Repository): Promise<readonly string[]> {
  const hasOwn = (folder: string): boolean =>
    folder !== '.' &&
    (['almanac.yaml', 'almanac.yml'].some((name) => workspace.exists(`${folder}/${name}`)) ||
      hasOwn(posix.dirname(folder)));
  return (await repository.trackedStates()).filter((path) => !hasOwn(posix.dirname(path)));
}

/** What almanac.yaml said in the commits that this checkout goes on from. */
async function namedBefore(workspace: Workspace, repository: Repository): Promise<Config['stateFiles']> {
  const texts = workspace.configFile === undefined ? [] : await repository.committed(workspace.configFile);
  const configs = texts.map((text) =>
    loadConfig({ ...workspace, parse: undefined, read: () => ({ text }) }, () => undefined, undefined),
  );
  return (await Promise.all(configs)).flatMap(({ usable }) => usable.stateFiles);
}

type Held = Pick<NamedState, 'state' | 'journal' | 'unreadable'>;

/** Undefined where there is nothing of this organization. `isMeant`: it is a state, whatever it holds. */
async function heldIn(
  workspace: Workspace,
  path: string,
  baseUrl: string | undefined,
  isMeant: boolean,
): Promise<Held | undefined> {
  const textOf = async (name: string) =>
    workspace.exists(name) ? workspace.readOutside(`${workspace.root}/${name}`) : undefined;
  const isOurs = (of: unknown) => baseUrl === undefined || of === baseUrl;
  try {
    const text = await textOf(path);
    const state = text === undefined ? undefined : parseState(text, path);
    const lines = await textOf(`${path}.journal`);
    const header = lines === undefined ? undefined : parseJson(lines.slice(0, lines.indexOf('\n') + 1));
    const isOfState =
      isJsonObject(header) &&
      header['type'] === 'header' &&
      isOurs(header['baseUrl']) &&
      (state === undefined || header['lineage'] === state.lineage);
    const journal = isOfState && lines !== undefined ? parseJournal(lines, `${path}.journal`) : undefined;
    const isFull = state !== undefined && isOurs(state.baseUrl) && Object.keys(state.resources).length > 0;
    if (!isFull && journal === undefined) return undefined;
    return { state: isFull ? state : undefined, journal, unreadable: undefined };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return isMeant ? { state: undefined, journal: undefined, unreadable: error } : undefined;
  }
}
