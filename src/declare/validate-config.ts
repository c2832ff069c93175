// The findings for almanac.yaml: first its schema, then what the schema cannot tell.

import { isJsonObject, type Json } from '../model/values/json.ts';
import { pointerTo } from '../model/values/pointer.ts';
import { checkableCodes, codes, isCheckable, isCode } from '../model/workspace/codes.ts';
import type { Finding } from '../model/workspace/diagnostic.ts';
import type { Origin } from '../model/workspace/source-file.ts';
import { notes, validateConfig } from './compiled.js';
import type { RuleFinding } from './findings/rule.ts';
import { didYouMean } from './findings/suggest.ts';
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

/**
 * `checks` in almanac.yaml names warnings, or an error that may be lowered. A code that does not exist would silently have
 * no effect, and another error or a note has no other severity. `value`: the whole of almanac.yaml.
 */
function checksNameWarnings(value: Json): readonly RuleFinding[] {
  const checks = isJsonObject(value) ? value['checks'] : undefined;
  if (!isJsonObject(checks)) return [];
  return Object.keys(checks)
    .filter((name) => !isCode(name) || !isCheckable(name))
    .map((name) => ({
      code: 'unknown-check',
      ...(isCode(name) ? wordsAboutFixed(codes[name].severity, name) : wordsAboutUnknown(name)),
      pointer: pointerTo('checks', name),
      at: 'key',
    }));
}

function wordsAboutFixed(severity: 'error' | 'warning' | 'note', name: string): Pick<RuleFinding, 'message' | 'hint'> {
  const what =
    severity === 'error'
      ? 'is an error, which stops plan and apply. No check can change that.'
      : 'is a note, which never fails. No check can change that.';
  return {
    message: `\`${name}\` ${what}`,
    hint: 'Remove it. Only the severity of a warning, and of `filter-shape`, can be set.',
  };
}

function wordsAboutUnknown(name: string): Pick<RuleFinding, 'message' | 'hint'> {
  return {
    message: `There is no warning \`${name}\`, so it would have no effect.`,
    hint: didYouMean(name, checkableCodes) ?? 'Write the code of a warning, which is in brackets behind `warning`.',
  };
}
