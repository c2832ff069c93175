// Online checks: the declarations compared with what exists in the service. They ask with as few requests as possible: the
// list of documents once and, with operations full, the filters and queries of each declared dashboard, its layout where that
// may change which rows or pages a report has, and the models where the declarations name any.

import { didYouMean } from '../declare/findings/suggest.ts';
import { membersAreInside } from '../declare/inside/members-inside.ts';
import { judgesRecipients } from '../declare/inside/recipients-inside.ts';
import type { Loaded } from '../declare/load/load.ts';
import { isUsable } from '../declare/online/check-dashboard.ts';
import { checkAgainstService } from '../declare/online/check-online.ts';
import { type DashboardReferences, referencesOf } from '../declare/online/dashboard-references.ts';
import { type BetterHint, checkFilterTypes } from '../declare/online/filter-types.ts';
import {
  csvOfTiles,
  dashboardsToRead,
  layoutsNotRead,
  nothingOnDashboards,
  type OnDashboards,
  onDashboards,
  type Untold,
} from '../declare/rows/on-dashboards.ts';
import { idKey, isUuid } from '../model/fields/ids.ts';
import type { ReadGroup } from '../model/plan/observation.ts';
import type { StateResource } from '../model/plan/state.ts';
import { groupNamed } from '../model/plan/user-groups.ts';
import {
  type AnswerOrRefusal,
  type DashboardIds,
  everyDocument,
  type KnownDocument,
  type Layouts,
  type ServiceView,
} from '../model/service/documents.ts';
import { isElsewhere, mayBeNamed } from '../model/service/recognise-rows.ts';
import type { RemoteFilters, RemoteModel, RemoteRecipients } from '../model/service/remote.ts';
import type { Address } from '../model/values/address.ts';
import { memoize } from '../model/values/collections.ts';
import { command } from '../model/values/command.ts';
import { pointerTo } from '../model/values/pointer.ts';
import { nameSome, quote } from '../model/values/words.ts';
import type { Operations } from '../model/workspace/config.ts';
import type { Finding, FindingWords, WithFindings } from '../model/workspace/diagnostic.ts';
import { Failure, statusOf } from '../model/workspace/failure.ts';
import { findingAt } from '../model/workspace/field-place.ts';
import type { Resource } from '../model/workspace/resource.ts';
import type { Api } from '../omni/api.ts';
import { checkGroups } from './group-names.ts';
import { readLayouts } from './layouts.ts';
import { checkOwners } from './owners/check-owners.ts';
import { type Elsewhere, presentNames, renamedAmong, renamedFindings } from './renamed-dashboards.ts';
import { inParallel, leavesOpen, unlessOpen } from './sending.ts';
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
  const made = isFull ? await madeOfFilters(loaded, view, service) : nothingMade;
  const tilesOf = (identifier: string) => {
    const [layout, asked] = [made.layouts.get(identifier), view.queries.get(identifier)];
    const tiles = typeof layout === 'object' ? layout.tiles : asked && 'value' in asked ? asked.value : undefined;
    return tiles?.length;
  };
  const found = [
    ...renamedFindings(renamed),
    ...checkAgainstService(declared, view),
    ...types.findings,
    ...made.found.map(({ finding }) => finding),
    ...made.notRead,
    ...csvOfTiles(loaded.desired.resources, tilesOf),
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

interface MadeOfFilters extends OnDashboards {
  readonly layouts: Layouts;
  readonly notRead: readonly Finding[];
}

const nothingMade: MadeOfFilters = { ...nothingOnDashboards, layouts: new Map(), notRead: [] };

/** Finds what the existing dashboards make of the filters of the declared reports. */
async function madeOfFilters(
  { desired, config, rows }: Loaded,
  { documents, renamed }: Pick<ServiceView, 'documents' | 'renamed'>,
  service: Service,
): Promise<MadeOfFilters> {
  if (config === undefined) return nothingMade;
  const { safety } = config;
  const present = (identifier: string) => renamed.get(identifier) ?? identifier;
  const isThere = isThereOf(documents, present);
  const identifiers = [...dashboardsToRead(desired.resources, safety.rows?.filters ?? [])].filter(isThere);
  const layouts = await readLayouts(new Set(identifiers), service, { present });
  return {
    layouts,
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

// Judges the members of declared user groups without a state. The schedules exist in Omni already. Asks for one list
// for each dashboard, and the recipients of each schedule there that has the name of a declared one with groups.

interface MembershipCheck {
  readonly resource: Resource;
  readonly identifier: string;
  readonly name: string;
  readonly texts: readonly string[];
}

/** The value: the declared names and ids of which members were read. */
async function checkMembers(
  { config, desired: { resources }, days, rows }: Pick<Loaded, 'config' | 'desired' | 'days' | 'rows'>,
  service: Service,
): Promise<WithFindings<ReadonlySet<string>>> {
  const receiving = config !== undefined && judgesRecipients(config) ? resources.flatMap(receivingOf) : [];
  if (config === undefined || receiving.length === 0) return { value: new Set(), findings: [] };
  const { call, concurrency } = service;
  const api = await service.api();
  const list = memoize((identifier: string) => unlessOpen(api.listSchedules({ identifier }, call)));
  const recipientsOf = memoize((id: string) => unlessOpen(api.getRecipients(id, call)));
  const read = new Map<Address, readonly ReadGroup[]>();
  const open = new Set<MembershipCheck>();
  await inParallel(receiving, concurrency, async (check) => {
    const { resource, identifier, name, texts } = check;
    const listed = await list(identifier);
    if (listed === undefined) open.add(check);
    const groups = new Map<string, ReadGroup>();
    for (const row of listed ?? []) {
      if (row.destinationType !== 'email' || !mayBeNamed(row, identifier, name)) continue;
      const recipients = await recipientsOf(row.id);
      if (recipients === undefined) open.add(check);
      for (const group of declaredGroups(texts, recipients ?? {})) groups.set(group.text, group);
    }
    read.set(resource.address, [...groups.values()]);
  });
  const value = new Set([...read.values()].flatMap((groups) => groups.map(({ text }) => text)));
  const outside = membersAreInside(resources, (address) => read.get(address) ?? [], { config, days, rows });
  return { value, findings: [...outside, ...receiving.filter((check) => open.has(check)).map(notTold)] };
}

function notTold({ resource, texts }: MembershipCheck): Finding {
  return {
    code: 'not-read',
    message: `Omni does not show who is in ${nameSome(texts.map(quote))}, so it is not known whether somebody outside receives it.`,
    hint: 'See that the token may view the schedules of the dashboard, and run again.',
    ...findingAt(resource, pointerTo('userGroups')),
  };
}

function receivingOf(resource: Resource): readonly MembershipCheck[] {
  const { identifier, name, userGroups } = resource.attributes;
  const texts = Array.isArray(userGroups) ? userGroups.filter((each): each is string => typeof each === 'string') : [];
  return typeof identifier === 'string' && typeof name === 'string' && texts.length > 0
    ? [{ resource, identifier, name, texts }]
    : [];
}

function declaredGroups(texts: readonly string[], { groups = [] }: Partial<RemoteRecipients>): readonly ReadGroup[] {
  return groups.flatMap(({ id = '', name, emails }) => {
    const text = texts.find((each) => groupNamed(each, [{ id, text: name }]) !== undefined);
    return text === undefined ? [] : [{ text, emails }];
  });
}

// Checks that routines name shared models and branches that the token can see.

/** One list for all routines. If Omni does not give it, one finding says so; throws other failures of the service. */
async function checkModels(resources: readonly Resource[], service: Service): Promise<readonly Finding[]> {
  const routines = resources.filter(
    ({ kind, attributes }) => kind === 'routine' && typeof attributes['modelId'] === 'string',
  );
  const [first] = routines;
  if (first === undefined) return [];
  const api = await service.api();
  const models = await unlessOpen(api.listModels('SHARED', service.call));
  if (models === undefined) return [{ ...notChecked, ...findingAt(first, pointerTo('modelId')) }];
  const byId = new Map(models.map((model) => [model.id, model]));
  return routines.flatMap((resource): readonly Finding[] => {
    const { modelId, branchId } = resource.attributes;
    const model = byId.get(idKey(String(modelId)));
    if (model === undefined) return [finding(resource, 'modelId', unknownModel(String(modelId), models))];
    const isThere = model.branches.some(({ id }) => id === idKey(String(branchId)));
    if (typeof branchId !== 'string' || isThere) return [];
    return [finding(resource, 'branchId', unknownBranch(branchId, model))];
  });
}

const notChecked: FindingWords = {
  code: 'not-read',
  message: 'The models of routines could not be checked: Omni does not list the models that this token may see.',
  hint: 'See that the token may view them, and run again.',
};

interface Words {
  readonly message: string;
  readonly hint: string;
}

const listHint = `\`${command('list models')}\` prints the ids.`;

function unknownModel(id: string, models: readonly RemoteModel[]): Words {
  return {
    message: `The token can see no shared model \`${id}\`. Applying this would fail.`,
    hint: suggestion(id, models) ?? listHint,
  };
}

function unknownBranch(id: string, { name, branches }: RemoteModel): Words {
  return {
    message: `The model ${name} has no active branch \`${id}\`. Applying this would fail.`,
    hint: suggestion(id, branches) ?? listHint,
  };
}

function suggestion(id: string, known: readonly { readonly id: string; readonly name: string }[]): string | undefined {
  const near = didYouMean(
    id,
    known.map((each) => each.id),
  );
  return near === undefined ? undefined : `${near} ${listHint}`;
}

function finding(resource: Resource, field: 'modelId' | 'branchId', words: Words): Finding {
  return { code: 'unknown-model', ...words, ...findingAt(resource, pointerTo(field)) };
}
