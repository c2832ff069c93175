// Secrets to fingerprints, before anything plans or records them: scrypt with the state's salt, worked out once for
// each distinct value.

import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { define, type Json, type JsonObject } from '../model/json.ts';
import type { Declared, Desired, Resource, SealedResource } from '../model/resource.ts';
import { Secret, sealedSecret } from '../model/secret.ts';

const derive = promisify<string, Buffer, number, Buffer>(scrypt);
const fingerprintBytes = 24;

/** The desired state as the planner may see it. `salt` is base64. */
export async function sealDesired(desired: Desired, salt: string): Promise<Desired<SealedResource>> {
  const secrets = new Set<string>();
  for (const { attributes } of desired.resources) collect(attributes, secrets);
  const fingerprints = new Map<string, string>();
  const bytes = Buffer.from(salt, 'base64');
  for (const secret of secrets) {
    fingerprints.set(secret, (await derive(secret, bytes, fingerprintBytes)).toString('base64url'));
  }
  return { ...desired, resources: desired.resources.map((resource) => sealResource(resource, fingerprints)) };
}

function sealResource(resource: Resource, fingerprints: ReadonlyMap<string, string>): SealedResource {
  return { ...resource, attributes: seal(resource.attributes, fingerprints) as JsonObject };
}

function seal(value: Declared, fingerprints: ReadonlyMap<string, string>): Json {
  if (value instanceof Secret) return sealedSecret(fingerprints.get(value.reveal() ?? '') ?? null);
  if (typeof value !== 'object' || value === null) return value;
  let changed = false;
  const visit = (entry: Declared): Json => {
    const sealed = seal(entry, fingerprints);
    if (sealed !== entry) changed = true;
    return sealed;
  };
  if (Array.isArray(value)) {
    const items = value.map((entry: Declared) => visit(entry));
    return changed ? items : (value as readonly Json[]);
  }
  const object: Record<string, Json> = {};
  for (const [key, entry] of Object.entries(value)) define(object, key, visit(entry as Declared));
  return changed ? object : (value as JsonObject);
}

function collect(value: Declared, secrets: Set<string>): void {
  if (value instanceof Secret) {
    const text = value.reveal();
    if (text !== undefined) secrets.add(text);
  } else if (typeof value === 'object' && value !== null) {
    for (const entry of Object.values(value) as Declared[]) collect(entry, secrets);
  }
}

/** Every Secret of a workspace. */
export function secretsOf(desired: Desired): readonly Secret[] {
  const secrets: Secret[] = [];
  const visit = (value: Declared): void => {
    if (value instanceof Secret) secrets.push(value);
    else if (typeof value === 'object' && value !== null)
      for (const entry of Object.values(value) as Declared[]) visit(entry);
  };
  for (const { attributes } of desired.resources) visit(attributes);
  return secrets;
}
