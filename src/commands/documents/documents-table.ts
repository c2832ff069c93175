// Documents as a table for a terminal: identifiers whole, since people copy them.

import type { DocumentList, ListedDocument } from '../../model/service/documents.ts';
import { countOf } from '../../model/values/count-words.ts';
import { type TableColumn, tableLines } from '../../report/table/table-lines.ts';
import { safeText, truncate } from '../../report/text/terminal-text.ts';
import type { Page } from '../../report/text/theme.ts';

type Column = TableColumn<ListedDocument>;

/** An identifier is about as long as a UUID at most. */
const longestWhole = 40;

/** Ends with a newline. */
export function renderDocumentsTable(list: DocumentList, page: Page): string {
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
    { title: 'NOTE', cell: noteOf },
    count('VIEWS', 'views'),
    count('FAVORITES', 'favorites'),
    { title: 'LABELS', cell: ({ labels }) => labels?.join(', ') ?? '', least: 8 },
  ];
  return [
    { title: 'IDENTIFIER', cell: ({ identifier }) => truncate(identifier, longestWhole) },
    { title: 'NAME', cell: ({ name }) => name, least: 24 },
    ...optional.filter(({ cell }) => documents.some((document) => cell(document) !== '')),
    { title: 'FOLDER', cell: ({ folder }) => folder?.path ?? folder?.name ?? '', least: 8 },
    { title: 'OWNER', cell: ({ owner }) => owner?.name ?? '', least: 8 },
    { title: 'UPDATED', cell: ({ updatedAt }) => (updatedAt ?? '').slice(0, 10) },
  ];
}

function noteOf({ deleted, hasDashboard }: ListedDocument): string {
  return deleted ? 'deleted' : hasDashboard === false ? 'no dashboard' : '';
}

/** That there is more, and on a line of its own where to go on: a cursor in two pieces is useless. */
export function cursorWords({ documents, pageInfo }: DocumentList): string {
  const { totalRecords, nextCursor } = pageInfo;
  const of = totalRecords === undefined ? '; there are more' : ` of ${totalRecords}`;
  const shown = `${countOf(documents.length, 'document')}${of}.`;
  return nextCursor === undefined
    ? shown
    : `${shown} The next, with the same --sort:\n  --cursor ${quoted(safeText(nextCursor))}`;
}

/** For a shell. */
function quoted(text: string): string {
  return /^[\w.:/@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
