// Reports a condition that says too little to be completed. It does not tell whether it compares texts, numbers or
// dates, or how. The advice covers every possibility; if the type of the filter on its dashboard is known, only that.

import { lackedKey } from '../../model/fields/complete-conditions.ts';
import { hasValues, lacksValue, textOf } from '../../model/fields/conditions.ts';
import { isNamed } from '../../model/fields/filter-keys.ts';
import { isDay } from '../../model/values/day.ts';
import type { Json, JsonObject } from '../../model/values/json.ts';
import { isWithin } from '../../model/values/pointer.ts';
import { inDoubleQuotes } from '../../model/values/unseen.ts';
import { quote } from '../../model/values/words.ts';
import { type CheckedResource, fieldName, type RuleFinding } from '../findings/rule.ts';
import type { Condition } from './filter-shape.ts';
import { isShortened } from './not-values.ts';
import { isExpression } from './other-values.ts';

export const comparedTypes = ['string', 'number', 'date', 'boolean'] as const;
export type ComparedType = (typeof comparedTypes)[number];

/** `onDashboard` is the filter's type there, if known; `isValue` finds texts of the table. Conditions with a graver finding are left out. */
export function incompleteness(
  { filter, pointer }: Condition,
  { fromEnvironment, referredAt }: Pick<CheckedResource, 'fromEnvironment' | 'referredAt'>,
  onDashboard?: ComparedType,
  isValue: (text: string) => boolean = () => false,
): readonly RuleFinding[] {
  const { values = [] } = filter;
  const lacked = lackedKey(filter);
  const isSecret = [...fromEnvironment].some((place) => isWithin(place, pointer));
  if (lacked === undefined || lacksValue(filter) || !Array.isArray(values) || isSecret) return [];
  // They have lost digits, which is reported.
  if (values.some((each: Json) => typeof each === 'string' && isShortened(each))) return [];
  // The finding about an expression of another tool says what it means.
  if (values.some((each: Json) => typeof each === 'string' && isExpression(each) && !isValue(each))) return [];
  const name = `\`${fieldName(pointer)}\``;
  const isRange = filter['left_side'] !== undefined || filter['right_side'] !== undefined;
  const what =
    lacked === 'kind' || (isRange && filter['kind'] === undefined)
      ? `${name} has no \`kind\`, so it is not known how it compares.`
      : `Nothing says whether ${name} compares texts, numbers or something else.`;
  const isLiteral = conditionPlaces.every((at) => referredAt(pointer + at) === undefined);
  const forms = formsOf(filter, isLiteral);
  const fitting = forms.find(({ type }) => type === onDashboard);
  const hint =
    fitting === undefined
      ? `Write ${forms.map(({ type, words }) => (forms.length === 1 ? words : `${words} for ${typeWords[type]}`)).join(', or ')}.`
      : `On the dashboard the filter has the type ${quote(fitting.type)}: write ${fitting.words}.`;
  return [{ code: 'filter-incomplete', message: `${what} If Omni drops such a filter, all rows pass.`, hint, pointer }];
}

/** The places of values that may come from elsewhere. */
const conditionPlaces = ['', '/values', '/values/0', '/left_side', '/right_side'];

interface Form {
  readonly type: ComparedType;
  /** The text to write, in backticks. */
  readonly words: string;
}

const typeWords: Readonly<Record<ComparedType, string>> = {
  string: 'a text',
  number: 'a number',
  date: 'a date',
  boolean: 'a yes or no',
};

function formsOf(filter: JsonObject, isLiteral: boolean): readonly Form[] {
  const { type, kind = null, left_side: left, right_side: right, values } = filter;
  const form = (of: ComparedType, ...rest: readonly string[]): Form => ({
    type: of,
    words: `\`${[`type: ${of}`, ...rest].join(', ')}\``,
  });
  if (left !== undefined || right !== undefined)
    return [form('date', ...(kind === null ? [`kind: ${kindOfSides(filter, isLiteral)}`] : []))];
  const list: readonly Json[] = Array.isArray(values) ? values.filter((each: Json) => hasValues(each)) : [];
  if (list.length === 0)
    return kind === null ? [form('boolean')] : (['string', 'number', 'date'] as const).map((each) => form(each));
  if (list.every((each) => typeof each === 'boolean')) {
    const negated = list.includes(false) ? ', is_negative: true' : '';
    return [{ type: 'boolean', words: `\`type: boolean${negated}\` in place of \`values\`` }];
  }
  const written = (text: (value: Json) => string) => (isLiteral ? [`values: [${list.map(text).join(', ')}]`] : []);
  const how = `kind: ${kind === null ? 'EQUALS' : textOf(kind)}`;
  const texts = form('string', how, ...written((each) => inDoubleQuotes(textOf(each))));
  const [first = ''] = list.map(textOf);
  const days = form('date', 'kind: ON_OR_AFTER', `left_side: ${isLiteral ? first : '…'}`);
  if (isNamed(type, 'date')) return [days];
  const areDays = list.every((each) => isDay(textOf(each).slice(0, 10)));
  return [texts, areDays ? days : form('number', how, ...written(asNumber))];
}

function kindOfSides({ left_side: left, right_side: right }: JsonObject, isLiteral: boolean): string {
  if (right === undefined) return 'ON_OR_AFTER';
  if (left === undefined) return 'BEFORE';
  return !isLiteral || isDay(textOf(right).slice(0, 10)) ? 'BETWEEN' : 'TIME_FOR_INTERVAL_DURATION';
}

/** A number keeps its text where YAML would not. */
function asNumber(value: Json): string {
  const text = textOf(value);
  return String(Number(text)) === text ? text : inDoubleQuotes(text);
}
