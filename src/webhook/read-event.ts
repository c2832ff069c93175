// The event that the body of a webhook request holds.

import { isDeeper, isJsonObject, type Json, type JsonObject, ownValue } from '../model/values/json.ts';

export interface WebhookEvent {
  /** The same for every attempt to deliver an event; identifies repeats. */
  readonly id: string | undefined;
  /** `job.complete`, `job.failed`, `job.denied`; `progress` or the payload's own word for it; `unknown`. */
  readonly kind: string;
  readonly jobId: string | undefined;
  /** The status of the job, such as COMPLETE. */
  readonly status: string | undefined;
  /** The job's answer, in Markdown. */
  readonly summary: string | undefined;
  /** The webhookMetadata of the job, as declared. */
  readonly metadata: Json | undefined;
  /** The complete payload. */
  readonly payload: JsonObject;
}

const kindOfStatus: Readonly<Record<string, string>> = {
  COMPLETE: 'job.complete',
  FAILED: 'job.failed',
  CANCELLED: 'job.cancelled',
  DENIED: 'job.denied',
  QUEUED: 'progress',
  EXECUTING: 'progress',
  DELIVERING: 'progress',
};

const deepest = 100;

/**
 * Reads an event of an AI job from its payload. The payload of terminal events is published; the kinds and the payload of
 * progress events are not. So every plausible name is tried, and nothing is required. Undefined if the body is not a JSON
 * object, or is nested deeper than any real event.
 */
export function readEvent(body: Uint8Array): WebhookEvent | undefined {
  const payload = parse(body);
  if (!isJsonObject(payload) || isDeeper(payload, deepest)) return undefined;
  const status = firstText(payload, 'status', 'state');
  const named = firstText(payload, 'event', 'event_type', 'eventType', 'type', 'kind');
  const byStatus = status !== undefined && Object.hasOwn(kindOfStatus, status) ? kindOfStatus[status] : undefined;
  return {
    id: firstText(payload, 'event_id', 'eventId'),
    kind: named ?? byStatus ?? ('progress' in payload ? 'progress' : 'unknown'),
    jobId: firstText(payload, 'jobId', 'job_id'),
    status,
    summary: firstText(payload, 'result_summary', 'resultSummary'),
    metadata: payload['metadata'] ?? payload['webhookMetadata'],
    payload,
  };
}

function parse(body: Uint8Array): Json | undefined {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as Json;
  } catch {
    return undefined;
  }
}

function firstText(payload: JsonObject, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = ownValue(payload, name);
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}
