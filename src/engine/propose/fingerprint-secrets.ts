// Secrets to fingerprints, before anything plans or records them: scrypt with the state's salt, worked out once for
// each distinct value.

import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { JsonObject } from '../../model/values/json.ts';
import { type SealedSecret, Secret, sealedSecret, secretKey } from '../../model/values/secret.ts';
import { type Leaf, mapLeaves } from '../../model/workspace/map-leaves.ts';
import type { Declared, Desired, Resource, SealedResource } from '../../model/workspace/resource.ts';

const derive = promisify<string, Buffer, number, Buffer>(scrypt);
const fingerprintBytes = 24;

/** The desired state as the planner may see it. `salt` is base64. */
export async function fingerprintSecrets(desired: Desired, salt: string): Promise<Desired<SealedResource>> {
  const secrets = secretsOf(desired);
  if (secrets.length === 0) return desired as Desired<SealedResource>;
  const fingerprints = await fingerprintsOf(secrets, Buffer.from(salt, 'base64'));
  const seal = (leaf: Leaf): Declared =>
    leaf instanceof Secret ? sealedSecret(fingerprints.get(leaf.reveal()) ?? null) : leaf;
  const sealResource = (resource: Resource): SealedResource => {
    const attributes = mapLeaves(resource.attributes, seal) as JsonObject;
    return attributes === resource.attributes ? (resource as SealedResource) : { ...resource, attributes };
  };
  return { ...desired, resources: desired.resources.map(sealResource) };
}

/** By plain text; none for what is not known. */
async function fingerprintsOf(
  secrets: readonly Secret[],
  salt: Buffer,
): Promise<ReadonlyMap<string | undefined, string>> {
  const fingerprints = new Map<string | undefined, string>();
  for (const text of new Set(secrets.map((secret) => secret.reveal()))) {
    if (text === undefined) continue;
    fingerprints.set(text, await fingerprint(text, salt));
  }
  return fingerprints;
}

async function fingerprint(text: string, salt: Buffer): Promise<string> {
  return (await derive(text, salt, fingerprintBytes)).toString('base64url');
}

/** Whether a text is the one that was sealed. `salt` is base64. */
export async function isSealed(text: string, sealed: SealedSecret, salt: string): Promise<boolean> {
  return sealed[secretKey] === (await fingerprint(text, Buffer.from(salt, 'base64')));
}

/** Every Secret of a workspace. */
export function secretsOf({ resources }: Desired): readonly Secret[] {
  const secrets: Secret[] = [];
  for (const { attributes } of resources) {
    mapLeaves(attributes, (leaf) => {
      if (leaf instanceof Secret) secrets.push(leaf);
      return leaf;
    });
  }
  return secrets;
}
