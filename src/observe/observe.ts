// Asks the service what exists (operations full), with as few requests as possible: the list of schedules, a hundred a
// page; the details of those that the list shows as changed, or of all with depth deep; the filters of dashboards. A
// schedule that is tracked, or is to be adopted, and that is not listed is asked for by its id before it counts as gone.
// A deep look goes from dashboard to dashboard: the filters of schedules are compared with those of their dashboard.

import type { Clock } from '../model/outside.ts';
import type { Refresh } from '../model/plan/plan.ts';
import { openChanges, type State, type StateResource } from '../model/plan/state.ts';
import {
  isElsewhere,
  type ListedSchedule,
  type Observed,
  type ObservedResource,
  type RemoteSchedule,
} from '../model/service/remote.ts';
import { type Address, kindOf } from '../model/values/address.ts';
import { groupBy } from '../model/values/group-by.ts';
import { byCodeUnit, type Json } from '../model/values/json.ts';
import { pushAll } from '../model/values/many.ts';
import type { Config } from '../model/workspace/config.ts';
import { type Finding, placeOf } from '../model/workspace/diagnostic.ts';
import { Failure, statusOf } from '../model/workspace/failure.ts';
import type { Adoption, Desired, SealedResource } from '../model/workspace/resource.ts';
import type { Api } from '../omni/api.ts';
import { adoptedElsewhere, finishedAdoptions } from '../plan/entries.ts';
import type { FilterLook } from './filters/compare-filters.ts';
import {
  type AskFilters,
  askDashboard,
  askNothing,
  type FilterSpelling,
  filterLook,
  lookAtFilters,
} from './filters/look-at-filters.ts';
import { type FoundResource, observedDetails, observedFilters, observedRow } from './observed.ts';
import { deletedWithOwner, type GoneSchedule, ownerInWordsOf } from './owners/owners.ts';
import { compareSecrets, type SecretFields, secretFieldsIn } from './secret-fields.ts';
import { inParallel, retryWhileNew, unlessGone } from './sending.ts';
import { requireFullOperations, type Service } from './service.ts';
import { unknownOptions } from './unknown-options.ts';

export interface ObserveOptions {
  readonly config: Config;
  readonly desired: Desired<SealedResource>;
  /** With its fingerprints as far as they can be compared. */
  readonly state: State | undefined;
  /** As those of the state are made. */
  readonly fingerprint: SecretFields['fingerprint'];
  /** With `only`, nobody asks whether the schedules to adopt exist. */
  readonly refresh: Refresh;
  /** Addresses as the state has them; all where undefined. */
  readonly only?: ReadonlySet<Address>;
  /** Read the list of schedules even if none of them is tracked. */
  readonly lists?: boolean;
  /** The list, as far as it is needed; it is read where this is left out. */
  readonly listed?: readonly ListedSchedule[];
  readonly service: Service;
  readonly clock: Clock;
}

export interface Observation {
  readonly observed: Observed;
  readonly findings: readonly Finding[];
  /** No tracked schedule was found: a token that may not see them gets the same answer. */
  readonly foundNone: boolean;
  /** All schedules of the service; undefined where the list was not read. */
  readonly listed: readonly ListedSchedule[] | undefined;
  /** The schedules of which only the row in the list was compared. */
  readonly detailsNotCompared: number;
  /** The schedules whose details were read and hold a secret that nothing could be compared with. */
  readonly secretsNotCompared: number;
  /** The schedules whose details were read, and whose filters could not be compared, or not all of them. */
  readonly filtersNotCompared: number;
  readonly filterSpellings: readonly FilterSpelling[];
}

/** Throws Failure usage with operations core, and what the service throws. */
export async function observe(options: ObserveOptions): Promise<Observation> {
  const { config, desired, state, fingerprint, only, lists, refresh, service } = options;
  requireFullOperations(config, 'what exists');
  const api = await service.api();
  const tracked = Object.entries(state?.resources ?? {}).filter(([address]) => only?.has(address) ?? true);
  const schedules = tracked.filter(([address, { id }]) => kindOf(address) === 'schedule' && id !== undefined);
  const reads = schedules.length > 0 || lists;
  const listed = options.listed ?? (reads ? await api.listSchedules({}, service.call) : undefined);
  const rows = new Map(listed?.map((row) => [row.id, row]));
  const secrets = secretFieldsIn(desired, openChanges(state), fingerprint);
  const looking = { ...options, api, rows, secrets };
  const seen = new Map<Address, Seen>();
  const filterSpellings: FilterSpelling[] = [];
  await inParallel(toursOf(tracked, looking), service.concurrency, async (tour) => {
    const spellings = await observeTour(tour, looking, seen);
    pushAll(
      filterSpellings,
      spellings.map((id) => ({ identifier: tour.identifier ?? '', id })),
    );
  });
  filterSpellings.sort((a, b) => byCodeUnit(a.identifier, b.identifier) || byCodeUnit(a.id, b.id));
  const all = [...seen.values()];
  const observed = new Map([...seen].flatMap(([address, { resource }]) => (resource ? [[address, resource]] : [])));
  const isFound = ([address]: (typeof schedules)[number]) => observed.get(address)?.found === true;
  const foundNone = schedules.length > 0 && !schedules.some(isFound) && !listsTracked(rows, state);
  // With a token of another organization, nobody is a member.
  const deleted = foundNone ? [] : await deletedWithOwner(goneOf(schedules, observed), api, service.call);
  // A look that only asks what others changed names what it could not compare.
  const unknown = refresh.only && refresh.depth === 'deep' ? unknownOptions(all.flatMap(({ read }) => read ?? [])) : [];
  const findings: Finding[] = [...all.flatMap(({ finding }) => finding ?? []), ...deleted, ...unknown];
  findings.sort((a, b) => byCodeUnit(a.address ?? '', b.address ?? ''));
  return {
    observed,
    findings: [...findings, ...(await adoptionFindings(looking))],
    foundNone,
    listed,
    detailsNotCompared: all.filter(({ isRowAlone }) => isRowAlone).length,
    secretsNotCompared: all.filter(({ isSecretLeft }) => isSecretLeft).length,
    filtersNotCompared: all.filter(({ areFiltersLeft }) => areFiltersLeft).length,
    filterSpellings,
  };
}

/** What is read one after the other, between two questions for the filters of a dashboard. */
interface Tour {
  readonly identifier?: string | undefined;
  readonly ask: AskFilters;
  readonly resources: readonly TrackedEntry[];
}

type TrackedEntry = readonly [Address, StateResource];

/** The schedules of each dashboard in a deep look; anything else by itself. */
function toursOf(tracked: readonly TrackedEntry[], { refresh, rows, api, service }: Looking): readonly Tour[] {
  const isDeep = ([address, { id }]: TrackedEntry) =>
    refresh.depth === 'deep' && kindOf(address) === 'schedule' && id !== undefined;
  const dashboardOf = ([, { id = '', attributes }]: TrackedEntry) => {
    const identifier = rows.get(id)?.identifier || attributes['identifier'];
    return typeof identifier === 'string' ? identifier : undefined;
  };
  const tours = [...groupBy(tracked.filter(isDeep), dashboardOf)].map(([identifier, resources]) => ({
    identifier,
    ask: askDashboard(identifier, api, service.call),
    resources,
  }));
  const alone = tracked.filter((each) => !isDeep(each)).map((each) => ({ ask: askNothing, resources: [each] }));
  return [...alone, ...tours];
}

/** The ids of filters that are spelled otherwise in its schedules. */
async function observeTour(
  { ask, resources }: Tour,
  looking: Looking,
  all: Map<Address, Seen>,
): Promise<readonly string[]> {
  const { seen, spellings } = await lookAtFilters(ask, async () => {
    const looks = new Map<Address, FilterLook>();
    for (const [address, resource] of resources) {
      const found = await observeResource(address, resource, looking);
      all.set(address, found);
      if (found.filters !== undefined) looks.set(address, found.filters);
    }
    return looks;
  });
  for (const [address, { filterConfig, isIncomplete }] of seen) {
    const found = all.get(address);
    if (!found?.resource?.found) continue;
    all.set(address, {
      ...found,
      resource: withFields(found.resource, { filterConfig }),
      areFiltersLeft: isIncomplete,
    });
  }
  return spellings;
}

function goneOf(schedules: readonly [Address, StateResource][], observed: Observed): readonly GoneSchedule[] {
  return schedules.flatMap(([address, { attributes }]) => {
    const owner = attributes['owner'] ?? attributes['userId'];
    return observed.get(address)?.found === false && typeof owner === 'string' ? [{ address, owner }] : [];
  });
}

function listsTracked(rows: Looking['rows'], state: State | undefined): boolean {
  return Object.values(state?.resources ?? {}).some(({ id }) => id !== undefined && rows.has(id));
}

interface Looking extends ObserveOptions {
  readonly api: Api;
  /** By id. */
  readonly rows: ReadonlyMap<string, ListedSchedule>;
  readonly secrets: SecretFields;
}

interface Seen {
  /** Undefined for what cannot be observed, or where the service does not answer. */
  readonly resource?: ObservedResource;
  /** Of a schedule, as far as the service says it. */
  readonly ownerId?: string;
  readonly ownerName?: string;
  readonly finding?: Finding;
  /** Its details, where they were read. */
  readonly read?: RemoteSchedule;
  readonly isRowAlone?: boolean;
  /** It has a secret that could not be compared. */
  readonly isSecretLeft?: boolean;
  /** Its filters, to be judged with those of the other schedules of its dashboard. */
  readonly filters?: FilterLook | undefined;
  /** They could not be compared, or not all of them. */
  readonly areFiltersLeft?: boolean;
}

async function observeResource(address: Address, resource: StateResource, looking: Looking): Promise<Seen> {
  const kind = kindOf(address);
  if (kind === 'dashboard') return observeDashboard(address, resource, looking);
  if (kind !== 'schedule' || resource.id === undefined) return {};
  return withOwner(await observeSchedule(address, resource.id, resource, looking), address, resource, looking);
}

/**
 * Who owns it, where an owner was applied. A schedule without one is not changed from outside by having one, unless that is
 * the declared one.
 */
async function withOwner(
  seen: Seen,
  address: Address,
  { attributes: { owner: applied } }: StateResource,
  { api, secrets, service }: Looking,
): Promise<Seen> {
  if (!seen.resource?.found || seen.ownerId === undefined) return seen;
  const known = [applied, ...secrets.valuesOf(address, 'owner')].filter((owner) => typeof owner === 'string');
  if (known.length === 0) return seen;
  const owner = await ownerInWordsOf(known, seen.ownerId, api, service.call);
  if (owner === undefined) return { ...seen, finding: seen.finding ?? ownerNotCompared(address) };
  const resource = { ...seen.resource, ownedBy: seen.ownerName };
  if (applied === undefined && !known.includes(owner)) return { ...seen, resource };
  return { ...seen, resource: withFields(resource, { owner }) };
}

function ownerNotCompared(address: Address): Finding {
  return {
    code: 'not-observed',
    message: `Almanac cannot tell whether \`${address}\` belongs to its owner: the token may not look up addresses.`,
    hint: 'Use an organization key.',
    address,
  };
}

async function observeSchedule(
  address: Address,
  id: string,
  resource: StateResource,
  { rows, refresh, secrets, api, service: { call }, clock }: Looking,
): Promise<Seen> {
  const { attributes, createdAt } = resource;
  const row = rows.get(id);
  const secret = secrets.of(address);
  const fromRow = row && observedRow(row, attributes, secret);
  if (fromRow && !fromRow.isSuspect && refresh.depth === 'list') {
    const { ownerId, ownerName, stopped } = row;
    return { resource: fromRow, ownerId, ownerName, finding: stoppedByService(address, stopped), isRowAlone: true };
  }
  try {
    const { signal } = call;
    const schedule = await unlessGone(retryWhileNew({ clock, createdAt, signal }, () => api.getSchedule(id, call)));
    // A schedule that the list shows exists, even if its id is not found.
    if (schedule === undefined) return row === undefined ? { resource: { found: false } } : notFound(address);
    const recipients = await api.getRecipients(id, call);
    const details = observedDetails({ schedule, recipients, row, attributes, secret });
    const compared = await compareSecrets(details.secrets, attributes, address, secrets);
    return {
      resource: { ...withFields(details.resource, compared.attributes), updatedAt: schedule.updatedAt },
      ownerId: row?.ownerId ?? schedule.ownerId,
      ownerName: row?.ownerName,
      finding: stoppedByService(address, schedule.stopped),
      read: schedule,
      isSecretLeft: compared.isIncomplete,
      filters: filterLook(schedule, resource, secrets.valuesOf(address, 'filterConfig')),
      areFiltersLeft:
        schedule.filterConfig === undefined && (refresh.depth === 'deep' || attributes['filterConfig'] !== undefined),
    };
  } catch (error) {
    return { finding: unobserved(address, `what became of \`${address}\``, error) };
  }
}

/** A field that is undefined is not set. */
function withFields(resource: FoundResource, more: Readonly<Record<string, Json | undefined>>): FoundResource {
  const { fields, attributes } = resource;
  const set = Object.entries(more).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  return {
    ...resource,
    fields: new Set([...fields, ...Object.keys(more)]),
    attributes: { ...attributes, ...Object.fromEntries(set) },
  };
}

function notFound(address: Address): Seen {
  const message = `Omni lists \`${address}\` but does not find it by its id, so Almanac cannot tell what became of it.`;
  return { finding: { code: 'not-observed', message, hint: 'Run again in a moment.', address } };
}

async function observeDashboard(
  address: Address,
  { attributes }: StateResource,
  { api, service, secrets }: Looking,
): Promise<Seen> {
  const { identifier } = attributes;
  // A fingerprint names no dashboard.
  if (typeof identifier !== 'string') return {};
  try {
    const filters = await api.getFilters(identifier, service.call);
    return { resource: observedFilters(filters, attributes, secrets.of(address)) };
  } catch (error) {
    return { finding: unobserved(address, `what became of \`${address}\``, error) };
  }
}

/** Whether the schedules exist that entries of `adopt` take over. An apply observes them again when it adopts them. */
async function adoptionFindings(looking: Looking): Promise<readonly Finding[]> {
  const { desired, state, refresh, only, rows, api, service } = looking;
  if (refresh.only) return [];
  const finished = finishedAdoptions(desired, state);
  const open = desired.adoptions.filter((each) => (only?.has(each.to) ?? true) && !finished.has(each));
  const findings = new Map<Adoption, Finding>();
  const declared = new Map(desired.resources.map(({ address, attributes }) => [address, attributes]));
  await inParallel(open, service.concurrency, async (adoption) => {
    const { to, id, origin } = adoption;
    const row = rows.get(id);
    if (row !== undefined) {
      if (isElsewhere(row, declared.get(to) ?? {})) findings.set(adoption, adoptedElsewhere(adoption, row));
      return;
    }
    const place = placeOf(origin);
    try {
      if ((await unlessGone(api.getSchedule(id, service.call))) === undefined)
        findings.set(adoption, nothingToAdopt(adoption));
    } catch (error) {
      findings.set(adoption, { ...unobserved(to, `whether there is a schedule with the id ${id}`, error), place });
    }
  });
  return open.flatMap((adoption) => findings.get(adoption) ?? []);
}

function nothingToAdopt({ to, id, origin }: Adoption): Finding {
  return {
    code: 'invalid-adopt',
    message: `Omni has no schedule with the id ${id}, which \`${to}\` is to take over.`,
    hint: 'Copy the id from the address bar of the delivery in Omni, or remove the entry to create the schedule.',
    place: placeOf(origin),
  };
}

/** A refusal of this one says nothing about the others; any other failure ends the observation. */
function unobserved(address: Address, what: string, error: unknown): Finding {
  const status = statusOf(error);
  if (!(error instanceof Failure) || (status !== 403 && status !== 404)) throw error;
  return { code: 'not-observed', message: `Almanac cannot tell ${what}. ${error.message}`, hint: error.hint, address };
}

function stoppedByService(address: Address, why: string | undefined): Finding | undefined {
  if (why === undefined) return undefined;
  return {
    code: 'stopped-by-service',
    message: `Omni has stopped \`${address}\`: ${stopWords[why] ?? why}. Nothing is delivered until that is fixed.`,
    hint: 'Fix it in Omni, and resume the delivery there.',
    address,
  };
}

/** The reasons that are documented. */
const stopWords: Readonly<Record<string, string>> = {
  missingQuery: 'the query that it delivers or watches is gone from the dashboard (missingQuery)',
  noAccess: 'its owner has no access to the dashboard any more (noAccess)',
  orphanedFilterConfigKeys:
    'filterConfig names filters that the dashboard does not have any more (orphanedFilterConfigKeys)',
};
