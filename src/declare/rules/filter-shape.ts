// The value of a filter is a map with at least one key of a filter. The documents do not say what the service makes of
// anything else: if it ignored the value, a delivery would hold the rows of everybody.

import { dashboardFilter, deliveryFilter } from '../../model/fields/shapes.ts';
import type { Kind } from '../../model/values/address.ts';
import { isJsonObject, type Json } from '../../model/values/json.ts';
import { isWithin, pointerTo } from '../../model/values/pointer.ts';
import { inDoubleQuotes } from '../../model/values/words.ts';
import { fieldName } from '../findings/place-name.ts';
import type { Rule } from '../findings/rule.ts';
import { didYouMean } from '../findings/suggest.ts';
import { quote } from '../formats/quote.ts';
import { typeOf } from '../unfit-values.ts';
import { columnOf } from '../walk-field.ts';

export const filtersOf = {
  schedule: { field: 'filterConfig', keys: Object.keys(deliveryFilter.fields) },
  dashboard: { field: 'filters', keys: Object.keys(dashboardFilter.fields) },
  aiJob: undefined,
} as const;

export const filtersHaveShape: Rule = ({ kind, value, fromEnvironment, referredAt }) => {
  const { field = '', keys = [] } = filtersOf[kind] ?? {};
  const filters = value[field];
  if (!isJsonObject(filters)) return [];
  return Object.entries(filters).flatMap(([id, filter]) => {
    if (isFilter(filter, kind)) return [];
    const given = isJsonObject(filter) ? Object.keys(filter) : undefined;
    const pointer = pointerTo(field, id);
    const isSecret = [...fromEnvironment].some((place) => isWithin(place, pointer));
    const meant = given?.map((key) => didYouMean(key, keys)).find((hint) => hint !== undefined);
    const isRefused = kind === 'dashboard' && given === undefined;
    const column = columnOf(referredAt(pointer));
    const values = column === undefined ? valuesOf(filter, kind) : `"\${each.${column}}"`;
    return {
      code: 'filter-shape',
      message: [
        `\`${fieldName(pointer)}\` ${given === undefined ? `must be a map, not ${typeOf(filter)}` : 'has no key of a filter'}.`,
        isRefused ? 'Omni refuses it.' : 'What Omni makes of it is not documented: it may let all rows through.',
      ].join(' '),
      hint: meant ?? `Write ${quote(`${written(id)}: { values: [${isSecret ? '…' : values}] }`)}.`,
      pointer,
      severity: isRefused ? 'error' : undefined,
    } as const;
  });
};

export function isFilter(value: Json, kind: Kind): boolean {
  const keys: readonly string[] = filtersOf[kind]?.keys ?? [];
  return isJsonObject(value) && Object.keys(value).some((key) => keys.includes(key));
}

/** Those that were certainly meant. The values of a dashboard's filter are strings. */
function valuesOf(filter: Json, kind: Kind): string {
  const values = [filter].flat();
  const isClear = values.length > 0 && values.every((each) => each !== null && typeof each !== 'object');
  if (!isClear) return '…';
  return values
    .map((each) => (typeof each === 'string' || kind === 'dashboard' ? written(String(each)) : String(each)))
    .join(', ');
}

/** Plain only where every reader of YAML takes it for a text. To find out about others takes a parser. */
const written = (text: string): string =>
  /^[A-Za-z][\w-]*(?: [\w-]+)*$/.test(text) && !wordOfYaml.test(text) ? text : inDoubleQuotes(text);

const wordOfYaml = /^(?:true|false|yes|no|on|off|y|n|null)$/i;
