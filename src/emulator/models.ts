// The models of the organization, as AI jobs and routines name them.

import { Rejection } from './answers.ts';
import { sameId } from './requests.ts';
import type { EmulatedModel, EmulatedObject, Store } from './store.ts';

export function findModel(id: unknown, { data }: Store): EmulatedModel | undefined {
  return data.models.find((known) => sameId(known.id, id));
}

/** Refuses a model, a branch of it or a topic of it that does not exist. */
export function requireModel(named: EmulatedObject, store: Store): void {
  const missing = whatIsMissing(named, store);
  if (missing !== undefined) throw new Rejection(404, missing);
}

/** In words; undefined if all of it exists. */
export function whatIsMissing({ modelId, branchId, topicName }: EmulatedObject, store: Store): string | undefined {
  const model = findModel(modelId, store);
  if (model === undefined) return `Model with id ${String(modelId)} does not exist`;
  if (branchId !== undefined && !model.branches.some(({ id }) => sameId(id, branchId))) {
    return `Branch with id ${String(branchId)} does not belong to model ${model.id}`;
  }
  if (typeof topicName === 'string' && !model.topics.includes(topicName)) {
    return `Topic "${topicName}" does not exist in model ${model.id}`;
  }
  return undefined;
}
