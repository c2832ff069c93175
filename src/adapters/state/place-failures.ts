// Why a shared place cannot be used, in the same words for every backend.

import { Failure } from '../../model/workspace/failure.ts';
import { unreadable } from '../../parse/state/parse-state.ts';

/** What was tried when the place refused. */
export type Access = 'read' | 'write';

/** `why` ends a sentence. */
export function inaccessible(access: Access, name: string, why: string, hint: string): Failure {
  if (access === 'read') return unreadable(name, why, hint);
  return new Failure('state-unwritable', `${name} cannot be written: ${why}.`, { hint });
}

/** Whatever is tried. `why` ends a sentence. */
export function unfit(name: string, why: string, hint: string): Failure {
  return new Failure('state-backend-unfit', `${name} cannot keep a shared state: ${why}.`, { hint });
}

/** A signal asked the process to end. */
export function interrupted(): Failure {
  return new Failure('interrupted', 'Interrupted while the state was read or written.');
}
