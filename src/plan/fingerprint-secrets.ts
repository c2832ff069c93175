// Fingerprints in place of secrets, before anything plans or records them: scrypt with the state's salt, of the text or
// of its HMAC where there is a key, computed once for each distinct text, several at a time.

import { createHmac, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { JsonObject } from '../model/values/json.ts';
import { memoize } from '../model/values/memoize.ts';
import { Secret, sealedSecret } from '../model/values/secret.ts';
import { type Leaf, mapLeaves } from '../model/workspace/map-leaves.ts';
import {
  type Declared,
  type Desired,
  type Resource,
  type SealedResource,
  secretsIn,
} from '../model/workspace/resource.ts';

const derive = promisify<string, Buffer, number, Buffer>(scrypt);
const fingerprintBytes = 24;

/** The fingerprint of a text, base64url; null where none can be made that may be compared. */
export type Fingerprint = (text: string) => Promise<string | null>;

/** Computes each text's fingerprint once. `salt` is base64. Without the `key`, nobody can try out texts. */
export function makeFingerprint(salt: string, key?: string): Fingerprint {
  const bytes = Buffer.from(salt, 'base64');
  const keyed = (text: string) => (key === undefined ? text : createHmac('sha256', key).update(text).digest('base64'));
  return memoize(async (text) => (await derive(keyed(text), bytes, fingerprintBytes)).toString('base64url'));
}

/** The desired state as the planner may see it. */
export async function fingerprintSecrets(desired: Desired, fingerprint: Fingerprint): Promise<Desired<SealedResource>> {
  const secrets = [...secretsOf(desired), ...replacedSecrets(desired)];
  if (secrets.length === 0) return desired as Desired<SealedResource>;
  const texts = [...new Set(secrets.flatMap((secret) => secret.reveal() ?? []))];
  const fingerprints = new Map(await Promise.all(texts.map(async (text) => [text, await fingerprint(text)] as const)));
  const seal = (leaf: Leaf): Declared => {
    if (!(leaf instanceof Secret)) return leaf;
    const text = leaf.reveal();
    return sealedSecret(text === undefined ? null : (fingerprints.get(text) ?? null), leaf.shown);
  };
  const sealResource = (resource: Resource): SealedResource => {
    const { attributes, sink, ...rest } = resource;
    const sealed = mapLeaves(attributes, seal) as JsonObject;
    if (sink === undefined)
      return sealed === attributes ? (resource as SealedResource) : { ...rest, attributes: sealed };
    return { ...rest, attributes: sealed, sink: { ...sink, declared: mapLeaves(sink.declared, seal) as JsonObject } };
  };
  return { ...desired, resources: desired.resources.map(sealResource) };
}

/** Every Secret that a workspace sends. */
export function secretsOf({ resources }: Pick<Desired, 'resources'>): readonly Secret[] {
  return secretsIn(resources.map(({ attributes }) => attributes));
}

/** Those that a sink replaced: nobody needs their values, and they are compared all the same. */
function replacedSecrets({ resources }: Desired): readonly Secret[] {
  return secretsIn(resources.flatMap(({ sink }) => (sink === undefined ? [] : [sink.declared])));
}
