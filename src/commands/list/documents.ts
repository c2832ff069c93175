// `almanac list documents`: documents to schedule, as a table, JSON, or YAML stubs.

import { didYouMean } from '../../declare/findings/suggest.ts';
import { exampleSchedules } from '../../model/fields/example-schedules.ts';
import { uuid } from '../../model/fields/patterns.ts';
import {
  type DocumentInclude,
  type DocumentList,
  type DocumentParameters,
  type DocumentSort,
  type DocumentsDocument,
  documentIncludes,
  type ListedDocument,
  maxOnAPage,
  sortDirections,
  sortFields,
} from '../../model/service/documents.ts';
import { isOrganizationKey, type RemoteFilters } from '../../model/service/remote.ts';
import { command } from '../../model/values/command.ts';
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
import { escapeInterpolation } from '../../yaml/format/print-string.ts';
import { keyFrom, takeName } from '../base/kebab.ts';
import type { Run } from '../base/run.ts';
import { askingOmni } from './asking-omni.ts';
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

// Turns the flags of `almanac list documents` into parameters of the list operation. Checks every rule of the operation
// before a request is sent. Throws Failure usage.

/** With a cursor one page, with a limit up to that many documents, otherwise all. */
function documentParameters(flags: ListDocumentsOptions, token: string): DocumentParameters {
  const include = [...new Set(splitAtCommas('--include', flags.include).map(includeOf))];
  checkUser(include, flags.user, token);
  const { cursor, pageSize = maxOnAPage } = flags;
  if (cursor !== undefined && flags.sort === undefined) {
    throw new Failure(
      'usage',
      'A cursor is a place in one order. --cursor needs the --sort of the list it came from.',
      { hint: 'Give both as the previous list printed them.' },
    );
  }
  if (cursor === '')
    throw new Failure('usage', '--cursor is empty.', { hint: 'Leave it out to start from the beginning.' });
  const limit = flags.limit ?? (cursor === undefined ? undefined : pageSize);
  return {
    include,
    labels: [...new Set(splitAtCommas('--label', flags.label))],
    folderId: idOf('--folder', flags.folder),
    userId: idOf('--user', flags.user),
    creatorId: idOf('--creator', flags.creator),
    pageSize,
    ...sortOf(flags.sort),
    cursor,
    limit,
  };
}

/** The API separates values by commas, so no value can contain one. Throws Failure usage for an empty value. */
function splitAtCommas(flag: string, values: readonly string[] = []): readonly string[] {
  const items = values.flatMap((value) => value.split(',')).map((item) => item.trim());
  if (items.includes(''))
    throw new Failure('usage', `${flag} is empty.`, { hint: 'Leave it out, or give it a value.' });
  return items;
}

function includeOf(text: string): DocumentInclude {
  const known = documentIncludes.find((name) => name === text);
  if (known !== undefined) return known;
  const hint = didYouMean(text, documentIncludes) ?? `Use one of ${documentIncludes.join(', ')}.`;
  throw new Failure('usage', `--include does not accept ${JSON.stringify(text)}.`, { hint });
}

function checkUser(include: readonly DocumentInclude[], user: string | undefined, token: string): void {
  const about = include.filter((name) => name === 'onlyFavorites' || name === 'onlySharedWithMe');
  if (about.length === 0 || user !== undefined) return;
  if (!isOrganizationKey(token)) return;
  throw new Failure('usage', `With an organization key, --include ${about.join(',')} needs --user.`, {
    hint: 'Give the membership id of the user, or use a personal access token, which acts for its owner.',
  });
}

function idOf(flag: string, value: string | undefined): string | undefined {
  if (value === undefined || new RegExp(uuid).test(value)) return value;
  const hint = `\`${command('list documents', '--format', 'json')}\` shows the id of each ${flag === '--folder' ? 'folder' : 'owner'}.`;
  throw new Failure('usage', `${flag} must be an id, such as 987fcdeb-51a2-43d7-9b56-254415f67890.`, { hint });
}

/** Sorts by name, ascending, unless told otherwise. */
function sortOf(text = 'name:asc'): DocumentSort {
  const [field, direction = 'asc', ...more] = text.split(':');
  const sortField = sortFields.find((name) => name === field);
  const sortDirection = sortDirections.find((name) => name === direction);
  if (sortField !== undefined && sortDirection !== undefined && more.length === 0) return { sortField, sortDirection };
  throw new Failure('usage', `--sort does not accept ${JSON.stringify(text)}.`, {
    hint: `Use a field (${sortFields.join(', ')}) and a direction (${sortDirections.join(', ')}), such as updatedAt:desc.`,
  });
}
