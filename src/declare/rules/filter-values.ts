// Values of a filter that are probably mistakes: reversed ranges, missing days, grouped digits, or a wrong side. In the
// last case the kind compares with another key. Only Omni knows which rows pass then.

import { hasValues, isOfDates, textOf } from '../../model/fields/conditions.ts';
import { comparedBy } from '../../model/fields/filter-keys.ts';
import { pushAll } from '../../model/values/collections.ts';
import { dayAfter, isDay, lastDayOfMonth } from '../../model/values/day.ts';
import type { Json, JsonObject } from '../../model/values/json.ts';
import { type Pointer, pointerTo } from '../../model/values/pointer.ts';
import { quote } from '../../model/values/words.ts';
import { inBrackets, printString } from '../../yaml/format/print-string.ts';
import { fieldName, type RuleFinding } from '../findings/rule.ts';
import type { Condition } from './filter-shape.ts';
import { isExpression } from './other-values.ts';

/** If one is found, the range around it is not judged. */
export function oddValuesIn(condition: Condition): readonly RuleFinding[] {
  const found = unreadValues(condition);
  for (const each of valuesIn(condition)) pushAll(found, oddValue(each, condition));
  return found.length > 0 ? found : oddRange(condition);
}

function finding(pointer: Pointer, message: string, hint: string): RuleFinding {
  return { code: 'filter-value', message, hint, pointer };
}

const conditionSides = ['left_side', 'right_side'] as const;

interface FilterValue {
  readonly value: Json;
  readonly at: Pointer;
  /** True for an end of a range, which no list has. */
  readonly isSide: boolean;
}

/** The values that a condition compares with, those in `values` and its sides. */
export function valuesIn({ filter, pointer }: Condition): readonly FilterValue[] {
  const { values } = filter;
  const list: readonly Json[] = Array.isArray(values) ? values : [];
  return [
    ...list.map((value, index) => ({ value, at: pointer + pointerTo('values', index), isSide: false })),
    ...conditionSides.flatMap((side) => {
      const value = filter[side] ?? null;
      return value === null ? [] : { value, at: pointer + pointerTo(side), isSide: true };
    }),
  ];
}

/** A value under a key that the kind does not read, while the one that it reads is missing. */
function unreadValues({ filter, pointer }: Condition): RuleFinding[] {
  const { kind = '', values = [] } = filter;
  const compared = comparedBy(kind);
  const [side] = conditionSides.filter((key) => hasValues(filter[key]));
  if (compared === 'values' && side !== undefined && !hasValues(values)) {
    const message = `${quote(textOf(kind))} compares with \`values\`, and \`${fieldName(pointer)}\` has none, but a \`${side}\`.`;
    const meant = asWritten(filter[side] ?? '');
    return [finding(pointer + pointerTo(side), message, `Write \`values: [${meant}]\`.`)];
  }
  const isRange = compared === 'end' || compared === 'ends';
  if (!isRange || side !== undefined || !hasValues(values) || !(isOfDates(filter) || areDays(values))) return [];
  const [first = '', second] = [values].flat().map(asWritten);
  const message = `Of dates, ${quote(textOf(kind))} compares with \`left_side\` and \`right_side\`, and \`${fieldName(pointer)}\` has neither, but \`values\`.`;
  const end = textOf(kind).toUpperCase() === 'BEFORE' ? 'right_side' : 'left_side';
  const meant = compared === 'end' ? `${end}: ${first}` : `left_side: ${first}, right_side: ${second ?? '…'}`;
  return [finding(pointer + pointerTo('values'), message, `Write \`${meant}\`.`)];
}

function areDays(values: Json): boolean {
  return [values].flat().every((each: Json) => dayShape.test(textOf(each)));
}

const dayShape = /^\d{4}-\d{2}-\d{2}(?=$|[T ])/;

function oddValue({ value, at, isSide }: FilterValue, { filter }: Condition): readonly RuleFinding[] {
  if (value === null) return hasValues(filter['values']) ? [nullValue(at, filter)] : [];
  // A number or a flag needs no check.
  const text = typeof value === 'string' ? value.trim() : '';
  const isDate = isOfDates(filter) || (isSide && filter['type'] !== 'number');
  const words = isDate ? dayWords(text) : numberWords(text, filter);
  return words === undefined ? [] : [finding(at, ...words)];
}

function nullValue(pointer: Pointer, { values = [], type }: JsonObject): RuleFinding {
  const others = [values].flat().flatMap((each: Json) => (each === null ? [] : asWritten(each)));
  const of = textOf(type ?? (others.every((each) => Number.isFinite(Number(each))) ? 'number' : 'string'));
  const both = `{ conjunction: OR, filters: [{ type: ${of}, kind: EQUALS, values: [${others.join(', ')}] }, { type: ${of}, kind: IS_EMPTY }] }`;
  return finding(pointer, 'No row has the value `null`, so it is not known what passes.', `Write \`${both}\`.`);
}

/** In a form that can be copied into YAML. */
function asWritten(value: Json): string {
  return typeof value === 'string' ? printString(value, inBrackets) : textOf(value);
}

type OddWords = readonly [message: string, hint: string];

function dayWords(text: string): OddWords | undefined {
  const [day] = dayShape.exec(text) ?? [];
  if (day !== undefined && !isDay(day)) {
    const last = lastDayOfMonth(day);
    return [`There is no day ${quote(day)}.`, `Write a day that exists, such as \`${last ?? '2026-01-31'}\`.`];
  }
  const meant = spelledDays(text);
  if (meant.length === 0) return undefined;
  const hint = `Write ${meant.map((each) => `\`${each}\``).join(' or ')}.`;
  return [`${quote(text)} is not a day as Omni writes one: year, month and day.`, hint];
}

/** The days that a text such as `01/02/2026` may mean. A spreadsheet keeps a day as a number of five digits. */
export function spelledDays(text: string): readonly string[] {
  const spreadsheetsFirst = Date.UTC(1899, 11, 30);
  if (/^[3-7]\d{4}$/.test(text))
    return [new Date(spreadsheetsFirst + Number(text) * 86_400_000).toISOString().slice(0, 10)];
  const [, ...parts] = /^(\d{1,4})[/.](\d{1,2})[/.](\d{1,4})$/.exec(text) ?? [];
  const [first = '', second = '', third = ''] = parts.map((part) => part.padStart(2, '0'));
  const days =
    first.length === 4
      ? [[first, second, third]]
      : [
          [third, second, first],
          [third, first, second],
        ];
  return [...new Set(days.map((each) => each.join('-')).filter(isDay))];
}

function numberWords(text: string, { type, kind }: JsonObject): OddWords | undefined {
  const isGrouped = /^-?\d{1,3}(?:[,' _]\d{3})+(?:\.\d+)?$/.test(text);
  const isOfNumbers = type === 'number' || (type === undefined && /^(?:less|greater)_than$/i.test(textOf(kind ?? '')));
  if (!isOfNumbers || text === '' || !Number.isNaN(Number(text)) || (!isGrouped && type !== 'number')) return undefined;
  if (isExpression(text)) return undefined;
  const meant = isGrouped ? text.replaceAll(/[^\d.-]/g, '') : '1000';
  return [`${quote(text)} is not a number.`, `Write ${isGrouped ? '' : 'one with digits only, such as '}\`${meant}\`.`];
}

interface Range {
  readonly ends: readonly [string, string];
  readonly pointer: Pointer;
  readonly write: (first: string, second: string) => string;
}

function rangeOf({ filter, pointer }: Condition): Range | undefined {
  const { kind, left_side: left, right_side: right, values } = filter;
  if (hasValues(left) && hasValues(right))
    return {
      ends: [textOf(left ?? ''), textOf(right ?? '')],
      pointer: pointer + pointerTo('right_side'),
      write: (first, second) => `left_side: ${first}, right_side: ${second}`,
    };
  const [first, second, ...more] = comparedBy(kind) === 'ends' && Array.isArray(values) ? values : [];
  if (first === undefined || second === undefined || more.length > 0) return undefined;
  return {
    ends: [textOf(first), textOf(second)],
    pointer: pointer + pointerTo('values'),
    write: (one, other) => `values: [${one}, ${other}]`,
  };
}

/** Texts with offsets do not compare as texts. */
const offset = /[+-]\d{2}:?\d{2}$/;

/** Only days and numbers compare without Omni. */
function oddRange(condition: Condition): readonly RuleFinding[] {
  const range = rangeOf(condition);
  if (range === undefined) return [];
  const { ends, pointer, write } = range;
  const [first, second] = ends;
  const areBothDays = ends.every((each) => dayShape.test(each) && !offset.test(each)) && first.length === second.length;
  const areNumbers = ends.every((each) => each.trim() !== '' && !Number.isNaN(Number(each)));
  if (!areBothDays && !areNumbers) return [];
  const asEnd = areBothDays ? asWritten : String;
  const writeEnds = (from: string, to: string) => write(asEnd(from), asEnd(to));
  const name = `\`${fieldName(condition.pointer)}\``;
  if (areBothDays ? first > second : Number(first) > Number(second)) {
    const message = `${name} ends at ${quote(second)}, before it begins at ${quote(first)}, so no row is in that range.`;
    return [finding(pointer, message, `Write \`${writeEnds(second, first)}\`.`)];
  }
  if (areBothDays && first === second) {
    const message = `${name} begins and ends on ${quote(first)}. The end is not part of a range, so no row is in this one.`;
    const day = first.slice(0, 10);
    return [finding(pointer, message, `For this day alone write \`${writeEnds(day, dayAfter(day))}\`.`)];
  }
  if (!areNumbers || Number(first) !== Number(second) || condition.filter['is_inclusive'] === true) return [];
  const message = `${name} begins and ends at ${quote(first)}. Without \`is_inclusive: true\` neither end is part of it, so no row is in that range.`;
  return [
    finding(
      pointer,
      message,
      `Write \`is_inclusive: true\`, or \`{ type: number, kind: EQUALS, values: [${first}] }\`.`,
    ),
  ];
}
