// The validator that scripts/generate.ts compiles from scripts/schemas/kept-schemas.ts.

import type { DocumentValidator } from '../../../parse/schema-error.ts';
import type { CredentialDocument } from './credential-sources.ts';

export const validateCredentials: DocumentValidator<CredentialDocument>;
