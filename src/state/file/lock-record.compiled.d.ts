// The validator that scripts/generate.ts compiles from scripts/schemas/kept-schemas.ts.

import type { LockRecord } from '../../model/workspace/lock-info.ts';
import type { DocumentValidator } from '../../yaml/schema-error.ts';

export const validateLock: DocumentValidator<LockRecord>;
