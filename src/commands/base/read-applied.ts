// The state, for reports that are right without one.

import type { State } from '../../model/plan/state.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { type AppliedState, appliedTo } from '../../plan/applied.ts';
import type { Run, Session } from './run.ts';

/** Prints a warning if the state cannot be read. */
export async function readApplied(run: Run, session: Session): Promise<AppliedState> {
  const { loaded } = session;
  // Without an environment it is not known which state to read.
  const hasState = loaded.missingEnvironment === undefined;
  return appliedTo(loaded, hasState ? await readableState(run, session) : undefined, run);
}

async function readableState(run: Run, session: Session): Promise<State | undefined> {
  try {
    return await run.readState(await run.store(session));
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'interrupted' || error.code === 'usage') throw error;
    run.say(`warning: The state cannot be read, so nothing is shown of what was applied. ${error.message}`, run.stderr);
    return undefined;
  }
}
