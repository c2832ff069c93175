// Reads bytes from a file that the user names, or from standard input.

import { readFile } from 'node:fs/promises';
import { Failure } from '../../model/workspace/failure.ts';

export async function readBytes(path: string | undefined): Promise<Uint8Array> {
  if (path === undefined) {
    const chunks: Buffer[] = [];
    for await (const chunk of process.stdin as AsyncIterable<Buffer>) chunks.push(chunk);
    return Buffer.concat(chunks);
  }
  try {
    return await readFile(path);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Failure('usage', `${path} cannot be read: ${why}.`, { cause });
  }
}
