// Declares the filters of an existing dashboard: their values and their order. Labels of filters and controls, and
// filters without a list of values, are not declared.

import type { RemoteFilters } from '../../model/service/remote.ts';
import { define, isJsonObject, type Json } from '../../model/values/json.ts';
import type { ResourceDraft } from '../../model/workspace/source-draft.ts';
import { escapeInterpolation } from '../../parse/escape-interpolation.ts';

/** Undefined if there is nothing to declare. */
export function declareDashboard(remote: RemoteFilters, identifier: string, key: string): ResourceDraft | undefined {
  const filters: Record<string, Json> = {};
  for (const [id, filter] of Object.entries(remote.filters)) {
    const values = isJsonObject(filter) ? filter['values'] : undefined;
    if (Array.isArray(values)) define(filters, id, { values: escapeInterpolation(values) });
  }
  const { filterOrder } = remote;
  const fields = [
    ...(Object.keys(filters).length > 0 ? [{ name: 'filters', value: filters }] : []),
    ...(filterOrder.length > 0 ? [{ name: 'filterOrder', value: escapeInterpolation(filterOrder) }] : []),
  ];
  if (fields.length === 0) return undefined;
  return { key, comments: [], fields: [{ name: 'identifier', value: escapeInterpolation(identifier) }, ...fields] };
}
