// `almanac fmt --prune`: reads the state of every environment, because an entry that is finished in one may still be needed
// in another.

import { environmentNames, loadConfig } from '../../engine/load/load-config.ts';
import { missingEnvironmentAlone } from '../../engine/load/require-environment.ts';
import { type EnvironmentSide, finishedEverywhere } from '../../engine/propose/basis.ts';
import { currentState } from '../../engine/state/current-state.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Origin } from '../../model/workspace/source-file.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { countOf } from '../../render/text/count-words.ts';
import type { GlobalOptions } from '../base/command.ts';
import type { Run } from '../base/run.ts';

export interface FinishedEntries {
  readonly origins: readonly Origin[];
  /** Where entries are still to take effect, in words: one for each environment. */
  readonly open: readonly string[];
}

/** Throws Failure refused if the state of an environment cannot be read, and invalid-workspace for errors in the files. */
export async function finishedEntries(
  run: Run,
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
  const shared = (await isOneOfTheEnvironments(run, workspace)) ? [undefined] : [];
  const sides = await Promise.all([...shared, ...names].map((name) => readSide(run, name)));
  // With environments, the part of the configuration that they share need not have a state of its own.
  const used = shared.length > 0 && names.length > 0 && sides[0]?.state === undefined ? sides.slice(1) : sides;
  const { origins, open } = await finishedEverywhere(used, run.randomness);
  return { origins, open: used.flatMap((side, index) => openWords(side, open[index] ?? 0)) };
}

/** Whether a run may name no environment. Otherwise what the environments share is none of its own. */
async function isOneOfTheEnvironments(run: Run, workspace: Workspace): Promise<boolean> {
  const { usable } = await loadConfig(workspace, run.environment, undefined);
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

async function readSide(run: Run, name: string | undefined): Promise<Side> {
  const here = run.inEnvironment(name);
  const session = await here.load();
  try {
    const store = await here.store(session);
    return { name, loaded: session.loaded, state: currentState(await store.read(), store.name) };
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'invalid-workspace') throw error;
    const where = `The state of ${wordsOf(name)} cannot be read, so nothing was removed or formatted.`;
    throw new Failure(error.code, `${where} ${error.message}`, { hint: error.hint, cause: error });
  }
}

function wordsOf(name: string | undefined): string {
  return name === undefined ? 'the workspace' : `the environment ${name}`;
}
