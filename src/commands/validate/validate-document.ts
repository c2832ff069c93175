// The document that `validate --format json` prints (schemas/validate.schema.json).

import {
  count,
  described,
  flag,
  formatVersion,
  listOf,
  map,
  oneOf,
  orNull,
  record,
  schemaOf,
  type TypeOf,
  text,
} from '../../model/values/schema.ts';
import type { Config, IgnoreEntry } from '../../model/workspace/config.ts';
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
  'workspace?': described(
    record({
      baseUrl: orNull(text),
      state: described(text, 'The path of the state file, or the name of the shared place.'),
      sources: described(listOf(text), 'The patterns of the source files, from the folder of almanac.yaml.'),
      'reads?': described(listOf(text), 'The tables and texts that the sources name; omitted if there are none.'),
      'backend?': described(oneOf('git', 's3', 'postgres'), 'Omitted if the state is a file.'),
      'safety?': described(schemaOf<Partial<Config['safety']>>(map), 'The limits that differ from the default.'),
      'permissions?': described(
        listOf(text),
        'The lines of the table that safety.rows names: shows, receiver, and the day where it has one.',
      ),
      'ignore?': described(listOf(schemaOf<IgnoreEntry>(map)), 'Omitted if empty.'),
      'checks?': described(schemaOf<Config['checks']>(map), 'Omitted if empty.'),
    }),
    'The service and the place of the state that almanac.yaml names, or OMNI_BASE_URL, and the sections that say what is refused, reported or left out; omitted if there is no almanac.yaml or if it has errors.',
  ),
  diagnostics: listOf(diagnosticSchema),
});
export type ValidateDocument = TypeOf<typeof validateSchema>;
