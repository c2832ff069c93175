// The configuration of a workspace: almanac.yaml with the overrides of the chosen environment and with every default
// filled in.

import { dirname, join } from 'node:path/posix';
import type { Destination } from '../fields/field.ts';
import type { Section } from '../values/address.ts';
import type { Json, JsonObject } from '../values/json.ts';
import type { Code } from './codes.ts';
import type { Origin } from './diagnostic.ts';
import type { StatePlace } from './state-place.ts';

export const configNames: readonly string[] = ['almanac.yaml', 'almanac.yml'];

/** The paths where the almanac.yaml of a folder may be, nearest first: in it and in those above it up to the root, which is `.`. */
export function configPathsFrom(name: string): readonly { readonly at: string; readonly path: string }[] {
  const folders: string[] = [];
  for (let folder = name; folder !== '.'; folder = dirname(folder)) folders.push(folder);
  return [...folders, '.'].flatMap((at) => configNames.map((file) => ({ at, path: join(at, file) })));
}

export type Operations = 'core' | 'full';

export interface Config {
  /** The configuration file, relative to the workspace; undefined if there is none. */
  readonly file?: string;
  readonly api: {
    /** The URL as written or from OMNI_BASE_URL, normalised, ending in /api. */
    readonly baseUrl?: string;
    readonly operations: Operations;
    /** Maximum requests per minute; 0 means no limit. */
    readonly rateLimit: number;
    readonly concurrency: number;
    /** Maximum seconds per request. */
    readonly timeout: number;
    /** The environment variable that holds the token; undefined: OMNI_API_TOKEN, else OMNI_API_KEY. */
    readonly tokenEnv?: string;
  };
  readonly sources: readonly string[];
  readonly state: StatePlace;
  /** The files in which almanac.yaml keeps states: that of each environment, and that of runs without one. */
  readonly stateFiles: readonly StateFileName[];
  readonly defaults: readonly DefaultsLayer[];
  readonly variables: Readonly<Record<string, Json>>;
  /** The place where each variable is set. */
  readonly variableOrigins?: ReadonlyMap<string, Origin>;
  /** The environment of this run; undefined without --env. */
  readonly environment?: string;
  /** The URL of the organization whose place an emulator takes in this run; undefined if none does. */
  readonly emulates?: string | undefined;
  /** The names of all environments. */
  readonly environments: readonly string[];
  /** The base URLs that almanac.yaml says for its environments, or for itself without any; undefined for one that it leaves open. */
  readonly organizations: readonly (string | undefined)[];
  /** True if commands that read the state or send a request need --env. */
  readonly environmentRequired: boolean;
  /** The sinks of the environment; undefined if deliveries go to the declared receivers. */
  readonly deliver?: Deliver;
  readonly safety: {
    readonly maxDeletePercent: number;
    readonly allowOrphans: boolean;
    /** The domains in lower case. */
    readonly internalDomains: readonly string[];
    /** Undefined if nothing says which rows belong to whom. */
    readonly rows?: RowsConfig;
  };
  /** The severity of warnings that differ from the usual one. */
  readonly checks: Readonly<Partial<Record<Code, 'off' | 'warning' | 'error'>>>;
  /** Schedules that are not listed as untracked. */
  readonly ignore: readonly IgnoreEntry[];
}

/** The rows that belong to each receiver. */
export interface RowsConfig {
  /** The ids of the filters that divide the rows. */
  readonly filters: readonly string[];
  /** The table of permissions, relative to the workspace. */
  readonly allow: string;
  /** The identifiers of dashboards whose rows belong to nobody, and of a tile `DASHBOARD/TILE`. */
  readonly shared: readonly string[];
  /** The fate of a schedule whose receiver has a line that has ended. */
  readonly ended: 'leave' | 'pause';
}

interface StateFileName {
  /** The environment; undefined for runs without --env. */
  readonly environment: string | undefined;
  /** Relative to the workspace. */
  readonly path: string;
}

/** The places to which an environment delivers instead. A destination that is left out, and not skipped, is refused. */
export interface Deliver {
  /** The name of the environment. */
  readonly environment: string;
  readonly email?: readonly string[];
  /** The id of a channel. */
  readonly slack?: string;
  /** A URL, of webhooks and of the events of AI jobs. */
  readonly webhook?: string;
  /** The destinations whose deliveries do not exist in the environment. */
  readonly skips?: readonly Destination[];
}

/** Each pattern must match; `*` stands for any text. */
export interface IgnoreEntry {
  readonly identifier?: string;
  readonly name?: string;
  readonly owner?: string;
  /** The place of another state, alone in its entry; that of a file is relative to the workspace. What it tracks is left out. */
  readonly state?: StatePlace;
}

/** Defaults from one place; later layers override earlier ones. */
export interface DefaultsLayer {
  readonly sections: Readonly<Partial<Record<Section, JsonObject>>>;
  /** The place of the `defaults` map. */
  readonly origin: Origin;
}
