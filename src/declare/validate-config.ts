// The findings for almanac.yaml: first its schema, then what the schema cannot tell.

import { refused } from '../model/fields/deliver-fields.ts';
import { isJsonObject, type Json } from '../model/values/json.ts';
import { pointerTo } from '../model/values/pointer.ts';
import { checkableCodes, codes, isCheckable, isCode } from '../model/workspace/codes.ts';
import type { Finding } from '../model/workspace/diagnostic.ts';
import type { Origin } from '../model/workspace/source-file.ts';
import { notes, validateConfig } from './compiled.js';
import { placed, type RuleFinding } from './findings/rule.ts';
import { didYouMean } from './findings/suggest.ts';
import { checkEmail } from './formats/check-email.ts';
import { checkUrl } from './formats/check-url.ts';
import { isAboutMisspelt } from './misspelt-names.ts';
import { secretPartsOf } from './rules/secrets.ts';
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

// The sinks in almanac.yaml: what its schema cannot tell. They receive everything of an environment, so they are held to
// the rules of recipients.

/** `value`: the whole of almanac.yaml. */
function checkSinks(value: Json): readonly RuleFinding[] {
  const environments = isJsonObject(value) ? value['environments'] : undefined;
  if (!isJsonObject(environments)) return [];
  return Object.entries(environments).flatMap(([name, environment]) => {
    const deliver = isJsonObject(environment) ? environment['deliver'] : undefined;
    if (!isJsonObject(deliver)) return [];
    const below = pointerTo('environments', name, 'deliver');
    return [
      ...emailFaults(deliver['email'], `${below}/email`),
      ...webhookFaults(deliver['webhook'], `${below}/webhook`),
    ];
  });
}

function emailFaults(email: Json | undefined, pointer: string): readonly RuleFinding[] {
  if (typeof email === 'string' && email !== refused) return checkEmail(email).map((fault) => ({ ...fault, pointer }));
  if (!Array.isArray(email)) return [];
  return email.flatMap((address: Json, index) =>
    typeof address === 'string'
      ? checkEmail(address).map((fault) => ({ ...fault, pointer: pointer + pointerTo(index) }))
      : [],
  );
}

function webhookFaults(url: Json | undefined, pointer: string): readonly RuleFinding[] {
  if (typeof url !== 'string' || url === refused) return [];
  return [
    ...checkUrl(url).map((fault) => ({ ...fault, pointer })),
    ...secretPartsOf(url).map((part) => ({
      code: 'secret-in-plain-text' as const,
      message: `webhook contains ${part}. Everyone who can read the repository can read it, now and in its history.`,
      hint: 'Use an address that may be public.',
      pointer,
      at: 'key' as const,
    })),
  ];
}
