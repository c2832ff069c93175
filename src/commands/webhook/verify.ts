// `almanac webhook verify [FILE]`: whether a saved request is an event that the service has signed.

import { Failure } from '../../model/workspace/failure.ts';
import { webhookEventLines } from '../../render/apply/webhook-text.ts';
import { signatureHeader, timestampHeader, verifyWebhook, type WebhookRefusal } from '../../webhook/verify-webhook.ts';
import type { Run } from '../base/run.ts';
import type { WebhookVerifyOptions } from './command.ts';
import { missingSecret, webhookSecret } from './webhook-secret.ts';

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
  if (!verdict.ok) {
    const hint = hints[verdict.reason];
    throw new Failure('refused', verdict.message, hint === undefined ? {} : { hint });
  }
  const lines = webhookEventLines(run.page(), verdict.event, verdict.signedAt, true);
  run.stdout.write(`The signature is valid.\n${lines.join('\n')}\n`);
  return 0;
}
