// What online checks need from the service, with as few requests as possible: the list of documents once and, with
// operations full, the filters and queries of each declared dashboard where the declarations name any.

import { uuid } from '../../model/fields/patterns.ts';
import { type DocumentParameters, mostOnAPage } from '../../model/service/documents.ts';
import type { RemoteFilters } from '../../model/service/remote.ts';
import { statusOf } from '../../model/service/service-error.ts';
import type { Answer, DashboardIds, KnownDocument, ServiceView } from '../../model/service/service-view.ts';
import type { Operations } from '../../model/workspace/config.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Api, CallOptions } from '../../ports/api.ts';
import { isUsable } from '../../validate/online/check-dashboard.ts';
import type { DashboardReferences } from '../../validate/online/dashboard-references.ts';
import { inParallel } from './in-parallel.ts';
import type { Service } from './service.ts';

export interface ObserveReferencesOptions {
  readonly declared: readonly DashboardReferences[];
  readonly operations: Operations;
  readonly service: Service;
}

/** Including deleted ones, to distinguish them from those that never existed. */
const everyDocument: DocumentParameters = {
  include: ['includeDeleted'],
  labels: [],
  pageSize: mostOnAPage,
  sortField: 'name',
  sortDirection: 'asc',
};

export async function observeReferences({
  declared,
  operations,
  service,
}: ObserveReferencesOptions): Promise<ServiceView> {
  const documents = await listKnown(service);
  const ids = new Map<string, Answer<DashboardIds>>();
  const queries = new Map<string, Answer<Awaited<ReturnType<Api['listQueries']>>>>();
  if (operations !== 'full') return { documents, ids, queries };
  const byIdentifier = new Map(documents.map((document) => [document.identifier, document]));
  const isThere = (identifier: string) => {
    const document = byIdentifier.get(identifier);
    return document === undefined ? new RegExp(uuid).test(identifier) : isUsable(document);
  };
  const naming = (isQuery: boolean) => [
    ...new Set(
      declared
        .filter(({ references }) => references.some(({ named }) => (named === 'query') === isQuery))
        .map(({ identifier }) => identifier.id)
        .filter(isThere),
    ),
  ];
  const questions = [
    ...naming(false).map((identifier) => () => ask(identifier, ids, service, askIds)),
    ...naming(true).map((identifier) => () => ask(identifier, queries, service, askQueries)),
  ];
  await inParallel(questions, service.concurrency, (question) => question());
  return { documents, ids, queries };
}

async function listKnown(service: Service): Promise<readonly KnownDocument[]> {
  const { documents } = await (await service.api()).listDocuments(everyDocument, service.call);
  return documents.map(({ identifier, name, deleted, hasDashboard, scope }) => ({
    identifier,
    name,
    deleted,
    hasDashboard: hasDashboard !== false,
    ...(scope === undefined ? {} : { scope }),
  }));
}

const askIds = async (api: Api, identifier: string, call: CallOptions) => idsOf(await api.getFilters(identifier, call));
const askQueries = (api: Api, identifier: string, call: CallOptions) => api.listQueries(identifier, call);

async function ask<T>(
  identifier: string,
  answers: Map<string, Answer<T>>,
  service: Service,
  question: (api: Api, identifier: string, call: CallOptions) => Promise<T>,
): Promise<void> {
  try {
    answers.set(identifier, { value: await question(await service.api(), identifier, service.call) });
  } catch (error) {
    answers.set(identifier, refusal(error));
  }
}

/** A refusal of this one says nothing about the others; any other failure ends the checks. */
function refusal(error: unknown): { readonly refused: string; readonly isMissing: boolean } {
  const status = statusOf(error);
  const isRefused = status !== undefined && status >= 400 && status < 500 && status !== 401 && status !== 429;
  if (!(error instanceof Failure) || !isRefused) throw error;
  return { refused: error.message, isMissing: status === 404 };
}

function idsOf({ filters, controls, filterOrder }: RemoteFilters): DashboardIds {
  const inOrder = (ids: readonly string[]) => {
    const place = (id: string) => (filterOrder.includes(id) ? filterOrder.indexOf(id) : filterOrder.length);
    return [...ids].sort((a, b) => place(a) - place(b));
  };
  return { filters: inOrder(Object.keys(filters)), controls: inOrder(Object.keys(controls)) };
}
