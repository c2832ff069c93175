// The connection to the PostgreSQL server, opened at first use and after a loss. A statement that runs on it may be
// repeated, since nothing about the session matters: each statement is a transaction of its own, so that a pooler may give
// each to another connection.
//
// Nothing is sent to another machine unencrypted. The certificate is checked there, unless sslmode is `require`. The package
// `pg` does the rest. No message repeats a part of the address: it may be secret.

import { Socket } from 'node:net';
import type { Client, ClientConfig } from 'pg';
import type { Clock, Variables } from '../../model/outside.ts';
import { isLoopback, parseUrl } from '../../model/values/urls.ts';
import { Failure, usageFailure } from '../../model/workspace/failure.ts';
import { interrupted, retrying, type WriteAttempt } from '../log/backend.ts';

interface ConnectionOptions {
  readonly server: Server;
  readonly clock: Clock;
  /** The milliseconds that a try may take, connecting included. */
  readonly patienceMs: number;
}

export type SqlRow = Readonly<Record<string, unknown>>;

/** The rows of all its statements, or the reason why the server failed for good or at every try. */
export type Outcome = { readonly rows: readonly SqlRow[] } | { readonly why: ServerError };

export type PgPackage = Pick<typeof import('pg'), 'Client'>;

/** `host` may be the folder of a Unix socket; `options` are settings for the server, such as `-c role=almanac`. */
interface Server extends ClientConfig {
  readonly password: string | undefined;
}

interface Session {
  readonly client: Client;
  /** The socket below the encryption. Destroyed with an error, it hands that to all that waits, however far the connection is. */
  readonly socket: Socket;
  readonly ready: Promise<unknown>;
}

/** The milliseconds that the server may take to end a connection that is idle. */
const goodbyeMs = 200;
const urlForm = 'postgresql://USER:PASSWORD@HOST:5432/DATABASE';

/** Parameters of the URLs that providers hand out: the first three mean something here, and the others change nothing. */
const parameters = new Set([
  'channel_binding',
  'options',
  'sslmode',
  'application_name',
  'connect_timeout',
  'gssencmode',
  'pgbouncer',
  'sslnegotiation',
  'sslsni',
  'target_session_attrs',
]);
/** Variables that would change where or how psql connects; the last one, that the package checks certificates. */
const unread = [
  'PGHOSTADDR',
  'PGOPTIONS',
  'PGSERVICE',
  'PGSSLROOTCERT',
  'PGSSLCERT',
  'PGSSLKEY',
  'NODE_PG_FORCE_NATIVE',
];
const instead =
  'NODE_EXTRA_CA_CERTS names the file of a certificate authority, and `?options=` in ALMANAC_STATE_URL holds settings for the server.';

export class Connection {
  readonly #pg: PgPackage;
  readonly #options: ConnectionOptions;
  #session: Session | undefined;
  #isClosed = false;

  constructor(pg: PgPackage, options: ConnectionOptions) {
    this.#pg = pg;
    this.#options = options;
  }

  /** Runs one or several statements; several have no values. Tries passing failures up to five times. Throws Failure interrupted. */
  async run(text: string, values: readonly unknown[], signal?: AbortSignal): Promise<Outcome> {
    const { clock, patienceMs } = this.#options;
    const attempt = async (): Promise<WriteAttempt<Outcome>> => {
      if (this.#isClosed) throw new Error('The log of the state was closed.');
      this.#session ??= this.#open();
      const session = this.#session;
      const stop = () => void session.socket.destroy(Object.assign(new Error(timedOut), { code: timedOut }));
      // It alone keeps the process alive. The package would begin a second one when it has connected.
      const timer = setTimeout(stop, patienceMs);
      signal?.addEventListener('abort', stop, { once: true });
      try {
        await session.ready;
        // The package answers several statements with a list.
        const answers = [await session.client.query<SqlRow>(text, [...values])].flat();
        return { value: { rows: answers.flatMap(({ rows }) => rows) }, mayRetry: false };
      } catch (error) {
        this.#drop(session);
        void end(session);
        const why = explain(error);
        return { value: { why }, mayRetry: why.passes && !this.#isClosed };
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', stop);
      }
    };
    const outcome = await retrying({ clock, tries: 5, firstPauseMs: 250, signal }, attempt);
    if ('why' in outcome && signal?.aborted) throw interrupted();
    return outcome;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#session !== undefined) await end(this.#session);
  }

  #open(): Session {
    const { password = '', ...server } = this.#options.server;
    const socket = new Socket().unref();
    const client = new this.#pg.Client({
      ...server,
      // A function, so that no file of passwords is read.
      password: () => password,
      stream: () => socket,
      application_name: 'almanac',
      sslnegotiation: 'postgres',
    });
    const session = { client, socket, ready: client.connect() };
    // Queries that wait for an answer are told, too.
    client.on('error', () => this.#drop(session));
    return session;
  }

  #drop(session: Session): void {
    if (this.#session === session) this.#session = undefined;
  }
}

/** Says goodbye, and does not wait for a server that does not answer. Never throws. */
async function end({ client, socket }: Session): Promise<void> {
  socket.ref().setTimeout(goodbyeMs, () => socket.destroy());
  await client.end();
}

/** Reads ALMANAC_STATE_URL, and what that leaves open from PGHOST and the like. Throws Failure missing-secret and usage. */
export function serverOf(environment: Variables): Server {
  const { ALMANAC_STATE_URL: text, PGHOST, PGPORT, PGUSER, PGPASSWORD, PGDATABASE } = environment;
  if (!text && !PGHOST) {
    throw new Failure('missing-secret', 'The PostgreSQL server of the state is not known.', {
      hint: `Set ALMANAC_STATE_URL to ${urlForm}, or set PGHOST, PGUSER, PGPASSWORD and PGDATABASE.`,
    });
  }
  const set = unread.filter((name) => environment[name]);
  if (set.length > 0) throw usageFailure(`Almanac does not use ${set.join(' and ')}.`, `Unset it. ${instead}`);
  const url = text ? urlIn(text) : undefined;
  const host = decoded(url?.hostname).replace(/^\[(.*)\]$/, '$1') || PGHOST || 'localhost';
  if (host.includes(',')) throw usageFailure('The address of the state names several hosts.', 'Name one host.');
  const port = Number(url?.port || PGPORT || 5432);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw usageFailure(
      'The port of the PostgreSQL server of the state is not a port number.',
      'Use a number up to 65535.',
    );
  }
  const mode = url?.searchParams.get('sslmode') || environment['PGSSLMODE'];
  const binding = url?.searchParams.get('channel_binding') || environment['PGCHANNELBINDING'];
  return {
    host,
    port,
    ssl: encryption(host, mode, binding === 'require'),
    user: decoded(url?.username) || PGUSER,
    password: decoded(url?.password) || PGPASSWORD,
    database: decoded(url?.pathname.slice(1)) || PGDATABASE,
    options: url?.searchParams.get('options') || undefined,
  };
}

/** A password with `/`, `?` or `#` that is not encoded splits the URL in the wrong place; that is noticed here. */
function urlIn(text: string): URL {
  const url = parseUrl(text);
  if (url === undefined || !/^postgres(?:ql)?:\/\//i.test(text)) throw badUrl('is not a PostgreSQL URL.');
  if (url.hash !== '' || /[/@]/.test(url.pathname.slice(1))) throw badUrl('cannot be split into its parts.');
  if (![...url.searchParams.keys()].every((name) => parameters.has(name))) {
    throw usageFailure('ALMANAC_STATE_URL has a parameter that Almanac does not know.', `Remove it. ${instead}`);
  }
  return url;
}

/** `isBound`: nothing binds to the channel here, so the certificate has to prove who answers. */
function encryption(host: string, mode: string | undefined, isBound: boolean): ClientConfig['ssl'] {
  if (host.startsWith('/')) return false;
  const isLocal = isLoopback(host.includes(':') ? `[${host}]` : host.toLowerCase());
  const verified = { host, rejectUnauthorized: true };
  if (isBound) return verified;
  switch (mode || (isLocal ? 'prefer' : 'verify-full')) {
    case 'verify-full':
    case 'verify-ca':
      return verified;
    case 'require':
      return { ...verified, rejectUnauthorized: false };
    case 'disable':
    case 'allow':
    case 'prefer':
      if (isLocal) return false;
      throw usageFailure(
        `sslmode ${mode} could send the password of the state unencrypted.`,
        'Use sslmode=verify-full, or sslmode=require to encrypt without checking the certificate.',
      );
    default:
      throw usageFailure('The sslmode of the state is not known.', 'Use sslmode=verify-full.');
  }
}

function decoded(text = ''): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw badUrl('has a percent sign that encodes nothing.');
  }
}

function badUrl(words: string): Failure {
  return usageFailure(
    `ALMANAC_STATE_URL ${words}`,
    `Write it as ${urlForm}. In the user name and the password, encode the characters / ? # @ : % as %2F %3F %23 %40 %3A %25.`,
  );
}

/**
 * A failure at the PostgreSQL server, in words for users. The package's errors may hold the statement and its
 * values, and the server's own messages may quote them, so only codes are taken from both.
 */
export interface ServerError {
  /** The end of a sentence. */
  readonly words: string;
  readonly hint: string;
  /** True if the next try may succeed. */
  readonly passes: boolean;
  /** SQLSTATE, or the code of Node.js; empty if there is none. */
  readonly code: string;
}

/** The code of our own error, for an answer that did not come in time. */
const timedOut = 'ALMANAC_TIMED_OUT';

export const missingTable = '42P01';
export const missingSchema = '3F000';
export const noPermission = '42501';
/** The class of limits that a statement exceeds. */
export const rowTooLarge = '54';
/** The codes that one of two may get that create a table at once. */
export const alreadyThere: readonly string[] = ['42P07', '42710', '23505'];

type ErrorWords = Pick<ServerError, 'words' | 'hint'> & { readonly passes?: true };

const signIn = 'Check the user name and the password in ALMANAC_STATE_URL, or PGUSER and PGPASSWORD.';
const reach = 'Check the host and the port in ALMANAC_STATE_URL, or PGHOST and PGPORT, and the network.';
const shape =
  'Choose another table, or compare this one with the SQL that creates it, in the documentation (state-backends).';
const later = 'Try again later, or ask the administrator of the server.';
const certificate =
  'Name the file of the certificate authority in NODE_EXTRA_CA_CERTS, and use the host name that the certificate is for.';
const broken: ErrorWords = {
  words: 'the connection to the server was lost',
  hint: `${reach} A pooler in between must work in transaction or session mode.`,
  passes: true,
};

/** Words by SQLSTATE or its class of two characters, or by the code of Node.js. */
const table: Readonly<Record<string, ErrorWords>> = {
  '08': broken,
  '22P05': { words: 'the database cannot store all characters', hint: 'Use a database with the encoding UTF8.' },
  '25006': {
    words: 'the server only allows reading',
    hint: 'Use the address of the primary server, and a user that may write.',
  },
  '28000': {
    words: 'the server does not accept this user on this connection',
    hint: `${signIn} A server on this machine, or behind a tunnel, may demand encryption: set sslmode=require.`,
  },
  '28': { words: 'the server did not accept the user name or the password', hint: signIn },
  '3D': { words: 'the database does not exist', hint: 'Check the database in ALMANAC_STATE_URL, or PGDATABASE.' },
  [missingSchema]: { words: 'the schema does not exist', hint: 'Create it, or correct `schema` in almanac.yaml.' },
  '40': { words: 'other transactions were in the way', hint: later, passes: true },
  [missingTable]: { words: 'the table does not exist', hint: 'Restore it from a backup.' },
  [noPermission]: { words: 'permission is denied', hint: 'Ask the administrator of the server.' },
  '42': { words: 'the table is not one that Almanac created', hint: shape },
  '53': { words: 'the server lacks memory, disk space or connections', hint: later, passes: true },
  [rowTooLarge]: {
    words: 'the server takes no row of this size',
    hint: 'Divide the workspace: each part has a state of its own.',
  },
  '55': { words: 'the table is locked', hint: later, passes: true },
  '57': { words: 'the server broke off the statement', hint: later, passes: true },
  '58': { words: 'the server has a fault', hint: later, passes: true },
  [timedOut]: { words: 'the server did not answer in time', hint: reach, passes: true },
  ECONNRESET: broken,
  EPIPE: broken,
  ECONNREFUSED: { words: 'the server refused the connection (ECONNREFUSED)', hint: reach, passes: true },
  ENOTFOUND: { words: 'the host of the server is not known (ENOTFOUND)', hint: reach },
  ENOENT: { words: 'there is no server at the socket (ENOENT)', hint: reach },
};

function explain(error: unknown): ServerError {
  const code = codeOf(error);
  if (error instanceof Error && 'severity' in error) {
    const unknown: ErrorWords = { words: 'the server refused the statement', hint: later };
    const { words, hint, passes = false } = table[code] ?? table[code.slice(0, 2)] ?? unknown;
    return { words: `${words} (error ${code})`, hint, passes, code };
  }
  const { message = '' } = error instanceof Error ? error : {};
  return { passes: false, ...(table[code] ?? (code === '' ? errorWords(message) : wordsFor(code))), code };
}

/** Words for the package's own errors, which have no codes. */
function errorWords(message: string): ErrorWords {
  if (/SSL connection/.test(message)) {
    return {
      words: 'the server offers no encryption',
      hint: 'Enable TLS on the server. On this machine alone, sslmode=disable works without it.',
    };
  }
  return /^SASL/.test(message) ? { words: 'signing in with a password failed', hint: signIn } : broken;
}

function wordsFor(code: string): ErrorWords {
  if (/CERT|SELF_SIGNED|UNABLE_TO_/.test(code)) {
    return { words: `the certificate of the server was not accepted (${code})`, hint: certificate };
  }
  if (/^(?:ERR_(?:SSL|TLS|OSSL)_|EPROTO)/.test(code)) {
    return { words: `no encryption could be agreed on with the server (${code})`, hint: certificate };
  }
  return { words: `the server cannot be reached (${code})`, hint: reach, passes: true };
}

/** The text of an error may hold anything, and its code too if it is not a plain word. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return '';
  return /^[A-Z0-9_]+$/.test(error.code) ? error.code : '';
}
