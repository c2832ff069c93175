// GET /v1/ai/jobs/{jobId}: the status of a job. It includes the progress while the job executes, and the summary once
// it is complete.

import type { Answer } from '../pipeline/answer.ts';
import type { Call } from '../pipeline/exchange.ts';
import type { EmulatedObject } from '../store/store.ts';
import { chatUrl, findJob } from './find-job.ts';

export function getAiJob(call: Call): Answer {
  const { store } = call;
  const job = findJob(call);
  const given = (name: string): EmulatedObject[string] => job.fields[name] ?? null;
  return {
    status: 200,
    body: {
      id: job.id,
      state: job.status,
      prompt: given('prompt'),
      conversationId: job.conversationId,
      modelId: given('modelId'),
      branchId: given('branchId'),
      organizationId: store.data.organization.id,
      // A job that belongs to the organization has its id, as a schedule has as its owner.
      userId: job.ownerId ?? store.data.organization.id,
      topicName: given('topicName'),
      omniChatUrl: chatUrl(job, store),
      createdAt: job.createdAt,
      updatedAt: job.updatedAt ?? job.createdAt,
      ...(job.status === 'EXECUTING' && { progress: job.progress }),
      executionStartedAt: job.executionStartedAt,
      ...(job.status === 'FAILED' && { error: job.error, completedAt: job.completedAt }),
      ...(job.status === 'COMPLETE' && { resultSummary: job.resultSummary, completedAt: job.completedAt }),
      ...(job.status === 'CANCELLED' && { cancelledAt: job.cancelledAt, cancelledBy: job.cancelledBy }),
    },
  };
}
