// Turns almanac.yaml into the configuration: the chosen environment overrides the rest, and defaults are filled in.

import { configFields, refused, skipped, stateFields } from '../model/fields/config-fields.ts';
import { destinations, type Fields } from '../model/fields/field.ts';
import { type Section, sections } from '../model/values/address.ts';
import { isJsonObject, type Json, type JsonObject, mapAt, stringIn } from '../model/values/json.ts';
import { pointerTo } from '../model/values/pointer.ts';
import { trimEndOf } from '../model/values/words.ts';
import type { Config, DefaultsLayer, Deliver, Operations, RowsConfig } from '../model/workspace/config.ts';
import type { Origin } from '../model/workspace/diagnostic.ts';
import {
  type GitPlace,
  minLease,
  type PostgresPlace,
  type S3Place,
  type StatePlace,
  usualFile,
} from '../model/workspace/state-place.ts';
import { entriesOf } from '../yaml/raw-document.ts';

/** The value must be valid by the schema; `environment` must exist in it. */
export function makeConfig(value: Json, origin: Origin | undefined, environment: string | undefined): Config {
  const base = mapAt(value);
  const over = environment === undefined ? {} : mapAt(base, 'environments', environment);
  const merged = (name: string): JsonObject => ({
    ...defaultsOf(configFields, name),
    ...mapAt(base, name),
    ...mapAt(over, name),
  });
  const api = merged('api');
  const safety = merged('safety');
  const baseUrl = stringIn(api['baseUrl']);
  return {
    file: origin?.file,
    api: {
      baseUrl: baseUrl === undefined ? undefined : normaliseBaseUrl(baseUrl),
      operations: api['operations'] as Operations,
      rateLimit: Number(api['rateLimit']),
      concurrency: Number(api['concurrency']),
      timeout: Number(api['timeout']),
      tokenEnv: stringIn(api['tokenEnv']),
    },
    sources: (base['sources'] ?? configFields.sources.default) as readonly string[],
    state: statePlace(mergedState(base['state'], over['state']), environment, Number(api['timeout'])),
    stateFiles: stateFilesIn(base),
    defaults: origin === undefined ? [] : layersOf(base, over, origin, environment),
    variables: { ...mapAt(base, 'variables'), ...mapAt(over, 'variables') },
    variableOrigins: new Map([
      ...originsOf(base['variables'], origin, ['variables']),
      ...originsOf(over['variables'], origin, ['environments', environment ?? '', 'variables']),
    ]),
    environment,
    environments: environmentsOf(base),
    organizations: organizationsIn(base),
    environmentRequired: base['environmentRequired'] === true,
    deliver: environment === undefined ? undefined : sinksIn(over, environment),
    safety: {
      maxDeletePercent: Number(safety['maxDeletePercent']),
      allowOrphans: safety['allowOrphans'] === true,
      internalDomains: (safety['internalDomains'] as readonly string[]).map((domain) => domain.toLowerCase()),
      ...(safety['rows'] === undefined ? {} : { rows: rowsIn(mapAt(safety, 'rows')) }),
    },
    checks: mapAt(base, 'checks') as Config['checks'],
    ignore: ignoredIn(base, Number(api['timeout'])),
  };
}

function originsOf(
  variables: Json | undefined,
  origin: Origin | undefined,
  path: readonly string[],
): readonly (readonly [string, Origin])[] {
  if (origin === undefined) return [];
  return entriesOf(variables).map(([name]) => [name, { ...origin, pointer: pointerTo(...path, name) }]);
}

/** An empty `deliver` has no sink at all, so it refuses everything. */
function sinksIn(over: JsonObject, environment: string): Deliver | undefined {
  if (over['deliver'] === undefined) return undefined;
  const deliver = mapAt(over, 'deliver');
  const { email, slack, webhook } = deliver;
  const skips = destinations.filter((name) => deliver[name] === skipped);
  const isSink = (value: Json | undefined) => value !== refused && value !== skipped;
  const addresses = (typeof email === 'string' ? [email] : (email ?? [])) as readonly string[];
  const sink = (value: Json | undefined) => (typeof value === 'string' && isSink(value) ? value : undefined);
  return {
    environment,
    email: addresses.length > 0 && addresses.every(isSink) ? addresses : undefined,
    slack: sink(slack),
    webhook: sink(webhook),
    ...(skips.length === 0 ? {} : { skips }),
  };
}

/** Missing or wrongly written settings divide nothing. */
function rowsIn({ filters = [], allow = '', shared = [], ended }: JsonObject): RowsConfig {
  return {
    filters: filters as readonly string[],
    allow: String(allow),
    shared: shared as readonly string[],
    ended: ended === 'pause' ? 'pause' : 'leave',
  };
}

/** A map of `state` is merged with that of the file, as an environment's is; a text is the path of a file. */
function ignoredIn(base: JsonObject, timeout: number): Config['ignore'] {
  const entries = (base['ignore'] ?? configFields.ignore.default) as readonly JsonObject[];
  return entries.map(({ state, ...patterns }) => {
    if (state === undefined) return patterns;
    const settings = typeof state === 'string' ? { path: state } : mergedState(base['state'], state);
    return { state: statePlace(settings, undefined, timeout) };
  });
}

function stateFilesIn(base: JsonObject): Config['stateFiles'] {
  return [undefined, ...environmentsOf(base)].flatMap((environment) => {
    const over = environment === undefined ? {} : mapAt(base, 'environments', environment);
    const place = statePlace(mergedState(base['state'], over['state']), environment, 0);
    return place.backend === 'local' ? [{ environment, path: place.path }] : [];
  });
}

function organizationsIn(base: JsonObject): Config['organizations'] {
  const names = environmentsOf(base);
  return (names.length === 0 ? [undefined] : names).map((name) => {
    const over = name === undefined ? {} : mapAt(base, 'environments', name, 'api');
    const baseUrl = stringIn({ ...mapAt(base, 'api'), ...over }['baseUrl']);
    return baseUrl === undefined ? undefined : normaliseBaseUrl(baseUrl);
  });
}

export function environmentsOf(value: Json): readonly string[] {
  return Object.keys(mapAt(value, 'environments'));
}

/** Without a slash at the end, and with the /api that begins every path of the service. */
export function normaliseBaseUrl(url: string): string {
  const trimmed = trimEndOf(url.trim(), /\//);
  return /\/api$/.test(trimmed) ? trimmed : `${trimmed}/api`;
}

function defaultsOf(fields: Fields, name: string): JsonObject {
  const shape = fields[name]?.shape;
  if (shape?.type !== 'object' || shape.fields === undefined) return {};
  const rows = Object.entries(shape.fields).flatMap(([key, field]) =>
    field.default === undefined ? [] : [[key, field.default] as const],
  );
  return Object.fromEntries(rows);
}

function layersOf(
  base: JsonObject,
  over: JsonObject,
  origin: Origin,
  environment: string | undefined,
): DefaultsLayer[] {
  const layer = (holder: JsonObject, ...path: readonly string[]): DefaultsLayer[] => {
    const defaults = mapAt(holder, 'defaults');
    const bySection = sections.flatMap((section: Section) => {
      const fields = defaults[section];
      return isJsonObject(fields) ? [[section, fields] as const] : [];
    });
    if (bySection.length === 0) return [];
    return [
      { sections: Object.fromEntries(bySection), origin: { ...origin, pointer: pointerTo(...path, 'defaults') } },
    ];
  };
  return [...layer(base), ...(environment === undefined ? [] : layer(over, 'environments', environment))];
}

// `state` of almanac.yaml as a place: an environment replaces it where it names a backend, and is merged with it
// elsewhere.

/** The seconds that a lock on a shared state lasts without renewal; `src/state/log/log-store.ts` counts them. */
const defaultLease = 120;

/** The settings that hold for an environment. */
export function mergedState(base: Json | undefined, over: Json | undefined): JsonObject {
  return typeof mapAt(over)['backend'] === 'string' ? mapAt(over) : { ...mapAt(base), ...mapAt(over) };
}

/** The settings must be valid by the schema. `timeout` is that of a request to Omni, in seconds. */
export function statePlace(settings: JsonObject, environment: string | undefined, timeout: number): StatePlace {
  const text = (name: string) => stringIn(settings[name]);
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
