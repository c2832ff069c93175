// The environments that a change of source files is proven in: all of them, each with its state as far as that can be
// read.

import type { LoadedSide } from '../../engine/edit/prove-everywhere.ts';
import { baseUrlVariable, environmentNames, loadConfig } from '../../engine/load/load-config.ts';
import { missingEnvironmentAlone } from '../../engine/load/require-environment.ts';
import { currentState } from '../../engine/state/current-state.ts';
import { hasErrors } from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { ParseFile } from '../../parse/read-source.ts';
import type { Workspace } from '../../ports/workspace.ts';
import type { GlobalOptions } from '../base/command.ts';
import { loadWorkspace, openState, type Session } from '../base/session.ts';
import type { World } from '../base/world.ts';

export interface EveryEnvironment {
  readonly sides: readonly LoadedSide[];
  /** The states that could not be read, in words. */
  readonly unread: readonly string[];
  /** Those of the sides that have these states. */
  readonly withoutState: readonly LoadedSide[];
}

export async function everyEnvironment(
  world: World,
  options: GlobalOptions,
  workspace: Workspace,
  parse: ParseFile,
): Promise<EveryEnvironment> {
  const names = await environmentNames(workspace);
  const sides: LoadedSide[] = [];
  const unread: string[] = [];
  const withoutState: LoadedSide[] = [];
  for (const name of (await mayNameNone(world, workspace, names)) ? [undefined, ...names] : names) {
    const here = inEnvironment(world, options, name);
    const loaded = await loadWorkspace(here.world, here.options, workspace, { parse });
    // With environments, what they share need not be complete.
    if (name === undefined && names.length > 0 && hasErrors(loaded.findings)) continue;
    const state = await readState(here, { workspace, loaded });
    if (state instanceof Failure) {
      unread.push(`The state ${wordsOf(name)} cannot be read. ${state.message}`);
      withoutState.push({ side: { name }, loaded });
    }
    sides.push({ side: state instanceof Failure ? { name } : { name, state }, loaded });
  }
  return { sides, unread, withoutState };
}

/** How the command line loads one environment: one base URL of the process cannot be that of all. */
export function inEnvironment(world: World, options: GlobalOptions, name: string | undefined) {
  const environment = (variable: string) => (variable === baseUrlVariable ? undefined : world.environment(variable));
  const { env: _, ...rest } = options;
  return { world: { ...world, environment }, options: name === undefined ? rest : { ...rest, env: name } };
}

async function mayNameNone({ environment }: World, workspace: Workspace, names: readonly string[]): Promise<boolean> {
  if (names.length === 0) return true;
  const { usable } = await loadConfig(workspace, environment, undefined);
  return (await missingEnvironmentAlone(workspace, usable)) === undefined;
}

async function readState({ world, options }: ReturnType<typeof inEnvironment>, session: Omit<Session, 'shown'>) {
  // What is wrong with the declarations is reported first.
  if (hasErrors(session.loaded.findings)) return undefined;
  try {
    const store = await openState(world, options, session);
    return currentState(await store.read(), store.name);
  } catch (error) {
    if (error instanceof Failure && error.code !== 'invalid-workspace' && error.code !== 'interrupted') return error;
    throw error;
  }
}

function wordsOf(name: string | undefined): string {
  return name === undefined ? 'of the workspace' : `of the environment ${name}`;
}
