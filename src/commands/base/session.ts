// How most commands start: find the workspace, load its declarations, open its state.

import { dirname, isAbsolute, join } from 'node:path';
import { invalidWorkspace, type Loaded, type LoadOptions, load } from '../../engine/load/load.ts';
import { loadConfig, pinnedPlace, statePlaceVariable } from '../../engine/load/load-config.ts';
import { missingEnvironmentAlone, refuseWithoutEnvironment } from '../../engine/load/require-environment.ts';
import { knownSecrets, type Shown, shownWithout } from '../../engine/propose/known-secrets.ts';
import type { Config } from '../../model/workspace/config.ts';
import type { Finding } from '../../model/workspace/diagnostic.ts';
import { Failure, type FindingSource } from '../../model/workspace/failure.ts';
import { nothingDeclared } from '../../model/workspace/resource.ts';
import { placeName, type SharedPlace } from '../../model/workspace/state-place.ts';
import type { ProgressFile } from '../../ports/progress-file.ts';
import type { StateStore } from '../../ports/state-store.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { countOf } from '../../render/text/count-words.ts';
import type { GlobalOptions } from './command.ts';
import type { DataFile, World } from './world.ts';

export interface Session {
  readonly workspace: Workspace;
  readonly loaded: Loaded;
  /** Masks the secrets in what Omni wrote. */
  readonly shown: Shown;
}

export function openWorkspace(world: World, options: GlobalOptions): Promise<Workspace> {
  const { config } = options;
  const { signal } = world;
  return world.openWorkspace({ cwd: folderOf(world, options), signal, ...(config === undefined ? {} : { config }) });
}

/** Which source files are loaded, and how. */
type Reading = Pick<LoadOptions, 'paths' | 'parse'>;

/** Loads all sources, or only the named ones. Throws Failure invalid-workspace if there is no workspace. */
export async function openSession(world: World, options: GlobalOptions, reading: Reading = {}): Promise<Session> {
  const { paths = [] } = reading;
  const workspace = await openWorkspace(world, options);
  if (paths.length === 0) await requireWorkspace(world, options, workspace);
  return loadSession(world, options, workspace, reading);
}

/** For commands that also work where nothing is declared yet. */
export async function openSessionAnywhere(world: World, options: GlobalOptions): Promise<Session> {
  return loadSession(world, options, await openWorkspace(world, options));
}

/** For commands that need no declaration. Throws Failure invalid-workspace if almanac.yaml has errors. */
export async function openConfigured(world: World, options: GlobalOptions) {
  const session = await openSessionAnywhere(world, options);
  const { config, findings, missingEnvironment } = session.loaded;
  refuseWithoutEnvironment(missingEnvironment);
  if (config === undefined) throw invalidWorkspace('The configuration has errors.', findings, session.loaded);
  return { ...session, config };
}

/** The declarations of a workspace, as the command line says. */
export async function loadWorkspace(
  world: World,
  options: GlobalOptions,
  workspace: Workspace,
  { paths, parse }: Reading = {},
): Promise<Loaded> {
  const { environment, clock } = world;
  const stateFile = options.state === undefined ? undefined : joined(folderOf(world, options), options.state);
  return load({ workspace, environment, clock, environmentName: options.env, stateFile, paths, parse });
}

async function loadSession(
  world: World,
  options: GlobalOptions,
  workspace: Workspace,
  reading?: Reading,
): Promise<Session> {
  const loaded = await loadWorkspace(world, options, workspace, reading);
  if (options.verbose) {
    const { resources } = loaded.desired;
    world.stderr.write(
      `Read ${countOf(loaded.files.length, 'source file')} with ${countOf(resources.length, 'resource')} in ${workspace.root}.\n`,
    );
  }
  return { workspace, loaded, shown: shownWithout(() => knownSecrets(loaded, world.environment)) };
}

/** Where the state of the session is a file; undefined for a place that many share. */
export function stateFileOf(
  world: World,
  options: GlobalOptions,
  { workspace, loaded }: Session,
): StateFile | undefined {
  const place = placeOfState(world, options, workspace, { ...loaded, source: loaded, use: 'reads' });
  return 'path' in place ? place : undefined;
}

/** What a command does with the state. */
export type StateUse = 'reads' | 'changes';

/**
 * The state of the session. Throws Failure invalid-workspace if almanac.yaml cannot be read, and refused where a shared
 * place has no state yet and a file of the workspace has one.
 */
export async function openState(
  world: World,
  options: GlobalOptions,
  { workspace, loaded }: Omit<Session, 'shown'>,
  use: StateUse = 'reads',
): Promise<StateStore> {
  refuseWithoutEnvironment(loaded.missingEnvironment);
  const store = await openStore(world, options, workspace, { ...loaded, source: loaded, use });
  if (store.shared !== undefined) {
    const { refuseUnmoved } = await import('../../engine/state/unmoved-state.ts');
    await refuseUnmoved(store, workspace, { ...loaded, environmentName: options.env });
  }
  return store;
}

/**
 * A mistyped folder must not look like a workspace without changes. Throws Failure invalid-workspace where there is
 * neither almanac.yaml nor a source file nor a state.
 */
export async function requireWorkspace(world: World, options: GlobalOptions, workspace: Workspace): Promise<void> {
  if (workspace.configFile !== undefined) return;
  const { sources, state } = (await loadConfig(workspace, world.environment, undefined)).usable;
  const own = state.backend === 'local' ? state.path : undefined;
  const path = options.state === undefined ? own : joined(folderOf(world, options), options.state);
  if (path !== undefined && (workspace.exists(path) || workspace.exists(`${path}.journal`))) return;
  if ((await workspace.list(sources)).length > 0) return;
  throw new Failure('invalid-workspace', 'There is no workspace here or above.', {
    hint: `No almanac.yaml, no source file (${sources.join(', ')}) and no state was found. Run it in the folder that holds them, name that folder with --chdir, or create a workspace with almanac init.`,
  });
}

/** The state without the declarations, so that it can be inspected while they have errors. */
export async function openStateAlone(
  world: World,
  options: GlobalOptions,
  use: StateUse = 'reads',
): Promise<{ store: StateStore; workspace: Workspace }> {
  const workspace = await openWorkspace(world, options);
  await requireWorkspace(world, options, workspace);
  const { file, ...rest } = await loadConfig(workspace, world.environment, options.env);
  refuseWithoutEnvironment(await missingEnvironmentAlone(workspace, rest.usable));
  const source = { desired: nothingDeclared, fileNamed: () => file };
  return { store: await openStore(world, options, workspace, { ...rest, source, use }), workspace };
}

/** The parts of a session, for a command that goes on where one of them fails. Each throws Failure. */
export function partsOf(world: World, options: GlobalOptions) {
  return {
    openWorkspace: () => openWorkspace(world, options),
    requireWorkspace: (workspace: Workspace) => requireWorkspace(world, options, workspace),
    readConfig: (workspace: Workspace) => loadConfig(workspace, world.environment, options.env),
    load: async (workspace: Workspace) => (await loadSession(world, options, workspace)).loaded,
    /** Undefined where nothing tells which state it is. */
    openState: async (workspace: Workspace, config: Config | undefined) => {
      if (config === undefined && options.state === undefined) return undefined;
      const source = { desired: nothingDeclared, fileNamed: () => undefined };
      const configured: Configured = {
        ...(config === undefined ? {} : { config }),
        findings: [],
        source,
        use: 'reads',
      };
      const place = placeOfState(world, options, workspace, configured);
      const store = await openStore(world, options, workspace, configured);
      return { store, path: 'path' in place ? place.path : undefined };
    },
  };
}

/** Only almanac.yaml, for commands that need no declaration. Throws Failure invalid-workspace if it has errors. */
export async function openConfig(world: World, options: GlobalOptions): Promise<Config> {
  const workspace = await openWorkspace(world, options);
  const { file, config, usable, findings } = await loadConfig(workspace, world.environment, options.env);
  refuseWithoutEnvironment(await missingEnvironmentAlone(workspace, usable));
  if (config !== undefined) return config;
  const source = { desired: nothingDeclared, fileNamed: () => file };
  throw invalidWorkspace('The configuration has errors.', findings, source);
}

interface Configured {
  readonly config?: Config;
  /** The configuration without its erroneous parts, where that is known. */
  readonly usable?: Config;
  readonly findings: readonly Finding[];
  readonly source: FindingSource;
  readonly use: StateUse;
}

async function openStore(
  world: World,
  options: GlobalOptions,
  workspace: Workspace,
  configured: Configured,
): Promise<StateStore> {
  const place = placeOfState(world, options, workspace, configured);
  return 'path' in place ? world.openState(place) : world.openSharedState({ place, root: workspace.root });
}

const progressFiles = { import: '.almanac-import.json', recipients: '.almanac-recipients.json' } as const;

/** What has been read so far, kept next to the state, or in the workspace. */
export function openProgress(
  world: World,
  options: GlobalOptions,
  { workspace, loaded }: Session,
  of: keyof typeof progressFiles,
): Promise<ProgressFile> {
  const fileName = progressFiles[of];
  const place = placeOfState(world, options, workspace, { ...loaded, source: loaded, use: 'reads' });
  const state = 'path' in place ? place : { path: joined(workspace.root, fileName), name: fileName };
  const beside = (path: string) => join(dirname(path), fileName);
  return world.openProgress({ path: beside(state.path), name: beside(state.name) });
}

/** A state in a file: where it is, and how users name it. */
interface StateFile {
  readonly path: string;
  readonly name: string;
  readonly within?: string;
}

function placeOfState(
  world: World,
  options: GlobalOptions,
  workspace: Workspace,
  configured: Configured,
): StateFile | SharedPlace {
  const { config, findings, source } = configured;
  if (options.state !== undefined) {
    checkStateOption(world, options.state, configured);
    return { path: joined(folderOf(world, options), options.state), name: options.state };
  }
  if (config === undefined) {
    throw invalidWorkspace('The configuration has errors, so nothing was done.', findings, source);
  }
  const { state } = config;
  if (state.backend !== 'local') return state;
  return { path: joined(workspace.root, state.path), name: state.path, within: workspace.root };
}

/** A file may be read in place of the state that many share, such as a copy of it, but never changed in its place. */
function checkStateOption(
  world: World,
  file: string,
  { config, usable = config, findings, source, use }: Configured,
): void {
  if (findings.some(({ code }) => code === 'state-place-conflict')) {
    throw invalidWorkspace('The configuration has errors, so nothing was done.', findings, source);
  }
  if (use === 'reads') return;
  if (usable !== undefined && usable.state.backend !== 'local') {
    throw new Failure('usage', `The state is in ${placeName(usable.state)}, so --state cannot name a file to change.`, {
      hint: 'Run the command without --state. Only commands that read take a copy of the state, such as `almanac plan --state FILE`.',
    });
  }
  const pinned = pinnedPlace(world.environment);
  if (pinned === undefined || pinned === file) return;
  throw new Failure(
    'usage',
    `--state names ${file}, and the environment variable ${statePlaceVariable} says ${pinned}.`,
    {
      hint: `Run the command without --state, or unset ${statePlaceVariable}.`,
    },
  );
}

/** A file that the command line names. */
export function fileOf(world: World, options: GlobalOptions, path: string): DataFile {
  return world.openDataFile(joined(folderOf(world, options), path));
}

/** The folder in which the command runs: --chdir, relative to where it was called. */
function folderOf({ cwd }: World, { chdir }: GlobalOptions): string {
  return chdir === undefined ? cwd : joined(cwd, chdir);
}

/** Not normalised: where `..` follows a link, the file system decides what it means. */
function joined(from: string, path: string): string {
  return isAbsolute(path) ? path : `${from}/${path}`;
}
