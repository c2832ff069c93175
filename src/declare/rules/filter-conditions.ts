// The conditions of filters, each by itself: their comparison, keys and words. Omni documents no complete list of its
// kinds and keys, so only a certain difference in meaning is reported, and almost always as a warning.

import { lackedEnd, lacksValue } from '../../model/fields/conditions.ts';
import { booleanKeys, comparedBy, valueKeys } from '../../model/fields/filter-keys.ts';
import { isJsonObject, type Json } from '../../model/values/json.ts';
import { type Pointer, pointerTo } from '../../model/values/pointer.ts';
import type { ValuePlace } from '../../model/workspace/origins.ts';
import { type CheckedResource, fieldName, type Rule, type RuleFinding } from '../findings/rule.ts';
import { quote } from '../formats/quote.ts';
import { wrongType } from '../unfit-values.ts';
import { incompleteness } from './filter-incomplete.ts';
import { type Condition, conditionsIn, type FiltersOfKind } from './filter-shape.ts';
import { oddValuesIn } from './filter-values.ts';
import { misspelledIn, oppositesIn } from './filter-words.ts';

export function conditionsAreMeant(of: FiltersOfKind): Rule {
  return (checked, { table }) => {
    const filters = checked.value[of.field];
    if (!isJsonObject(filters)) return [];
    const isValue = (text: string) => table?.values.has(text) === true;
    return Object.entries(filters).flatMap(([id, filter]) =>
      conditionsIn(filter, of, pointerTo(of.field, id)).flatMap((condition) => {
        const { findings, isSpelled } = oddnessOf(condition, of, checked);
        // A misspelled condition is completed once it is right.
        return of.limitsRows && isSpelled
          ? [...findings, ...incompleteness(condition, checked, undefined, isValue)]
          : findings;
      }),
    );
  };
}

/** The odd parts of a filter and of those that it combines. */
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
  /** True if its keys, kinds and types are spelled as in Omni. */
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

/**
 * A filter that lacks what it compares with, or one end of a range: it may let all rows through. Where a reference leaves it
 * empty, nobody wrote that, so it is an error.
 */
function emptiness(
  { filter, pointer }: Condition,
  checked: Pick<CheckedResource, 'referredAt'>,
): readonly RuleFinding[] {
  const lack = lacksValue(filter) ? wholeLack : endLack({ filter, pointer }, checked);
  if (lack === undefined) return [];
  const written = lack.keys.filter((key) => Object.hasOwn(filter, key)).map((key) => pointer + pointerTo(key));
  const places = (written.length === 0 ? [pointer] : written).map((at) => ({ at, referred: checked.referredAt(at) }));
  const { at = pointer, referred } = places.find((place) => place.referred !== undefined) ?? places[0] ?? {};
  const reason = referred === undefined ? '' : `: ${emptyPlace(referred.place)}`;
  const message = `\`${fieldName(pointer)}\` ${lack.words}${reason}. Omni does not document what such a filter does: it may let all rows through.`;
  const isOnly = Array.isArray(filter['values']) && filter['values'].length === 1;
  const where = { pointer: isOnly && at.endsWith('/values') ? at + pointerTo(0) : at };
  return referred === undefined
    ? [{ code: 'filter-empty', message, hint: `${lack.whereWritten} ${howAccepted}`, ...where }]
    : [
        {
          code: 'filter-empty',
          message,
          hint: `Give the filter a value. ${lack.whereReferred}`,
          ...where,
          severity: 'error',
        },
      ];
}

interface Lack {
  /** Those that may hold what is missing. */
  readonly keys: readonly string[];
  readonly words: string;
  /** The advice where people wrote it so, and where a reference gives nothing. */
  readonly whereWritten: string;
  readonly whereReferred: string;
}

const howAccepted = 'If it is meant, write `accept: { filter-empty: REASON }`.';

const wholeLack: Lack = {
  keys: valueKeys,
  words: 'has no value',
  whereWritten: 'Write a value, or remove the filter, so that the value on the dashboard counts.',
  whereReferred: 'A report without this filter is a declaration of its own.',
};

function endLack(condition: Condition, checked: Pick<CheckedResource, 'referredAt'>): Lack | undefined {
  const { filter } = condition;
  const end = lackedEnd(filter) ?? referredEnd(condition, checked);
  if (end === undefined) return undefined;
  const isOfNumbers = end === 'values' || filter['type'] === 'number';
  const [after, before] = isOfNumbers ? ['GREATER_THAN', 'LESS_THAN'] : ['ON_OR_AFTER', 'BEFORE'];
  const open = `with \`kind: ${after}\` or \`kind: ${before}\``;
  return {
    keys: [end],
    words: end === 'values' ? 'has one value, and a range has two' : `is a range without \`${end}\``,
    whereWritten: `Write both ends, or declare an open one ${open}.`,
    whereReferred: `A range with an open end is a declaration of its own, ${open}.`,
  };
}

/** A side that a reference leaves empty, of a filter whose kind does not say that it needs only the other. */
function referredEnd(
  { filter, pointer }: Condition,
  { referredAt }: Pick<CheckedResource, 'referredAt'>,
): string | undefined {
  if (comparedBy(filter['kind']) !== 'unknown') return undefined;
  const isLeftEmpty = (key: string) => filter[key] === '' && referredAt(pointer + pointerTo(key)) !== undefined;
  return ['left_side', 'right_side'].find(isLeftEmpty);
}

function emptyPlace(place: ValuePlace): string {
  switch (place.kind) {
    case 'item':
      return place.part === 'cell' ? 'the cell is empty' : 'the item gives none';
    case 'variable':
      return `the variable ${quote(place.name)} is empty`;
    case 'audience':
      return `the audience ${quote(place.name)} is empty`;
    case 'text-file':
      return `${place.path} is empty`;
    default:
      return 'what gives it is empty';
  }
}
