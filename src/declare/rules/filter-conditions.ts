// The conditions of filters, each by itself: what it compares with, in which keys and words. Omni documents no complete list of
// its kinds and keys, so only what certainly means something else is wrong, and almost all of it is a warning.

import { booleanKeys } from '../../model/fields/filter-keys.ts';
import { isJsonObject, type Json } from '../../model/values/json.ts';
import { type Pointer, pointerTo } from '../../model/values/pointer.ts';
import type { CheckedResource, Rule, RuleFinding } from '../findings/rule.ts';
import { wrongType } from '../unfit-values.ts';
import { emptiness } from './filter-emptiness.ts';
import { incompleteness } from './filter-incomplete.ts';
import { type Condition, conditionsIn, type FiltersOfKind } from './filter-shape.ts';
import { oddValuesIn } from './filter-values.ts';
import { misspelledIn, oppositesIn } from './filter-words.ts';

export function conditionsAreMeant(of: FiltersOfKind): Rule {
  return (checked) => {
    const filters = checked.value[of.field];
    if (!isJsonObject(filters)) return [];
    return Object.entries(filters).flatMap(([id, filter]) =>
      conditionsIn(filter, of, pointerTo(of.field, id)).flatMap((condition) => {
        const { findings, isSpelled } = oddnessOf(condition, of, checked);
        // What is misspelled is completed once it is right.
        return of.limitsRows && isSpelled ? [...findings, ...incompleteness(condition, checked)] : findings;
      }),
    );
  };
}

/** What is odd in a filter and in those that it combines. */
export function oddConditions(
  filter: Json,
  of: FiltersOfKind,
  pointer: Pointer,
  checked: Pick<CheckedResource, 'referredAt'>,
): readonly RuleFinding[] {
  return conditionsIn(filter, of, pointer).flatMap((condition) => oddnessOf(condition, of, checked).findings);
}

interface Oddness {
  readonly findings: readonly RuleFinding[];
  /** Whether its keys, kinds and types are as Omni spells them. */
  readonly isSpelled: boolean;
}

function oddnessOf(condition: Condition, of: FiltersOfKind, checked: Pick<CheckedResource, 'referredAt'>): Oddness {
  const opposites = oppositesIn(condition);
  const said = new Set(opposites.map((each) => each.pointer));
  const { findings, correctedFilter } = misspelledIn(condition, of.keys);
  return {
    isSpelled: opposites.length === 0 && findings.length === 0,
    findings: [
      ...unreadBooleans(condition),
      ...opposites,
      ...findings.filter((each) => !said.has(each.pointer)),
      ...(of.limitsRows && correctedFilter !== undefined
        ? emptiness({ ...condition, filter: correctedFilter }, checked)
        : []),
      ...(opposites.length === 0 ? oddValuesIn(condition) : []),
    ],
  };
}

/** The schema sees them only in the filter itself, and not in those that it combines. */
function unreadBooleans({ filter, pointer }: Condition): readonly RuleFinding[] {
  return booleanKeys.flatMap((key): readonly RuleFinding[] => {
    const value = filter[key];
    if (value === undefined || value === null || typeof value === 'boolean') return [];
    const at = pointer + pointerTo(key);
    return [wrongType({ instancePath: at, schemaPath: '', keyword: 'type', params: { type: 'boolean' } }, at, value)];
  });
}
