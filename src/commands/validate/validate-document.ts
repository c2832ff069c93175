// The document that `validate --format json` prints (schemas/validate.schema.json).

import { count, described, flag, formatVersion, listOf, record, type TypeOf } from '../../model/values/schema.ts';
import { diagnosticSchema } from '../../model/workspace/diagnostic.ts';

export const validateSchema = record({
  formatVersion,
  // True without errors; with --strict, without warnings either.
  valid: flag,
  summary: record({
    files: count,
    resources: count,
    errors: count,
    warnings: described(count, 'Without those that are accepted.'),
    accepted: described(count, 'Warnings that a declaration accepts.'),
  }),
  diagnostics: listOf(diagnosticSchema),
});
export type ValidateDocument = TypeOf<typeof validateSchema>;
