// `almanac fmt --prune`: reads the state of every environment, because an entry that is finished in one may still be needed
// in another.

import { baseUrlVariable, environmentNames, loadConfig } from '../../engine/load/load-config.ts';
import { missingEnvironmentAlone } from '../../engine/load/require-environment.ts';
import { type EnvironmentSide, finishedEverywhere } from '../../engine/propose/basis.ts';
import { currentState } from '../../engine/state/current-state.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Origin } from '../../model/workspace/source-file.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { countOf } from '../../render/text/count-words.ts';
import type { GlobalOptions } from '../base/command.ts';
import { openSession, openState } from '../base/session.ts';
import type { World } from '../base/world.ts';

export interface FinishedEntries {
  readonly origins: readonly Origin[];
  /** Where entries are still to take effect, in words: one for each environment. */
  readonly open: readonly string[];
}

/** Throws Failure refused if the state of an environment cannot be read, and invalid-workspace for errors in the files. */
export async function finishedEntries(
  world: World,
  options: GlobalOptions,
  workspace: Workspace,
): Promise<FinishedEntries> {
  if (options.state !== undefined) {
    throw new Failure('usage', '--prune looks at the state of every environment, so --state cannot name one.');
  }
  if (options.env !== undefined) {
    throw new Failure('usage', '--prune looks at the state of every environment, so --env cannot choose one.');
  }
  const names = await environmentNames(workspace);
  const shared = (await isOneOfTheEnvironments(world, workspace)) ? [undefined] : [];
  const sides = await Promise.all([...shared, ...names].map((name) => readSide(world, options, name)));
  // With environments, the part of the configuration that they share need not have a state of its own.
  const used = shared.length > 0 && names.length > 0 && sides[0]?.state === undefined ? sides.slice(1) : sides;
  const { origins, open } = await finishedEverywhere(used, world.randomness);
  return { origins, open: used.flatMap((side, index) => openWords(side, open[index] ?? 0)) };
}

/** Whether a run may name no environment. Otherwise what the environments share is none of its own. */
async function isOneOfTheEnvironments(world: World, workspace: Workspace): Promise<boolean> {
  const { usable } = await loadConfig(workspace, world.environment, undefined);
  return usable.environments.length === 0 || (await missingEnvironmentAlone(workspace, usable)) === undefined;
}

function openWords({ name, state }: Side, count: number): readonly string[] {
  if (count === 0) return [];
  const [entries, have] = [countOf(count, 'entry', 'entries'), count === 1 ? 'has' : 'have'];
  const why = state === undefined ? ', to which nothing was applied yet' : '';
  return [`${entries} ${have} not taken effect in ${wordsOf(name)}${why}.`];
}

interface Side extends EnvironmentSide {
  readonly name: string | undefined;
}

async function readSide(world: World, { env: _, ...options }: GlobalOptions, name: string | undefined): Promise<Side> {
  // One base URL cannot be that of every environment.
  const environment = (variable: string) => (variable === baseUrlVariable ? undefined : world.environment(variable));
  const chosen = name === undefined ? options : { ...options, env: name };
  const session = await openSession({ ...world, environment }, chosen);
  try {
    const store = await openState(world, chosen, session);
    return { name, loaded: session.loaded, state: currentState(await store.read(), store.name) };
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'invalid-workspace') throw error;
    const hint = error.hint === undefined ? {} : { hint: error.hint };
    const where = `The state of ${wordsOf(name)} cannot be read, so nothing was removed or formatted.`;
    throw new Failure(error.code, `${where} ${error.message}`, { ...hint, cause: error });
  }
}

function wordsOf(name: string | undefined): string {
  return name === undefined ? 'the workspace' : `the environment ${name}`;
}
