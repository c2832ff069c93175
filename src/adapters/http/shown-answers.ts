// Masks secrets in the parts of answers that are shown, or kept in the state.

import type { Secret } from '../../model/values/secret.ts';
import type { Created } from '../../ports/api.ts';
import type { Reading } from '../answers/read-created.ts';
import type { Caller } from './http-call.ts';
import { cleanText, type Mask, makeMask } from './service-text.ts';
import type { WireRequest } from './wire.ts';

/** Masks only long secrets: a short one would garble ids, addresses and ordinary words. */
function maskOfLong(secrets: readonly string[]): Mask {
  return makeMask(secrets.filter((secret) => secret.length >= 8));
}

/** For what an AI says: it may repeat the secrets of its prompt. */
export function shownMask(caller: Caller, secrets: readonly Secret[]): Mask {
  return maskOfLong([...caller.secrets, ...secrets.flatMap((secret) => secret.revealAll())]);
}

/** Masks secrets in outputs, because outputs go into the state. */
export function withMaskedOutputs(reading: Reading<Created>, caller: Caller, request: WireRequest): Reading<Created> {
  if (!('value' in reading)) return reading;
  const mask = maskOfLong([...caller.secrets, ...request.secrets]);
  const outputs = Object.entries(reading.value.outputs).map(([name, text]) => [name, mask(cleanText(String(text)))]);
  return { value: { ...reading.value, outputs: Object.fromEntries(outputs) } };
}
