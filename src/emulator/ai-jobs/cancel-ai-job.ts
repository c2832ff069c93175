// POST .../cancel: ends a queued job at once, and an executing job after its current iteration. Repeatable: for a job
// that has ended it only returns the state.

import { type Answer, Rejection } from '../pipeline/answer.ts';
import type { Call } from '../pipeline/exchange.ts';
import type { StoredJob, Token } from '../store/store.ts';
import { findJob } from './find-job.ts';
import { endCancelled, hasEnded } from './run-jobs.ts';

export function cancelAiJob(call: Call): Answer {
  const { store } = call;
  const job = findJob(call);
  refuseOtherMembers(job, call.caller);
  if (job.status === 'DELIVERING') {
    throw new Rejection(409, `AI job ${job.id} delivers its result and can no longer be cancelled`);
  }
  if (!hasEnded(job))
    job.cancelledBy = call.caller.kind === 'personal' ? call.caller.memberId : store.data.organization.id;
  if (job.status === 'QUEUED') endCancelled(job, new Date(store.now()).toISOString());
  else if (job.status === 'EXECUTING') job.cancelRequested = true;
  store.save();
  return { status: 200, body: { jobId: job.id, state: job.status } };
}

/** Members may read the jobs of others, but not end them. */
function refuseOtherMembers({ ownerId }: StoredJob, caller: Token): void {
  if (caller.kind !== 'personal' || ownerId === caller.memberId) return;
  throw new Rejection(403, 'Permission denied: must be job owner or organization admin');
}
