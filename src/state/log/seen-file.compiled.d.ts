// The validator that scripts/generate.ts compiles from scripts/schemas/kept-schemas.ts.

import type { DocumentValidator } from '../../yaml/schema-error.ts';
import type { SeenDocument } from './log-reader.ts';

export const validateSeen: DocumentValidator<SeenDocument>;
