// Which PostgreSQL server holds the state, and how to sign in: from ALMANAC_STATE_URL, and what that leaves open from
// PGHOST and the like, as psql does. The values may be secret, so no message repeats one.
//
// Nothing leaves this machine unencrypted. To another host, sslmode is `verify-full` if nothing is said, and `disable`,
// `allow` and `prefer` are refused. `require` encrypts without checking who answers, as it does in psql; with a root
// certificate it checks the certificate, as `verify-ca` does.

import { userInfo } from 'node:os';
import { parseUrl } from '../../../model/values/parse-url.ts';
import { isLoopback } from '../../../model/workspace/base-url-fault.ts';
import { Failure } from '../../../model/workspace/failure.ts';
import type { Environment } from '../host.ts';

export interface ServerAddress {
  /** A name, an address, or the folder of a Unix socket, which begins with a slash. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** Empty if none is known. */
  readonly password: string;
  readonly database: string;
  readonly tls: TlsMode;
  /** `system` means the certificates that Node.js comes with. */
  readonly rootCertificate?: string;
  readonly certificate?: string;
  readonly key?: string;
  /** Settings for the server, such as `-c role=almanac`. */
  readonly options?: string;
}

/** As sslmode; `allow` does not exist, because it tries without encryption first. */
export type TlsMode = 'disable' | 'prefer' | 'require' | 'verify-ca' | 'verify-full';

/** The parameters of a URL that mean something here, and their environment variables. */
const variables = {
  host: 'PGHOST',
  port: 'PGPORT',
  user: 'PGUSER',
  password: 'PGPASSWORD',
  dbname: 'PGDATABASE',
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
  channel_binding: 'PGCHANNELBINDING',
  options: 'PGOPTIONS',
} as const;

type Parameter = keyof typeof variables;
type Settings = Partial<Record<Parameter, string>>;

/** Parameters of URLs that providers hand out, and that change nothing here. */
const ignored = new Set([
  'application_name',
  'connect_timeout',
  'gssencmode',
  'pgbouncer',
  'sslnegotiation',
  'sslsni',
  'target_session_attrs',
]);

const urlForm = 'postgresql://USER:PASSWORD@HOST:5432/DATABASE';

/** Throws Failure missing-secret and usage. */
export function readAddress(environment: Environment): ServerAddress {
  const url = filled(environment['ALMANAC_STATE_URL']);
  if (url === undefined && filled(environment['PGHOST']) === undefined) {
    throw new Failure('missing-secret', 'The PostgreSQL server of the state is not known.', {
      hint: `Set ALMANAC_STATE_URL to ${urlForm}, or set PGHOST, PGUSER, PGPASSWORD and PGDATABASE.`,
    });
  }
  const settings: Settings = { ...settingsOf(environment), ...(url && settingsIn(url)) };
  const { host = 'localhost', user = userInfo().username, password = '' } = settings;
  const { dbname = user, sslrootcert, sslcert, sslkey, options } = settings;
  if (host.includes(',')) throw usage('The address of the state names several hosts.', 'Name one host.');
  if ((sslcert === undefined) !== (sslkey === undefined)) {
    throw usage('Of PGSSLCERT and PGSSLKEY, only one is set.', 'Set both, or neither.');
  }
  return {
    host,
    port: portOf(settings.port),
    user,
    password,
    database: dbname,
    tls: tlsModeOf(settings, host),
    rootCertificate: sslrootcert,
    certificate: sslcert,
    key: sslkey,
    options,
  };
}

export function isUnixSocket(host: string): boolean {
  return host.startsWith('/');
}

function filled(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}

function settingsOf(environment: Environment): Settings {
  const settings: Settings = {};
  for (const parameter of parameters()) {
    const value = filled(environment[variables[parameter]]);
    if (value !== undefined) settings[parameter] = value;
  }
  return settings;
}

/** A password with `/`, `?` or `#` that is not encoded splits the URL in the wrong place; that is noticed here. */
function settingsIn(text: string): Settings {
  const url = parseUrl(text);
  if (url === undefined || !/^postgres(?:ql)?:\/\//i.test(text)) throw badUrl('is not a PostgreSQL URL.');
  if (url.hash !== '' || /[/@]/.test(url.pathname.slice(1))) throw badUrl('cannot be split into its parts.');
  const settings: Settings = {};
  const add = (parameter: Parameter, value: string) => {
    if (value !== '') settings[parameter] = value;
  };
  add('host', decoded(url.hostname).replace(/^\[(.*)\]$/, '$1'));
  add('port', url.port);
  add('user', decoded(url.username));
  add('password', decoded(url.password));
  add('dbname', decoded(url.pathname.slice(1)));
  for (const [name, value] of url.searchParams) {
    const parameter = parameters().find((known) => known === name);
    if (parameter !== undefined) add(parameter, value);
    else if (!ignored.has(name)) throw badUrl('has a parameter that Almanac does not know.');
  }
  return settings;
}

function parameters(): readonly Parameter[] {
  return Object.keys(variables).filter((name): name is Parameter => Object.hasOwn(variables, name));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw badUrl('has a percent sign that encodes nothing.');
  }
}

function portOf(text = '5432'): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port > 0 && port < 65_536) return port;
  throw usage('The port of the PostgreSQL server of the state is not a port number.', 'Use a number up to 65535.');
}

function tlsModeOf({ sslmode, sslrootcert, channel_binding }: Settings, host: string): TlsMode {
  if (isUnixSocket(host)) return 'disable';
  const isLocal = isLoopback(host.includes(':') ? `[${host}]` : host.toLowerCase());
  const asked = sslmode ?? (isLocal ? 'prefer' : 'verify-full');
  // The package cannot bind to the channel, so the certificate has to prove who answers.
  if (channel_binding === 'require' || sslrootcert === 'system') return 'verify-full';
  switch (asked) {
    case 'verify-full':
    case 'verify-ca':
      return asked;
    case 'require':
      return sslrootcert === undefined ? 'require' : 'verify-ca';
    case 'disable':
    case 'allow':
    case 'prefer':
      if (isLocal) return asked === 'disable' ? 'disable' : 'prefer';
      throw usage(
        `sslmode ${asked} could send the password of the state unencrypted.`,
        'Use sslmode=verify-full, or sslmode=require to encrypt without checking the certificate.',
      );
    default:
      throw usage('The sslmode of the state is not known.', 'Use sslmode=verify-full.');
  }
}

function badUrl(words: string): Failure {
  return usage(
    `ALMANAC_STATE_URL ${words}`,
    `Write it as ${urlForm}. In the user name and the password, encode the characters / ? # @ : % as %2F %3F %23 %40 %3A %25.`,
  );
}

function usage(message: string, hint: string): Failure {
  return new Failure('usage', message, { hint });
}
