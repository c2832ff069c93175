// A lock that came with a commit was taken by no run.

import { Failure } from '../../model/workspace/failure.ts';
import { readIfThere } from '../files/file-system.ts';
import { isTracked } from '../files/git-index.ts';
import type { Host } from './host.ts';

interface Lock {
  readonly path: string;
  /** The name of the locked state in messages. */
  readonly name: string;
  readonly host: Host;
}

/** Throws Failure state-locked where git tracks the lock. */
export async function refuseTrackedLock(lock: Lock): Promise<void> {
  const { fs } = lock.host;
  // What cannot be read is there.
  const isThere = await readIfThere(fs, lock.path).then(
    (bytes) => bytes !== undefined,
    () => true,
  );
  if (isThere && isTracked(lock.path)) throw trackedFailure(lock);
}

export function trackedFailure({ name }: Pick<Lock, 'name'>): Failure {
  return new Failure('state-locked', `${name}.lock is tracked by git, so it does not tell whether a run is active.`, {
    hint: `Remove it from git: \`git rm -f ${name}.lock\`. Add it to .gitignore.`,
  });
}
