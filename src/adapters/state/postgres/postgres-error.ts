// What went wrong at the PostgreSQL server, in words for users. The package's errors may hold the statement and its
// values, and the server's own messages may quote them, so only codes are taken from both.

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

/** The codes of our own errors: for an answer that did not come in time, and for a server that offers no encryption. */
export const timedOut = 'ALMANAC_TIMED_OUT';
export const noEncryption = 'ALMANAC_NO_ENCRYPTION';

export const missingTable = '42P01';
export const noPermission = '42501';

type Words = readonly [words: string, hint: string, passes?: 'passes'];

const signIn = 'Check the user name and the password in ALMANAC_STATE_URL, or PGUSER and PGPASSWORD.';
const reach = 'Check the host and the port in ALMANAC_STATE_URL, or PGHOST and PGPORT, and the network.';
const shape = 'Choose another table, or compare this one with the SQL in docs/state-postgres.md.';
const grant = 'Let an administrator run the SQL in docs/state-postgres.md.';
const later = 'Try again later, or ask the administrator of the server.';
const certificate =
  'Name the certificate authority of the server in NODE_EXTRA_CA_CERTS, and use the host name that the certificate is for.';
const lost: Words = [
  'the connection to the server was lost',
  `${reach} A pooler in between must work in transaction or session mode.`,
  'passes',
];

/** By SQLSTATE, by its class of two characters, or by the code of Node.js or of the package. */
const table: Readonly<Record<string, Words>> = {
  '08': lost,
  '25006': ['the server only allows reading', 'Use the address of the primary server, and a user that may write.'],
  '28': ['the server did not accept the user name or the password', signIn],
  '3D': ['the database does not exist', 'Check the database in ALMANAC_STATE_URL, or PGDATABASE.'],
  '3F': ['the schema does not exist', 'Create the schema, or correct `schema` in almanac.yaml.'],
  '40': ['other transactions were in the way', later, 'passes'],
  [missingTable]: ['the table does not exist', grant],
  [noPermission]: ['permission is denied', grant],
  '42': ['the table is not one that Almanac created', shape],
  '53': ['the server lacks memory, disk space or connections', later, 'passes'],
  '55': ['the table is locked', later, 'passes'],
  '57': ['the server broke off the statement', later, 'passes'],
  '58': ['the server has a fault', later, 'passes'],
  [timedOut]: ['the server did not answer in time', reach, 'passes'],
  [noEncryption]: [
    'the server offers no encryption',
    'Enable TLS on the server. On this machine alone, sslmode=disable works without it.',
  ],
  CONNECTION_CLOSED: lost,
  CONNECTION_DESTROYED: lost,
  CONNECTION_ENDED: lost,
  ECONNRESET: lost,
  EPIPE: lost,
  ECONNREFUSED: ['the server refused the connection (ECONNREFUSED)', reach, 'passes'],
  ENOTFOUND: ['the host of the server is not known (ENOTFOUND)', reach],
  ENOENT: ['there is no server at the socket (ENOENT)', reach],
  SASL_SIGNATURE_MISMATCH: ['the server does not know the password that it asks for', signIn],
};

export function explain(error: unknown): ServerError {
  const code = codeOf(error);
  if (error instanceof Error && error.name === 'PostgresError' && /^[0-9A-Z]{5}$/.test(code)) {
    const [words, hint, passes] = table[code] ?? table[code.slice(0, 2)] ?? ['the server refused the statement', later];
    const keepsConnection = !/^(?:08|57P|58)/.test(code);
    return { words: `${words} (error ${code})`, hint, passes: passes !== undefined, keepsConnection, sqlState: code };
  }
  const [words, hint, passes] = table[code] ?? wordsFor(code);
  return { words, hint, passes: passes !== undefined, keepsConnection: false, sqlState: undefined };
}

function wordsFor(code: string): Words {
  if (/CERT|SELF_SIGNED|UNABLE_TO_/.test(code))
    return [`the certificate of the server was not accepted (${code})`, certificate];
  if (/^ERR_(?:SSL|TLS|OSSL)_/.test(code)) {
    return [`no encryption could be agreed on with the server (${code})`, certificate];
  }
  return [`the server cannot be reached${code === '' ? '' : ` (${code})`}`, reach, 'passes'];
}

/** The text of an error may hold anything, and its code too if it is not a plain word. */
function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z0-9_]+$/.test(code) ? code : '';
}
