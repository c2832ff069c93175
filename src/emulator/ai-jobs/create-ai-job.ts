// POST /v1/ai/jobs: queues a job, which run-jobs.ts then runs. A conversation has at most one unfinished job.

import { readActingMember } from '../pipeline/acting-member.ts';
import { type Answer, Rejection } from '../pipeline/answer.ts';
import type { Call } from '../pipeline/exchange.ts';
import {
  aBoolean,
  aNonEmptyString,
  anHttpUrl,
  anObject,
  aString,
  aStringUpTo,
  aUuid,
  checkFields,
  type Fields,
  sameId,
} from '../pipeline/fields.ts';
import type { EmulatedObject, Model, Store } from '../store/store.ts';
import { chatUrl } from './find-job.ts';
import { hasEnded } from './run-jobs.ts';

interface JobBody extends EmulatedObject {
  modelId: string;
  prompt: string;
}

const prefix = 'Bad Request: ';

const fields: Fields = {
  modelId: { check: aUuid, required: true },
  prompt: { check: aNonEmptyString, required: true },
  conversationId: { check: aUuid },
  branchId: { check: aUuid },
  topicName: { check: aStringUpTo(256) },
  progressWebhookEnabled: { check: aBoolean },
  webhookUrl: { check: anHttpUrl },
  webhookSigningSecret: { check: aString },
  webhookMetadata: { check: anObject },
};

export function createAiJob(call: Call): Answer {
  const { store } = call;
  const ownerId = readActingMember(call, { mustBeUuid: true, prefix });
  checkFields(call.body, fields, prefix);
  const { webhookSigningSecret, ...job } = call.body as JobBody;
  if (job.progressWebhookEnabled === true && job.webhookUrl === undefined) {
    throw new Rejection(400, `${prefix}webhookUrl: Required when progressWebhookEnabled is true`);
  }
  checkModel(job, store);
  const conversationId = typeof job.conversationId === 'string' ? job.conversationId.toLowerCase() : undefined;
  if (conversationId !== undefined) checkConversation(conversationId, store);
  const stored = {
    id: store.newId(),
    conversationId: conversationId ?? store.newId(),
    status: 'QUEUED' as const,
    ownerId,
    createdAt: new Date(store.now()).toISOString(),
    hasSigningSecret: webhookSigningSecret !== undefined,
    fields: job,
  };
  store.data.jobs.push(stored);
  if (webhookSigningSecret !== undefined) store.signingSecrets.set(stored.id, String(webhookSigningSecret));
  store.save();
  return {
    status: 201,
    body: {
      jobId: stored.id,
      conversationId: stored.conversationId,
      omniChatUrl: chatUrl(stored, store),
    },
  };
}

function checkModel({ modelId, branchId, topicName }: EmulatedObject, store: Store): void {
  const model = store.data.models.find((known) => sameId(known.id, modelId));
  if (model === undefined) throw new Rejection(404, `Model with id ${String(modelId)} does not exist`);
  if (branchId !== undefined && !hasBranch(model, branchId)) {
    throw new Rejection(404, `Branch with id ${String(branchId)} does not belong to model ${model.id}`);
  }
  if (typeof topicName === 'string' && !model.topics.includes(topicName)) {
    throw new Rejection(404, `Topic "${topicName}" does not exist in model ${model.id}`);
  }
}

function hasBranch(model: Model, branchId: unknown): boolean {
  return model.branches.some((branch) => sameId(branch.id, branchId));
}

function checkConversation(id: string, store: Store): void {
  const jobs = store.data.jobs.filter((job) => job.conversationId === id);
  if (jobs.length === 0) throw new Rejection(404, `Conversation with id ${id} does not exist`);
  if (jobs.some((job) => !hasEnded(job))) {
    throw new Rejection(409, `Conversation ${id} already has an active job`);
  }
}
