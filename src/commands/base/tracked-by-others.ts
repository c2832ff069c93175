// The resources that other states of the organization track. They are neither untracked here nor imported or adopted.
// The other states belong to environments of the workspace, or are named by `ignore`. Sends nothing to Omni.

import { basename, dirname, join, posix, relative } from 'node:path';
import { pinnedPlace, statePlaceVariable } from '../../declare/load/load-config.ts';
import { type State, type TrackedByOthers, trackersIn } from '../../model/plan/state.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { isSameServer, placeName, type StatePlace } from '../../model/workspace/state-place.ts';
import { readState } from '../../state/current-state.ts';
import { usualFile } from '../../state/unmoved-state.ts';
import { joined } from './place-of-state.ts';
import type { Run, Session } from './run.ts';

/** An environment of the same organization that has its own state, or the workspace without an environment. */
export interface OtherEnvironment {
  readonly name: string | undefined;
  /** Undefined if there is no state yet, or if it could not be read. */
  readonly state?: State | undefined;
  /** The reason why its resources are not known, as a sentence. */
  readonly unread?: string | undefined;
}

type Here = Pick<Session, 'workspace' | 'loaded'>;

export async function trackedByOthers(run: Run, here: Here): Promise<TrackedByOthers> {
  return trackedByThese(await otherEnvironments(run, here), run, here);
}

export function trackedByThese(
  otherEnvironments: readonly OtherEnvironment[],
  { cwd, options: { config: named } }: Run,
  { workspace: { root }, loaded: { config, ignoredStates = [] } }: Here,
): TrackedByOthers {
  const inFolder = (folder: string) => ['--chdir', relative(cwd, folder) || '.'];
  const ofIgnored = ignoredStates.flatMap(({ path, state }) => {
    if (config?.api.baseUrl !== undefined && state.baseUrl !== config.api.baseUrl) return [];
    const [folder, name] = [join(root, dirname(path)), basename(path)];
    const chosen = name === usualFile ? [] : ['--state', name];
    // Omni lists ids in lower case, and a person may have written another one.
    return trackersIn(state, `the state ${path}`, [...inFolder(folder), ...chosen]).map(
      ([id, tracker]) => [id.toLowerCase(), tracker] as const,
    );
  });
  const without = [...inFolder(root), ...(named === undefined ? [] : ['--config', named])];
  const ofEnvironments = otherEnvironments.flatMap(({ name, state }) =>
    state === undefined ? [] : trackersIn(state, whoseState(name), name === undefined ? without : ['--env', name]),
  );
  return new Map([...ofIgnored, ...ofEnvironments]);
}

/**
 * A state is read only from the server that keeps this run's state: no file may send the credentials of this run
 * elsewhere. A state that could not be read there is named; one that was deliberately not read, only with -v.
 */
export async function otherEnvironments(
  run: Run,
  { workspace: { root }, loaded: { config } }: Here,
): Promise<readonly OtherEnvironment[]> {
  if (config === undefined) return [];
  const { environment, environments, api, state: own } = config;
  const found: OtherEnvironment[] = [];
  const known = new Set([keyOf(own)]);
  for (const name of environments.length === 0 ? [] : [undefined, ...environments]) {
    const { state: place, api: there } = (await run.inEnvironment(name).settings()).usable;
    const isHere = (there.baseUrl ?? api.baseUrl) === api.baseUrl;
    if (name === environment || !isHere || known.has(keyOf(place))) continue;
    known.add(keyOf(place));
    const why = reasonNotAsked(run, place, own);
    const read = why === undefined ? await readPlace(run, place, root) : why;
    const isText = typeof read === 'string';
    const unread = isText ? `The state of ${whoseState(name)} was not read. ${read}` : undefined;
    if (unread !== undefined && (why === undefined || run.options.verbose)) run.say(`note: ${unread}`, run.stderr);
    const isSame = !isText && (api.baseUrl === undefined || read?.baseUrl === api.baseUrl);
    found.push({ name, state: isSame ? read : undefined, unread });
  }
  return found;
}

function whoseState(name: string | undefined): string {
  return name === undefined ? 'the workspace without `--env`' : `the environment ${name}`;
}

function keyOf(place: StatePlace): string {
  return place.backend === 'local' ? posix.normalize(place.path) : placeName(place);
}

/** Returns a sentence; undefined if the place may be read. */
function reasonNotAsked({ options, environment }: Run, place: StatePlace, own: StatePlace): string | undefined {
  // A place that the user names is the only one that this run may read.
  if (options.state !== undefined) return '`--state` names the only one that this run reads.';
  if (pinnedPlace(environment) !== undefined) return `${statePlaceVariable} names the only place that this run reads.`;
  return isSameServer(place, own)
    ? undefined
    : `It is in ${placeName(place)}, and that of this run in ${placeName(own)}.`;
}

/** Returns the state, or a sentence that says why it cannot be read. */
async function readPlace(run: Run, place: StatePlace, root: string): Promise<State | undefined | string> {
  try {
    const store =
      place.backend === 'local'
        ? await run.openState({ path: joined(root, place.path), name: place.path, within: root })
        : await run.openSharedState({ place, root });
    return (await readState(store)).state;
  } catch (error) {
    if (error instanceof Failure && error.code !== 'interrupted') return error.message;
    throw error;
  }
}
