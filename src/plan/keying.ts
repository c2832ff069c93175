// With which key the fingerprints of a state are made, and with which those of this run.

import { createHash } from 'node:crypto';
import type { State } from '../model/plan/state.ts';
import type { JsonObject } from '../model/values/json.ts';
import { holdsSecret, mapSealed, type SealedSecret, type Secret, sealedSecret } from '../model/values/secret.ts';
import type { Finding } from '../model/workspace/diagnostic.ts';
import { type Fingerprint, makeFingerprint } from './fingerprint-secrets.ts';

/**
 * Which fingerprints can be compared. ALMANAC_STATE_KEY keys them, so that nobody can guess a weak password from the
 * state, and the state names the key that they were made with. Fingerprints of another key say nothing about whether a
 * value has changed: then no secret is known to differ, and the plan warns. An apply that may do more than what was
 * reviewed sends these secrets once more, and with that its own fingerprints take the place of the others.
 */
export interface Keying {
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
  /** Whether secrets that nothing can be compared with may be sent again. */
  readonly resends: boolean;
}

export function keyingOf({ state, salt, key, resends }: KeyingOptions): Keying {
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
        ? 'Set ALMANAC_STATE_KEY where almanac apply runs. Without it, a changed secret is not noticed.'
        : takesOver
          ? 'With operations full, this apply sends the secrets of schedules again. The others are fingerprinted when their resource changes.'
          : 'The next almanac apply with neither --expect nor a saved plan sends the secrets of schedules again (operations full) and fingerprints them with this key.',
  };
}
