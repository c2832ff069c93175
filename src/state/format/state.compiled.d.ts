// The validators that scripts/generate.ts compiles from scripts/schemas/state-schemas.ts.

import type { State } from '../../model/plan/state.ts';
import type { DocumentValidator } from '../../yaml/schema-error.ts';

export const validateState: DocumentValidator<State>;
