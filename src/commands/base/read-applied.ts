// The state, for reports that are right without one and for keys.

import type { State } from '../../model/plan/state.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { type AppliedState, appliedTo } from '../../plan/applied.ts';
import { isKey } from '../../plan/select.ts';
import type { Run, Session } from './run.ts';

/** Prints a warning if the state cannot be read. */
export async function readApplied(run: Run, session: Session): Promise<AppliedState> {
  const state = await readableState(run, session, (failure) => {
    if (failure.code === 'usage') throw failure;
    const words = 'The state cannot be read, so nothing is shown of what was applied.';
    run.say(`warning: ${words} ${failure.message}`, run.stderr);
  });
  return appliedTo(session.loaded, state, run);
}

/** For keys in place of addresses; undefined where no word is one. What is tracked may have the same key. Throws what reading it throws. */
export async function stateForKeys(run: Run, session: Session, words: readonly string[]): Promise<State | undefined> {
  const key = words.find(isKey);
  if (key === undefined) return undefined;
  return readableState(run, session, (failure) => {
    throw failure.with({
      message: `Only the state says whether \`${key}\` is unique; a whole address needs no state. ${failure.message}`,
    });
  });
}

/** Undefined without the environment that says where the state is, and where `onFailure` does not throw. */
async function readableState(run: Run, session: Session, onFailure: (failure: Failure) => void) {
  if (session.loaded.missingEnvironment !== undefined) return undefined;
  try {
    return await run.readState(await run.store(session));
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'interrupted') throw error;
    onFailure(error);
    return undefined;
  }
}
