// Refuses to begin in an empty place beside a state that was left behind.
//
// An almanac.yaml that gets its first environments, renames one, or names another place leaves its state behind: everything would be
// created a second time. It looks at the usual files, the state files that git tracks, and the places that almanac.yaml named in
// earlier commits of this clone. What `ignore` names is left to others.

import { posix } from 'node:path';
import type { Workspace } from '../../declare/workspace.ts';
import type { State } from '../../model/plan/state.ts';
import { once } from '../../model/values/collections.ts';
import { command } from '../../model/values/command.ts';
import { isJsonObject, parseJson } from '../../model/values/json.ts';
import { countOf } from '../../model/values/words.ts';
import { type Config, configNames } from '../../model/workspace/config.ts';
import { type Finding, placeOf } from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { placeName, type StatePlace, usualFile } from '../../model/workspace/state-place.ts';
import { parseState } from '../../state/format/parse-state.ts';
import type { StateStore, StoredState } from '../../state/state-store.ts';
import { inBrackets, printString } from '../../yaml/format/print-string.ts';
import { type Candidate, environmentsOf, keyOf, statesIn, statesOf, workspacesBeside } from './neighbours.ts';
import type { Run, Session } from './run.ts';

type Here = Pick<Session, 'workspace' | 'loaded'>;

/** Wraps the store so that reading or locking an empty one throws Failure refused if a state was left behind. */
export function refusingLeft(run: Run, store: StateStore, here: Here): StateStore {
  const { config } = here.loaded;
  // Nothing applied to an emulator was ever anywhere else, and nothing adopted is created.
  if (config === undefined || config.emulates !== undefined || isAdopted(here)) return store;
  let checked: Promise<void> | undefined;
  const read: StateStore['read'] = async () => {
    const stored = await store.read();
    if (isEmpty(stored)) {
      checked ??= refuseLeft(run, store.name, here, { config, own: stored.state });
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

function isAdopted({ loaded: { desired } }: Here): boolean {
  const adopted = new Set(desired.adoptions.map(({ to }) => to));
  return adopted.size > 0 && desired.resources.every(({ address }) => adopted.has(address));
}

function isEmpty({ state, journal }: StoredState): boolean {
  if (state === undefined) return journal === undefined;
  const { resources, unresolved, orphans } = state;
  return journal === undefined && Object.keys(resources).length + unresolved.length + orphans.length === 0;
}

async function refuseLeft(
  run: Run,
  name: string,
  here: Here,
  { config, own }: Pick<Looked, 'config' | 'own'>,
): Promise<void> {
  const { root } = here.workspace;
  const environments = await environmentsOf(run, root, config);
  const others = environments.filter((each) => each.environment !== undefined);
  const states = once(async () => (await statesOf(run, root, config, others)).flatMap(({ state }) => state ?? []));
  const looked: Looked = { ...here, run, config, own, environments, others, states };
  const left = (await leftFile(looked)) ?? (await leftElsewhere(looked));
  if (left === undefined) return;
  const { environment, file } = config;
  const ofFile = file === undefined ? undefined : { file, document: 0, pointer: '' };
  const keys = environment === undefined ? ['state'] : ['environments', environment];
  const finding: Finding = {
    code: 'state-left-behind',
    message: `${name} holds no state yet, and ${left.words}`,
    place: ofFile && placeOf(ofFile, 'key', ...keys),
  };
  throw new Failure('refused', `${name} holds no state yet, and ${placeName(left.place)} has one that nothing uses.`, {
    hint: `${left.hint} If the reports of that state are others', leave them to it: \`ignore: [{ state: ${flowText(left.place)} }]\`.`,
    findings: [finding],
    source: here.loaded,
  });
}

interface Looked extends Here {
  readonly run: Run;
  readonly config: Config;
  /** The state of this run, which tracks nothing; an older copy of it is not left behind. */
  readonly own: State | undefined;
  /** The other environments, and the workspace without one. */
  readonly environments: readonly Candidate[];
  readonly others: readonly Candidate[];
  /** The states of the other environments that can be read. */
  readonly states: () => Promise<readonly State[]>;
}

interface LeftState {
  readonly place: StatePlace;
  /** The rest of a sentence, and further ones. */
  readonly words: string;
  readonly hint: string;
}

const twice = 'Everything that is declared would be created a second time.';

/** A state in a file of the workspace. Throws Failure state-unreadable for a usual file that may hold everything. */
async function leftFile(looked: Looked): Promise<LeftState | undefined> {
  const { workspace, config } = looked;
  for (const { path, state, unreadable } of await leftFiles(workspace, config)) {
    if (unreadable !== undefined) throw unreadable;
    const count = state && (await countLeft(state, looked));
    if (count === 0) continue;
    const what =
      count === undefined ? 'the journal of an apply that broke off' : `one with ${countOf(count, 'resource')}`;
    const place = { backend: 'local', path } as const;
    return { place, words: `${path} holds ${what}. ${twice}`, hint: wayBack(place, config) };
  }
  return undefined;
}

interface StateInFile {
  /** The path from the root of the workspace. */
  readonly path: string;
  readonly isTracked: boolean;
  /** Undefined if there is only the journal of an apply that broke off. */
  readonly state: State | undefined;
  /** The reason why the content of the usual file is unknown. */
  readonly unreadable?: Failure | undefined;
}

/** The states of this organization, the usual files first. What another environment has left is its own. Throws Failure refused if git cannot be asked. */
export async function leftFiles(workspace: Workspace, config: Config): Promise<readonly StateInFile[]> {
  const tracked = await trackedStates(workspace);
  const { environment, environments, stateFiles, ignore } = config;
  const usual = new Set([usualFile(environment), usualFile(undefined)]);
  const ignored = ignore.flatMap(({ state }) => (state?.backend === 'local' ? state : []));
  // An environment does not use the file of runs without one.
  const usedBy = stateFiles.filter((each) => each.environment !== undefined || environment === undefined);
  const used = new Set([...usedBy, ...ignored].map(({ path }) => posix.normalize(path)));
  for (const name of environments) if (name !== environment) used.add(usualFile(name));
  const found: StateInFile[] = [];
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
    (configNames.some((name) => workspace.exists(`${folder}/${name}`)) || hasOwn(posix.dirname(folder)));
  const tracked = (await workspace.repository()?.trackedStates()) ?? [];
  return tracked.filter((path) => !hasOwn(posix.dirname(path)));
}

/** Returns undefined if it holds nothing of this organization, and for a file of another name that is not a state. */
async function stateIn(
  workspace: Workspace,
  path: string,
  baseUrl: string | undefined,
  isUsual: boolean,
): Promise<Pick<StateInFile, 'state' | 'unreadable'> | undefined> {
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

/** A place that runs of this workspace used before, unless an environment or another workspace uses it now. */
async function leftElsewhere(looked: Looked): Promise<LeftState | undefined> {
  const { run, workspace, config, environments, others } = looked;
  // A place that the user names is the only one that this run reads.
  if (run.options.state !== undefined) return undefined;
  const { root } = workspace;
  const beside = (await workspacesBeside(run, workspace)).candidates;
  const inUse = [{ place: config.state, folder: root }, ...others, ...beside];
  const used = new Set(inUse.map(({ place, folder }) => keyOf(place, folder)));
  const base = environments
    .filter(({ environment }) => environment === undefined)
    .map((each) => ({ ...each, was: 'the state of runs without `--env`', isOfBase: true }));
  const named = [...base, ...(await formerPlaces(looked))].filter(({ place, folder, isNamed }) => {
    const key = keyOf(place, folder);
    const isLeft = !used.has(key) && isNamed !== true;
    used.add(key);
    return isLeft;
  });
  const read = await statesOf(run, root, config, named);
  for (const { candidate, state, failure } of read) {
    const { place, was } = candidate;
    if (failure !== undefined) {
      const isMoved = failure.code === 'state-moved';
      if (isMoved || candidate.isOfBase || !(await isLost(candidate, looked))) continue;
      const words = `the one in ${placeName(place)}, ${was}, was not read. ${failure.message} What that tracks would be created a second time.`;
      return { place, words, hint: wayBack(place, config) };
    }
    if (state === undefined || (config.api.baseUrl !== undefined && state.baseUrl !== config.api.baseUrl)) continue;
    const count = await countLeft(state, looked);
    if (count === 0) continue;
    const words = `${placeName(place)}, ${was}, tracks ${countOf(count, 'resource')} of ${state.baseUrl}. ${twice}`;
    return { place, words, hint: wayBack(place, config) };
  }
  return undefined;
}

/** True if a state that was not read was that of this environment, or of one that is gone and whose reports none has. */
async function isLost({ environment: before }: Candidate, { config, states }: Looked): Promise<boolean> {
  if (before === config.environment) return true;
  if (before !== undefined && config.environments.includes(before)) return false;
  return (await states()).every(({ resources }) => Object.keys(resources).length === 0);
}

/** The places that almanac.yaml named in the commits of this clone, the newest first. */
async function formerPlaces({ run, workspace: { root, configFile }, config }: Looked) {
  if (configFile === undefined) return [];
  const checkout = await run.openCheckout(root);
  const texts = [...((await checkout.committed({ formerly: configFile })) ?? [])];
  const versions = texts.map(([name, text]) =>
    text !== undefined && name.startsWith(`${configFile} `)
      ? statesIn({ path: configFile, text, folder: root, cwd: run.cwd })
      : undefined,
  );
  return (await Promise.all(versions)).flatMap((found = []) =>
    found.map((each) => {
      const of = each.environment === undefined ? 'runs without `--env`' : `the environment ${each.environment}`;
      const isNamed = config.ignore.some(({ state }) => state && keyOf(state, root) === keyOf(each.place, root));
      return {
        ...each,
        isNamed,
        was: `where almanac.yaml kept the state of ${of} before`,
        isOfBase: each.isBase === true,
      };
    }),
  );
}

type Tracked = State['resources'][string];

/** Tells whether a resource is delivered as this environment would: what went to sinks holds up nothing that goes to customers. */
function isLike({ deliver }: Config): (resource: Tracked) => boolean {
  return ({ throughSink = false }) => throughSink === (deliver !== undefined);
}

/** How many resources of a state no other environment tracks, or has taken over with the whole state. */
async function countLeft(state: State, { config, own, states }: Looked): Promise<number> {
  if (own?.lineage === state.lineage) return 0;
  const ours = Object.values(state.resources).filter(isLike(config));
  const others = ours.length === 0 ? [] : await states();
  if (others.some(({ lineage }) => lineage === state.lineage)) return 0;
  const taken = new Set(others.flatMap(({ resources }) => Object.values(resources).flatMap(({ id }) => id ?? [])));
  return ours.filter(({ id = '' }) => !taken.has(id)).length;
}

/** How the run uses the state that was left, in whole sentences. */
function wayBack(place: StatePlace, { state: own, environment }: Config): string {
  const inEnvironment = environment === undefined ? [] : ['--env', environment];
  if (place.backend === 'local' && own.backend !== 'local') {
    const from = place.path === usualFile(environment) ? [] : ['--state', place.path];
    const move = environment === undefined ? 'Move' : 'If these are to be the same reports, move';
    return `${move} the state with \`${command('state migrate', ...from, ...inEnvironment)}\`.`;
  }
  if (place.backend !== own.backend) {
    const pull = (file: string) =>
      `With the almanac.yaml of before, \`${command('state pull')} > ${file}\` writes it there`;
    if (own.backend === 'local') return `${pull(own.path)}.`;
    return `${pull('FILE')}; with this one, \`${command('state migrate', '--state', 'FILE', ...inEnvironment)}\` moves that to ${placeName(own)}.`;
  }
  if (place.backend === 'local' && environment === undefined)
    return `Move ${place.path} and its journal to ${placeName(own)}, or name ${place.path} in \`state\` of almanac.yaml.`;
  const where = environment === undefined ? 'almanac.yaml' : `\`environments.${environment}\``;
  return `If these are to be the same reports, keep that state: write \`state: ${flowText(place, own)}\` in ${where}.`;
}

/** The settings of a place as YAML on one line, without those that it shares with another place. */
function flowText(place: StatePlace, beside?: StatePlace): string {
  const known: Readonly<Record<string, unknown>> = { lease: 0, ...beside };
  const entries = Object.entries(place).filter(
    ([name, value]) => value !== undefined && name !== 'lease' && known[name] !== value,
  );
  return `{ ${entries.map(([name, value]) => `${name}: ${printString(String(value), inBrackets)}`).join(', ')} }`;
}
