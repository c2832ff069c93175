// The checksum of what is written to S3. A bucket whose objects are locked asks for it, and a body that was damaged on
// its way is refused.

import { createHash } from 'node:crypto';

export function checksumOf(bytes: Uint8Array): { readonly 'content-md5': string } {
  return { 'content-md5': createHash('md5').update(bytes).digest('base64') };
}
