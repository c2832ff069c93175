// The files of a workspace that hold a state which no run uses: the usual ones, and those that git tracks.

import { posix } from 'node:path';
import type { Workspace } from '../declare/workspace.ts';
import type { State } from '../model/plan/state.ts';
import { isJsonObject, parseJson } from '../model/values/json.ts';
import type { Config } from '../model/workspace/config.ts';
import { Failure } from '../model/workspace/failure.ts';
import { usualFile } from '../model/workspace/state-place.ts';
import { parseState } from './format/parse-state.ts';

export interface LeftState {
  /** The path from the root of the workspace. */
  readonly path: string;
  readonly isTracked: boolean;
  /** Undefined if there is only the journal of an apply that broke off. */
  readonly state: State | undefined;
  /** The reason why the content of the usual file is unknown. */
  readonly unreadable?: Failure | undefined;
}

/** The states of this organization, the usual files first. What another environment has left is its own. Throws Failure refused if git cannot be asked. */
export async function leftStates(workspace: Workspace, config: Config): Promise<readonly LeftState[]> {
  const tracked = await trackedStates(workspace);
  const { environment, environments, stateFiles, ignore } = config;
  const usual = new Set([usualFile(environment), usualFile(undefined)]);
  const ignored = ignore.flatMap(({ state }) => (state?.backend === 'local' ? state : []));
  // An environment does not use the file of runs without one.
  const usedBy = stateFiles.filter((each) => each.environment !== undefined || environment === undefined);
  const used = new Set([...usedBy, ...ignored].map(({ path }) => posix.normalize(path)));
  for (const name of environments) if (name !== environment) used.add(usualFile(name));
  const found: LeftState[] = [];
  for (const path of new Set([...usual, ...tracked])) {
    const held = used.has(path) ? undefined : await stateIn(workspace, path, config.api.baseUrl, usual.has(path));
    if (held !== undefined) found.push({ path, isTracked: tracked.includes(path), ...held });
  }
  return found;
}

/** A folder with an almanac.yaml of its own is another workspace. */
async function trackedStates(workspace: Workspace): Promise<readonly string[]> {
  const hasOwn = (folder: string): boolean =>
    folder !== '.' &&
    (['almanac.yaml', 'almanac.yml'].some((name) => workspace.exists(`${folder}/${name}`)) ||
      hasOwn(posix.dirname(folder)));
  const tracked = (await workspace.repository()?.trackedStates()) ?? [];
  return tracked.filter((path) => !hasOwn(posix.dirname(path)));
}

/** Returns undefined if it holds nothing of this organization, and for a file of another name that is not a state. */
async function stateIn(
  workspace: Workspace,
  path: string,
  baseUrl: string | undefined,
  isUsual: boolean,
): Promise<Pick<LeftState, 'state' | 'unreadable'> | undefined> {
  const textOf = async (name: string) =>
    workspace.exists(name) ? workspace.readOutside(`${workspace.root}/${name}`) : undefined;
  const isOurs = (of: unknown) => baseUrl === undefined || of === baseUrl;
  try {
    const text = await textOf(path);
    const state = text === undefined ? undefined : parseState(text, path);
    if (state !== undefined && isOurs(state.baseUrl) && Object.keys(state.resources).length > 0) return { state };
    const lines = state === undefined ? await textOf(`${path}.journal`) : undefined;
    const header = lines === undefined ? undefined : parseJson(lines.slice(0, lines.indexOf('\n') + 1));
    const isBegun = isJsonObject(header) && header['type'] === 'header' && isOurs(header['baseUrl']);
    return isBegun ? { state: undefined } : undefined;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return isUsual ? { state: undefined, unreadable: error } : undefined;
  }
}
