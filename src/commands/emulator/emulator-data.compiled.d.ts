// The validator that scripts/generate.ts compiles from scripts/schemas/emulator-schema.ts.

import type { EmulatorData } from '../../emulator/store.ts';
import type { DocumentValidator } from '../../yaml/schema-error.ts';

export const validateEmulatorData: DocumentValidator<EmulatorData>;
