// Decides whether the text of an AI job may be shown. The service may quote the prompt, so every secret in the prompt
// must be known to be masked. The state has only fingerprints, and the environment may have changed since.

import { fingerprintSecrets } from '../../apply/propose/fingerprint-secrets.ts';
import { keyingOf } from '../../apply/propose/secret-keys.ts';
import type { AiJobDocument } from '../../model/plan/apply-outcome.ts';
import type { State } from '../../model/plan/state.ts';
import type { Json } from '../../model/values/json.ts';
import { mapSealed, type Secret, secretKey } from '../../model/values/secret.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Desired } from '../../model/workspace/resource.ts';

/** Fields that go to the receiver of the events and not to the model. */
const webhookFields: readonly string[] = ['webhookUrl', 'webhookSigningSecret', 'webhookMetadata'];

/** Whether the current declarations contain all secrets that the job was run with. */
export async function knowsSecrets(
  state: State,
  { desired, stateKey }: { readonly desired: Desired; readonly stateKey?: Secret },
  address: string,
): Promise<boolean> {
  const { resources, salt } = state;
  const asked = fingerprintsOf([resources[address]?.attributes ?? {}]);
  if (asked.size === 0) return true;
  const keying = keyingOf({ state, salt, key: stateKey, operations: 'full', resends: false });
  const jobs = desired.resources.filter(({ kind }) => kind === 'aiJob');
  const sealed = await fingerprintSecrets({ ...desired, resources: jobs }, keying.fingerprint);
  const known = fingerprintsOf(sealed.resources.map(({ attributes }) => attributes));
  return [...asked].every((fingerprint) => fingerprint !== null && known.has(fingerprint));
}

function fingerprintsOf(declarations: readonly Readonly<Record<string, Json>>[]): ReadonlySet<string | null> {
  const found = new Set<string | null>();
  for (const [name, value] of declarations.flatMap(Object.entries<Json>)) {
    if (webhookFields.includes(name)) continue;
    mapSealed(value, (secret) => {
      found.add(secret[secretKey]);
      return null;
    });
  }
  return found;
}

/** The document without text that a model wrote. */
export function withoutWords(document: AiJobDocument): AiJobDocument {
  const { progress, error, resultSummary: _, result: __, ...rest } = document;
  return {
    ...rest,
    progress: progress?.iteration === undefined ? undefined : { iteration: progress.iteration },
    error: error?.code === undefined ? undefined : { code: error.code },
  };
}

export const wordsWithheld =
  'The text of the job is not shown: the job was run with a secret that is not known here, so it could not be masked.';

/** For a result, which consists of text only. */
export function answerWithheld({ resources }: State, address: string): Failure {
  const chat = resources[address]?.outputs?.['omniChatUrl'];
  return new Failure('missing-secret', `${address}: ${wordsWithheld}`, {
    hint: `Use the declaration and the environment variables that the job was run with, or read its chat in Omni${typeof chat === 'string' ? `: ${chat}` : ''}.`,
  });
}
