// The validator that scripts/generate.ts compiles from scripts/schemas/kept-schemas.ts.

import type { DocumentValidator } from '../../parse/schema-error.ts';
import type { LockRecord } from './lock-record.ts';

export const validateLock: DocumentValidator<LockRecord>;
