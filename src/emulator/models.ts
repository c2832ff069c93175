// The models of the organization, as AI jobs and routines name them.

import { Rejection } from './answers.ts';
import { sameId } from './requests.ts';
import type { EmulatedModel, EmulatedObject, Store } from './store.ts';

/** Refuses a model, a branch of it or a topic of it that does not exist. */
export function requireModel({ modelId, branchId, topicName }: EmulatedObject, store: Store): EmulatedModel {
  const model = store.data.models.find((known) => sameId(known.id, modelId));
  if (model === undefined) throw new Rejection(404, `Model with id ${String(modelId)} does not exist`);
  if (branchId !== undefined && !model.branches.some(({ id }) => sameId(id, branchId))) {
    throw new Rejection(404, `Branch with id ${String(branchId)} does not belong to model ${model.id}`);
  }
  if (typeof topicName === 'string' && !model.topics.includes(topicName)) {
    throw new Rejection(404, `Topic "${topicName}" does not exist in model ${model.id}`);
  }
  return model;
}
