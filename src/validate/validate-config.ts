// The findings for almanac.yaml: first its schema, then what the schema cannot tell.

import type { Json } from '../model/values/json.ts';
import type { Finding } from '../model/workspace/diagnostic.ts';
import type { Origin } from '../model/workspace/source-file.ts';
import { checksNameWarnings } from './checks/known-checks.ts';
import { notes, validateConfig } from './compiled.js';
import { isAboutMisspelt } from './misspelt-names.ts';
import { placed } from './placed.ts';
import { checkSinks } from './rules/sinks.ts';
import { checkStatePlaces } from './rules/state-places.ts';
import { schemaFindings } from './schema-findings.ts';

/** `chosen`: the environment of this run. */
export function validateConfigValue(value: Json, origin: Origin, chosen: string | undefined): readonly Finding[] {
  const { findings, meant, misspelt } = schemaFindings(value, validateConfig, notes.config);
  const byRules = [...checksNameWarnings(meant), ...checkStatePlaces(meant, chosen), ...checkSinks(meant)];
  return placed([...findings, ...byRules.filter((finding) => !isAboutMisspelt(finding, misspelt))], origin);
}
