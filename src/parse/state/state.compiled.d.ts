// The validators that scripts/generate.ts compiles from scripts/schemas/state-schemas.ts.

import type { MovedState, State } from '../../model/plan/state.ts';
import type { JsonObject } from '../../model/values/json.ts';
import type { DocumentValidator } from '../schema-error.ts';

export const validateState: DocumentValidator<State>;
export const validateMoved: DocumentValidator<Omit<MovedState, 'arriving'> & { readonly arriving?: JsonObject }>;
