// A condition of a filter as people say it: `Europe, Asia`, `not Europe`, `contains Acme`.

import { isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';
import { valueText } from '../../report/text/visible-values.ts';

const kindWords: Readonly<Record<string, string>> = {
  EQUALS: '',
  CONTAINS: 'contains',
  STARTS_WITH: 'starts with',
  ENDS_WITH: 'ends with',
  SQL_LIKE: 'is like',
  IS_EMPTY: 'empty',
  LESS_THAN: 'less than',
  GREATER_THAN: 'more than',
  BETWEEN: 'between',
  BEFORE: 'before',
  ON_OR_AFTER: 'from',
  TIME_FOR_INTERVAL_DURATION: '',
  TIME_FOR_UNIT_DURATION: '',
};

export function filterWords(condition: Json): string {
  if (!isJsonObject(condition)) return textOf(condition);
  const { filters, conjunction, kind, is_negative: isNegative } = condition;
  if (Array.isArray(filters) && filters.length > 0) {
    const between = ` ${String(conjunction ?? 'and').toLowerCase()} `;
    return filters.map((each: Json) => filterWords(each)).join(between);
  }
  const name = typeof kind === 'string' ? kind.toUpperCase() : '';
  const how = kindWords[name] ?? name.toLowerCase().replaceAll('_', ' ');
  const values = valuesIn(condition, name);
  if (values === undefined) return name === 'IS_EMPTY' ? negated('empty', isNegative) : valueText(condition);
  return negated([how, values].filter((each) => each !== '').join(' '), isNegative);
}

/** Undefined where it says nothing to compare with. */
function valuesIn({ values, left_side: left, right_side: right }: JsonObject, kind: string): string | undefined {
  const isDuration = kind.startsWith('TIME_FOR_');
  if (left !== undefined && right !== undefined)
    return isDuration ? `from ${textOf(left)} for ${textOf(right)}` : `${textOf(left)} to ${textOf(right)}`;
  if (left !== undefined || right !== undefined) return textOf(left ?? right ?? null);
  if (!Array.isArray(values)) return undefined;
  const given = values.filter((each: Json) => each !== '');
  return given.length === 0 ? 'any value' : given.map((each: Json) => textOf(each)).join(', ');
}

function negated(words: string, isNegative: Json | undefined): string {
  return isNegative === true ? `not ${words}` : words;
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : valueText(value);
}
