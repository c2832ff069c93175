// A condition that says too little to be completed: whether it compares texts, numbers or dates, or how. What to write instead,
// as far as what is written leaves it open; where the type of the filter on its dashboard is known, that alone.

import { hasValues, lacksValue, textOf } from '../../model/fields/conditions.ts';
import { lackedKey } from '../../model/fields/complete-conditions.ts';
import { isKnownKind, isNamed } from '../../model/fields/filter-keys.ts';
import { isDay } from '../../model/values/day.ts';
import type { Json, JsonObject } from '../../model/values/json.ts';
import { isWithin, pointerTo } from '../../model/values/pointer.ts';
import { inDoubleQuotes } from '../../model/values/unseen.ts';
import { type Checked, fieldName, type RuleFinding } from '../findings/rule.ts';
import { quote } from '../formats/quote.ts';
import type { Condition } from './filter-shape.ts';

/** The types that two filters are compared by. */
export const comparedTypes = ['string', 'number', 'date', 'boolean'] as const;
export type ComparedType = (typeof comparedTypes)[number];

type Given = Pick<Checked, 'fromEnvironment' | 'referredAt'>;

/** `onDashboard`: the type of the filter there, where it is known. One without a value is said to have none. */
export function incompleteness(
  { filter, pointer }: Condition,
  given: Given,
  onDashboard?: ComparedType,
): readonly RuleFinding[] {
  const lacked = lackedKey(filter);
  if (lacked === undefined || lacksValue(filter)) return [];
  const name = `\`${fieldName(pointer)}\``;
  const what =
    lacked === 'kind'
      ? `${name} has no \`kind\`, so nobody knows how it compares.`
      : `Nothing says whether ${name} compares texts, numbers or something else.`;
  const forms = formsOf(filter, isLiteral(pointer + pointerTo('values'), given));
  const fitting = forms.filter(({ type }) => type === onDashboard);
  const [first = { type: 'string', words: '`type` and `kind`' }, ...others] = fitting.length > 0 ? fitting : forms;
  const hint =
    fitting.length > 0
      ? `The dashboard has ${quote(onDashboard ?? '')} there: write ${first.words}.`
      : `Write ${[first, ...others].map(({ type, words }) => (others.length === 0 ? words : `${words} for ${typeWords[type]}`)).join(', or ')}.`;
  return [
    {
      code: 'filter-incomplete',
      message: `${what} If Omni drops such a filter, all rows pass.`,
      hint,
      pointer,
    },
  ];
}

interface Form {
  readonly type: ComparedType;
  /** What to write, in backticks. */
  readonly words: string;
}

const typeWords: Readonly<Record<ComparedType, string>> = {
  string: 'a text',
  number: 'a number',
  date: 'a date',
  boolean: 'a yes or no',
};

/** The conditions that may be meant. */
function formsOf(filter: JsonObject, isLiteral: boolean): readonly Form[] {
  const { kind, left_side: left, right_side: right, values } = filter;
  const written = (type: ComparedType, ...rest: readonly string[]): Form => ({
    type,
    words: `\`${[`type: ${type}`, ...rest].join(', ')}\``,
  });
  if (hasValues(left) || hasValues(right)) return [written('date', `kind: ${kindOfSides(filter)}`)];
  const list: readonly Json[] = Array.isArray(values) ? values.filter((each: Json) => hasValues(each)) : [];
  if (list.length === 0) {
    if (isNamed(kind, 'is_empty')) return (['string', 'number', 'date'] as const).map((type) => written(type));
    return isNamed(filter['type'], 'date')
      ? [written('date', 'kind: ON_OR_AFTER', 'left_side: 7 days ago')]
      : [written('boolean')];
  }
  if (list.every((each) => typeof each === 'boolean'))
    return [{ type: 'boolean', words: `\`type: boolean${list.includes(false) ? ', is_negative: true' : ''}\` in place of \`values\`` }];
  const how = `kind: ${typeof kind === 'string' && isKnownKind(kind) ? kind : 'EQUALS'}`;
  const valuesAs = (text: (value: Json) => string) => (isLiteral ? [`values: [${list.map(text).join(', ')}]`] : []);
  const texts = written('string', how, ...valuesAs((each) => inDoubleQuotes(textOf(each))));
  const [day = ''] = list.map(textOf);
  const days = [written('date', 'kind: ON_OR_AFTER', ...(isLiteral ? [`left_side: ${day}`] : ['left_side: …']))];
  if (isNamed(filter['type'], 'date')) return days;
  if (list.every((each) => isDay(textOf(each).slice(0, 10)))) return [texts, ...days];
  const numbers = written('number', how, ...valuesAs(asNumber));
  return [texts, numbers];
}

function kindOfSides({ left_side: left, right_side: right = '' }: JsonObject): string {
  if (!hasValues(right)) return 'ON_OR_AFTER';
  if (!hasValues(left)) return 'BEFORE';
  return isDay(textOf(right).slice(0, 10)) ? 'BETWEEN' : 'TIME_FOR_INTERVAL_DURATION';
}

/** A number keeps its text where YAML would not. */
function asNumber(value: Json): string {
  const text = textOf(value);
  return String(Number(text)) === text ? text : inDoubleQuotes(text);
}

/** Whether they are written where the filter is, and may be shown. */
function isLiteral(values: string, { fromEnvironment, referredAt }: Given): boolean {
  if ([...fromEnvironment].some((place) => isWithin(place, values))) return false;
  return referredAt(values) === undefined && referredAt(values + pointerTo(0)) === undefined;
}
