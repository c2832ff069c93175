// The failure of a command that can't go on because of errors in the files.

import type { Finding } from '../../model/workspace/diagnostic.ts';
import { Failure, type FindingSource } from '../../model/workspace/failure.ts';

export function invalidWorkspace(message: string, findings: readonly Finding[], source: FindingSource): Failure {
  return new Failure('invalid-workspace', message, { hint: 'Mend what the diagnostics name.', findings, source });
}
