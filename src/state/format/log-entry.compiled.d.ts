// The validators that scripts/generate.ts compiles from scripts/schemas/kept-schemas.ts.

import type { CommitEntry, LinesEntry, LockEntry, UnlockEntry } from '../../model/plan/log-entry.ts';
import type { DocumentValidator } from '../../yaml/schema-error.ts';

export const validateLock: DocumentValidator<LockEntry>;
export const validateLines: DocumentValidator<LinesEntry>;
export const validateCommit: DocumentValidator<CommitEntry>;
export const validateUnlock: DocumentValidator<UnlockEntry>;
