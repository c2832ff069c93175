// The validators that scripts/generate.ts compiles from scripts/schemas/state-schemas.ts.

import type { JournalHeader, JournalIntent, JournalOutcome } from '../../model/plan/journal.ts';
import type { DocumentValidator } from '../../yaml/schema-error.ts';

export const validateHeader: DocumentValidator<JournalHeader>;
export const validateIntent: DocumentValidator<JournalIntent>;
export const validateOutcome: DocumentValidator<JournalOutcome>;
