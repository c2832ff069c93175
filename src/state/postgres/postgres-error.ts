// What went wrong at the PostgreSQL server, in words for users. The package's errors may hold the statement and its
// values, and the server's own messages may quote them, so only codes are taken from both.

export interface ServerError {
  /** The end of a sentence. */
  readonly words: string;
  readonly hint: string;
  /** Whether the next try may succeed. */
  readonly passes: boolean;
  /** SQLSTATE, or the code of Node.js or of the package; empty where there is none. */
  readonly code: string;
}

/** The codes of our own errors, for an answer that did not come in time and for a server that offers no encryption. */
export const timedOut = 'ALMANAC_TIMED_OUT';
export const noEncryption = 'ALMANAC_NO_ENCRYPTION';
export const lost = 'CONNECTION_CLOSED';

export const missingTable = '42P01';
export const missingSchema = '3F000';
export const noPermission = '42501';
/** Of two that create a table at once, one may get any of these. */
export const alreadyThere: readonly string[] = ['42P07', '42710', '23505'];

type Words = Pick<ServerError, 'words' | 'hint'> & { readonly passes?: true };

const signIn = 'Check the user name and the password in ALMANAC_STATE_URL, or PGUSER and PGPASSWORD.';
const reach = 'Check the host and the port in ALMANAC_STATE_URL, or PGHOST and PGPORT, and the network.';
const shape = 'Choose another table, or compare this one with the SQL that creates it: docs/state-backends.md.';
const later = 'Try again later, or ask the administrator of the server.';
const certificate =
  'Name the file of the certificate authority in NODE_EXTRA_CA_CERTS, and use the host name that the certificate is for.';
const broken: Words = {
  words: 'the connection to the server was lost',
  hint: `${reach} A pooler in between must work in transaction or session mode.`,
  passes: true,
};

/** By SQLSTATE or its class of two characters, or by the code of Node.js or of the package. */
const table: Readonly<Record<string, Words>> = {
  '08': broken,
  '25006': {
    words: 'the server only allows reading',
    hint: 'Use the address of the primary server, and a user that may write.',
  },
  '28': { words: 'the server did not accept the user name or the password', hint: signIn },
  '3D': { words: 'the database does not exist', hint: 'Check the database in ALMANAC_STATE_URL, or PGDATABASE.' },
  [missingSchema]: { words: 'the schema does not exist', hint: 'Create it, or correct `schema` in almanac.yaml.' },
  '40': { words: 'other transactions were in the way', hint: later, passes: true },
  [missingTable]: { words: 'the table does not exist', hint: 'Restore it from a backup.' },
  [noPermission]: { words: 'permission is denied', hint: 'Ask the administrator of the server.' },
  '42': { words: 'the table is not one that Almanac created', hint: shape },
  '53': { words: 'the server lacks memory, disk space or connections', hint: later, passes: true },
  '55': { words: 'the table is locked', hint: later, passes: true },
  '57': { words: 'the server broke off the statement', hint: later, passes: true },
  '58': { words: 'the server has a fault', hint: later, passes: true },
  [timedOut]: { words: 'the server did not answer in time', hint: reach, passes: true },
  [noEncryption]: {
    words: 'the server offers no encryption',
    hint: 'Enable TLS on the server. On this machine alone, sslmode=disable works without it.',
  },
  [lost]: broken,
  CONNECTION_DESTROYED: broken,
  CONNECTION_ENDED: broken,
  ECONNRESET: broken,
  EPIPE: broken,
  ECONNREFUSED: { words: 'the server refused the connection (ECONNREFUSED)', hint: reach, passes: true },
  ENOTFOUND: { words: 'the host of the server is not known (ENOTFOUND)', hint: reach },
  ENOENT: { words: 'there is no server at the socket (ENOENT)', hint: reach },
  SASL_SIGNATURE_MISMATCH: { words: 'the server does not know the password that it asks for', hint: signIn },
};

export function explain(error: unknown): ServerError {
  const code = codeOf(error);
  if (error instanceof Error && error.name === 'PostgresError') {
    const unknown: Words = { words: 'the server refused the statement', hint: later };
    const { words, hint, passes = false } = table[code] ?? table[code.slice(0, 2)] ?? unknown;
    return { words: `${words} (error ${code})`, hint, passes, code };
  }
  return { passes: false, ...(table[code] ?? wordsFor(code)), code };
}

function wordsFor(code: string): Words {
  if (/CERT|SELF_SIGNED|UNABLE_TO_/.test(code)) {
    return { words: `the certificate of the server was not accepted (${code})`, hint: certificate };
  }
  if (/^(?:ERR_(?:SSL|TLS|OSSL)_|EPROTO)/.test(code)) {
    return { words: `no encryption could be agreed on with the server (${code})`, hint: certificate };
  }
  return { words: `the server cannot be reached${code === '' ? '' : ` (${code})`}`, hint: reach, passes: true };
}

/** The text of an error may hold anything, and its code too if it is not a plain word. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return '';
  return /^[A-Z0-9_]+$/.test(error.code) ? error.code : '';
}
