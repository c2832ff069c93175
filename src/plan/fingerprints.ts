// Fingerprints in place of secrets, before anything plans or records them: scrypt with the state's salt, of the text or of
// its HMAC where there is a key, computed once for each distinct text, several at a time; and with which key those of a
// state are made, and those of this run.

import { createHash, createHmac, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { State } from '../model/plan/state.ts';
import type { Address } from '../model/values/address.ts';
import { memoize } from '../model/values/collections.ts';
import { command } from '../model/values/command.ts';
import type { JsonObject } from '../model/values/json.ts';
import { holdsSecret, mapSealed, type SealedSecret, Secret, sealedSecret } from '../model/values/secret.ts';
import type { Finding } from '../model/workspace/diagnostic.ts';
import { type Leaf, mapLeaves } from '../model/workspace/map-leaves.ts';
import {
  type Declared,
  type Desired,
  type Resource,
  type SealedResource,
  secretsIn,
} from '../model/workspace/resource.ts';

/** The fingerprint of a text, base64url; null where none can be made that may be compared. */
type Fingerprint = (text: string) => Promise<string | null>;

/**
 * The desired state as the planner may see it. The secrets of what is not compared have no fingerprint, as if nobody knew their
 * values.
 */
export async function fingerprintSecrets(
  desired: Desired,
  fingerprint: Fingerprint,
  isCompared: (address: Address) => boolean,
): Promise<Desired<SealedResource>> {
  if (!holdsSecrets(desired)) return desired as Desired<SealedResource>;
  const resources = desired.resources.filter(({ address }) => isCompared(address));
  const secrets = [...secretsOf({ resources }), ...replacedSecrets({ resources })];
  const texts = [...new Set(secrets.flatMap((secret) => secret.reveal() ?? []))];
  const made = new Map(await Promise.all(texts.map(async (text) => [text, await fingerprint(text)] as const)));
  return sealed(desired, (text, address) => (isCompared(address) ? (made.get(text) ?? null) : null));
}

/** The declarations without the values of their secrets. */
export function withoutFingerprints(desired: Desired): Desired<SealedResource> {
  return sealed(desired, () => null);
}

function sealed(
  { resources, ...desired }: Desired,
  fingerprintOf: (text: string, address: Address) => string | null,
): Desired<SealedResource> {
  const sealResource = (resource: Resource): SealedResource => {
    const { attributes, sink, ...rest } = resource;
    const seal = (leaf: Leaf): Declared => {
      if (!(leaf instanceof Secret)) return leaf;
      const text = leaf.reveal();
      return sealedSecret(text === undefined ? null : fingerprintOf(text, resource.address), leaf.shown);
    };
    const sealedAttributes = mapLeaves(attributes, seal) as JsonObject;
    if (sink === undefined)
      return sealedAttributes === attributes ? (resource as SealedResource) : { ...rest, attributes: sealedAttributes };
    const declared = mapLeaves(sink.declared, seal) as JsonObject;
    return { ...rest, attributes: sealedAttributes, sink: { ...sink, declared } };
  };
  return { ...desired, resources: resources.map(sealResource) };
}

export function holdsSecrets(desired: Pick<Desired, 'resources'>): boolean {
  return secretsOf(desired).length > 0 || replacedSecrets(desired).length > 0;
}

/** Every Secret that a workspace sends. */
export function secretsOf({ resources }: Pick<Desired, 'resources'>): readonly Secret[] {
  return secretsIn(resources.map(({ attributes }) => attributes));
}

/** The secrets that a sink replaced: nobody needs their values, but they are compared. */
function replacedSecrets({ resources }: Pick<Desired, 'resources'>): readonly Secret[] {
  return secretsIn(resources.flatMap(({ sink }) => (sink === undefined ? [] : [sink.declared])));
}

/**
 * Decides which fingerprints can be compared. ALMANAC_STATE_KEY keys them, so that nobody can guess a weak password from the
 * state, and the state names the key that they were made with. Fingerprints of another key say nothing about whether a value has
 * changed: then no secret is known to differ, and the plan warns. An apply that may do more than what was reviewed sends these
 * secrets once more, and with that its own fingerprints take the place of the others.
 */
export interface FingerprintKey {
  /** The name of the key of the fingerprints that are recorded; undefined for fingerprints without a key. */
  readonly secretKey: string | undefined;
  readonly fingerprint: Fingerprint;
  /** The state with its fingerprints as far as they can be compared. */
  readonly comparable: (state: State | undefined) => State | undefined;
  readonly findings: readonly Finding[];
}

interface KeyingOptions {
  readonly state: State | undefined;
  readonly salt: string;
  readonly key: Secret | undefined;
  /** True if secrets that nothing can be compared with may be sent again. */
  readonly resends: boolean;
}

export function keyingOf({ state, salt, key, resends }: KeyingOptions): FingerprintKey {
  const text = key?.reveal();
  const name = text === undefined ? undefined : keyName(text);
  const isSame = state === undefined || state.secretKey === name;
  // An apply without the key must not replace fingerprints that cannot be guessed by others that can.
  const takesOver = isSame || (resends && text !== undefined);
  return {
    secretKey: takesOver ? name : state.secretKey,
    fingerprint: takesOver ? makeFingerprint(salt, text) : async () => null,
    comparable: (given) => (given !== undefined && takesOver && !isSame ? withUnknown(given) : given),
    findings: isSame || !holdsFingerprints(state) ? [] : [otherKey(state.secretKey, name, takesOver)],
  };
}

const derive = promisify<string, Buffer, number, Buffer>(scrypt);

const fingerprintBytes = 24;

/** Computes each text's fingerprint once. `salt` is base64. Without the `key`, nobody can try out texts. */
export function makeFingerprint(salt: string, key?: string): Fingerprint {
  const bytes = Buffer.from(salt, 'base64');
  const keyed = (text: string) => (key === undefined ? text : createHmac('sha256', key).update(text).digest('base64'));
  return memoize(async (text) => (await derive(keyed(text), bytes, fingerprintBytes)).toString('base64url'));
}

/** The first 16 hex digits of its SHA-256. */
function keyName(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 16);
}

/** Nothing is known of any secret: those of schedules are sent again, and the others wait for their next change. */
function withUnknown(state: State): State {
  const unknown = ({ text }: SealedSecret) => sealedSecret(null, text);
  const resources = Object.entries(state.resources).map(([address, resource]) => {
    if (!holdsSecret(resource.attributes)) return [address, resource] as const;
    return [address, { ...resource, attributes: mapSealed(resource.attributes, unknown) as JsonObject }] as const;
  });
  return { ...state, resources: Object.fromEntries(resources) };
}

function holdsFingerprints({ resources }: State): boolean {
  return Object.values(resources).some(({ attributes }) => holdsSecret(attributes));
}

function otherKey(recorded: string | undefined, name: string | undefined, takesOver: boolean): Finding {
  const made =
    recorded === undefined
      ? 'without ALMANAC_STATE_KEY, which is set here'
      : name === undefined
        ? 'with ALMANAC_STATE_KEY, which is not set here'
        : 'with another ALMANAC_STATE_KEY';
  return {
    code: 'other-state-key',
    message: `The fingerprints of secrets in the state were made ${made}. Whether a secret has changed is therefore not known.`,
    hint:
      name === undefined
        ? `Set ALMANAC_STATE_KEY where ${command('apply')} runs. Without it, a changed secret is not noticed.`
        : takesOver
          ? 'With operations full, this apply sends the secrets of schedules again. The others are fingerprinted when their resource changes.'
          : `The next ${command('apply')} with neither --expect nor a saved plan sends the secrets of schedules again (operations full) and fingerprints them with this key.`,
  };
}
