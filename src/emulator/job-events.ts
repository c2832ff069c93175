// The events of a job as they are posted. The payload of terminal events is documented. The payload of progress events
// is not, so it contains the status in the same frame.

import type { JobEvent, Store, StoredJob } from './store.ts';

/** Does nothing if the job does not want events of this kind. */
export function addEvent(job: StoredJob, store: Store, kind: JobEvent['kind']): void {
  const { webhookUrl, progressWebhookEnabled } = job.fields;
  if (typeof webhookUrl !== 'string') return;
  if (kind === 'progress' && progressWebhookEnabled !== true) return;
  const at = job.updatedAt ?? job.createdAt;
  const id = idOf(job, kind, at);
  const body = JSON.stringify({ event_id: id, ...payloadOf(job, kind) });
  store.data.events ??= [];
  store.data.events.push({ id, jobId: job.id, kind, at, body, url: webhookUrl, attempts: [], dueAt: at });
}

function idOf({ id, status, progress }: StoredJob, kind: JobEvent['kind'], at: string): string {
  const tail = kind === 'progress' ? `PROGRESS_${progress?.iteration ?? 0}` : status;
  return `evt_${id}_${tail}_${Math.floor(Date.parse(at) / 1000)}`;
}

function payloadOf(job: StoredJob, kind: JobEvent['kind']): object {
  const metadata = job.fields['webhookMetadata'] ?? null;
  const { id: jobId, status } = job;
  if (kind === 'progress') return { jobId, status, progress: job.progress, metadata };
  return {
    jobId,
    status,
    result_summary: job.resultSummary ?? null,
    error: job.error,
    metadata,
    completed_at: job.completedAt,
  };
}
