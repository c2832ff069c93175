// Whether what an AI job says may be shown: the service quotes what it was asked, so every secret that it was asked with
// must be known, to be masked. The state has fingerprints only, and the environment may be another one now.

import type { AiJobDocument } from '../../model/plan/ai-job-document.ts';
import type { State } from '../../model/plan/state.ts';
import type { Json } from '../../model/values/json.ts';
import { mapSealed, secretKey } from '../../model/values/secret.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Desired } from '../../model/workspace/resource.ts';
import { fingerprintSecrets, makeFingerprint } from '../propose/fingerprint-secrets.ts';

/** What goes to whoever receives the events, and not to the model. */
const ofTheWebhook: readonly string[] = ['webhookUrl', 'webhookSigningSecret', 'webhookMetadata'];

/** Whether the declarations hold, as they are now, all secrets that the job was run with. */
export async function knowsSecrets({ resources, salt }: State, desired: Desired, address: string): Promise<boolean> {
  const asked = fingerprintsOf([resources[address]?.attributes ?? {}]);
  if (asked.size === 0) return true;
  const jobs = desired.resources.filter(({ kind }) => kind === 'aiJob');
  const sealed = await fingerprintSecrets({ ...desired, resources: jobs }, makeFingerprint(salt));
  const known = fingerprintsOf(sealed.resources.map(({ attributes }) => attributes));
  return [...asked].every((fingerprint) => known.has(fingerprint));
}

function fingerprintsOf(declarations: readonly Readonly<Record<string, Json>>[]): ReadonlySet<string | null> {
  const found = new Set<string | null>();
  for (const [name, value] of declarations.flatMap(Object.entries<Json>)) {
    if (ofTheWebhook.includes(name)) continue;
    mapSealed(value, (secret) => {
      found.add(secret[secretKey]);
      return null;
    });
  }
  return found;
}

/** The document without what a model has written. */
export function withoutWords(document: AiJobDocument): AiJobDocument {
  const { progress, error, resultSummary: _, result: __, ...rest } = document;
  return {
    ...rest,
    ...(progress?.iteration === undefined ? {} : { progress: { iteration: progress.iteration } }),
    ...(error?.code === undefined ? {} : { error: { code: error.code } }),
  };
}

export const wordsWithheld =
  'What the job says is not shown: it was run with a secret that is not known here, and so could not be masked.';

/** For a result, which is nothing but words. */
export function answerWithheld({ resources }: State, address: string): Failure {
  const chat = resources[address]?.outputs?.['omniChatUrl'];
  return new Failure('missing-secret', `${address}: ${wordsWithheld}`, {
    hint: `Run this with the declaration and the environment variables that it was run with, or read its chat in Omni${typeof chat === 'string' ? `: ${chat}` : ''}.`,
  });
}
