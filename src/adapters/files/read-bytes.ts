// Bytes of the user's choice: a file, or what comes on the standard input.

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
    throw new Failure('usage', `${path} can not be read: ${why}.`, { cause });
  }
}
