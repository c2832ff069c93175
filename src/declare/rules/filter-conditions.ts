// The conditions of filters, each by itself: their comparison, keys and words. Omni documents no complete list of its
// kinds and keys, so only a certain difference in meaning is reported, and almost always as a warning.

import { hasValues, lackedEnd, lacksValue, textOf } from '../../model/fields/conditions.ts';
import {
  booleanKeys,
  comparedBy,
  conditionFields,
  filterKinds,
  filterTypes,
  foreignKey,
  isKnownKey,
  valueKeys,
} from '../../model/fields/filter-keys.ts';
import { pushAll } from '../../model/values/collections.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';
import { type Pointer, pointerTo } from '../../model/values/pointer.ts';
import { quote } from '../../model/values/words.ts';
import type { ValuePlace } from '../../model/workspace/origins.ts';
import { type CheckedResource, fieldName, type Rule, type RuleFinding } from '../findings/rule.ts';
import { nearest } from '../findings/suggest.ts';
import { wrongType } from '../unfit-values.ts';
import { incompleteness } from './filter-incomplete.ts';
import { type Condition, conditionsIn, type FiltersOfKind } from './filter-shape.ts';
import { oddValuesIn } from './filter-values.ts';
import {
  isNegative,
  isOff,
  type Meaning,
  negatesByBeingOff,
  type OtherKind,
  otherKind,
  otherType,
  switchedOff,
  written,
} from './other-tools.ts';

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

// The keys, kinds and types of a filter that Omni does not document. A negation in the words of other tools, or as a
// value of a filter of booleans, may let pass exactly the rows that the filter should leave out: Omni has one word for
// that, `is_negative`. A word close to a known one is probably misspelled.

function oppositesIn({ filter, pointer }: Condition): readonly RuleFinding[] {
  const found = booleanValues(filter);
  for (const key in filter) pushAll(found, oppositeAt(key, filter[key] ?? null, filter));
  return found.map(({ key, at, message, hint }) => {
    return { code: 'filter-opposite', message, hint, pointer: pointer + pointerTo(key), at };
  });
}

interface Opposite {
  readonly key: string;
  readonly at?: 'key';
  readonly message: string;
  /** Contains the certain intention, as people write it. */
  readonly hint: string;
}

const ifIgnored = 'exactly the rows pass that should not';

function oppositeAt(key: string, value: Json, filter: JsonObject): readonly Opposite[] {
  if (isKnownKey(key) && key !== 'kind' && key !== 'type') return [];
  const meant = foreignKey(key);
  const isWord = meant === 'is_negative' ? isOn(value) : negatesByBeingOff(key, value);
  const other = isWord
    ? undefined
    : otherName(meant ?? key, meant === 'kind' || meant === undefined ? value : null, filter);
  if (isWord || (meant === 'kind' && other?.negates)) {
    const message = `Almanac knows no key ${quote(key)} of a filter, and sends it unchanged. If Omni ignores it, ${ifIgnored}.`;
    const hint = other === undefined ? `Write \`${isNegative}\`.` : hintOf(other.means, filter);
    return [{ key, at: 'key', message, hint }];
  }
  if (meant !== undefined || (key !== 'kind' && key !== 'type') || !other?.negates) return [];
  const message = `Omni documents no ${key} ${quote(textOf(value))}. If Omni takes it for a different one, ${ifIgnored}.`;
  return [{ key, message, hint: hintOf(other.means, filter) }];
}

/** True if a word of negation is switched on. */
function isOn(value: Json): boolean {
  return hasValues(value) && !isOff(value);
}

/** A filter of booleans has no values: either true passes, or false. */
function booleanValues({ type = null, values = [], is_negative: negative }: JsonObject): Opposite[] {
  if (textOf(type).toLowerCase() !== 'boolean' || !hasValues(values)) return [];
  const [only = '', ...others] = new Set([values].flat().map((each: Json) => textOf(each).toLowerCase()));
  const isClear = negative === undefined && others.length === 0 && (only === 'true' || only === 'false');
  const message = `A filter of booleans has no \`values\` in Omni: what is true passes, and with \`${isNegative}\` what is not. If Omni ignores them, ${ifIgnored}.`;
  const hint = isClear
    ? `Write \`{ type: boolean, is_negative: ${only === 'false'} }\`.`
    : 'Write `{ type: boolean, is_negative: false }` if what is true is to pass, and `is_negative: true` if not.';
  return [{ key: 'values', message, hint }];
}

const documentedKinds: ReadonlySet<string> = new Set(filterKinds);

/** The meaning of a kind or a type of another tool; undefined for any other name. */
function otherName(key: string, name: Json, filter: JsonObject): OtherKind | undefined {
  if (typeof name !== 'string' || documentedKinds.has(name.toUpperCase()) || filterTypes.some((type) => type === name))
    return undefined;
  return key === 'type' ? (otherType(name, filter) ?? negatedKind(name, filter)) : otherKind(name, filter);
}

/** A type such as `not_regex` is a kind in its place. */
function negatedKind(name: string, filter: JsonObject): OtherKind | undefined {
  const kind = otherKind(name, filter);
  return kind?.negates ? kind : undefined;
}

function hintOf(means: Meaning, filter: JsonObject, of?: string): string {
  if ('ask' in means) return means.ask;
  const { is_negative: negative, ...rest } = means.keys;
  const news = Object.entries(rest).filter(([key, value]) => filter[key] !== value);
  const [[only = '', name = null] = []] = news;
  if (negative !== true && news.length === 1 && only === of) return `Did you mean \`${name}\`?`;
  return `Write \`${written({ ...Object.fromEntries(news), ...(negative === true && { is_negative: true }) })}\`.`;
}

interface SpellingCheck {
  readonly findings: readonly RuleFinding[];
  /** The filter with the intended kinds and types; undefined if the meaning of its values is not known. */
  readonly correctedFilter: JsonObject | undefined;
}

/** Words close to a known one. `keys` are the filter's known ones. */
function misspelledIn({ filter, pointer }: Condition, keys: readonly string[]): SpellingCheck {
  const findings: RuleFinding[] = [];
  let corrected: JsonObject = filter;
  let hidesValues = false;
  for (const key in filter) {
    const value = filter[key] ?? null;
    const at = pointer + pointerTo(key);
    const meantKey = keys.includes(key) ? undefined : (foreignKey(key) ?? meantWord(key, keys));
    const off = keys.includes(key) ? undefined : switchedOff(key, value, filter);
    const meant = meantName(key, value, filter);
    if (off !== undefined) {
      const message = `Almanac knows no key ${quote(key)} of a filter, and sends it unchanged. In other tools, a filter that is switched off lets any value pass.`;
      findings.push({ code: 'filter-spelling', message, hint: off, pointer: at, at: 'key' });
    } else if (meantKey !== undefined) {
      const message = `Almanac knows no key ${quote(key)} of a filter, and sends it unchanged. If Omni ignores it, the filter lets different rows through.`;
      findings.push({ ...misspelled(message, meantKey), pointer: at, at: 'key' });
      hidesValues ||= valueKeys.includes(meantKey);
    } else if (meant !== undefined) {
      const message = `Omni documents no ${key} ${quote(textOf(value))}, so it is not known which rows the filter lets through.`;
      findings.push({ code: 'filter-spelling', message, hint: hintOf(meant, filter, key), pointer: at });
      if ('keys' in meant) corrected = { ...corrected, ...meant.keys };
      else hidesValues = true;
    }
  }
  return { findings, correctedFilter: hidesValues ? undefined : corrected };
}

/** The kind or the type that was meant: one that is close in letters, or that of another tool. */
function meantName(key: string, name: Json, filter: JsonObject): Meaning | undefined {
  if (key === 'type' && name === null) return nullType(filter);
  const known = suggested.get(key);
  if (typeof name !== 'string' || known === undefined || known.includes(name)) return undefined;
  const other = otherName(key, name, filter);
  const near = other === undefined ? meantWord(name, known) : undefined;
  return near === undefined ? other?.means : { keys: { [key]: near } };
}

/** YAML reads `null` without quotes as no value at all. */
function nullType(filter: JsonObject): Meaning | undefined {
  if (hasValues(filter['values']) || hasValues(filter['left_side']) || hasValues(filter['right_side']))
    return undefined;
  const { is_negative: negative = null } = filter;
  return {
    ask: `YAML reads \`null\` as no value. In quotes it is the type that asks whether there is one: write \`{ type: "null"${isOn(negative) ? `, ${isNegative}` : ''} }\`.`,
  };
}

function misspelled(message: string, name: string) {
  return { code: 'filter-spelling', message, hint: `Did you mean \`${name}\`?` } as const;
}

/** The names that Omni documents as the value of a key. */
const suggested: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(conditionFields).flatMap(([name, { shape }]) =>
    shape.type === 'anything' && shape.suggested !== undefined ? [[name, Object.keys(shape.suggested)] as const] : [],
  ),
);

/** After more edits, or with the opposite meaning, a word may be right: `ON_OR_BEFORE`, `case_sensitive`. */
function meantWord(word: string, names: readonly string[]): string | undefined {
  const name = nearest(word, names, 2);
  const isOpposite = name !== undefined && letters(word) !== letters(name) && stem(word) === stem(name);
  return isOpposite ? undefined : name;
}

const letters = (word: string) => word.toLowerCase().replaceAll(/[^a-z]/g, '');

const stem = (word: string) => letters(word).replaceAll(/in|ex|un/g, '');
