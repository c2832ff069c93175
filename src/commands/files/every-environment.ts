// The environments that a change of source files is proven in: all of them, each with its state as far as that can be
// read.

import type { LoadedSide } from '../../engine/edit/prove-everywhere.ts';
import type { Loaded } from '../../engine/load/load.ts';
import { environmentNames, loadConfig } from '../../engine/load/load-config.ts';
import { missingEnvironmentAlone } from '../../engine/load/require-environment.ts';
import { currentState } from '../../engine/state/current-state.ts';
import { hasErrors } from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { ParseFile } from '../../parse/read-source.ts';
import type { Workspace } from '../../ports/workspace.ts';
import type { Run } from '../base/run.ts';

export interface EveryEnvironment {
  readonly sides: readonly LoadedSide[];
  /** The states that could not be read, in words. */
  readonly unread: readonly string[];
  /** Those of the sides that have these states. */
  readonly withoutState: readonly LoadedSide[];
}

export async function everyEnvironment(run: Run, workspace: Workspace, parse: ParseFile): Promise<EveryEnvironment> {
  const names = await environmentNames(workspace);
  const sides: LoadedSide[] = [];
  const unread: string[] = [];
  const withoutState: LoadedSide[] = [];
  for (const name of (await mayNameNone(run, workspace, names)) ? [undefined, ...names] : names) {
    const here = run.inEnvironment(name);
    const loaded = await here.loadFrom(workspace, { parse });
    // With environments, what they share need not be complete.
    if (name === undefined && names.length > 0 && hasErrors(loaded.findings)) continue;
    const state = await readState(here, loaded);
    if (state instanceof Failure) {
      unread.push(`The state ${wordsOf(name)} cannot be read. ${state.message}`);
      withoutState.push({ side: { name }, loaded });
    }
    sides.push({ side: state instanceof Failure ? { name } : { name, state }, loaded });
  }
  return { sides, unread, withoutState };
}

async function mayNameNone({ environment }: Run, workspace: Workspace, names: readonly string[]): Promise<boolean> {
  if (names.length === 0) return true;
  const { usable } = await loadConfig(workspace, environment, undefined);
  return (await missingEnvironmentAlone(workspace, usable)) === undefined;
}

async function readState(run: Run, loaded: Loaded) {
  // What is wrong with the declarations is reported first.
  if (hasErrors(loaded.findings)) return undefined;
  try {
    const store = await run.store({ loaded });
    return currentState(await store.read(), store.name);
  } catch (error) {
    if (error instanceof Failure && error.code !== 'invalid-workspace' && error.code !== 'interrupted') return error;
    throw error;
  }
}

function wordsOf(name: string | undefined): string {
  return name === undefined ? 'of the workspace' : `of the environment ${name}`;
}
