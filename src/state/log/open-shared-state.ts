// The state in a place that many share. Each backend is loaded when it is used.

import { placeName } from '../../model/workspace/state-place.ts';
import { thisHost } from '../file/holder.ts';
import type { StateLog } from '../state-log.ts';
import type { StateStore } from '../state-store.ts';
import type { LogOptions } from './backend.ts';
import { openLogStore } from './log-store.ts';

export async function openSharedState(options: LogOptions): Promise<StateStore> {
  return openStoreOver(await openLog(options), options);
}

export function openStoreOver(
  log: StateLog,
  { place, clock, environment, signal }: Omit<LogOptions, 'root'>,
): StateStore {
  const host = { ...thisHost, environment };
  return openLogStore({ log, name: placeName(place), leaseSeconds: place.lease, clock, host, signal });
}

export async function openLog({ place, ...rest }: LogOptions): Promise<StateLog> {
  switch (place.backend) {
    case 'git': {
      const { openGitLog } = await import('../git/git-log.ts');
      return openGitLog({ ...rest, place });
    }
    case 's3': {
      const { openS3Log } = await import('../s3/s3-log.ts');
      return openS3Log({ ...rest, place });
    }
    case 'postgres': {
      const { openPostgresLog } = await import('../postgres/postgres-log.ts');
      return openPostgresLog({ ...rest, place });
    }
  }
}
