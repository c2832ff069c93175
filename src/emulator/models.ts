// The models of the organization, as AI jobs and routines name them.

import { type Answer, Rejection } from './answers.ts';
import { aString, oneOf, readQuery } from './checks.ts';
import { aPageSize, cutPage, type OperationInput, sameId } from './requests.ts';
import type { EmulatedModel, EmulatedObject, Store } from './store.ts';

export function findModel(id: unknown, { data }: Store): EmulatedModel | undefined {
  return data.models.find((known) => sameId(known.id, id));
}

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

export function kindOf({ kind = 'SHARED' }: EmulatedModel) {
  return kind;
}

const modelsSince = '2026-01-01T00:00:00.000Z';

const parameters = {
  cursor: aString,
  include: oneOf('activeBranches'),
  modelKind: oneOf('SHARED', 'SHARED_EXTENSION', 'WORKBOOK'),
  pageSize: aPageSize,
  sortDirection: oneOf('asc', 'desc'),
  sortField: oneOf('name'),
};

/** GET /v1/models: those of one kind, with their branches if requested. */
export function listModels({ store, query }: OperationInput): Answer {
  const { include, modelKind, pageSize = 20, ...given } = readQuery(query, parameters);
  const found = store.data.models.filter((model) => modelKind === undefined || kindOf(model) === modelKind);
  const asked = { sortField: 'name', sortDirection: 'asc', ...given, pageSize: Number(pageSize) } as const;
  const { pageInfo, page } = cutPage(found, asked, ({ id, name }) => ({ value: name, id }));
  const records = page.map((model) => ({
    id: model.id,
    name: model.name,
    modelKind: kindOf(model),
    baseModelId: null,
    connectionId: store.data.organization.id,
    createdAt: modelsSince,
    updatedAt: modelsSince,
    deletedAt: null,
    ...(include !== undefined && { branches: model.branches }),
  }));
  return { status: 200, body: { pageInfo, records } };
}
