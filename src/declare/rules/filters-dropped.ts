// A finding for filters of a dashboard that a schedule's own map drops. A map of filters replaces that of a default or
// merge as a whole. What is dropped limited the rows, so it is reported where the dashboard has it.

import { isJsonObject, type Json } from '../../model/values/json.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import { codeList } from '../../model/values/words.ts';
import { type Finding, placeOf } from '../../model/workspace/diagnostic.ts';
import { findingAt } from '../../model/workspace/field-place.ts';
import type { Resource } from '../../model/workspace/resource.ts';
import { inBrackets, printString } from '../../yaml/format/print-string.ts';
import { quote } from '../formats/quote.ts';
import { deliveryFilters } from './filter-shape.ts';

/** At most one. `isOnDashboard`: whether a declaration or a look shows that the dashboard has the filter. */
export function filtersDropped(
  resource: Resource,
  isOnDashboard: (id: string) => boolean,
  dividing: ReadonlySet<string>,
): readonly Finding[] {
  const { dropped } = resource;
  const ids = [...(dropped?.lost.keys() ?? [])].filter(isOnDashboard);
  if (dropped === undefined || ids.length === 0) return [];
  const { field } = deliveryFilters;
  const { related = [], ...where } = findingAt(resource, pointerTo(field), { at: 'key' });
  const givers = ids.flatMap((id) => {
    const origin = dropped.lost.get(id);
    return origin === undefined ? [] : [{ place: placeOf(origin), message: `This gives ${quote(id)}.` }];
  });
  const unset = ids.map((id) => `${printString(id, { inFlow: true, isKey: true })}: null`).join(', ');
  return [
    {
      code: 'filter-dropped',
      message: `This map replaces the whole \`${field}\` that a default or a merged map gives, so ${codeList(ids)} ${ids.length === 1 ? 'is' : 'are'} not set here.`,
      // To be copied, so never cut.
      hint: `Write \`${field}: ${inFlow(dropped.whole)}\`, or \`${unset}\` in the map where that is meant.`,
      ...where,
      related: [...related, ...givers],
      ...(ids.some((id) => dividing.has(id)) && { severity: 'error' as const }),
    },
  ];
}

function inFlow(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(inFlow).join(', ')}]`;
  if (!isJsonObject(value)) return typeof value === 'string' ? printString(value, inBrackets) : JSON.stringify(value);
  const entries = Object.entries(value).map(
    ([key, each]) => `${printString(key, { inFlow: true, isKey: true })}: ${inFlow(each)}`,
  );
  return `{ ${entries.join(', ')} }`;
}
