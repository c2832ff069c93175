// `state` of almanac.yaml as a place: an environment replaces it where it names a backend, and is merged with it
// elsewhere.

import { stateFields } from '../fields/config-fields.ts';
import { type Json, type JsonObject, mapAt } from '../values/json.ts';
import { trimEndOf } from '../values/words.ts';
import {
  type GitPlace,
  minLease,
  type PostgresPlace,
  type S3Place,
  type StatePlace,
  usualFile,
} from './state-place.ts';

/** The seconds that a lock on a shared state lasts without renewal; `src/state/log/lease.ts` counts them. */
const defaultLease = 120;

/** The settings that hold for an environment. */
export function mergedState(base: Json | undefined, over: Json | undefined): JsonObject {
  return typeof mapAt(over)['backend'] === 'string' ? mapAt(over) : { ...mapAt(base), ...mapAt(over) };
}

/** The settings must be valid by the schema. `timeout` is that of a request to Omni, in seconds. */
export function statePlace(settings: JsonObject, environment: string | undefined, timeout: number): StatePlace {
  const text = (name: string): string | undefined => {
    const value = settings[name];
    return typeof value === 'string' ? value : undefined;
  };
  const named = (name: string) => (environment === undefined ? name : `${name}-${environment}`);
  const asked = settings['lease'];
  const lease = typeof asked === 'number' ? asked : Math.max(defaultLease, minLease(timeout));
  switch (text('backend')) {
    case 'git': {
      const remote = text('remote') ?? stateFields.remote.default;
      return { backend: 'git', lease, remote, branch: text('branch') ?? named('almanac-state') } as GitPlace;
    }
    case 's3': {
      const prefix = trimEndOf((text('prefix') ?? named('almanac')).replace(/^\/+/, ''), /\//);
      const bucket = text('bucket') ?? '';
      return { backend: 's3', lease, bucket, prefix, region: text('region'), endpoint: text('endpoint') } as S3Place;
    }
    case 'postgres': {
      const [table, name] = [text('table') ?? stateFields.table.default, text('name') ?? named('almanac')];
      return { backend: 'postgres', lease, table, name, schema: text('schema') } as PostgresPlace;
    }
    default:
      return { backend: 'local', path: text('path') ?? usualFile(environment) };
  }
}
