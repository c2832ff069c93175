// The state in a place that many share. Each backend is loaded when it is used.

import { Failure } from '../../../model/workspace/failure.ts';
import { placeName, type SharedPlace } from '../../../model/workspace/state-place.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { StateLog } from '../../../ports/state-log.ts';
import type { StateStore } from '../../../ports/state-store.ts';
import { thisHost } from '../host.ts';
import { openLogStore } from './log-store.ts';

export interface SharedStateOptions {
  readonly place: SharedPlace;
  /** The folder of the workspace, absolute. */
  readonly root: string;
  readonly clock: Clock;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export async function openSharedState(options: SharedStateOptions): Promise<StateStore> {
  const { place, root, clock, environment } = options;
  const log = await openLog(options);
  const host = { ...thisHost, environment };
  return openLogStore({ log, name: placeName(place), lease: place.lease, clock, root, host });
}

async function openLog({ place, root, clock, environment }: SharedStateOptions): Promise<StateLog> {
  if (place.backend === 'postgres') {
    const { openPostgresLog } = await import('../postgres/postgres-log.ts');
    return openPostgresLog({ place, root, clock, environment });
  }
  throw new Failure('state-backend-unfit', `${placeName(place)} is not built yet.`);
}
