// `almanac list documents`: what can be scheduled, as a table, JSON, or YAML stubs to start from.

import type {
  DocumentList,
  DocumentParameters,
  DocumentsDocument,
  ListedDocument,
} from '../../model/service/documents.ts';
import type { RemoteFilters } from '../../model/service/remote.ts';
import { countOf, shellWord } from '../../model/values/words.ts';
import type { Config } from '../../model/workspace/config.ts';
import { Failure, statusOf } from '../../model/workspace/failure.ts';
import { inParallel } from '../../observe/sending.ts';
import type { Service } from '../../observe/service.ts';
import { renderSource } from '../../report/source-text.ts';
import { type TableColumn, tableLines } from '../../report/table/table-lines.ts';
import { renderJson } from '../../report/text/render-json.ts';
import { safeText, truncate } from '../../report/text/terminal-text.ts';
import type { Page } from '../../report/text/theme.ts';
import type { Run } from '../base/run.ts';
import { askingOmni } from './asking-omni.ts';
import { documentParameters } from './document-parameters.ts';
import { draftStubs, hasStub } from './draft-stubs.ts';
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

/** By identifier. A dashboard whose filters cannot be read gets a stub without them. */
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

/** An identifier is about as long as a UUID at most. */
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

/** That there is more, and on a line of its own where to go on: a cursor in two pieces is useless. */
function cursorWords({ documents, pageInfo }: DocumentList): string {
  const { totalRecords, nextCursor } = pageInfo;
  const of = totalRecords === undefined ? '; there are more' : ` of ${totalRecords}`;
  const shown = `${countOf(documents.length, 'document')}${of}.`;
  return nextCursor === undefined
    ? shown
    : `${shown} The next, with the same --sort:\n  --cursor ${shellWord(safeText(nextCursor))}`;
}
