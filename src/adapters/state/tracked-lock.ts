// Whether there is a lock, without what it says. A lock that came with a commit was taken by no run.

import { Failure, splitIndexHint } from '../../model/workspace/failure.ts';
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
  if ((await isLocked(lock)) && isTracked(lock.path)) throw trackedFailure(lock);
}

/** Whether there is a lock, which may be one that cannot be read. */
export function isLocked({ path, host }: Pick<Lock, 'path' | 'host'>): Promise<boolean> {
  return readIfThere(host.fs, path).then(
    (bytes) => bytes !== undefined,
    () => true,
  );
}

export function trackedFailure({ name }: Pick<Lock, 'name'>): Failure {
  return new Failure('state-locked', `${name}.lock is tracked by git, so it does not tell whether a run is active.`, {
    hint: `Remove it from git: \`git rm -f ${name}.lock\`. Add it to .gitignore. ${splitIndexHint}`,
  });
}
