// A state that was left behind: the place of the state is empty, and a file of the workspace that no run uses holds one. All of
// it would be created a second time. Looked at are the usual files and those that git tracks; nothing else is searched.

import { posix } from 'node:path';
import type { Workspace } from '../declare/workspace.ts';
import type { State } from '../model/plan/state.ts';
import { command } from '../model/values/command.ts';
import { isJsonObject, parseJson } from '../model/values/json.ts';
import { countOf } from '../model/values/words.ts';
import type { Config } from '../model/workspace/config.ts';
import { Failure } from '../model/workspace/failure.ts';
import { usualFile } from '../model/workspace/state-place.ts';
import { parseState } from './format/parse-state.ts';
import type { StateStore } from './state-store.ts';

interface LeftContext {
  readonly workspace: Workspace;
  /** Undefined if almanac.yaml has errors, which only --state passes. */
  readonly config?: Config | undefined;
}

/** Wraps the store so that reading or locking an empty one throws Failure refused if a state was left behind. */
export async function refusingUnmoved(store: StateStore, { workspace, config }: LeftContext): Promise<StateStore> {
  if (config === undefined) return store;
  let checked: Promise<void> | undefined;
  const read: StateStore['read'] = async () => {
    const stored = await store.read();
    const isEmpty = stored.state === undefined && stored.journal === undefined;
    if (isEmpty) {
      checked ??= refuseLeft(store, workspace, config);
      await checked;
    }
    return stored;
  };
  return {
    ...store,
    read,
    // An empty place is left empty.
    lock: async (...request) => {
      if (checked === undefined) await read();
      await checked;
      return store.lock(...request);
    },
  };
}

/** Throws Failure refused, and state-unreadable for the usual file if that may hold everything. */
async function refuseLeft({ name, shared }: StateStore, workspace: Workspace, config: Config): Promise<void> {
  const [found] = await leftStates(workspace, config);
  if (found === undefined) return;
  if (found.unreadable !== undefined) throw found.unreadable;
  const { path, state } = found;
  const { environment } = config;
  const from = path === usualFile(environment) ? [] : ['--state', path];
  const move = command('state migrate', ...from, ...(environment === undefined ? [] : ['--env', environment]));
  const what =
    state === undefined
      ? 'the journal of an apply that broke off'
      : `one with ${countOf(Object.keys(state.resources).length, 'resource')}`;
  throw new Failure(
    'refused',
    `${name} holds no state yet, and ${path} holds ${what}. Everything that is declared would be created a second time.`,
    {
      hint:
        shared === undefined
          ? `Move ${path} and its journal to ${name}, or name ${path} in \`state\` of almanac.yaml.`
          : `Move the state with \`${move}\`.`,
    },
  );
}

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
  const { environment, environments, stateFiles } = config;
  const usual = new Set([usualFile(environment), usualFile(undefined)]);
  const used = new Set(stateFiles.map(({ path }) => posix.normalize(path)));
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
