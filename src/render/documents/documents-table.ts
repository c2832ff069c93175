// Documents as a table for a terminal: identifiers whole, since people copy them; the widest of the other columns gives
// way, and where that is not enough, whole columns from the right.

import type { DocumentList, ListedDocument } from '../../model/service/documents.ts';
import { countOf } from '../text/count-words.ts';
import type { Page } from '../text/field-lines.ts';
import { displayWidth, pad, safeText, truncate } from '../text/terminal-text.ts';

interface Column {
  readonly title: string;
  readonly cell: (document: ListedDocument) => string;
  /** Columns that it keeps; undefined: it is never cut. */
  readonly least?: number;
  readonly toTheRight?: true;
}

const gap = 2;
/** An identifier is about as long as a UUID at most. */
const longestWhole = 40;

/** Ends with a newline. */
export function renderDocumentsTable(list: DocumentList, { theme, width }: Page): string {
  const { documents } = list;
  if (documents.length === 0) return 'No documents.\n';
  const { columns, widths } = fitted(columnsFor(documents), documents, width);
  const row = (cells: readonly string[]) =>
    cells
      .map((cell, index) => {
        const room = widths[index] ?? 0;
        const text = truncate(cell, room);
        if (columns[index]?.toTheRight) return ' '.repeat(room - displayWidth(text)) + text;
        return index === cells.length - 1 ? text : pad(text, room);
      })
      .join(' '.repeat(gap));
  const lines = documents.map((document) => row(columns.map(({ cell }) => cell(document))).trimEnd());
  const title = row(columns.map((column) => column.title)).trimEnd();
  const closing = list.pageInfo.hasNextPage ? cursorWords(list) : `${countOf(documents.length, 'document')}.`;
  return `${[theme.strong(title), ...lines, '', closing].join('\n')}\n`;
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
    { title: 'LABELS', cell: ({ labels }) => safeText(labels?.join(', ') ?? ''), least: 8 },
  ];
  return [
    { title: 'IDENTIFIER', cell: ({ identifier }) => truncate(safeText(identifier), longestWhole) },
    { title: 'NAME', cell: ({ name }) => safeText(name), least: 24 },
    ...optional.filter(({ cell }) => documents.some((document) => cell(document) !== '')),
    { title: 'FOLDER', cell: ({ folder }) => safeText(folder?.path ?? folder?.name ?? ''), least: 8 },
    { title: 'OWNER', cell: ({ owner }) => safeText(owner?.name ?? ''), least: 8 },
    { title: 'UPDATED', cell: ({ updatedAt }) => safeText(updatedAt ?? '').slice(0, 10) },
  ];
}

function noteOf({ deleted, hasDashboard }: ListedDocument): string {
  return deleted ? 'deleted' : hasDashboard === false ? 'no dashboard' : '';
}

function fitted(given: readonly Column[], documents: readonly ListedDocument[], width: number) {
  let columns = given;
  const widths = columns.map(({ title, cell }) =>
    documents.reduce((most, document) => Math.max(most, displayWidth(cell(document))), title.length),
  );
  const over = () => widths.reduce((sum, each) => sum + each, gap * (widths.length - 1)) - width;
  while (over() > 0 && columns.length > 1) {
    const flexible = columns.flatMap(({ least }, index) =>
      least !== undefined && (widths[index] ?? 0) > least ? [index] : [],
    );
    const widest = flexible.reduce<number | undefined>(
      (best, index) => (best === undefined || (widths[index] ?? 0) > (widths[best] ?? 0) ? index : best),
      undefined,
    );
    if (widest !== undefined) widths[widest] = (widths[widest] ?? 0) - 1;
    else {
      columns = columns.slice(0, -1);
      widths.pop();
    }
  }
  return { columns, widths };
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
