// The validator that scripts/generate.ts compiles from scripts/schemas/kept-schemas.ts.

import type { DocumentValidator } from '../../parse/schema-error.ts';
import type { CacheDocument } from './service-cache.ts';

export const validateCache: DocumentValidator<CacheDocument>;
