// What went wrong at the PostgreSQL server, in words for users. The package's errors may hold the statement and its
// values, and the server's own messages may quote them, so only codes are taken from both.

import { noEncryption } from './open-socket.ts';

export interface ServerError {
  /** The end of a sentence. */
  readonly words: string;
  readonly hint: string;
  /** Whether the next try may succeed. */
  readonly passes: boolean;
  /** Whether the connection can go on. */
  readonly keepsConnection: boolean;
  /** SQLSTATE; undefined if it was not the server that failed. */
  readonly sqlState: string | undefined;
}

/** The code of the error for an answer that did not come in time. */
export const timedOut = 'ALMANAC_TIMED_OUT';

const missingTable = '42P01';
export const noPermission = '42501';
export const alreadyThere: readonly string[] = ['42P07', '23505', '42710'];

interface Words {
  readonly words: string;
  readonly hint: string;
  readonly passes?: true;
}

const signIn = 'Check the user name and the password in ALMANAC_STATE_URL, or PGUSER and PGPASSWORD.';
const reach = 'Check the host and the port in ALMANAC_STATE_URL, or PGHOST and PGPORT, and the network.';
const create =
  'Create the table with `almanac state init`, or let an administrator run the SQL that `almanac state init --print-sql` prints.';
const shape = 'Choose another table, or compare this one with the SQL that `almanac state init --print-sql` prints.';
const later = 'Try again later, or ask the administrator of the server.';
const certificate =
  'Name the certificate authority of the server in PGSSLROOTCERT, and use the host name that the certificate is for.';
const lost: Words = {
  words: 'the connection to the server was lost',
  hint: `${reach} A pooler in between must work in transaction or session mode.`,
  passes: true,
};

/** By SQLSTATE, or by its class of two characters. */
const answers: Readonly<Record<string, Words>> = {
  '08': lost,
  '25006': {
    words: 'the server only allows reading',
    hint: 'Use the address of the primary server, and a user that may write.',
  },
  '28': { words: 'the server did not accept the user name or the password', hint: signIn },
  '3D': { words: 'the database does not exist', hint: 'Check the database in ALMANAC_STATE_URL, or PGDATABASE.' },
  '3F': { words: 'the schema does not exist', hint: 'Create the schema, or correct `schema` in almanac.yaml.' },
  '40': { words: 'other transactions were in the way', hint: later, passes: true },
  [missingTable]: { words: 'the table does not exist', hint: create },
  [noPermission]: { words: 'permission is denied', hint: create },
  '42': { words: 'the table is not one that Almanac created', hint: shape },
  '53': { words: 'the server lacks memory, disk space or connections', hint: later, passes: true },
  '55': { words: 'the table is locked', hint: later, passes: true },
  '57': { words: 'the server broke off the statement', hint: later, passes: true },
  '58': { words: 'the server has a fault', hint: later, passes: true },
};

/** By the code of Node.js or of the package. */
const failures: Readonly<Record<string, Words>> = {
  [timedOut]: { words: 'the server did not answer in time', hint: reach, passes: true },
  [noEncryption]: {
    words: 'the server offers no encryption',
    hint: 'Enable TLS on the server. On this machine alone, sslmode=disable works without it.',
  },
  CONNECTION_CLOSED: lost,
  CONNECTION_DESTROYED: lost,
  CONNECTION_ENDED: lost,
  ECONNRESET: lost,
  EPIPE: lost,
  ECONNREFUSED: { words: 'the server refused the connection (ECONNREFUSED)', hint: reach, passes: true },
  ENOTFOUND: { words: 'the host of the server is not known (ENOTFOUND)', hint: reach },
  ENOENT: { words: 'there is no server at the socket (ENOENT)', hint: reach },
  SASL_SIGNATURE_MISMATCH: { words: 'the server does not know the password that it asks for', hint: signIn },
};

export function explain(error: unknown): ServerError {
  const code = codeOf(error);
  if (error instanceof Error && error.name === 'PostgresError' && /^[0-9A-Z]{5}$/.test(code)) {
    const unknown: Words = { words: 'the server refused the statement', hint: later };
    const { words, hint, passes = false } = answers[code] ?? answers[code.slice(0, 2)] ?? unknown;
    const keepsConnection = !/^(?:08|57P|58)/.test(code);
    return { words: `${words} (error ${code})`, hint, passes, keepsConnection, sqlState: code };
  }
  return { passes: false, ...(failures[code] ?? wordsFor(code)), keepsConnection: false, sqlState: undefined };
}

function wordsFor(code: string): Words {
  if (/CERT|SELF_SIGNED|UNABLE_TO_/.test(code)) {
    return { words: `the certificate of the server was not accepted (${code})`, hint: certificate };
  }
  if (/^ERR_(?:SSL|TLS|OSSL)_/.test(code)) {
    return { words: `no encryption could be agreed on with the server (${code})`, hint: certificate };
  }
  return { words: `the server cannot be reached${code === '' ? '' : ` (${code})`}`, hint: reach, passes: true };
}

/** The text of an error may hold anything, and its code too if it is not a plain word. */
function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z0-9_]+$/.test(code) ? code : '';
}
