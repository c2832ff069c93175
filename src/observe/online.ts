// Online checks: the declarations compared with what exists in the service. They ask with as few requests as possible: the
// list of documents once and, with operations full, the filters and queries of each declared dashboard, its layout where that
// may change which rows or pages a report has, and the models where the declarations name any.

import type { Loaded } from '../declare/load/load.ts';
import { isUsable } from '../declare/online/check-dashboard.ts';
import { checkAgainstService } from '../declare/online/check-online.ts';
import { type DashboardReferences, referencesOf } from '../declare/online/dashboard-references.ts';
import { type BetterHint, checkFilterTypes } from '../declare/online/filter-types.ts';
import {
  dashboardsToRead,
  layoutsNotRead,
  nothingOnDashboards,
  type OnDashboards,
  onDashboards,
  type Untold,
} from '../declare/rows/on-dashboards.ts';
import { isUuid } from '../model/fields/ids.ts';
import type { StateResource } from '../model/plan/state.ts';
import {
  type AnswerOrRefusal,
  type DashboardIds,
  everyDocument,
  type KnownDocument,
  type ServiceView,
} from '../model/service/documents.ts';
import { isElsewhere } from '../model/service/recognise-rows.ts';
import type { RemoteFilters } from '../model/service/remote.ts';
import type { Address } from '../model/values/address.ts';
import type { Operations } from '../model/workspace/config.ts';
import type { Finding } from '../model/workspace/diagnostic.ts';
import { Failure, statusOf } from '../model/workspace/failure.ts';
import type { Resource } from '../model/workspace/resource.ts';
import type { Api } from '../omni/api.ts';
import { checkMembers } from './check-members.ts';
import { checkModels } from './check-models.ts';
import { checkGroups } from './group-names.ts';
import { readLayouts } from './layouts.ts';
import { checkOwners } from './owners/check-owners.ts';
import { type Elsewhere, presentNames, renamedAmong, renamedFindings } from './renamed-dashboards.ts';
import { inParallel, leavesOpen } from './sending.ts';
import type { Service } from './service.ts';

export interface OnlineOptions {
  readonly loaded: Loaded;
  readonly service: Service;
  /** Asked for where groups are declared, or dashboards that are not listed. */
  readonly trackedAs: () => Promise<TrackedAs>;
}

export type TrackedAs = (address: Address) => StateResource | undefined;

export interface OnlineOutcome {
  readonly findings: readonly Finding[];
  /** Better hints for findings of the files. */
  readonly hints: readonly BetterHint[];
  /** The number of filters of which it is not known whether they have the type of the dashboard's. */
  readonly untoldTypes: number;
  /** The effects of filters on dashboards that are not known. */
  readonly untold: Untold;
  /** The number of requests, repeats included. */
  readonly requests: number;
  /** The declared names and ids of user groups whose members were judged. */
  readonly judgedGroups: ReadonlySet<string>;
}

/**
 * Throws Failure missing-token, and what the api throws, with the words that nothing was checked. The failure carries
 * the findings of the files, so that these are not lost.
 */
export async function checkOnline(options: OnlineOptions): Promise<OnlineOutcome> {
  try {
    return await checked(options);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { loaded } = options;
    const about = error.code.startsWith('api-') ? 'The online checks could not be made. ' : '';
    throw error.with({ message: about + error.message, findings: loaded.findings, source: loaded });
  }
}

async function checked({ loaded, service, trackedAs }: OnlineOptions): Promise<OnlineOutcome> {
  const { config } = loaded;
  // Errors in almanac.yaml have findings of their own.
  if (config === undefined)
    return {
      findings: [],
      hints: [],
      untoldTypes: 0,
      untold: nothingOnDashboards.untold,
      requests: 0,
      judgedGroups: new Set(),
    };
  const sentBefore = service.sent();
  const isFull = config.api.operations === 'full';
  // Throws where there is no token, before anything is sent.
  service.token();
  const owners = await checkOwners(loaded.desired.resources, service);
  const groups = isFull ? await groupFindings(loaded.desired.resources, service, trackedAs) : [];
  const members = isFull ? await checkMembers(loaded, service) : undefined;
  const models = isFull ? await checkModels(loaded.desired.resources, service) : [];
  const otherFindings = [...groups, ...(members?.findings ?? []), ...owners, ...models];
  const outcome = (findings: readonly Finding[]): OnlineOutcome => ({
    findings: [...findings, ...otherFindings],
    hints: [],
    untoldTypes: 0,
    untold: nothingOnDashboards.untold,
    requests: service.sent() - sentBefore,
    judgedGroups: members?.value ?? new Set<string>(),
  });
  const declared = loaded.desired.resources.flatMap((resource) => referencesOf(resource) ?? []);
  if (declared.length === 0) return outcome([]);
  const documents = await listKnown(service);
  const renamed = isFull ? await renamedSince(declared, documents, service, trackedAs) : [];
  const names = presentNames(renamed, new Map(renamed.map(({ id, to }) => [id, to])));
  const view = await observeReferences(declared, { documents, renamed: names }, config.api.operations, service);
  const types = checkFilterTypes(declared, view);
  const made = isFull ? await madeOfFilters(loaded, view, service) : { ...nothingOnDashboards, notRead: [] };
  const found = [
    ...renamedFindings(renamed),
    ...checkAgainstService(declared, view),
    ...types.findings,
    ...made.found.map(({ finding }) => finding),
    ...made.notRead,
  ];
  return { ...outcome(found), hints: types.hints, untoldTypes: types.untold, untold: made.untold };
}

/** The tracked schedules whose dashboard has no document under the declared identifier, because it was renamed. */
async function renamedSince(
  declared: readonly DashboardReferences[],
  documents: readonly KnownDocument[],
  service: Service,
  trackedAs: OnlineOptions['trackedAs'],
): Promise<readonly Elsewhere[]> {
  const listed = new Set(documents.map(({ identifier }) => identifier));
  const unlisted = declared.filter(({ identifier: { id } }) => !listed.has(id) && !isUuid(id));
  if (unlisted.length === 0) return [];
  const tracked = await trackedAs();
  const applied = unlisted.flatMap(({ resource: { address }, identifier: { id: from } }) => {
    const { id, attributes, entityId } = tracked(address) ?? {};
    return id !== undefined && attributes?.['identifier'] === from
      ? [{ address, id, from, recordedEntity: entityId }]
      : [];
  });
  if (applied.length === 0) return [];
  const api = await service.api();
  const rows = new Map((await api.listSchedules({}, service.call)).map((row) => [row.id, row]));
  const elsewhere = applied.flatMap((each): readonly Elsewhere[] => {
    const row = rows.get(each.id);
    return row !== undefined && isElsewhere(row, { identifier: each.from }) ? [{ ...each, to: row.identifier }] : [];
  });
  const renamed = await renamedAmong(elsewhere, service, api);
  return elsewhere.filter(({ id }) => renamed.has(id));
}

/** Finds what the existing dashboards make of the filters of the declared reports. */
async function madeOfFilters(
  { desired, config, rows }: Loaded,
  { documents, renamed }: Pick<ServiceView, 'documents' | 'renamed'>,
  service: Service,
): Promise<OnDashboards & { readonly notRead: readonly Finding[] }> {
  if (config === undefined) return { ...nothingOnDashboards, notRead: [] };
  const { safety } = config;
  const present = (identifier: string) => renamed.get(identifier) ?? identifier;
  const isThere = isThereOf(documents, present);
  const identifiers = [...dashboardsToRead(desired.resources, safety.rows?.filters ?? [])].filter(isThere);
  const layouts = await readLayouts(new Set(identifiers), service, { present });
  return {
    ...onDashboards(desired.resources, layouts, { safety, rules: rows?.rules }),
    notRead: layoutsNotRead(desired.resources, layouts, safety),
  };
}

async function groupFindings(
  resources: readonly Resource[],
  service: Service,
  trackedAs: OnlineOptions['trackedAs'],
): Promise<readonly Finding[]> {
  const naming = resources.filter(({ attributes }) => attributes['userGroups'] !== undefined);
  if (naming.length === 0) return [];
  const tracked = await trackedAs();
  return checkGroups(
    naming.map((resource) => ({ resource, knownGroups: tracked(resource.address)?.groups ?? [] })),
    service,
  );
}

async function observeReferences(
  declared: readonly DashboardReferences[],
  known: Pick<ServiceView, 'documents' | 'renamed'>,
  operations: Operations,
  service: Service,
): Promise<ServiceView> {
  const { documents, renamed } = known;
  const present = (identifier: string) => renamed.get(identifier) ?? identifier;
  const ids = new Map<string, AnswerOrRefusal<DashboardIds>>();
  const queries = new Map<string, AnswerOrRefusal<Awaited<ReturnType<Api['listQueries']>>>>();
  if (operations !== 'full') return { ...known, ids, queries };
  const isThere = isThereOf(documents, present);
  const naming = (isQuery: boolean) => [
    ...new Set(
      declared
        .filter(({ references }) => references.some(({ named }) => (named === 'query') === isQuery))
        .map(({ identifier }) => identifier.id)
        .filter(isThere),
    ),
  ];
  const api = await service.api();
  const questions = [
    ...naming(false).map((id) => async () => {
      ids.set(id, await answerOrRefusal(async () => idsOf(await api.getFilters(present(id), service.call))));
    }),
    ...naming(true).map((id) => async () => {
      queries.set(id, await answerOrRefusal(() => api.listQueries(present(id), service.call)));
    }),
  ];
  await inParallel(questions, service.concurrency, (question) => question());
  return { ...known, ids, queries };
}

function isThereOf(documents: ServiceView['documents'], present: (identifier: string) => string) {
  const byIdentifier = new Map(documents.map((document) => [document.identifier, document]));
  return (identifier: string): boolean => {
    const document = byIdentifier.get(present(identifier));
    return document === undefined ? isUuid(identifier) : isUsable(document);
  };
}

/** Including deleted ones, to distinguish them from those that never existed. */
async function listKnown(service: Service): Promise<readonly KnownDocument[]> {
  const everything = { ...everyDocument, include: ['includeDeleted'] } as const;
  const { documents } = await (await service.api()).listDocuments(everything, service.call);
  return documents.map(({ identifier, name, deleted, hasDashboard }) => ({
    identifier,
    name,
    deleted,
    hasDashboard: hasDashboard !== false,
  }));
}

/** A refusal of this one, or an answer that nobody can read, says nothing about the others; any other failure ends the checks. */
async function answerOrRefusal<T>(ask: () => Promise<T>): Promise<AnswerOrRefusal<T>> {
  try {
    return { value: await ask() };
  } catch (error) {
    if (!leavesOpen(error)) throw error;
    return { refused: error.message, isMissing: statusOf(error) === 404 };
  }
}

function idsOf({ filters, controls, filterOrder }: RemoteFilters): DashboardIds {
  const inOrder = (ids: readonly string[]) => {
    const place = (id: string) => (filterOrder.includes(id) ? filterOrder.indexOf(id) : filterOrder.length);
    return [...ids].sort((a, b) => place(a) - place(b));
  };
  return {
    filters: inOrder(Object.keys(filters)),
    controls: inOrder(Object.keys(controls)),
    own: filters,
  };
}
