// The validators that scripts/generate.ts compiles from scripts/schemas/state-schemas.ts.

import type { JournalHeader, JournalIntent, JournalOutcome } from '../../model/plan/journal.ts';
import type { MovedState } from '../../model/plan/moved-state.ts';
import type { RecordedState } from '../../model/plan/state.ts';
import type { JsonObject } from '../../model/values/json.ts';
import type { DocumentValidator } from '../schema-error.ts';

export const validateState: DocumentValidator<RecordedState>;
export const validateMoved: DocumentValidator<Omit<MovedState, 'arriving'> & { readonly arriving?: JsonObject }>;
export const validateHeader: DocumentValidator<JournalHeader>;
export const validateIntent: DocumentValidator<JournalIntent>;
export const validateOutcome: DocumentValidator<JournalOutcome>;
