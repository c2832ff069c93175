// Credentials for a state in S3, where nothing of this machine is found.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { credentialChain } from '../../../src/adapters/state/s3/credentials.ts';
import { type S3Address, s3Address } from '../../../src/adapters/state/s3/s3-address.ts';
import { makeInstantClock } from '../fake-clock.ts';
import { makeFolder } from '../workspace.ts';

export type Environment = Readonly<Record<string, string>>;

export const now = Date.parse('2026-11-22T12:00:00Z');
export const aws: S3Address = s3Address(
  { backend: 's3', lease: 120, bucket: 'acme-state', prefix: 'almanac', region: 'eu-central-1', pathStyle: false },
  {},
);

/** With an empty home, so that no file of this machine is read. */
export function chainIn(environment: Environment, address = aws) {
  const clock = makeInstantClock(now);
  const folder = makeFolder().path;
  return { clock, folder, chain: credentialChain(address, { clock, environment: { HOME: folder, ...environment } }) };
}

export function file(text: string, name = 'file'): string {
  const path = join(makeFolder().path, name);
  writeFileSync(path, text);
  return path;
}
