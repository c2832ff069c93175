// Documents for a spreadsheet: the same columns whatever was asked for.

import type { ListedDocument } from '../../model/service/documents.ts';
import { type CsvColumns, csvText } from '../table/csv-text.ts';

const columns: CsvColumns<ListedDocument> = {
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
  return csvText(columns, documents);
}
