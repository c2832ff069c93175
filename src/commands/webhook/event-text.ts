// Webhook events for a terminal, as they come; and as lines of JSON.

import { isJsonObject } from '../../model/values/json.ts';
import { dim, indented, joined } from '../../report/doc.ts';
import { linesOf } from '../../report/print-text.ts';
import type { Page } from '../../report/text/theme.ts';
import { visibleText } from '../../report/text/visible-values.ts';
import type { WebhookEvent } from '../../webhook/read-event.ts';

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
