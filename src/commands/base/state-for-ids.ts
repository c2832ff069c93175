// The state, for reports that are right without it.

import type { State } from '../../model/plan/state.ts';
import { hasErrors } from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { safeText } from '../../report/text/terminal-text.ts';
import type { Run, Session } from './run.ts';

/** Only the ids are taken from it: where it cannot be read, the answer is the same without them. */
export async function stateForIds(run: Run, session: Session): Promise<State | undefined> {
  // What is wrong with the declarations is reported first.
  if (hasErrors(session.loaded.findings)) return undefined;
  try {
    return await run.readState(await run.store(session));
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'interrupted' || error.code === 'usage') throw error;
    run.stderr.write(`warning: The state cannot be read, so no ids are shown. ${safeText(error.message)}\n`);
    return undefined;
  }
}
