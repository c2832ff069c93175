// Finds the job that a path names, if the caller may see it: a member sees its own jobs, the organization sees all.

import { Rejection } from '../pipeline/answer.ts';
import type { Call } from '../pipeline/exchange.ts';
import { isUuid, sameId } from '../pipeline/fields.ts';
import { readQuery } from '../pipeline/read-query.ts';
import type { Store, StoredJob } from '../store/store.ts';

export function findJob(call: Call): StoredJob {
  readQuery(call.query, []);
  const { store, caller } = call;
  const id = call.params.jobId ?? '';
  if (!isUuid(id)) throw new Rejection(400, 'Bad Request: jobId: Invalid uuid');
  const job = store.data.jobs.find((known) => sameId(known.id, id));
  if (job === undefined) throw new Rejection(404, `AI job with id ${id} does not exist`);
  if (caller.kind === 'personal' && job.ownerId !== caller.memberId) {
    throw new Rejection(403, 'Permission denied: must be job owner or organization admin');
  }
  return job;
}

export function chatUrl({ conversationId }: Pick<StoredJob, 'conversationId'>, { data }: Store): string {
  return `${data.organization.url}/chat/${conversationId}`;
}
