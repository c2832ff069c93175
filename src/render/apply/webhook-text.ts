// Webhook events for a terminal, as they come; and as lines of JSON.

import { isJsonObject } from '../../model/values/json.ts';
import type { WebhookEvent } from '../../webhook/webhook-event.ts';
import type { Page } from '../text/field-lines.ts';
import { safeText, wrap } from '../text/terminal-text.ts';
import { visibleText } from '../text/visible-text.ts';

/** Lines without an end: time, kind and job, then the event's message. */
export function webhookEventLines(
  { theme, width }: Page,
  event: WebhookEvent,
  at: number,
  verified: boolean,
): readonly string[] {
  const { kind, jobId = 'an unnamed job', status } = event;
  const role = kind === 'job.failed' || kind === 'job.denied' ? theme.error : theme.strong;
  const mark = verified ? '' : ` ${theme.warning('(not verified)')}`;
  const state = status === undefined ? '' : ` ${safeText(status)}`;
  const head = `${theme.dim(timeOf(at))} ${role(safeText(kind))} ${safeText(jobId)}${state}${mark}`;
  const message = messageIn(event);
  return [head, ...(message === undefined ? [] : wrap(safeText(message, { keepNewlines: true }), width, '  '))];
}

/** The summary, why it failed, or how far the job is. */
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

/** One line with its end; what a terminal would obey is escaped, which leaves the value the same. */
export function renderJsonLine(document: object): string {
  return `${visibleText(JSON.stringify(document))}\n`;
}
