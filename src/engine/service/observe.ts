// Observes what exists (operations full) with as few requests as possible: the list of schedules, a hundred a page; the
// details of those that the list shows as changed, or of all with depth deep; the filters of dashboards. A tracked
// schedule that is not listed is asked for by its id before it counts as gone.

import type { Refresh } from '../../model/plan/plan.ts';
import type { State, StateResource } from '../../model/plan/state.ts';
import type { Observed, ObservedResource } from '../../model/service/observed.ts';
import type { ListedSchedule, RemoteSchedule } from '../../model/service/remote.ts';
import { statusOf } from '../../model/service/service-error.ts';
import { type Address, kindOf } from '../../model/values/address.ts';
import type { JsonObject } from '../../model/values/json.ts';
import type { Finding } from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Api, CallOptions } from '../../ports/api.ts';
import type { Clock } from '../../ports/clock.ts';
import { deletedWithOwner, type GoneSchedule } from '../owners/deleted-with-owner.ts';
import { ownerInWordsOf } from '../owners/owner-id.ts';
import { inParallel } from './in-parallel.ts';
import { observedFilters } from './observed-filters.ts';
import { observedDetails, observedRow } from './observed-schedule.ts';
import { compareSecrets, type SecretFields } from './observed-secrets.ts';
import { retryWhileNew } from './retry-while-new.ts';

export interface ObserveOptions {
  /** With its fingerprints as far as they can be compared. */
  readonly state: State | undefined;
  readonly api: Api;
  readonly clock: Clock;
  readonly depth: Refresh['depth'];
  /** Addresses as the state has them; all where undefined. */
  readonly only: ReadonlySet<Address> | undefined;
  /** Its details are read, even if the list shows no difference. */
  readonly sample?: Address | undefined;
  readonly concurrency: number;
  readonly call: CallOptions;
  /** Read the list of schedules even if none of them is tracked. */
  readonly lists?: boolean;
  /** What is compared by fingerprints, or not at all. */
  readonly secrets: SecretFields;
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
}

export async function observe(options: ObserveOptions): Promise<Observation> {
  const { state, api, only, concurrency, call } = options;
  const tracked = Object.entries(state?.resources ?? {}).filter(([address]) => only?.has(address) ?? true);
  const schedules = tracked.filter(([address, { id }]) => kindOf(address) === 'schedule' && id !== undefined);
  const listed = schedules.length > 0 || options.lists ? await api.listSchedules({}, call) : undefined;
  const rows = new Map(listed?.map((row) => [row.id, row]));
  let [detailsNotCompared, secretsNotCompared] = [0, 0];
  const onRowAlone = () => {
    detailsNotCompared += 1;
  };
  const onSecretLeft = () => {
    secretsNotCompared += 1;
  };
  const listing = { ...options, rows, onRowAlone, onSecretLeft };
  const observed = new Map<Address, ObservedResource>();
  const findings: Finding[] = [];
  await inParallel(tracked, concurrency, async ([address, resource]) => {
    const seen = await observeResource(address, resource, listing);
    if (seen === undefined) return;
    if ('code' in seen) findings.push(seen);
    else {
      observed.set(address, seen.resource);
      if (seen.finding !== undefined) findings.push(seen.finding);
    }
  });
  const isFound = ([address]: (typeof schedules)[number]) => observed.get(address)?.found === true;
  const foundNone = schedules.length > 0 && !schedules.some(isFound) && !listsTracked(rows, state);
  // With a token of another organization, nobody is a member.
  if (!foundNone) findings.push(...(await deletedWithOwner(goneOf(schedules, observed), api, call)));
  findings.sort((a, b) => ((a.address ?? '') < (b.address ?? '') ? -1 : 1));
  return { observed, findings, foundNone, listed, detailsNotCompared, secretsNotCompared };
}

function goneOf(schedules: readonly [Address, StateResource][], observed: Observed): readonly GoneSchedule[] {
  return schedules.flatMap(([address, { attributes }]) => {
    const owner = attributes['owner'] ?? attributes['userId'];
    return observed.get(address)?.found === false && typeof owner === 'string' ? [{ address, owner }] : [];
  });
}

function listsTracked(rows: ReadonlyMap<string, ListedSchedule>, state: State | undefined): boolean {
  return Object.values(state?.resources ?? {}).some(({ id }) => id !== undefined && rows.has(id));
}

interface Listing extends ObserveOptions {
  /** By id. */
  readonly rows: ReadonlyMap<string, ListedSchedule>;
  /** Called for each schedule whose details are not read. */
  readonly onRowAlone: () => void;
  /** Called for each schedule with a secret that could not be compared. */
  readonly onSecretLeft: () => void;
}

type Found = Extract<ObservedResource, { found: true }>;

interface Seen {
  readonly resource: ObservedResource;
  /** Of a schedule, as far as the service says it. */
  readonly ownerId?: string | undefined;
  readonly ownerName?: string | undefined;
  readonly finding?: Finding;
}

/** A finding where the service does not answer; undefined for what cannot be observed. */
async function observeResource(
  address: Address,
  resource: StateResource,
  listing: Listing,
): Promise<Seen | Finding | undefined> {
  switch (kindOf(address)) {
    case 'schedule':
      if (resource.id === undefined) return undefined;
      return withOwner(await observeSchedule(address, resource.id, resource, listing), address, resource, listing);
    case 'dashboard':
      return observeDashboard(address, resource, listing);
    default:
      return undefined;
  }
}

/**
 * Who owns it, where an owner was applied. A schedule without one is not changed from outside by having one, unless that is
 * the declared one.
 */
async function withOwner(
  seen: Seen | Finding,
  address: Address,
  { attributes: { owner: applied } }: StateResource,
  { api, call, secrets }: Listing,
): Promise<Seen | Finding> {
  if ('code' in seen || !seen.resource.found || seen.ownerId === undefined) return seen;
  const known = [applied, ...secrets.valuesOf(address, 'owner')].filter((owner) => typeof owner === 'string');
  if (known.length === 0) return seen;
  const owner = await ownerInWordsOf(known, seen.ownerId, api, call);
  if (owner === undefined) return { ...seen, finding: seen.finding ?? ownerNotCompared(address) };
  const { ownerName } = seen;
  const resource = { ...seen.resource, ...(ownerName === undefined ? {} : { ownedBy: ownerName }) };
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
  { attributes, createdAt }: StateResource,
  listing: Listing,
): Promise<Seen | Finding> {
  const row = listing.rows.get(id);
  const fromRow = row && observedRow(row, attributes, listing.secrets.of(address));
  const stopped = row?.stopped === undefined ? {} : { finding: stoppedByService(address, row.stopped) };
  const isRowEnough = listing.depth === 'list' && listing.sample !== address;
  if (fromRow !== undefined && isRowEnough && !fromRow.isSuspect) {
    listing.onRowAlone();
    return { resource: fromRow, ownerId: row?.ownerId, ownerName: row?.ownerName, ...stopped };
  }
  try {
    const schedule = await foundOrGone({ ...listing, createdAt }, id);
    // A schedule that the list shows exists, even if its id is not found.
    if (schedule === undefined && row === undefined) return { resource: { found: false } };
    if (schedule === undefined) return notFound(address);
    const recipients = await listing.api.getRecipients(id, listing.call);
    const finding = schedule.stopped === undefined ? {} : { finding: stoppedByService(address, schedule.stopped) };
    const secret = listing.secrets.of(address);
    const { resource, secrets } = observedDetails({ schedule, recipients, row, attributes, secret });
    const compared = await compareSecrets(secrets, attributes, address, listing.secrets);
    if (compared.isIncomplete) listing.onSecretLeft();
    const read = { ...withFields(resource, compared.attributes), updatedAt: schedule.updatedAt };
    return { resource: read, ownerId: row?.ownerId ?? schedule.ownerId, ownerName: row?.ownerName, ...finding };
  } catch (error) {
    return unobserved(address, error);
  }
}

function withFields(resource: Found, more: JsonObject): Found {
  const { fields, attributes } = resource;
  return {
    ...resource,
    fields: new Set([...fields, ...Object.keys(more)]),
    attributes: { ...attributes, ...more },
  };
}

/** Undefined where no schedule has the id. */
async function foundOrGone(
  listing: Listing & { readonly createdAt: string },
  id: string,
): Promise<RemoteSchedule | undefined> {
  try {
    return await retryWhileNew({ ...listing, signal: listing.call.signal }, () =>
      listing.api.getSchedule(id, listing.call),
    );
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw error;
  }
}

function notFound(address: Address): Finding {
  return {
    code: 'not-observed',
    message: `Omni lists \`${address}\` but does not find it by its id, so Almanac cannot tell what became of it.`,
    hint: 'Run again in a moment.',
    address,
  };
}

async function observeDashboard(
  address: Address,
  { attributes }: StateResource,
  listing: Listing,
): Promise<Seen | Finding | undefined> {
  const { identifier } = attributes;
  // A fingerprint names no dashboard.
  if (typeof identifier !== 'string') return undefined;
  try {
    return {
      resource: observedFilters(
        await listing.api.getFilters(identifier, listing.call),
        attributes,
        listing.secrets.of(address),
      ),
    };
  } catch (error) {
    return unobserved(address, error);
  }
}

/** A refusal of this one says nothing about the others; any other failure ends the observation. */
function unobserved(address: Address, error: unknown): Finding {
  const status = statusOf(error);
  if (!(error instanceof Failure) || (status !== 403 && status !== 404)) throw error;
  return {
    code: 'not-observed',
    message: `Almanac cannot tell what became of \`${address}\`. ${error.message}`,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    address,
  };
}

function stoppedByService(address: Address, why: string): Finding {
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
