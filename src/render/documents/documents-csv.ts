// Documents for a spreadsheet: CSV as RFC 4180 has it, the same columns whatever was asked for. A cell that a spreadsheet
// would take for a formula gets an apostrophe before it: names are written by anybody.

import type { ListedDocument } from '../../model/service/documents.ts';
import { safeText } from '../text/terminal-text.ts';

type Cell = string | number | boolean | undefined;

const columns: Readonly<Record<string, (document: ListedDocument) => Cell>> = {
  identifier: ({ identifier }) => identifier,
  name: ({ name }) => name,
  type: ({ type }) => type,
  scope: ({ scope }) => scope,
  hasDashboard: ({ hasDashboard }) => hasDashboard,
  deleted: ({ deleted }) => deleted,
  updatedAt: ({ updatedAt }) => updatedAt,
  url: ({ url }) => url,
  description: ({ description }) => description,
  folderId: ({ folder }) => folder?.id,
  folderName: ({ folder }) => folder?.name,
  folderPath: ({ folder }) => folder?.path,
  ownerId: ({ owner }) => owner?.id,
  ownerName: ({ owner }) => owner?.name,
  connectionId: ({ connectionId }) => connectionId,
  labels: ({ labels }) => labels?.join(', '),
  favorites: ({ _count }) => _count?.['favorites'],
  views: ({ _count }) => _count?.['views'],
};

export function renderDocumentsCsv(documents: readonly ListedDocument[]): string {
  const rows = documents.map((document) => Object.values(columns).map((cellOf) => cellText(cellOf(document))));
  return [Object.keys(columns), ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}

function cellText(cell: Cell): string {
  if (typeof cell !== 'string') return cell === undefined ? '' : String(cell);
  const text = safeText(cell, { keepNewlines: true });
  const harmless = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
