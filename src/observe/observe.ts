// Asks the service what exists, with as few requests as possible. It asks, with operations full, for the list of
// schedules, a hundred a page; the details of those that the list shows as changed, or of all with depth deep; the
// filters of dashboards. What is tracked, or is to be adopted, and is not listed is asked for by its id before it
// counts as gone. A kind's row in observed-kinds.ts says how one resource is looked at. A deep look goes from dashboard
// to dashboard: the filters of schedules are compared with those of their dashboard.

import { acceptancesOf } from '../declare/acceptances.ts';
import { fieldsOf } from '../model/fields/fields.ts';
import { identities, namedOf, onWordsOf } from '../model/fields/identity.ts';
import { finishedAdoptions } from '../model/plan/adoptions.ts';
import { addressWords } from '../model/plan/danger.ts';
import {
  type FilterSpelling,
  type GonePart,
  isSeen,
  type Observation,
  type Observed,
} from '../model/plan/observation.ts';
import { openByAddress, openChanges, sentNames } from '../model/plan/open-change.ts';
import type { State, StateResource } from '../model/plan/state.ts';
import { type IdentityOfRow, isAnother, isElsewhere } from '../model/service/recognise-rows.ts';
import { isOrganizationKey, type ListedRow, type RemoteSchedule } from '../model/service/remote.ts';
import { type Address, filtersDashboard, kindAt, kinds } from '../model/values/address.ts';
import { groupBy, pushAll } from '../model/values/collections.ts';
import { byCodeUnit, type JsonObject } from '../model/values/json.ts';
import { pointerTo } from '../model/values/pointer.ts';
import { countOf, nameSome, quote, shortText } from '../model/values/words.ts';
import { type Finding, type FindingWords, placeOf } from '../model/workspace/diagnostic.ts';
import { Failure } from '../model/workspace/failure.ts';
import type { Adoption } from '../model/workspace/resource.ts';
import {
  type AskFilters,
  askDashboard,
  askNothing,
  type FilterLook,
  lookAtFilters,
  type SeenOnDashboard,
} from './filters.ts';
import { type LookContext, type ObserveOptions, type SeenResource, unobserved } from './look-context.ts';
import { withFields } from './observed.ts';
import { lookAtDashboard, namedText, observedKinds } from './observed-kinds.ts';
import { deletedWithOwner, type GoneSchedule, isSameId, memberIdOf } from './owners/owners.ts';
import { type Elsewhere, presentNames, renamedAmong, renamedFindings } from './renamed-dashboards.ts';
import { ownerListsOf } from './routine.ts';
import { secretFieldsIn } from './secret-fields.ts';
import { inParallel, leavesOpen, unlessGone } from './sending.ts';
import { requireFullOperations } from './service.ts';

/** Throws Failure usage with operations core, and what the service throws. */
export async function observe(options: ObserveOptions): Promise<Omit<Observation, 'unknownGroups' | 'layouts'>> {
  const { config, desired, state, fingerprint, only, adopted = new Map(), lists, refresh, service } = options;
  requireFullOperations(config, 'what exists');
  const api = await service.api();
  const recorded = Object.entries(state?.resources ?? {}).filter(([address]) => !adopted.has(address));
  const tracked = [...recorded.filter(([address]) => only?.has(address) ?? true), ...adopted];
  const shown = tracked.filter(([address, { id }]) => observedKinds[kindAt(address)].list && id !== undefined);
  const reads = shown.length > 0 || lists;
  const listed = options.listed?.schedule ?? (reads ? await api.listSchedules({}, service.call) : undefined);
  const rows = new Map(listed?.map((row) => [row.id, row]));
  const secrets = secretFieldsIn(desired, openChanges(state), fingerprint);
  const looking = { ...options, api, rows, ownerLists: ownerListsOf(api, service.call), secrets };
  const seenResources = new Map<Address, SeenResource>();
  const filterSpellings: FilterSpelling[] = [];
  const goneDashboards = new Set<string>();
  const ownFilters = new Map<string, JsonObject>();
  await inParallel(
    toursOf(tracked, looking, (identifier) => goneDashboards.add(identifier)),
    service.concurrency,
    async (tour) => {
      const { identifier = '' } = tour;
      const { spellings, own } = await observeTour(tour, looking, seenResources);
      pushAll(
        filterSpellings,
        spellings.map((id) => ({ identifier, id })),
      );
      if (own !== undefined) ownFilters.set(identifier, own);
    },
  );
  const isApplied = ([address]: TrackedEntry) => !adopted.has(address);
  const { gone, untold } = await goneParts(tracked.filter(isApplied), looking, { seenResources, goneDashboards });
  const { renamed, formerly } = await followRenamed(tracked.filter(isApplied), looking, seenResources);
  filterSpellings.sort((a, b) => byCodeUnit(a.identifier, b.identifier) || byCodeUnit(a.id, b.id));
  const all = [...seenResources.values()];
  const observed = new Map(
    [...seenResources].flatMap(([address, { resource }]) => (resource ? [[address, resource]] : [])),
  );
  const isFound = ([address]: TrackedEntry) => isSeen(observed.get(address));
  const foundNone = shown.length > 0 && !shown.some(isFound) && !listsTracked(rows, state);
  // Nobody is a member for a token of another organization.
  const deleted = foundNone ? [] : await deletedWithOwner(goneOf(shown.filter(isApplied), observed), api, service.call);
  // A look that only asks what others changed names what it could not compare.
  const unknown = refresh.only && refresh.depth === 'deep' ? unknownOptions(all.flatMap(({ read }) => read ?? [])) : [];
  const ofEach = all.flatMap(({ finding = [], groups }) => [finding, groups?.findings ?? []].flat());
  const isThere = ([address]: TrackedEntry) =>
    !gone.some((part) => part.address === address && part.tile === undefined);
  const withoutFilters = tracked.filter(([address]) => seenResources.get(address)?.areFiltersLeft).filter(isThere);
  const unread = [
    ...notReadOn(withoutFilters, looking, 'all of the filters'),
    ...notReadOn(untold, looking, 'what is on it'),
  ];
  const findings: Finding[] = [...ofEach, ...deleted, ...unknown, ...renamed, ...unread];
  findings.sort((a, b) => byCodeUnit(a.address ?? '', b.address ?? ''));
  return {
    observed,
    formerly,
    findings: [...findings, ...(await adoptionFindings(looking, observed))],
    foundNone,
    listed: { schedule: listed },
    detailsNotCompared: all.filter(({ isRowAlone }) => isRowAlone).length,
    secretsNotCompared: all.filter(({ isSecretLeft }) => isSecretLeft).length,
    gone,
    filterSpellings,
    ownFilters,
    members: new Map(
      [...seenResources].flatMap(([address, { groups }]) => (groups ? [[address, groups.members]] : [])),
    ),
  };
}

/** The resources that are read one after the other, between two questions for the filters of a dashboard. */
interface Tour {
  readonly identifier?: string | undefined;
  readonly ask: AskFilters;
  readonly resources: readonly TrackedEntry[];
}

type TrackedEntry = readonly [Address, StateResource];

/** Groups the resources of each dashboard in a deep look, even a dashboard without any; all others are alone. */
function toursOf(
  tracked: readonly TrackedEntry[],
  { refresh, rows, api, service, dashboards = new Set() }: LookContext,
  onGone: (identifier: string) => void,
): readonly Tour[] {
  const isDeep = ([address, { id }]: TrackedEntry) =>
    refresh.depth === 'deep' && observedKinds[kindAt(address)].filteredBy !== undefined && id !== undefined;
  const byDashboard = groupBy(tracked.filter(isDeep), (each) => dashboardNow(each, rows));
  const tours = [...new Set([...byDashboard.keys(), ...dashboards])].map((identifier) => ({
    identifier,
    ask: askDashboard(identifier, api, service.call, onGone),
    resources: byDashboard.get(identifier) ?? [],
  }));
  const alone = tracked.filter((each) => !isDeep(each)).map((each) => ({ ask: askNothing, resources: [each] }));
  return [...alone, ...tours];
}

/** The present identifier of the dashboard that filters a schedule; undefined for another kind, or if it is not known. */
function dashboardNow([address, { id = '', attributes }]: TrackedEntry, rows: LookContext['rows']): string | undefined {
  return observedKinds[kindAt(address)].filteredBy?.(rows.get(id), attributes);
}

/**
 * The dashboards and tiles that Omni says are gone, by the answers for each identifier: a token that is no organization key may just
 * not see it. The tiles of a dashboard are asked for if a schedule delivers or watches one of them. `untold`: the schedules whose
 * tile Omni did not tell.
 */
async function goneParts(
  tracked: readonly TrackedEntry[],
  { api, rows, service, tiles = false }: LookContext,
  found: {
    readonly seenResources: ReadonlyMap<Address, SeenResource>;
    readonly goneDashboards: ReadonlySet<string>;
  },
): Promise<{ readonly gone: readonly GonePart[]; readonly untold: readonly TrackedEntry[] }> {
  const seesAll = found.goneDashboards.size > 0 && isOrganizationKey(service.token());
  const gone: GonePart[] = [];
  const untold: TrackedEntry[] = [];
  const onTiles = new Map<string, { readonly entry: TrackedEntry; readonly tile: string }[]>();
  for (const entry of tracked) {
    const [address, { attributes }] = entry;
    const identifier = dashboardNow(entry, rows);
    const resource = found.seenResources.get(address)?.resource;
    if (identifier === undefined || resource?.found === false) continue;
    if (found.goneDashboards.has(identifier)) {
      if (seesAll) gone.push({ address, identifier });
      else untold.push(entry);
      continue;
    }
    const { queryIdentifierMapKey, conditionQueryMapKey } = { ...attributes, ...resource?.attributes };
    for (const tile of new Set([queryIdentifierMapKey, conditionQueryMapKey]))
      if (tiles && typeof tile === 'string')
        onTiles.set(identifier, [...(onTiles.get(identifier) ?? []), { entry, tile }]);
  }
  await inParallel(onTiles, service.concurrency, async ([identifier, hanging]) => {
    try {
      const queries = await api.listQueries(identifier, service.call);
      const keys = new Set(queries.map(({ key }) => key));
      for (const { entry, tile } of hanging) if (!keys.has(tile)) gone.push({ address: entry[0], identifier, tile });
    } catch (error) {
      if (!leavesOpen(error)) throw error;
      pushAll(
        untold,
        hanging.map(({ entry }) => entry),
      );
    }
  });
  return { gone: gone.sort((a, b) => byCodeUnit(a.address, b.address)), untold };
}

/** One finding for each dashboard of which Omni did not show something, and for each reason to accept that. */
function notReadOn(entries: readonly TrackedEntry[], { rows, desired }: LookContext, what: string): readonly Finding[] {
  if (entries.length === 0) return [];
  const accepted = new Map(
    desired.resources.map((each) => [each.address, acceptancesOf(each).get('not-read') ?? null]),
  );
  const moved = new Map(desired.moves.map(({ from, to }) => [from, to]));
  const groups = groupBy(entries, (each) =>
    JSON.stringify([dashboardNow(each, rows) ?? '', accepted.get(moved.get(each[0]) ?? each[0])]),
  );
  return [...groups.values()].map((hanging) => {
    const identifier = dashboardNow(hanging[0], rows) ?? '';
    const concerns = [...new Set(hanging.map(([address]) => address))].sort(byCodeUnit);
    return {
      code: 'not-read',
      message: `On the dashboard \`${identifier}\`, Omni did not show ${what} of ${addressWords(concerns)}, so they were not compared.`,
      hint: 'See that the token may view the dashboard, and run again.',
      ...(concerns.length === 1 ? { address: concerns[0] } : { concerns }),
    };
  });
}

/** Returns what was seen of the filters of the dashboard itself. */
async function observeTour(
  { ask, resources }: Tour,
  looking: LookContext,
  all: Map<Address, SeenResource>,
): Promise<Pick<SeenOnDashboard, 'spellings' | 'own'>> {
  const { filtersByAddress, own, spellings } = await lookAtFilters(ask, async () => {
    const looks = new Map<Address, FilterLook>();
    for (const [address, resource] of resources) {
      const found = (await observedKinds[kindAt(address)].look?.(address, resource, looking)) ?? {};
      all.set(address, found);
      if (found.filters !== undefined) looks.set(address, found.filters);
    }
    return looks;
  });
  for (const [address, { filterConfig, isIncomplete, asDashboard, inEffect }] of filtersByAddress) {
    const found = all.get(address);
    if (!found?.resource?.found) continue;
    all.set(address, {
      ...found,
      resource: {
        ...withFields(found.resource, { filterConfig }),
        asDashboard: asDashboard?.map((id) => pointerTo('filterConfig', id)),
        inEffect,
      },
      areFiltersLeft: isIncomplete,
    });
  }
  return { spellings, own };
}

/**
 * Marks what is on a dashboard that was renamed, the one that the state has or the one to which a lost request moved it, and looks at
 * the filters of that one again: what still has its former name declared.
 */
async function followRenamed(
  tracked: readonly TrackedEntry[],
  looking: LookContext,
  seenResources: Map<Address, SeenResource>,
): Promise<{ readonly renamed: readonly Finding[]; readonly formerly: Observation['formerly'] }> {
  const { rows, desired, api, service, state, orphans = [] } = looking;
  const open = openByAddress(state);
  const orphanSchedules = orphans.map(
    ({ address, id, entityId, sentAs = [], ...named }): RecordedSchedule => ({
      address,
      id,
      entityId,
      named,
      sent: sentAs,
    }),
  );
  const ofTracked = tracked.map(([address, { id = '', attributes: named, entityId }]): RecordedSchedule => {
    const found = seenResources.get(address)?.resource;
    // The row suffices where who receives it could not be read.
    const read = found?.found ? found.entityId : undefined;
    return { address, id, named, entityId, sent: sentNames(open.get(address)), read };
  });
  const elsewhere = [...orphanSchedules, ...ofTracked].flatMap((each) => listedElsewhere(each, rows.get(each.id)));
  if (elsewhere.length === 0) return { renamed: [], formerly: new Map() };
  const renamed = await renamedAmong(elsewhere, service, api);
  const names = presentNames(elsewhere, renamed);
  const before = new Map(elsewhere.flatMap(({ id, from }) => (renamed.has(id) ? [[id, from] as const] : [])));
  const followed = tracked.flatMap(([address, resource]) => {
    const from = before.get(resource.id ?? '') ?? namedText(resource.attributes['identifier']) ?? '';
    const to = renamed.get(resource.id ?? '') ?? (filtersDashboard(kindAt(address)) ? names.get(from) : undefined);
    return to === undefined ? [] : [{ address, resource, from, to }];
  });
  for (const { address, resource, from, to } of followed) {
    const attributes = { ...resource.attributes, identifier: to };
    const found = renamed.has(resource.id ?? '')
      ? seenResources.get(address)
      : await lookAtDashboard(address, { ...resource, attributes }, looking);
    if (found?.resource?.found)
      seenResources.set(address, {
        ...found,
        resource: { ...withFields(found.resource, { identifier: to }), formerly: from },
      });
  }
  const after = new Map(desired.moves.map(({ from, to }) => [from, to]));
  const declared = new Map(desired.resources.map(({ address, attributes }) => [address, attributes['identifier']]));
  const isWritten = ({ address, to }: { readonly address: Address; readonly to: string }) =>
    declared.get(after.get(address) ?? address) === to;
  return {
    renamed: renamedFindings(followed.filter((each) => !isWritten(each))),
    formerly: new Map(elsewhere.flatMap(({ id, as }) => (renamed.has(id) ? [[id, as] as const] : []))),
  };
}

/** The record for an id, and what was sent for it by requests of which it is not known whether they arrived. */
interface RecordedSchedule extends Pick<Elsewhere, 'address' | 'id' | 'read'> {
  readonly named: IdentityOfRow;
  readonly sent: readonly IdentityOfRow[];
  readonly entityId?: string | undefined;
}

interface ListedElsewhere extends Elsewhere {
  /** The dashboard of what was recorded, or sent, with the name of the row. */
  readonly as: string;
}

function listedElsewhere(
  { named, sent, entityId, ...known }: RecordedSchedule,
  row: ListedRow | undefined,
): readonly ListedElsewhere[] {
  if (row === undefined || !isElsewhere(row, named)) return [];
  const mayBeMoved = sent.some((each) => !isElsewhere(row, each));
  // A row has the name of the request that moved it.
  const isOf = (each: IdentityOfRow) => !isAnother(row, { ...each, identifier: row.identifier });
  const alike = [named, ...sent].find(isOf) ?? named;
  const before = mayBeMoved ? named : alike;
  const [from, as] = [namedText(before.identifier), namedText(alike.identifier)];
  if (from === undefined || as === undefined) return [];
  const recordedEntity = before === named ? entityId : undefined;
  return [{ ...known, from, to: row.identifier, recordedEntity, mayBeMoved, as }];
}

function goneOf(shown: readonly TrackedEntry[], observed: Observed): readonly GoneSchedule[] {
  return shown.flatMap(([address, { attributes }]) => {
    const owner = attributes['owner'] ?? attributes['userId'];
    if (!observedKinds[kindAt(address)].goesWithOwner) return [];
    return observed.get(address)?.found === false && typeof owner === 'string' ? [{ address, owner }] : [];
  });
}

function listsTracked(rows: LookContext['rows'], state: State | undefined): boolean {
  return Object.values(state?.resources ?? {}).some(({ id }) => id !== undefined && rows.has(id));
}

type NamedRow = Pick<ListedRow, 'identifier' | 'name'>;

/** Tells whether the schedules exist that entries of `adopt` take over, and are where they are declared. */
async function adoptionFindings(looking: LookContext, observed: Observed): Promise<readonly Finding[]> {
  const { desired, state, refresh, only, adopted, rows, api, service } = looking;
  if (refresh.only) return [];
  const finished = finishedAdoptions(desired, state);
  const isOpen = (each: Adoption) => adopted?.has(each.to) || !finished.has(each);
  const open = desired.adoptions.filter((each) => (only?.has(each.to) ?? true) && isOpen(each));
  const findings = new Map<Adoption, Finding>();
  const declared = new Map(desired.resources.map(({ address, attributes }) => [address, attributes]));
  await inParallel(open, service.concurrency, async (adoption) => {
    const { to, id, origin } = adoption;
    const [kind, attributes] = [kindAt(to), declared.get(to) ?? {}];
    const { list } = observedKinds[kind];
    if (list === undefined) return;
    const place = placeOf(origin);
    try {
      const row = rows.get(id) ?? (await inItsList(adoption, attributes, looking));
      const isFound = async () => list.find !== undefined && (await unlessGone(list.find(id, api, service.call)));
      if (row !== undefined && isElsewhere(row, namedOf(kind, attributes) ?? {}))
        findings.set(adoption, adoptedElsewhere(adoption, row));
      else if (adopted?.has(to) ? observed.get(to)?.found === false : row === undefined && !(await isFound()))
        findings.set(adoption, nothingToAdopt(adoption));
    } catch (error) {
      const what = `whether there is a ${kinds[kind].words} with the id ${id}`;
      findings.set(adoption, { ...unobserved(to, what, error), place });
    }
  });
  return open.flatMap((adoption) => findings.get(adoption) ?? []);
}

/** The row of what is to be adopted where only a list of its owner shows it. Throws what the service throws. */
async function inItsList(
  { to, id }: Adoption,
  { owner, userId }: JsonObject,
  { adopted, ownerLists, api, service: { call } }: LookContext,
): Promise<NamedRow | undefined> {
  if (!identities[kindAt(to)].isOwners) return undefined;
  const declared = owner ?? userId;
  const ofLook = adopted?.get(to)?.madeBy;
  const madeBy = ofLook ?? (typeof declared === 'string' ? await memberIdOf(declared, api, call) : undefined);
  const list = await ownerLists.of(madeBy);
  if (list instanceof Failure) throw list;
  const row = [...list.values()].find((each) => isSameId(each.id, id));
  return row && { identifier: row.modelId, name: row.name };
}

function nothingToAdopt({ to, id, origin }: Adoption): Finding {
  const { words } = kinds[kindAt(to)];
  return {
    code: 'invalid-adopt',
    message: `Omni has no ${words} with the id ${id}, which \`${to}\` is to take over.`,
    hint: `Copy the id from the address bar of the delivery in Omni, or remove the entry to create the ${words}.`,
    address: to,
    place: placeOf(origin),
  };
}

/** The finding about an entry that would take over a resource on another dashboard, or another model, than declared. */
function adoptedElsewhere({ to, id, origin }: Adoption, { identifier, name }: NamedRow): Finding {
  const kind = kindAt(to);
  const on = onWordsOf(kind);
  return {
    code: 'invalid-adopt',
    message: `\`${to}\` is declared on a different ${on} than the ${kinds[kind].words} ${id} that it is to take over: Omni lists this id on ${identifier}, as ${JSON.stringify(shortText(name))}.`,
    hint: `Copy the id from the address bar of the delivery in Omni, or declare the ${on} that Omni lists.`,
    address: to,
    place: placeOf(origin),
  };
}

// Options of schedules that Omni shows and that no field declares. An update replaces a schedule, so it may reset them.
// They are named and never shown: what their values hold is unknown.

const unset: readonly unknown[] = [false, 0, '', null, undefined];
const maxNames = 5;

/** About all schedules whose details were read. What each of them has is no choice of anybody, but how Omni shows schedules. */
export function unknownOptions(schedules: readonly Pick<RemoteSchedule, 'metadata'>[]): readonly FindingWords[] {
  const counts = new Map<string, number>();
  for (const { metadata } of schedules)
    for (const [name, value] of Object.entries(metadata))
      if (!Object.hasOwn(fieldsOf.schedule, name) && !unset.includes(value))
        counts.set(name, (counts.get(name) ?? 0) + 1);
  const found = [...counts].filter(([, count]) => count < schedules.length);
  if (found.length === 0) return [];
  const words = found
    .sort(([a, some], [b, others]) => others - some || byCodeUnit(a, b))
    .map(([name, count]) => `${/^\w{1,60}$/.test(name) ? name : quote(name)} in ${countOf(count, 'schedule')}`);
  return [
    {
      code: 'unknown-option',
      message: `Omni has options that Almanac does not know (${nameSome(words, words.length, maxNames)}); an update may reset them.`,
      hint: 'After an update of such a schedule, look at it in Omni. `checks: { unknown-option: off }` in almanac.yaml turns this note off.',
    },
  ];
}
