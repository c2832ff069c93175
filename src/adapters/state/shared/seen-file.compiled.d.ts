// The validator that scripts/generate.ts compiles from scripts/schemas/kept-schemas.ts.

import type { DocumentValidator } from '../../../parse/schema-error.ts';
import type { SeenDocument } from './seen-file.ts';

export const validateSeen: DocumentValidator<SeenDocument>;
