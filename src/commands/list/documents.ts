// `almanac list documents`: documents to schedule, as a table, JSON, or YAML stubs.

import { exampleSchedules } from '../../model/fields/example-schedules.ts';
import type {
  DocumentList,
  DocumentParameters,
  DocumentsDocument,
  ListedDocument,
} from '../../model/service/documents.ts';
import type { RemoteFilters } from '../../model/service/remote.ts';
import { define, isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';
import { countOf, shellWord } from '../../model/values/words.ts';
import type { Config } from '../../model/workspace/config.ts';
import { Failure, statusOf } from '../../model/workspace/failure.ts';
import type { FieldDraft, ResourceDraft, SourceDraft } from '../../model/workspace/source-draft.ts';
import { inParallel } from '../../observe/sending.ts';
import type { Service } from '../../observe/service.ts';
import { renderSource } from '../../report/source-text.ts';
import { type TableColumn, tableLines } from '../../report/table/table-lines.ts';
import { renderJson } from '../../report/text/render-json.ts';
import { safeText, truncate } from '../../report/text/terminal-text.ts';
import type { Page } from '../../report/text/theme.ts';
import { escapeInterpolation } from '../../yaml/escape-interpolation.ts';
import { keyFrom, takeName } from '../base/kebab.ts';
import type { Run } from '../base/run.ts';
import { askingOmni } from './asking-omni.ts';
import { documentParameters } from './document-parameters.ts';
import type { ListDocumentsOptions } from './list-command.ts';

/** Up to this many stubs include the filters of their dashboard, which takes a request each. */
const maxFilled = 20;

export function listDocuments(run: Run, options: ListDocumentsOptions): Promise<number> {
  return askingOmni(run, options, async (service, { config, shown }) => {
    const list = await listed(service, documentParameters(options, service.token()));
    const filters = options.format === 'yaml' ? await filtersOf(list, config, service) : new Map();
    const entries = [...filters].map(([identifier, found]) => [identifier, shown(found)] as const);
    print(run, options, shown(list), new Map(entries));
  });
}

/** A service that refuses a cursor does not say which list it belongs to. */
async function listed(service: Service, parameters: DocumentParameters): Promise<DocumentList> {
  const api = await service.api();
  try {
    return await api.listDocuments(parameters, service.call);
  } catch (error) {
    if (parameters.cursor === undefined || !(error instanceof Failure) || statusOf(error) !== 400) throw error;
    const hint = 'A cursor belongs to one list: repeat the --sort and the filters that it came with.';
    throw error.with({ hint });
  }
}

function print(
  run: Run,
  options: ListDocumentsOptions,
  list: DocumentList,
  filters: ReadonlyMap<string, RemoteFilters>,
): void {
  const { stdout, stderr } = run;
  const { documents: all, pageInfo } = list;
  switch (options.format) {
    case 'json':
      stdout.data(renderJson(documentOf(list)));
      return;
    case 'yaml':
      stdout.write(all.some(hasStub) ? renderSource(draftStubs(all, filters)) : '# No dashboards.\n');
      break;
    case 'table':
      stdout.write(renderDocumentsTable(list, run.page()));
      return;
  }
  if (pageInfo.hasNextPage && !options.quiet) stderr.write(`${cursorWords(list)}\n`);
}

function documentOf({ documents: found, pageInfo }: DocumentList): DocumentsDocument {
  return { formatVersion: 1, documents: found, ...(pageInfo.hasNextPage ? { pageInfo } : {}) };
}

/** Keyed by identifier. A dashboard whose filters cannot be read gets a stub without them. */
async function filtersOf(
  { documents: all }: DocumentList,
  { api: { operations } }: Config,
  service: Service,
): Promise<ReadonlyMap<string, RemoteFilters>> {
  const found = new Map<string, RemoteFilters>();
  const dashboards: readonly ListedDocument[] = all.filter(hasStub);
  if (operations !== 'full' || dashboards.length > maxFilled) return found;
  const api = await service.api();
  await inParallel(dashboards, service.concurrency, async ({ identifier }) => {
    try {
      found.set(identifier, await api.getFilters(identifier, service.call));
    } catch (error) {
      const status = statusOf(error);
      if (status === undefined || status < 403 || status >= 500) throw error;
    }
  });
  return found;
}

/** Documents as a table for a terminal: identifiers whole, since people copy them. */
type Column = TableColumn<ListedDocument>;

/** An identifier is at most about as long as a UUID. */
const maxWholeLength = 40;

/** Ends with a newline. */
function renderDocumentsTable(list: DocumentList, page: Page): string {
  const { documents } = list;
  if (documents.length === 0) return 'No documents.\n';
  const closing = list.pageInfo.hasNextPage ? cursorWords(list) : `${countOf(documents.length, 'document')}.`;
  return `${[...tableLines(page, columnsFor(documents), documents), '', closing].join('\n')}\n`;
}

function columnsFor(documents: readonly ListedDocument[]): readonly Column[] {
  const count = (title: string, name: string): Column => ({
    title,
    cell: ({ _count }) => String(_count?.[name] ?? ''),
    toTheRight: true,
  });
  const optional: readonly Column[] = [
    {
      title: 'NOTE',
      cell: ({ deleted, hasDashboard }) => (deleted ? 'deleted' : hasDashboard === false ? 'no dashboard' : ''),
    },
    count('VIEWS', 'views'),
    count('FAVORITES', 'favorites'),
    { title: 'LABELS', cell: ({ labels }) => labels?.join(', ') ?? '', least: 8 },
  ];
  return [
    { title: 'IDENTIFIER', cell: ({ identifier }) => truncate(identifier, maxWholeLength) },
    { title: 'NAME', cell: ({ name }) => name, least: 24 },
    ...optional.filter(({ cell }) => documents.some((document) => cell(document) !== '')),
    { title: 'FOLDER', cell: ({ folder }) => folder?.path ?? folder?.name ?? '', least: 8 },
    { title: 'OWNER', cell: ({ owner }) => owner?.name ?? '', least: 8 },
    { title: 'UPDATED', cell: ({ updatedAt }) => (updatedAt ?? '').slice(0, 10) },
  ];
}

/** Says that there are more, and how to go on, on a line of its own: a cursor in two pieces is useless. */
function cursorWords({ documents, pageInfo }: DocumentList): string {
  const { totalRecords, nextCursor } = pageInfo;
  const of = totalRecords === undefined ? '; there are more' : ` of ${totalRecords}`;
  const shown = `${countOf(documents.length, 'document')}${of}.`;
  return nextCursor === undefined
    ? shown
    : `${shown} The next, with the same --sort:\n  --cursor ${shellWord(safeText(nextCursor))}`;
}

/** True if the document can be scheduled. */
function hasStub({ deleted, hasDashboard }: ListedDocument): boolean {
  return !deleted && hasDashboard !== false;
}

/** `filters` by identifier. A dashboard without an entry gets a placeholder filter to rename. */
function draftStubs(documents: readonly ListedDocument[], filters: ReadonlyMap<string, RemoteFilters>): SourceDraft {
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
