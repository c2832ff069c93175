// Parses the address of an SFTP server: a host, or sftp://HOST/PATH. The service's pages have both forms, so a bare
// host and sftp://HOST/ are the same place, and another path is another one.

import { sftpAddress } from './patterns.ts';

interface SftpPlace {
  /** The host in lower case, and an IPv6 address without brackets. */
  readonly host: string;
  /** The path; empty for `/` as well. */
  readonly path: string;
}

const readable = new RegExp(sftpAddress);

/** Returns undefined if the address cannot be read, such as one with a port or a user. */
export function sftpPlaceOf(address: string): SftpPlace | undefined {
  if (!readable.test(address)) return undefined;
  const [, host = '', path = ''] = /^(?:sftp:\/\/)?([^/]*)(.*)$/is.exec(address) ?? [];
  return { host: host.replace(/^\[|\]$/g, '').toLowerCase(), path: path === '/' ? '' : path };
}

/** The form that all addresses of one place have. One that cannot be read is equal to itself alone. */
export function canonicalServer(address: string): string {
  const place = sftpPlaceOf(address);
  return place === undefined ? address : `sftp://${place.host}${place.path}`;
}
