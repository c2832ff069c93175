// Reads the state if a key instead of an address is given. A tracked resource may have that key.

import type { State } from '../../model/plan/state.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { isKey } from '../../plan/select.ts';
import type { Run, Session } from './run.ts';

/** Undefined if no word is a key, or the environment of the state is missing. Throws as reading the state does. */
export async function stateForKeys(run: Run, session: Session, words: readonly string[]): Promise<State | undefined> {
  const key = words.find(isKey);
  if (key === undefined || session.loaded.missingEnvironment !== undefined) return undefined;
  try {
    return await run.readState(await run.store(session));
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'interrupted') throw error;
    throw error.with({
      message: `Only the state says whether \`${key}\` is unique; a whole address needs no state. ${error.message}`,
    });
  }
}
