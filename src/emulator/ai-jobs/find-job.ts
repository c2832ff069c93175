// Finds the job that a path names. Everyone with a token of the organization may read it.

import { Rejection } from '../pipeline/answer.ts';
import type { Call } from '../pipeline/exchange.ts';
import { isUuid, sameId } from '../pipeline/fields.ts';
import { readQuery } from '../pipeline/read-query.ts';
import type { Store, StoredJob } from '../store/store.ts';

export function findJob(call: Call): StoredJob {
  readQuery(call.query, []);
  const { store } = call;
  const id = call.params.jobId ?? '';
  if (!isUuid(id)) throw new Rejection(400, 'Bad Request: jobId: Invalid uuid');
  const job = store.data.jobs.find((known) => sameId(known.id, id));
  if (job === undefined) throw new Rejection(404, `AI job with id ${id} does not exist`);
  return job;
}

export function chatUrl({ conversationId }: Pick<StoredJob, 'conversationId'>, { data }: Store): string {
  return `${data.organization.url}/chat/${conversationId}`;
}
