// Turns documents into a first source file: a schedule and the filters of each dashboard. The file is valid as it is,
// and meant to be edited.

import { exampleSchedules } from '../../model/fields/example-schedules.ts';
import type { ListedDocument } from '../../model/service/documents.ts';
import type { RemoteFilters } from '../../model/service/remote.ts';
import { define, isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';
import type { FieldDraft, ResourceDraft, SourceDraft } from '../../model/workspace/source-draft.ts';
import { escapeInterpolation } from '../../yaml/escape-interpolation.ts';
import { keyFrom, takeName } from '../base/kebab.ts';

/** Whether the document can be scheduled. */
export function hasStub({ deleted, hasDashboard }: ListedDocument): boolean {
  return !deleted && hasDashboard !== false;
}

/** `filters` by identifier. A dashboard without an entry gets a placeholder filter to rename. */
export function draftStubs(
  documents: readonly ListedDocument[],
  filters: ReadonlyMap<string, RemoteFilters>,
): SourceDraft {
  const taken = new Set<string>();
  const stubs = documents
    .filter(hasStub)
    .map((document) => ({ document, key: takeName([keyFrom(document.name, 'dashboard')], taken) }));
  return {
    path: '',
    comments: [
      'Stubs by almanac list documents: change when, to whom and in which format each delivers, and remove what you do not need.',
    ],
    resources: {
      dashboards: stubs.flatMap(({ document, key }) => {
        const entries = filtersField(filters.get(document.identifier));
        return entries === undefined
          ? []
          : [{ key, comments: [], fields: [field('identifier', document.identifier), entries] }];
      }),
      schedules: stubs.map(({ document, key }) => scheduleStub(document, key)),
    },
    adoptions: [],
  };
}

function scheduleStub({ identifier, name, folder, url }: ListedDocument, key: string): ResourceDraft {
  const where = [name, folder?.path, url].filter((text) => text !== undefined);
  const fields: JsonObject = { ...exampleSchedules.email.fields, identifier, name, timezone: 'UTC', subject: name };
  return {
    key,
    comments: [where.join(', ')],
    fields: Object.entries(fields).map(([each, value]) => field(each, value)),
  };
}

/** The current values; undefined for a dashboard without a filter to declare. */
function filtersField(remote: RemoteFilters | undefined): FieldDraft | undefined {
  if (remote === undefined) {
    const comment = 'The id of a filter of this dashboard, and its values.';
    return { ...field('filters', { filter_id: { values: [] } }), comment };
  }
  const filters: Record<string, Json> = {};
  for (const [id, filter] of Object.entries(remote.filters)) {
    const declared = declarable(filter);
    if (declared !== undefined) define(filters, id, declared);
  }
  return Object.keys(filters).length === 0 ? undefined : field('filters', filters);
}

const sides = ['left_side', 'right_side'] as const;

function declarable(filter: Json): JsonObject | undefined {
  if (!isJsonObject(filter)) return undefined;
  const { values } = filter;
  const isTexts = Array.isArray(values) && values.every((value) => typeof value === 'string');
  const given = sides.flatMap((side): [string, Json][] => {
    const value = filter[side];
    return typeof value === 'string' ? [[side, value]] : [];
  });
  const declared: JsonObject = { ...(isTexts ? { values } : {}), ...Object.fromEntries(given) };
  return Object.keys(declared).length === 0 ? undefined : declared;
}

function field(name: string, value: Json): FieldDraft {
  return { name, value: escapeInterpolation(value) };
}
