// Reads the layouts of dashboards: tiles, pages, and which filter reaches which tile. One request for each.

import type { Layouts } from '../model/service/documents.ts';
import { statusOf } from '../model/workspace/failure.ts';
import type { Api } from '../omni/api.ts';
import { inParallel, leavesOpen } from './sending.ts';
import type { Service } from './service.ts';

/** The status that Omni answers for a dashboard of the classic layout. */
const classic = 422;

interface LayoutOptions {
  /** Gives the present identifier of a dashboard that was renamed. */
  readonly present?: (identifier: string) => string;
  readonly rereadDashboards?: true | undefined;
}

/** A dashboard that Omni does not show stops nothing. Throws where the service cannot be asked at all. */
export async function readLayouts(
  identifiers: ReadonlySet<string>,
  service: Service,
  { present = (identifier) => identifier, rereadDashboards }: LayoutOptions = {},
): Promise<Layouts> {
  if (identifiers.size === 0) return new Map();
  const api = await service.api();
  const layouts = new Map<string, Awaited<ReturnType<typeof layoutOf>>>();
  await inParallel(identifiers, service.concurrency, async (identifier) => {
    layouts.set(
      identifier,
      await layoutOf(() => api.getLayout(present(identifier), { ...service.call, rereadDashboards })),
    );
  });
  return layouts;
}

async function layoutOf(ask: () => ReturnType<Api['getLayout']>) {
  try {
    return await ask();
  } catch (error) {
    if (statusOf(error) === classic) return 'classic';
    if (statusOf(error) === 404) return 'missing';
    if (leavesOpen(error)) return 'refused';
    throw error;
  }
}
