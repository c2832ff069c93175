// What Omni says about dashboards beside their schedules: the folder, the owner and the name. One request for a hundred
// documents. An import works without: then the files stand in one folder.

import { mostOnAPage } from '../../../model/service/documents.ts';
import { record, type TypeOf, text } from '../../../model/values/schema.ts';
import { Failure, statusOf } from '../../../model/workspace/failure.ts';
import type { Service } from '../../../service/service.ts';

export const knownDashboardSchema = record({
  identifier: text,
  name: text,
  // The path of its folder, with `/`.
  'folder?': text,
  // The name of its owner.
  'owner?': text,
});
export type KnownDashboard = TypeOf<typeof knownDashboardSchema>;

/** Empty, with a note, where the token may not list documents. */
export async function listDashboards(
  service: Service,
  onNote: (message: string) => void,
): Promise<readonly KnownDashboard[]> {
  const everything = {
    include: [],
    labels: [],
    pageSize: mostOnAPage,
    sortField: 'name',
    sortDirection: 'asc',
  } as const;
  try {
    const { documents } = await (await service.api()).listDocuments(everything, service.call);
    return documents.map(({ identifier, name, folder, owner }) => ({
      identifier,
      name,
      folder: folder?.path,
      owner: owner?.name || undefined,
    }));
  } catch (error) {
    if (!(error instanceof Failure) || ![400, 403, 404].includes(statusOf(error) ?? 0)) throw error;
    onNote(`The folders and owners of dashboards are not known, so all files are in one folder. ${error.message}`);
    return [];
  }
}
