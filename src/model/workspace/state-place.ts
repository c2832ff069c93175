// The place of the state: a file of one machine, or a shared place.

interface LocalPlace {
  readonly backend: 'local';
  /** Relative to the workspace. */
  readonly path: string;
}

/** Only the reader of almanac.yaml makes a shared place, so whoever gets one need not check its parts again. */
declare const isChecked: unique symbol;

interface CheckedPlace {
  readonly [isChecked]: true;
  /** Seconds for which a lock is held without a sign of its run. */
  readonly lease: number;
}

export interface GitPlace extends CheckedPlace {
  readonly backend: 'git';
  /** The name of a remote of the clone, or a URL without credentials. */
  readonly remote: string;
  readonly branch: string;
}

export interface S3Place extends CheckedPlace {
  readonly backend: 's3';
  readonly bucket: string;
  /** The prefix without slashes at its ends. */
  readonly prefix: string;
  /** Undefined means AWS_REGION or AWS_DEFAULT_REGION. */
  readonly region?: string;
  /** The endpoint of a compatible server; undefined means AWS. */
  readonly endpoint?: string;
}

/** The server's address comes from ALMANAC_STATE_URL, or PGHOST and the like: it may hold a password. */
export interface PostgresPlace extends CheckedPlace {
  readonly backend: 'postgres';
  /** Undefined means the first schema of the search path. */
  readonly schema?: string;
  readonly table: string;
  /** Tells the states of one table apart. */
  readonly name: string;
}

export type SharedPlace = GitPlace | S3Place | PostgresPlace;
export type StatePlace = LocalPlace | SharedPlace;

/** The name of a place for users, without credentials. Equal places have equal names, and others other ones. */
export function placeName(place: StatePlace): string {
  switch (place.backend) {
    case 'local':
      return place.path;
    case 'git':
      return gitName(place.branch, place.remote);
    case 's3':
      return `s3://${place.bucket}/${place.prefix}${place.endpoint === undefined ? '' : ` at ${place.endpoint}`}`;
    case 'postgres': {
      const table = place.schema === undefined ? place.table : `${place.schema}.${place.table}`;
      return `postgres table ${table}, name ${place.name}`;
    }
  }
}

/** The setting that gives a place to one of those that share it. */
export function ownLine(place: StatePlace, name: string): string {
  switch (place.backend) {
    case 'git':
      return `branch: ${place.branch}-${name}`;
    case 's3':
      return `prefix: ${place.prefix}-${name}`;
    case 'postgres':
      return `name: ${place.name}-${name}`;
    case 'local':
      return `path: ${place.path.replace(/(?:\.json)?$/, (end) => `.${name}${end}`)}`;
  }
}

/** True if reading a place sends the credentials of the other one to no other server. A file needs none. */
export function isSameServer(place: StatePlace, other: StatePlace): boolean {
  if (place.backend === 'local') return true;
  if (place.backend !== other.backend || serverOfPlace(place) !== serverOfPlace(other)) return false;
  // A region that is left to the environment may be the other one; a bucket is in one region only.
  const regions = [place, other].flatMap((each) => (each.backend === 's3' ? (each.region ?? []) : []));
  return new Set(regions).size < 2;
}

function serverOfPlace(place: StatePlace): string {
  switch (place.backend) {
    case 'git':
      return place.remote;
    case 's3':
      return `${place.bucket} ${place.endpoint ?? ''}`;
    // The server comes from the variables of the run.
    case 'postgres':
    case 'local':
      return '';
  }
}

export function gitName(branch: string, remote: string): string {
  return `git branch ${branch} of ${remote}`;
}

/** The state's file where almanac.yaml names no place. */
export function usualFile(environment: string | undefined): string {
  return environment === undefined ? 'almanac.state.json' : `almanac.state.${environment}.json`;
}

/** The longest lease, in seconds, as the schema of almanac.yaml says. */
export const maxLease = 86_400;

/** The shortest lease, in seconds: when it is over, every request of the run that held it has ended. */
export function minLease(timeout: number): number {
  return 2 * timeout + 30;
}

/** The file that records what was applied to an emulator in the place of an organization. */
export function emulatorState(environment: string | undefined): string {
  return `.almanac/emulator${environment === undefined ? '' : `-${environment}`}.state.json`;
}

export function isEmulatorState(name: string): boolean {
  return /(?:^|[/\\])\.almanac[/\\]emulator(?:-[^/\\]+)?\.state\.json$/.test(name);
}
