// The place of a command's state: --state names it, or else almanac.yaml. Also resolves paths of the command line.

import { isAbsolute } from 'node:path';
import { pinnedPlace, statePlaceVariable } from '../../declare/load/load-config.ts';
import { invalidWorkspace } from '../../declare/load/refuse-errors.ts';
import { command } from '../../model/values/command.ts';
import type { Config } from '../../model/workspace/config.ts';
import type { Finding } from '../../model/workspace/diagnostic.ts';
import { Failure, type FindingSource } from '../../model/workspace/failure.ts';
import { placeName, type SharedPlace } from '../../model/workspace/state-place.ts';
import type { GlobalOptions } from './command.ts';
import type { World } from './world.ts';

export type StateUse = 'reads' | 'changes';

/** A state in a file: where it is, and how users name it. */
export interface StateFile {
  readonly path: string;
  readonly name: string;
  readonly within?: string;
}

export interface ConfigReading {
  readonly config?: Config | undefined;
  /** The configuration without its erroneous parts, if that is known. */
  readonly usable?: Config | undefined;
  readonly findings: readonly Finding[];
  readonly source: FindingSource;
}

/**
 * Finds the state that a command reads or changes: --state names it, or else almanac.yaml. `root` is the workspace's
 * folder. Throws Failure usage, and invalid-workspace if almanac.yaml has errors.
 */
export function placeOfState(
  world: World,
  options: GlobalOptions,
  root: string,
  configured: ConfigReading,
  use: StateUse,
): StateFile | SharedPlace {
  const { config, findings, source } = configured;
  if (options.state !== undefined) {
    checkStateOption(world, options.state, configured, use);
    return { path: joined(folderOf(world, options), options.state), name: options.state };
  }
  if (config === undefined)
    throw invalidWorkspace('The configuration has errors, so nothing was done.', findings, source);
  const { state } = config;
  if (state.backend !== 'local') return state;
  return { path: joined(root, state.path), name: state.path, within: root };
}

/** A file may be read in place of the state that many share, such as a copy of it, but never changed in its place. */
function checkStateOption(
  world: World,
  file: string,
  { config, usable = config, findings, source }: ConfigReading,
  use: StateUse,
): void {
  if (findings.some(({ code }) => code === 'state-place-conflict'))
    throw invalidWorkspace('The configuration has errors, so nothing was done.', findings, source);
  if (use === 'reads') return;
  if (usable !== undefined && usable.state.backend !== 'local')
    throw new Failure('usage', `The state is in ${placeName(usable.state)}, so --state cannot name a file to change.`, {
      hint: `Run the command without --state. Only commands that read take a copy of the state, such as \`${command('plan', '--state', 'FILE')}\`.`,
    });
  const pinned = pinnedPlace(world.environment);
  if (pinned === undefined || pinned === file) return;
  throw new Failure(
    'usage',
    `--state names ${file}, and the environment variable ${statePlaceVariable} says ${pinned}.`,
    { hint: `Run the command without --state, or unset ${statePlaceVariable}.` },
  );
}

/** The folder in which the command runs: --chdir, relative to where it was called. */
export function folderOf({ cwd }: World, { chdir }: GlobalOptions): string {
  return chdir === undefined ? cwd : joined(cwd, chdir);
}

/** The path is not normalised: if `..` follows a link, the file system decides what it means. */
export function joined(from: string, path: string): string {
  return isAbsolute(path) ? path : `${from}/${path}`;
}
