// POST .../cancel: ends a queued job at once, and an executing job after its current iteration. Repeatable: for a job
// that has ended it only returns the state.

import { type Answer, Rejection } from '../pipeline/answer.ts';
import type { Call } from '../pipeline/exchange.ts';
import { findJob } from './find-job.ts';

export function cancelAiJob(call: Call): Answer {
  const { store } = call;
  const job = findJob(call);
  if (job.status === 'DELIVERING') {
    throw new Rejection(409, `AI job ${job.id} delivers its result and can no longer be cancelled`);
  }
  const now = new Date(store.now()).toISOString();
  if (job.status === 'QUEUED') {
    job.status = 'CANCELLED';
    job.completedAt = now;
    job.updatedAt = now;
  } else if (job.status === 'EXECUTING') {
    job.cancelRequested = true;
  }
  store.save();
  return { status: 200, body: { id: job.id, state: job.status } };
}
