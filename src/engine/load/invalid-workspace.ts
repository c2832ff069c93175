// The failure of a command that cannot continue because the files have errors.

import type { Finding } from '../../model/workspace/diagnostic.ts';
import { Failure, type FindingSource } from '../../model/workspace/failure.ts';

export function invalidWorkspace(message: string, findings: readonly Finding[], source: FindingSource): Failure {
  return new Failure('invalid-workspace', message, { hint: 'Fix the reported errors.', findings, source });
}
