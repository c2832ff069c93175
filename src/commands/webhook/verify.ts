// `almanac webhook verify [FILE]`: checks that a saved request is an event that the service signed.

import { isJsonObject } from '../../model/values/json.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { dim, indented, joined } from '../../report/doc.ts';
import { linesOf } from '../../report/print-text.ts';
import type { Page } from '../../report/text/theme.ts';
import { visibleText } from '../../report/text/visible-values.ts';
import type { WebhookEvent } from '../../webhook/read-event.ts';
import { signatureHeader, timestampHeader, verifyWebhook, type WebhookRefusal } from '../../webhook/verify-webhook.ts';
import type { Run } from '../base/run.ts';
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

// A webhook event as text or as a line of JSON; `listen` prints the same.

/** Lines without an end: time, kind and job, then the event's message. */
export function webhookEventLines(page: Page, event: WebhookEvent, at: number, verified: boolean): readonly string[] {
  const { kind, jobId = 'an unnamed job', status } = event;
  const role = kind === 'job.failed' || kind === 'job.denied' ? 'error' : 'strong';
  const head = joined(
    [dim(timeOf(at)), { role, of: kind }, jobId, status, !verified && { role: 'warning', of: '(not verified)' }],
    ' ',
  );
  const message = messageIn(event);
  return linesOf([head, message !== undefined && indented(2, { message })], page);
}

/** The summary, the reason of a failure, or the progress of the job. */
function messageIn({ summary, payload }: WebhookEvent): string | undefined {
  if (summary !== undefined) return summary;
  for (const name of ['error', 'progress', 'reason', 'message']) {
    const value = payload[name];
    if (typeof value === 'string') return value;
    if (!isJsonObject(value)) continue;
    const { message, detail } = value;
    if (typeof message === 'string') return typeof detail === 'string' ? `${message}: ${detail}` : message;
  }
  return undefined;
}

/** `09:00:00Z`, without the date: people watch the events as they arrive. */
function timeOf(at: number): string {
  return `${new Date(at).toISOString().slice(11, 19)}Z`;
}

/** One line with its end; control characters for terminals are escaped, which leaves the value the same. */
export function renderJsonLine(document: object): string {
  return `${visibleText(JSON.stringify(document))}\n`;
}
