// One run of a command: the process, the global options, and everything opened through them. Each part, such as the
// state that --state or almanac.yaml names, is opened on first use, kept for later uses, and closed when the command
// ends.

import { dirname, join } from 'node:path';
import { type Loaded, type LoadOptions, load, type SoundLoaded } from '../../declare/load/load.ts';
import { baseUrlVariable, type LoadedConfig, loadConfig } from '../../declare/load/load-config.ts';
import {
  environmentFailure,
  missingEnvironment,
  refuseWithoutEnvironment,
} from '../../declare/load/missing-environment.ts';
import { invalidWorkspace, refuseErrors } from '../../declare/load/refuse-errors.ts';
import type { Workspace } from '../../declare/workspace.ts';
import type { ProgressFile } from '../../model/outside.ts';
import type { State } from '../../model/plan/state.ts';
import { once } from '../../model/values/collections.ts';
import { command } from '../../model/values/command.ts';
import { parseUrl } from '../../model/values/urls.ts';
import { countOf, inBackticks, nameSome, shellWord } from '../../model/values/words.ts';
import { type Config, configNames } from '../../model/workspace/config.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { nothingDeclared } from '../../model/workspace/resource.ts';
import { type Service, type ServiceOptions, withService } from '../../observe/service.ts';
import { checkSameOrganization, readState } from '../../state/current-state.ts';
import type { StateStore, StoredState } from '../../state/state-store.ts';
import { type GlobalOptions, usualLimits } from './command.ts';
import { type ConfigReading, folderOf, joined, placeOfState, type StateFile, type StateUse } from './place-of-state.ts';
import { makePublishing, type Publishes } from './publishing.ts';
import { knownSecrets, type MaskTexts, shownWithout } from './shown-texts.ts';
import type { World } from './world.ts';

/** A workspace and its declarations, including their errors. */
export interface Session {
  readonly workspace: Workspace;
  readonly loaded: Loaded;
  /** Masks the secrets in texts from Omni. */
  readonly shown: MaskTexts;
}

/** A session whose declarations have no errors. */
export interface SoundSession extends Session {
  readonly loaded: SoundLoaded;
}

/** A session of which only almanac.yaml is known to have no errors. */
interface ConfiguredSession extends Session {
  readonly config: Config;
}

type ReadOptions = Pick<LoadOptions, 'paths' | 'everywhere' | 'ended'>;

export interface Run extends World, AsksService, Publishes {
  readonly options: GlobalOptions;
  /** The version as plans and states record it. */
  readonly toolVersion: string;
  workspace(): Promise<Workspace>;
  /** Throws Failure invalid-workspace if there is none: a mistyped folder must not look like one without changes. */
  requireWorkspace(): Promise<Workspace>;
  /** Reads only almanac.yaml. */
  settings(): Promise<LoadedConfig>;
  /** Like `settings`, but throws Failure invalid-workspace on errors, and usage if an environment must be named. */
  config(): Promise<Config>;
  /** Reads the declarations as the first call chose. Throws Failure invalid-workspace without a workspace. */
  load(reading?: ReadOptions): Promise<Session>;
  /**
   * Like `load`, but requires that there are no errors, and the environment that must be named unless `anywhere`.
   * `nothing` completes the sentence: `nothing was sent`. Throws Failure invalid-workspace and usage as well.
   */
  declared(nothing: string, where?: 'anywhere'): Promise<SoundSession>;
  /** Goes on although declarations have errors, as long as almanac.yaml has none. Throws Failure invalid-workspace. */
  configured(): Promise<ConfiguredSession>;
  /** Like `load`, but also works before there is a workspace. */
  loadAnywhere(reading?: ReadOptions): Promise<Session>;
  /** Reads the declarations of another workspace, such as an edited one or a copy. */
  loadFrom(workspace: Workspace, reading?: ReadOptions): Promise<Loaded>;
  /**
   * The state store, opened once. Reading or locking it throws Failure refused if it is empty and a state of this workspace
   * was left behind. Throws Failure invalid-workspace and usage.
   */
  store(session: Pick<Session, 'loaded'>, use?: StateUse): Promise<StateStore>;
  /** Opens the store without the declarations, so that it can be inspected while they have errors. */
  storeAlone(use?: StateUse): Promise<StateStore>;
  /**
   * The stored state, for commands that only read it; undefined if there is none yet. Throws Failure state-conflict if
   * it belongs to another organization than the configuration's.
   */
  readState(store: StateStore, config?: Config): Promise<State | undefined>;
  /** The state's file; undefined for a place that many share. */
  stateFile(session: Pick<Session, 'loaded'>): Promise<StateFile | undefined>;
  /** The record of what has been read so far, kept next to the state or in the workspace. */
  progress(session: Session, of: keyof typeof progressFiles): Promise<ProgressFile>;
  path(path: string): string;
  /** The same command line in another environment. The base URL of this process is not used there. */
  inEnvironment(name: string | undefined): Run;
  /** Never throws. */
  close(): Promise<void>;
}

const progressFiles = { import: '.almanac-import.json', recipients: '.almanac-recipients.json' } as const;

/** `opened` gives the workspace if it is known already. */
export function makeRun(outside: World, options: GlobalOptions, opened?: () => Promise<Workspace>): Run {
  const { world, read, close } = keepingStores(outside);
  const reading = makeReading(world, options, read, opened);
  const { workspace, settings, path } = reading;
  const keptFiles = once(async () => {
    const { stateFiles, sources } = (await settings()).usable;
    const states = stateFiles.map((each) => each.path);
    return { states: options.state === undefined ? states : [...states, path(options.state)], sources };
  });
  const publishing = makePublishing(world, options, workspace, keptFiles);
  const { environment } = world;
  const sayEmulated = sayingEmulated(world, publishing);
  const asks = makeAsking(world, read);
  const run: Run = {
    ...world,
    ...asks,
    asking: (need, work) => {
      sayEmulated(need.loaded.config);
      return asks.asking(need, work);
    },
    ...publishing,
    ...reading,
    ...makeStateReading(world, options, reading, publishing, sayEmulated, () => run),
    options,
    toolVersion: world.version,
    inEnvironment: (name) =>
      makeRun(
        { ...world, environment: (variable) => (variable === baseUrlVariable ? undefined : environment(variable)) },
        { ...options, env: name },
        workspace,
      ),
    close,
  };
  return run;
}

/** A world that keeps the stores that are opened in it, to close them, and the states that they read. */
function keepingStores(outside: World) {
  const stores = new Set<StateStore>();
  const states = new Map<StateStore, StoredState>();
  const noted = async (opening: Promise<StateStore>): Promise<StateStore> => {
    const store = await opening;
    stores.add(store);
    return noticing(store, (stored) => states.set(store, stored));
  };
  const world: World = {
    ...outside,
    openState: (place) => noted(outside.openState({ ...place, signal: outside.signal })),
    openCheckout: (root) => outside.openCheckout(root, outside.signal),
    openSharedState: (place) => noted(outside.openSharedState({ ...place, signal: outside.signal })),
  };
  const close = async () => {
    await Promise.all([...stores].map((store) => store.close()));
  };
  return { world, read: () => [...states.values()], close };
}

type Reading = Pick<
  Run,
  | 'workspace'
  | 'settings'
  | 'path'
  | 'requireWorkspace'
  | 'load'
  | 'declared'
  | 'configured'
  | 'loadAnywhere'
  | 'loadFrom'
>;

/** `read`: the states that were read so far. */
function makeReading(
  world: World,
  options: GlobalOptions,
  read: () => readonly StoredState[],
  opened: Run['workspace'] | undefined,
): Reading {
  const { environment, clock, signal } = world;
  const path = (given: string) => joined(folderOf(world, options), given);
  let session: Promise<Session> | undefined;
  const readSession = async (given: ReadOptions | undefined): Promise<Session> => {
    const found = await reading.workspace();
    const loaded = await reading.loadFrom(found, given);
    if (options.verbose) {
      const files = countOf(loaded.files.length, 'source file');
      const resources = countOf(loaded.desired.resources.length, 'resource');
      world.stderr.write(`Read ${files} with ${resources} in ${found.root}.\n`);
    }
    return { workspace: found, loaded, shown: shownWithout(() => knownSecrets(loaded, environment, read())) };
  };
  const reading: Reading = {
    path,
    workspace:
      opened ?? once(() => world.openWorkspace({ cwd: folderOf(world, options), signal, config: options.config })),
    settings: once(async () => loadConfig(await reading.workspace(), environment, options.env)),
    requireWorkspace: async () => {
      const found = await reading.workspace();
      if (found.configFile === undefined) await refuseEmpty(found, options.state && path(options.state), world);
      return found;
    },
    load: async (given = {}) => {
      if ((given.paths ?? []).length === 0) await reading.requireWorkspace();
      return reading.loadAnywhere(given);
    },
    declared: async (nothing, where) => {
      const session = await reading.load();
      const { loaded } = session;
      if (where !== 'anywhere') refuseWithoutEnvironment(loaded.missingEnvironment);
      refuseErrors(loaded, nothing);
      return { ...session, loaded };
    },
    configured: async () => {
      const session = await reading.load();
      const { config, findings } = session.loaded;
      if (config === undefined) throw invalidWorkspace('The configuration has errors.', findings, session.loaded);
      return { ...session, config };
    },
    loadAnywhere: (given) => {
      session ??= readSession(given);
      return session;
    },
    loadFrom: (workspace, { paths, everywhere, ended } = {}) => {
      const stateFile = options.state && path(options.state);
      return load({ workspace, environment, clock, environmentName: options.env, stateFile, paths, everywhere, ended });
    },
  };
  return reading;
}

/** Says once, before anything else, that the organization of almanac.yaml is not meant. */
function sayingEmulated(world: World, { say }: Publishes) {
  let isSaid = false;
  return (config: Config | undefined) => {
    if (config?.emulates === undefined || isSaid) return;
    isSaid = true;
    const [emulator, organization] = [config.api.baseUrl, config.emulates].map((url = '') => parseUrl(url)?.host);
    say(`The emulator at ${emulator} takes the place of ${organization}.`, world.stderr);
  };
}

type StateReading = Pick<Run, 'config' | 'store' | 'storeAlone' | 'readState' | 'stateFile' | 'progress'>;

function makeStateReading(
  world: World,
  options: GlobalOptions,
  { workspace, settings, requireWorkspace, loadFrom }: Reading,
  { say }: Publishes,
  sayEmulated: (config: Config | undefined) => void,
  self: () => Run,
): StateReading {
  /** For callers that load no declarations. Without environments every `in` is an error, which validate and plan report. */
  const requireEnvironment = async (config: Config) => {
    const isDecided = config.environmentRequired || config.environments.length === 0;
    const desired =
      isDecided || config.environment !== undefined ? nothingDeclared : (await loadFrom(await workspace())).desired;
    refuseWithoutEnvironment(missingEnvironment(config, desired));
  };
  const sourceOf = ({ file }: LoadedConfig) => ({ desired: nothingDeclared, fileNamed: () => file });
  const place = async (configured: ConfigReading, use: StateUse) =>
    placeOfState(world, options, (await workspace()).root, configured, use);
  let store: Promise<StateStore> | undefined;
  const open = async (configured: ConfigReading, use: StateUse) => {
    sayEmulated(configured.config);
    const found = await place(configured, use);
    const { root } = await workspace();
    store ??= 'path' in found ? world.openState(found) : world.openSharedState({ place: found, root });
    return store;
  };
  const stateFile: Run['stateFile'] = async ({ loaded }) => {
    const found = await place({ ...loaded, source: loaded }, 'reads');
    return 'path' in found ? found : undefined;
  };
  return {
    config: async () => {
      const read = await settings();
      await requireEnvironment(read.usable);
      if (read.config !== undefined) return read.config;
      throw invalidWorkspace('The configuration has errors.', read.findings, sourceOf(read));
    },
    store: async ({ loaded }, use = 'reads') => {
      refuseWithoutEnvironment(loaded.missingEnvironment);
      const opened = await open({ ...loaded, source: loaded }, use);
      const { refusingLeft } = await import('./left-state.ts');
      return refusingLeft(self(), opened, { loaded, workspace: await workspace() });
    },
    storeAlone: async (use = 'reads') => {
      await requireWorkspace();
      const read = await settings();
      await requireEnvironment(read.usable);
      return open({ ...read, source: sourceOf(read) }, use);
    },
    readState: async (from, config) => {
      const { state, message } = await readState(from);
      if (message !== undefined) say(`warning: ${message}`, world.stderr);
      checkSameOrganization(state, config?.api.baseUrl, from.name);
      return state;
    },
    stateFile,
    progress: async (read, of) => {
      const name = progressFiles[of];
      const state = (await stateFile(read)) ?? { path: joined(read.workspace.root, name), name };
      const beside = (file: string) => join(dirname(file), name);
      return world.openProgress({ path: beside(state.path), name: beside(state.name) });
    },
  };
}

/** Wraps a store so that `notice` receives each state that it reads, with the lock and without. */
function noticing(store: StateStore, notice: (stored: StoredState) => void): StateStore {
  const telling = (read: StateStore['read']) => async () => {
    const stored = await read();
    notice(stored);
    return stored;
  };
  return {
    ...store,
    read: telling(() => store.read()),
    lock: async (command, signal) => {
      const locked = await store.lock(command, signal);
      return Object.assign(locked, { read: telling(locked.read.bind(locked)) });
    },
  };
}

async function refuseEmpty(workspace: Workspace, stateFile: string | undefined, { environment }: World): Promise<void> {
  const { sources, state } = (await loadConfig(workspace, environment, undefined)).usable;
  const file = stateFile ?? (state.backend === 'local' ? state.path : undefined);
  if (file !== undefined && (workspace.exists(file) || workspace.exists(`${file}.journal`))) return;
  if ((await workspace.list(sources)).length > 0) return;
  await refuseAbove(workspace);
  throw new Failure('invalid-workspace', noWorkspace, {
    hint: `No almanac.yaml, no source file (${sources.join(', ')}) and no state was found. Run it in the folder that holds them, name that folder with --chdir, or create a workspace with ${command('init')}.`,
  });
}

type ServiceEvent =
  | { readonly type: 'waiting'; readonly seconds: number; readonly why: string }
  | { readonly type: 'note'; readonly message: string };

interface EndingReporter {
  emit(event: ServiceEvent): void;
  end(): void;
}

interface ServiceNeed<R> {
  readonly loaded: Loaded;
  readonly reporter: R;
  readonly nothing?: string;
  readonly limits?: Pick<ServiceOptions, 'allowHttp' | 'maxAttempts' | 'maxWait'> | undefined;
}

type AsksService = ReturnType<typeof makeAsking>;

/** `read`: the states that were read so far. */
function makeAsking({ environment, clock, signal, connect }: World, read: () => readonly StoredState[]) {
  /** Adds to an interruption that nothing was done, as `asking` does. */
  const unlessInterrupted = async <T>(nothing: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      // A failure that already says how to go on stays.
      if (!(error instanceof Failure) || error.code !== 'interrupted' || error.hint !== undefined) throw error;
      throw error.with({ hint: `Nothing was ${nothing}. Run the command again.` });
    }
  };
  /**
   * Hands the service to `work`, and ends the progress on stderr with it. `nothing` completes what Ctrl-C makes it say, as
   * in `Nothing was changed`. Throws Failure usage where an environment must be named, and what `work` throws.
   */
  const asking = async <T, R extends EndingReporter>(
    { loaded, reporter, nothing, limits = { allowHttp: false, ...usualLimits } }: ServiceNeed<R>,
    work: (service: Service, reporter: R) => Promise<T>,
  ): Promise<T> => {
    const { config } = loaded;
    const ask = async () => {
      // The last safeguard before a request.
      if (config?.environmentRequired && config.environment === undefined)
        throw environmentFailure({ need: 'required', names: config.environments });
      const onWait = (seconds: number, why: string) => reporter.emit({ type: 'waiting', seconds, why });
      const onNote = (message: string) => reporter.emit({ type: 'note', message });
      const secrets = () => knownSecrets(loaded, environment, read());
      const settled = { config, environment, secrets, connect, clock, signal, onWait, onNote, ...limits };
      return withService(settled, (service) => work(service, reporter));
    };
    try {
      return await (nothing === undefined ? ask() : unlessInterrupted(nothing, ask));
    } finally {
      reporter.end();
    }
  };
  return { asking, unlessInterrupted };
}

const noWorkspace = 'There is no workspace here or above.';

/** Throws Failure invalid-workspace in a folder whose subfolders are workspaces, as at the root of a repository of several teams. */
export async function refuseAbove(workspace: Workspace): Promise<void> {
  if (workspace.configFile !== undefined) return;
  const levels = ['*', '*/*', '*/*/*'];
  const below = await workspace
    .list(levels.flatMap((level) => configNames.map((name) => `${level}/${name}`)))
    .catch((error: unknown) => (error instanceof Failure && error.code !== 'interrupted' ? [] : Promise.reject(error)));
  const folders = [...new Set(below.map((path) => dirname(path)))];
  const [first] = folders;
  if (first === undefined) return;
  const are = folders.length === 1 ? 'is a workspace' : 'are workspaces';
  throw new Failure('invalid-workspace', noWorkspace, {
    hint: `There ${are} below: ${nameSome(folders.map(inBackticks))}. Run the command there, or add \`--chdir ${shellWord(first)}\`.`,
  });
}
