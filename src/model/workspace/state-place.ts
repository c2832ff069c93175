// Where the state is kept: a file of one machine, or a place that many share.

import { stateFields } from '../fields/config-fields.ts';
import { type Json, type JsonObject, mapAt } from '../values/json.ts';
import { isLoopback, parseUrl } from '../values/urls.ts';

interface LocalPlace {
  readonly backend: 'local';
  /** Relative to the workspace. */
  readonly path: string;
}

/** Only what reads almanac.yaml makes a place that many share, so whoever gets one need not check its parts again. */
declare const isChecked: unique symbol;

interface Shared {
  readonly [isChecked]: true;
  /** Seconds for which a lock is held without a sign of its run. */
  readonly lease: number;
}

export interface GitPlace extends Shared {
  readonly backend: 'git';
  /** The name of a remote of the clone, or a URL without credentials. */
  readonly remote: string;
  readonly branch: string;
}

export interface S3Place extends Shared {
  readonly backend: 's3';
  readonly bucket: string;
  /** Without slashes at its ends. */
  readonly prefix: string;
  /** Undefined: AWS_REGION or AWS_DEFAULT_REGION. */
  readonly region?: string;
  /** Of a compatible server; undefined: AWS. */
  readonly endpoint?: string;
}

/** The server's address comes from ALMANAC_STATE_URL, or PGHOST and the like: it may hold a password. */
export interface PostgresPlace extends Shared {
  readonly backend: 'postgres';
  /** Undefined: the first schema of the search path. */
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

export function gitName(branch: string, remote: string): string {
  return `git branch ${branch} of ${remote}`;
}

/** What a lease can at most be, in seconds, as the schema of almanac.yaml says. */
export const longestLease = 86_400;

/** What a lease must at least be, in seconds: when it is over, every request of the run that held it has ended. */
export function leastLease(timeout: number): number {
  return 2 * timeout + 30;
}

// `state` of almanac.yaml as a place: an environment replaces it where it names a backend, and is merged with it
// elsewhere.

/** How long a lock on a shared state lasts without being renewed, in seconds; `src/state/log/lease.ts` counts them. */
const defaultLease = 120;

/** The settings that hold for an environment. */
export function mergedState(base: Json | undefined, over: Json | undefined): JsonObject {
  return typeof mapAt(over)['backend'] === 'string' ? mapAt(over) : { ...mapAt(base), ...mapAt(over) };
}

/** The settings must be valid by the schema. `timeout`: of a request to Omni, in seconds. */
export function statePlace(settings: JsonObject, environment: string | undefined, timeout: number): StatePlace {
  const text = (name: string): string | undefined => {
    const value = settings[name];
    return typeof value === 'string' ? value : undefined;
  };
  const named = (name: string) => (environment === undefined ? name : `${name}-${environment}`);
  const asked = settings['lease'];
  const lease = typeof asked === 'number' ? asked : Math.max(defaultLease, leastLease(timeout));
  switch (text('backend')) {
    case 'git': {
      const remote = text('remote') ?? stateFields.remote.default;
      return { backend: 'git', lease, remote, branch: text('branch') ?? named('almanac-state') } as GitPlace;
    }
    case 's3': {
      const prefix = (text('prefix') ?? named('almanac')).replace(/^\/+|\/+$/g, '');
      const bucket = text('bucket') ?? '';
      return { backend: 's3', lease, bucket, prefix, region: text('region'), endpoint: text('endpoint') } as S3Place;
    }
    case 'postgres': {
      const [table, name] = [text('table') ?? stateFields.table.default, text('name') ?? named('almanac')];
      return { backend: 'postgres', lease, table, name, schema: text('schema') } as PostgresPlace;
    }
    default:
      return { backend: 'local', path: text('path') ?? stateFields.path.default };
  }
}

// What the parts of a place for the state must look like before Almanac uses them. No text repeats a URL: it may hold a
// password.

/** The message is the end of a sentence whose subject is the value. */
export interface PlaceFault {
  readonly message: string;
  readonly hint: string;
}

const addRemote =
  'Add the repository to the clone with `git remote add state URL`, and write the name of that remote: `remote: state`.';
const noCredentials =
  'Remove it. Git finds the credentials of this clone, and the AWS variables hold those of a bucket. If it was committed, replace it: others may have read it.';

/** The name of a remote of the clone: what a commit can change must not say where git connects to. */
export function remoteFault(remote: string): PlaceFault | undefined {
  if (/:\/\/[^/@:]*:[^/@]*@|^https?:\/\/[^/]*@/i.test(remote))
    return { message: 'contains a user name or a password.', hint: `${noCredentials} ${addRemote}` };
  if (remote.includes(':') || /^[./~]/.test(remote))
    return { message: 'is an address and not the name of a remote.', hint: addRemote };
  if (/^[A-Za-z0-9_][A-Za-z0-9._/+-]*$/.test(remote) && !remote.includes('..')) return undefined;
  return { message: 'is not the name of a remote.', hint: addRemote };
}

/** The URL of a server that is compatible with S3. */
export function endpointFault(endpoint: string): PlaceFault | undefined {
  const url = parseUrl(endpoint);
  const hint = 'Write the URL of a server, such as https://s3.example.com.';
  if (url === undefined || !['https:', 'http:'].includes(url.protocol))
    return { message: 'is not a URL that begins with https://.', hint };
  if (url.username !== '' || url.password !== '')
    return { message: 'contains a user name or a password.', hint: noCredentials };
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    return { message: 'is not encrypted.', hint: 'Write it with https://.' };
  if (!/[?#]/.test(endpoint)) return undefined;
  return { message: 'contains a query or a fragment.', hint: 'Remove what begins with ? or #.' };
}

const plainBranch = /^[A-Za-z0-9_][A-Za-z0-9._+@-]*(?:\/[A-Za-z0-9_][A-Za-z0-9._+@-]*)*$/;
const longestBranch = 200;

/** It becomes part of a refspec, so only plain names are allowed. https://git-scm.com/docs/git-check-ref-format */
export function branchFault(branch: string): PlaceFault | undefined {
  const why = branchWords(branch);
  return why === undefined ? undefined : { message: why, hint: 'Write a name such as almanac-state.' };
}

function branchWords(branch: string): string | undefined {
  if (branch.length > longestBranch) return `has more than ${longestBranch} characters.`;
  if (/^refs(?:\/|$)/.test(branch)) return 'is a whole reference; a branch is named without `refs/heads/`.';
  if (!plainBranch.test(branch) || /\.\.|@\{|\.(?:$|\/)|\.lock(?:$|\/)/.test(branch))
    return 'is not a name that a state branch can have: letters, digits and `-`, `_`, `.` and `/` between them.';
  if (branch === 'HEAD' || /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(branch))
    return 'has a name that git would take for something else.';
  return undefined;
}
