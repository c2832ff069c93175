// One connection to the PostgreSQL server, encrypted before the first byte that could be secret. This is not left to the
// package: so the reason is known when a server offers no encryption, and no connection is tried a second time.

import { readFile } from 'node:fs/promises';
import { connect, isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect as secure } from 'node:tls';
import { Failure } from '../../../model/workspace/failure.ts';
import { whyOf } from '../../files/file-system.ts';
import { isUnixSocket, type ServerAddress } from './postgres-address.ts';

/** The code of the error for a server that offers no encryption. */
export const noEncryption = 'ALMANAC_NO_ENCRYPTION';

/** SSLRequest of the protocol: the length, and 1234 and 5679. */
const askForTls = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/** When the signal aborts, it rejects; what was opened is destroyed then, and later too. */
export async function openSocket(address: ServerAddress, signal: AbortSignal): Promise<Socket> {
  const tls = address.tls === 'disable' ? undefined : await tlsOptions(address);
  signal.throwIfAborted();
  const { host, port } = address;
  const plain = connect(isUnixSocket(host) ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
  plain.setNoDelay(true);
  signal.addEventListener('abort', () => plain.destroy(), { once: true });
  await event(plain, 'connect');
  const socket = tls === undefined ? plain : await encrypt(plain, address, tls);
  // What waits for an answer keeps the process alive by its deadline.
  plain.unref();
  return socket;
}

async function encrypt(plain: Socket, address: ServerAddress, options: ConnectionOptions): Promise<Socket> {
  plain.write(askForTls);
  const data = await event(plain, 'data');
  // More than one byte before encryption begins was put there by somebody else.
  const answer = data instanceof Buffer && data.length === 1 ? data.toString('latin1') : undefined;
  if (answer === 'N' && address.tls === 'prefer') return plain;
  if (answer !== 'S') throw Object.assign(new Error('no encryption'), { code: noEncryption });
  const socket = secure({ ...options, socket: plain });
  await event(socket, 'secureConnect');
  // What is lost below the encryption is reported above it.
  plain.on('error', () => undefined);
  return socket;
}

/** Rejects if the socket fails or ends first. */
function event(socket: Socket, name: 'connect' | 'secureConnect' | 'data'): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const settle = (action: () => void) => {
      socket.off(name, succeed).off('error', fail).off('close', end);
      action();
    };
    const succeed = (value: unknown) => settle(() => resolve(value));
    const fail = (error: unknown) =>
      settle(() => {
        socket.on('error', () => undefined).destroy();
        reject(error);
      });
    const end = () => fail(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
    socket.once(name, succeed).once('error', fail).once('close', end);
  });
}

async function tlsOptions(address: ServerAddress): Promise<ConnectionOptions> {
  const { host, tls, rootCertificate, certificate, key } = address;
  const isVerified = tls === 'verify-ca' || tls === 'verify-full';
  const ca = rootCertificate === undefined || rootCertificate === 'system' ? undefined : await read(rootCertificate);
  return {
    host,
    rejectUnauthorized: isVerified,
    servername: isIP(host) === 0 ? host : undefined,
    ca,
    cert: certificate && (await read(certificate)),
    key: key && (await read(key)),
    // Node.js would take undefined for a check, too.
    ...(tls === 'verify-ca' ? { checkServerIdentity: () => undefined } : {}),
  };
}

async function read(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new Failure('usage', `The certificate or key ${path} cannot be read: ${whyOf(error)}.`, {
      hint: 'Correct PGSSLROOTCERT, PGSSLCERT or PGSSLKEY.',
    });
  }
}
