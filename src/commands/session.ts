// What most commands begin with: the workspace found, its declarations loaded, its state at hand.

import { type Loaded, load } from '../engine/load.ts';
import { Failure } from '../model/failure.ts';
import type { StateStore } from '../ports/state-store.ts';
import type { Workspace } from '../ports/workspace.ts';
import type { GlobalOptions } from './options.ts';
import type { World } from './world.ts';

export interface Session {
  readonly workspace: Workspace;
  readonly loaded: Loaded;
}

export async function openSession(world: World, options: GlobalOptions, paths?: readonly string[]): Promise<Session> {
  const cwd = options.chdir === undefined ? world.cwd : joined(world.cwd, options.chdir);
  const workspace = await world.openWorkspace({
    cwd,
    ...(options.config === undefined ? {} : { config: options.config }),
  });
  const loaded = await load({
    workspace,
    environment: world.environment,
    clock: world.clock,
    environmentName: options.env,
    paths,
  });
  return { workspace, loaded };
}

/** The state of the session; throws Failure invalid-workspace where almanac.yaml can't be read. */
export async function openState(
  world: World,
  options: GlobalOptions,
  { workspace, loaded }: Session,
): Promise<StateStore> {
  if (options.state !== undefined) {
    const cwd = options.chdir === undefined ? world.cwd : joined(world.cwd, options.chdir);
    return world.openState({ path: joined(cwd, options.state), name: options.state });
  }
  if (loaded.config === undefined) {
    throw new Failure('invalid-workspace', 'The configuration has errors, so where the state is can not be told.', {
      hint: 'Mend what the diagnostics name.',
      findings: loaded.findings,
      source: loaded,
    });
  }
  const { path } = loaded.config.state;
  return world.openState({ path: joined(workspace.root, path), name: path });
}

/** A path as a user wrote it, from where it is meant. */
export function joined(from: string, path: string): string {
  return path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path) ? path : `${from}/${path}`;
}
