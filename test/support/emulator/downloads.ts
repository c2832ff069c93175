// An emulator whose downloads are done at once, and what is in their files.

import type { EmulatorOptions } from '../../../src/emulator/emulator.ts';
import { startFull } from './start-emulator.ts';

export async function openDownloads(options: EmulatorOptions = {}) {
  const { send, emulator, baseUrl, organizationKey } = await startFull({ downloadDurationMs: 0, ...options });
  const download = async (body: object, identifier = '12db1a0a') => {
    const path = `/v1/dashboards/${identifier}/download`;
    const { job_id: id } = (await send('POST', path, body)).body as unknown as { job_id: string };
    const response = await fetch(`${baseUrl}${path}/${id}`, {
      headers: { Authorization: `Bearer ${organizationKey}` },
    });
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  /** The lines of a tile as CSV, without the header. */
  const linesOf = async (tile: string, filterConfig: object = {}, identifier?: string): Promise<string[]> => {
    const { bytes } = await download({ format: 'csv', queryIdentifierMapKey: tile, filterConfig }, identifier);
    return bytes.toString().split('\n').slice(1, -1);
  };
  return { send, emulator, download, linesOf };
}

/** Stored files, as the list at the end of an archive has them. */
export function unzipped(bytes: Buffer): Readonly<Record<string, string>> {
  const end = bytes.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  const files: Record<string, string> = {};
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [size, nameLength, entry] = [
      bytes.readUInt32LE(at + 20),
      bytes.readUInt16LE(at + 28),
      bytes.readUInt32LE(at + 42),
    ];
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    const from = entry + 30 + nameLength;
    files[name] = bytes.toString('utf8', from, from + size);
    at += 46 + nameLength;
  }
  return files;
}
