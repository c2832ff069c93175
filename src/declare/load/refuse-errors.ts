// The end of a command that cannot continue because the files have errors.

import { type Finding, hasErrors } from '../../model/workspace/diagnostic.ts';
import { Failure, type FindingSource } from '../../model/workspace/failure.ts';
import type { Loaded, SoundLoaded } from './load.ts';

export function invalidWorkspace(message: string, findings: readonly Finding[], source: FindingSource): Failure {
  return new Failure('invalid-workspace', message, { hint: 'Fix the reported errors.', findings, source });
}

/** `nothing` completes the sentence: `nothing was sent`. Throws Failure invalid-workspace. */
export function refuseErrors(loaded: Loaded, nothing: string): asserts loaded is SoundLoaded {
  if (loaded.config === undefined || hasErrors(loaded.findings))
    throw invalidWorkspace(`The declarations have errors; ${nothing}.`, loaded.findings, loaded);
}
