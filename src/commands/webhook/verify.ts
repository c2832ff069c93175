// `almanac webhook verify [FILE]`: checks that a saved request is an event that the service signed.

import { Failure } from '../../model/workspace/failure.ts';
import { signatureHeader, timestampHeader, verifyWebhook, type WebhookRefusal } from '../../webhook/verify-webhook.ts';
import type { Run } from '../base/run.ts';
import { webhookEventLines } from './event-text.ts';
import type { WebhookVerifyOptions } from './webhook-command.ts';

const hints: Partial<Record<WebhookRefusal, string>> = {
  'wrong-signature':
    'The body must be byte for byte what was received: reformatted JSON or an added newline makes it a different body.',
  stale: 'If the request was saved a while ago, allow more seconds with --tolerance.',
};

export async function webhookVerify(
  run: Run,
  options: WebhookVerifyOptions,
  file: string | undefined,
): Promise<number> {
  const { secretEnv, signature, timestamp, tolerance } = options;
  const secret = webhookSecret(run, secretEnv);
  if (secret === undefined) {
    throw missingSecret(secretEnv, 'Set it to the webhookSigningSecret of the job, or name another with --secret-env.');
  }
  const body = await run.readBytes(file === '-' ? undefined : file);
  const headers = { [signatureHeader]: signature, [timestampHeader]: timestamp };
  const now = run.clock.now();
  const verdict = verifyWebhook(body, headers, secret, { now, tolerance });
  if (!verdict.ok) throw new Failure('refused', verdict.message, { hint: hints[verdict.reason] });
  const lines = webhookEventLines(run.page(), verdict.event, verdict.signedAt, true);
  run.stdout.write(`The signature is valid.\n${lines.join('\n')}\n`);
  return 0;
}

/** Undefined if the variable is not set, or empty. */
export function webhookSecret({ environment }: Run, name: string): string | undefined {
  return environment(name) || undefined;
}

/** A name that does not look like one may be the secret itself, so it is not printed. */
export function missingSecret(name: string, hint: string): Failure {
  if (/^[A-Z_][A-Z0-9_]*$/.test(name)) {
    return new Failure('missing-secret', `The environment variable ${name} is not set or is empty.`, { hint });
  }
  return new Failure('missing-secret', 'The environment variable that --secret-env names is not set or is empty.', {
    hint: `--secret-env takes the name of the variable, not the secret itself. ${hint}`,
  });
}
