// `state` of almanac.yaml as a place: an environment replaces it where it names a backend, and is merged with it
// elsewhere.

import { isJsonObject, type Json, type JsonObject } from '../values/json.ts';
import { type GitPlace, leastLease, type PostgresPlace, type S3Place, type StatePlace } from './state-place.ts';

const defaultLease = 120;

const part = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});

/** The settings that hold for an environment. */
export function mergedState(base: Json | undefined, over: Json | undefined): JsonObject {
  return typeof part(over)['backend'] === 'string' ? part(over) : { ...part(base), ...part(over) };
}

/** The settings must be valid by the schema. `timeout`: of a request to Omni, in seconds. */
export function statePlace(settings: JsonObject, environment: string | undefined, timeout: number): StatePlace {
  const text = (name: string): string | undefined => {
    const value = settings[name];
    return typeof value === 'string' ? value : undefined;
  };
  const given = (name: string) => {
    const value = text(name);
    return value === undefined ? {} : { [name]: value };
  };
  const named = (name: string) => (environment === undefined ? name : `${name}-${environment}`);
  const asked = settings['lease'];
  const lease = typeof asked === 'number' ? asked : Math.max(defaultLease, leastLease(timeout));
  switch (text('backend')) {
    case 'git':
      return {
        backend: 'git',
        lease,
        remote: text('remote') ?? 'origin',
        branch: text('branch') ?? named('almanac-state'),
      } as GitPlace;
    case 's3':
      return {
        backend: 's3',
        lease,
        bucket: text('bucket') ?? '',
        prefix: (text('prefix') ?? named('almanac')).replace(/^\/+|\/+$/g, ''),
        ...given('region'),
        ...given('endpoint'),
      } as S3Place;
    case 'postgres':
      return {
        backend: 'postgres',
        lease,
        table: text('table') ?? 'almanac_log',
        name: text('name') ?? named('almanac'),
        ...given('schema'),
      } as PostgresPlace;
    default:
      return { backend: 'local', path: text('path') ?? 'almanac.state.json' };
  }
}
