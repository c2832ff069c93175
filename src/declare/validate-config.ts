// The findings for almanac.yaml: first its schema, then what the schema cannot tell.

import { type Json, mapAt } from '../model/values/json.ts';
import { isWithin, parentOf, pointerTo } from '../model/values/pointer.ts';
import { canOnlyBeOff, checkableCodes, codes, isCheckable, isCode } from '../model/workspace/codes.ts';
import { type Finding, type Origin, severityOf } from '../model/workspace/diagnostic.ts';
import { notes, validateConfig } from './compiled.js';
import { checkCredentials } from './config/check-credentials.ts';
import { checkInside } from './config/check-inside.ts';
import { checkRows } from './config/check-rows.ts';
import { checkSinks } from './config/check-sinks.ts';
import { checkStatePlaces } from './config/check-state-places.ts';
import type { RuleFinding } from './findings/rule.ts';
import { placed } from './findings/rule.ts';
import { didYouMean } from './findings/suggest.ts';
import { schemaFindings } from './schema-findings.ts';

/** `chosen`: the environment of this run. */
export function validateConfigValue(value: Json, origin: Origin, chosen: string | undefined): readonly Finding[] {
  const bySchema = schemaFindings(value, validateConfig, notes.config);
  const byRules = [
    ...checksNameWarnings(value),
    ...checkStatePlaces(value, chosen),
    ...checkSinks(value),
    ...checkInside(value),
    ...checkRows(value),
  ];
  // The rules cannot know what an unknown name stands for, so they skip the object that holds it.
  const unknown = bySchema.filter(({ code }) => code === 'unknown-field').map(({ pointer }) => parentOf(pointer));
  const isUnsure = ({ pointer }: RuleFinding) => unknown.some((holder) => holder !== '' && isWithin(pointer, holder));
  const found = [...bySchema, ...byRules.filter((finding) => !isUnsure(finding))];
  const refused = new Set(found.filter((finding) => severityOf(finding) === 'error').map(({ pointer }) => pointer));
  return placed([...found, ...checkCredentials(value).filter(({ pointer }) => !refused.has(pointer))], origin);
}

/**
 * `checks` in almanac.yaml names warnings, errors that may be lowered, or a note that may be off. A code that does not exist
 * would silently have no effect, and another error or note has no other severity. `value`: the whole of almanac.yaml.
 */
function checksNameWarnings(value: Json): readonly RuleFinding[] {
  return Object.entries(mapAt(value, 'checks')).flatMap(([name, severity]): readonly RuleFinding[] => {
    const words = checkFault(name, severity);
    return words === undefined
      ? []
      : [{ code: 'unknown-check', ...words, pointer: pointerTo('checks', name), at: 'key' }];
  });
}

function checkFault(name: string, severity: Json): Pick<RuleFinding, 'message' | 'hint'> | undefined {
  if (!isCode(name)) return wordsAboutUnknown(name);
  if (!isCheckable(name)) return wordsAboutFixed(codes[name].severity, name);
  if (!canOnlyBeOff(name) || severity === 'off') return undefined;
  return { message: `\`${name}\` is a note, which a check can only turn off.`, hint: `Write \`${name}: off\`.` };
}

function wordsAboutFixed(severity: 'error' | 'warning' | 'note', name: string): Pick<RuleFinding, 'message' | 'hint'> {
  const what =
    severity === 'error'
      ? 'is an error, which stops plan and apply. No check can change that.'
      : 'is a note, which never fails. No check can change that.';
  return {
    message: `\`${name}\` ${what}`,
    hint: 'Remove it. Only the severity of a warning, and of `filter-shape` and `rows-of-others`, can be set.',
  };
}

function wordsAboutUnknown(name: string): Pick<RuleFinding, 'message' | 'hint'> {
  return {
    message: `There is no warning \`${name}\`, so it would have no effect.`,
    hint: didYouMean(name, checkableCodes) ?? 'Write the code of a warning, which is in brackets behind `warning`.',
  };
}
