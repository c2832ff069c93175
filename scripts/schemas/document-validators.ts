// The modules of validators for documents that programs wrote. Each lies beside the code that reads the document and is
// loaded with it. The compiler checks each schema against what its validator is declared to accept.

import { planSchema } from './document-schemas.ts';
import { emulatorSchema } from './emulator-schema.ts';
import { answerSchemas, lockSchema, logSchemas, progressHeaderSchema, seenSchema } from './kept-schemas.ts';
import { journalHeaderSchema, journalIntentSchema, journalOutcomeSchema, stateSchema } from './state-schemas.ts';
import type { SchemasOf } from './typed-schema.ts';

/** The schema of each validator, by the file of its module. */
export const documentModules = {
  'src/state/format/state.compiled.js': {
    validateState: stateSchema,
  } satisfies SchemasOf<typeof import('../../src/state/format/state.compiled.js')>,
  'src/state/format/journal.compiled.js': {
    validateHeader: journalHeaderSchema,
    validateIntent: journalIntentSchema,
    validateOutcome: journalOutcomeSchema,
  } satisfies SchemasOf<typeof import('../../src/state/format/journal.compiled.js')>,
  'src/apply/propose/saved-plan.compiled.js': {
    validatePlan: planSchema,
  } satisfies SchemasOf<typeof import('../../src/apply/propose/saved-plan.compiled.js')>,
  'src/commands/base/details/answers.compiled.js': {
    validateHeader: progressHeaderSchema,
    validateListed: answerSchemas.listed,
    validateDashboards: answerSchemas.dashboards,
    validateSchedule: answerSchemas.schedule,
    validateRecipients: answerSchemas.recipients,
    validateFilters: answerSchemas.filters,
    validateRefusal: answerSchemas.refusal,
  } satisfies SchemasOf<typeof import('../../src/commands/base/details/answers.compiled.js')>,
  'src/state/file/lock-record.compiled.js': {
    validateLock: lockSchema,
  } satisfies SchemasOf<typeof import('../../src/state/file/lock-record.compiled.js')>,
  'src/state/format/log-entry.compiled.js': {
    validateLock: logSchemas.lock,
    validateLines: logSchemas.lines,
    validateCommit: logSchemas.commit,
    validateUnlock: logSchemas.unlock,
  } satisfies SchemasOf<typeof import('../../src/state/format/log-entry.compiled.js')>,
  'src/state/log/seen-file.compiled.js': {
    validateSeen: seenSchema,
  } satisfies SchemasOf<typeof import('../../src/state/log/seen-file.compiled.js')>,
  'src/commands/emulator/emulator-data.compiled.js': {
    validateEmulatorData: emulatorSchema,
  } satisfies SchemasOf<typeof import('../../src/commands/emulator/emulator-data.compiled.js')>,
};
