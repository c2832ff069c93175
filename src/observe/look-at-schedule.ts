// The look at a schedule: the row in the list, or its details and who receives it. Its filters are judged with those of the
// other schedules of its dashboard (filters.ts).

import { idKey } from '../model/fields/ids.ts';
import type { StateResource } from '../model/plan/state.ts';
import type { ListedSchedule, RemoteRecipients, RemoteSchedule } from '../model/service/remote.ts';
import type { Address } from '../model/values/address.ts';
import { canonicalJson, isJsonObject, type JsonObject } from '../model/values/json.ts';
import type { Finding } from '../model/workspace/diagnostic.ts';
import { userGroupsIn } from '../model/workspace/resource.ts';
import { filterLook } from './filters.ts';
import { type LookContext, type SeenResource, unobserved } from './look-context.ts';
import { observedDetails, observedRow, withFields } from './observed.ts';
import { groupsFound, needsAccess, observedGroups, withGroups } from './observed-groups.ts';
import { isSameId, memberAt, ownerInWordsOf } from './owners/owners.ts';
import { entityIn } from './renamed-dashboards.ts';
import { compareSecrets } from './secret-fields.ts';
import { retryWhileNew, unlessGone, unlessOpen } from './sending.ts';

export async function lookAtSchedule(
  address: Address,
  resource: StateResource,
  looking: LookContext,
): Promise<SeenResource> {
  if (resource.id === undefined) return {};
  return withOwner(await observeSchedule(address, resource.id, resource, looking), address, resource, looking);
}

/**
 * Adds the owner, if an owner was applied. A schedule without one is not changed from outside by having one, unless
 * that is the declared one.
 */
async function withOwner(
  observed: SeenResource,
  address: Address,
  { attributes: { owner: applied } }: StateResource,
  { api, secrets, service, state }: LookContext,
): Promise<SeenResource> {
  if (!observed.resource?.found || observed.ownerId === undefined) return observed;
  const knownOwners = [applied, ...secrets.valuesOf(address, 'owner')].filter((owner) => typeof owner === 'string');
  if (knownOwners.length === 0) return observed;
  const { ownerId } = observed;
  const named = await ownerInWordsOf(knownOwners, ownerId, api, service.call);
  if (named === undefined) return withFinding(observed, ownerNotCompared(address));
  const { owner, isInactive } = named;
  const seenSchedule = isInactive ? withFinding(observed, ownerInactive(address, owner)) : observed;
  const resource = { ...observed.resource, ownedBy: observed.ownerName };
  const isRecorded = typeof applied === 'string' && isSameId(state?.owners?.[idKey(applied)] ?? '', ownerId);
  // The same member: the address that was applied is nobody's now.
  if (isRecorded && !knownOwners.includes(owner) && (await memberAt(applied, api, service.call)) === undefined)
    return withFinding(
      { ...seenSchedule, resource: withFields(resource, { owner: applied }) },
      ownerHasMoved(address, applied, owner),
    );
  if (applied === undefined && !knownOwners.includes(owner)) return { ...seenSchedule, resource };
  return { ...seenSchedule, resource: withFields(resource, { owner }) };
}

function withFinding(seen: SeenResource, finding: Finding): SeenResource {
  return { ...seen, finding: [seen.finding ?? [], finding].flat() };
}

function ownerInactive(address: Address, owner: string): Finding {
  return {
    code: 'owner-inactive',
    severity: 'warning',
    message: `The account of ${owner}, who owns \`${address}\` in Omni, is deactivated.`,
    hint: 'Declare another owner.',
    address,
    seen: true,
  };
}

function ownerHasMoved(address: Address, before: string, now: string): Finding {
  return {
    code: 'owner-address',
    message: `The owner of \`${address}\` has a new address in Omni: ${before} is now ${now}.`,
    hint: `Write \`owner: ${now}\`; this transfers nothing.`,
    address,
  };
}

function ownerNotCompared(address: Address): Finding {
  return {
    code: 'not-read',
    message: `Almanac cannot tell whether \`${address}\` belongs to its owner: Omni does not tell this token the people of the organization.`,
    hint: 'Use an organization key, or run again.',
    address,
  };
}

function accessNotTold(address: Address): Finding {
  return {
    code: 'not-read',
    message: `Almanac cannot tell what became of the user groups of \`${address}\`: Omni does not show who has access to its dashboard.`,
    hint: 'See that the token may view the dashboard, and run again.',
    address,
  };
}

async function observeSchedule(
  address: Address,
  id: string,
  resource: StateResource,
  { rows, refresh, secrets, api, config, adopted, service: { call }, clock }: LookContext,
): Promise<SeenResource> {
  const { attributes, createdAt } = resource;
  const row = rows.get(id);
  const secret = secrets.of(address);
  const fromRow = row && observedRow(row, resource, secret);
  if (fromRow && !fromRow.isSuspect && refresh.depth === 'list') {
    const { ownerId, ownerName, stopped } = row;
    return { resource: fromRow, ownerId, ownerName, finding: stoppedByService(address, stopped), isRowAlone: true };
  }
  try {
    const { signal } = call;
    const schedule = await unlessGone(retryWhileNew({ clock, createdAt, signal }, () => api.getSchedule(id, call)));
    // A schedule that the list shows exists, even if its id is not found.
    if (schedule === undefined) return row === undefined ? { resource: { found: false } } : notFound(address);
    const recipients = recipientsIn(schedule, row) ?? (await api.getRecipients(id, call));
    const details = observedDetails({ schedule, recipients, row, attributes, secret });
    const foundGroups = groupsFound(recipients, config.safety.internalDomains);
    const declared = secrets.valuesOf(address, 'userGroups').flatMap((userGroups) => userGroupsIn({ userGroups }));
    const identifier = row?.identifier || attributes['identifier'];
    // A look for its own sake also asks whether the groups still have access: one request a dashboard.
    const asksAccess = refresh.only && refresh.depth === 'deep' && foundGroups.length > 0;
    const isAsked = recipients.type === 'email' && (asksAccess || needsAccess(resource, declared, foundGroups));
    const asksNow = isAsked && typeof identifier === 'string';
    const access = asksNow ? await unlessOpen(api.groupsWithAccess(identifier, call)) : undefined;
    const isAdopted = adopted?.has(address) ?? false;
    const groups = observedGroups({ address, resource, foundGroups, recipients, access, isAdopted });
    const compared = await compareSecrets(details.secrets, attributes, address, secrets);
    return {
      resource: {
        ...withGroups(withFields(details.resource, compared.attributes), groups, attributes),
        // Without its row, it is not known which dashboard has that id.
        entityId: row?.identifier ? entityIn(schedule) : undefined,
        asRead: detailsAsRead(schedule, attributes),
        received: { groups: foundGroups, emails: recipients.emails ?? [], access },
        updatedAt: schedule.updatedAt,
      },
      groups,
      ownerId: row?.ownerId ?? schedule.ownerId,
      ownerName: row?.ownerName,
      finding: [
        stoppedByService(address, schedule.stopped) ?? [],
        otherFanOut(address, schedule, attributes),
        asksNow && access === undefined ? accessNotTold(address) : [],
      ].flat(),
      read: schedule,
      isSecretLeft: compared.isIncomplete,
      filters: filterLook(
        schedule,
        resource,
        secrets.valuesOf(address, 'filterConfig'),
        config.safety.rows?.filters,
        isAdopted,
      ),
      areFiltersLeft:
        schedule.filterConfig === undefined && (refresh.depth === 'deep' || attributes['filterConfig'] !== undefined),
    };
  } catch (error) {
    return { finding: unobserved(address, `what became of \`${address}\``, error) };
  }
}

/**
 * The details that somebody may have changed since they were read. Only applied filters are among them: any other may
 * be the dashboard's, which this run may change.
 */
export function detailsAsRead(schedule: RemoteSchedule, { filterConfig: applied }: JsonObject): string {
  const { name, timezone, paused, ownerId = null, entityId = null, fields, filterConfig = {}, destinations } = schedule;
  const own = Object.entries(filterConfig).filter(([id]) => isJsonObject(applied) && Object.hasOwn(applied, id));
  const places = (destinations as readonly JsonObject[]).map(
    ({ lastStatus: _, lastCompletedAt: __, ...place }) => place,
  );
  const read = { name, timezone, paused, ownerId, entityId, fields, places, schedule: schedule.schedule };
  return canonicalJson({ ...read, filterConfig: Object.fromEntries(own) });
}

/** The recipients in the details, if the row of the list, read before, proves that those are all; else undefined. */
export function recipientsIn(
  { destinations }: RemoteSchedule,
  row: ListedSchedule | undefined,
): RemoteRecipients | undefined {
  const [emails, ...others] = destinations.map((each) => each.emails);
  if (row?.destinationType !== 'email' || emails === undefined || others.length > 0) return undefined;
  return row.recipientCount === emails.length ? { type: 'email', emails, groups: [], settings: {} } : undefined;
}

function notFound(address: Address): SeenResource {
  const message = `Omni lists \`${address}\` but does not find it by its id, so Almanac cannot tell what became of it.`;
  return { finding: { code: 'not-read', message, hint: 'Run again in a moment.', address } };
}

/** A setting of the organization may decide it, so it is no drift. */
function otherFanOut(
  address: Address,
  { fanOut }: RemoteSchedule,
  { fanOut: applied = false }: JsonObject,
): readonly Finding[] {
  if (fanOut === undefined || typeof applied !== 'boolean' || fanOut === applied) return [];
  const effect = fanOut
    ? 'each receiver gets an e-mail of their own, with their own rights'
    : 'all receivers get one e-mail, with the rights of its owner';
  return [
    {
      code: 'other-fan-out',
      message: `Omni shows \`fanOut: ${fanOut}\` for \`${address}\`, which was sent with ${applied}: ${effect}.`,
      hint: 'Somebody changed the schedule in Omni, or a setting of the organization decides it: look at both.',
      address,
    },
  ];
}

function stoppedByService(address: Address, why: string | undefined): Finding | undefined {
  if (why === undefined) return undefined;
  return {
    code: 'stopped-by-service',
    message: `Omni has stopped \`${address}\`: ${stopWords[why] ?? why}. Nothing is delivered until the cause is fixed.`,
    hint: 'Fix the cause in Omni, and resume the delivery there.',
    address,
  };
}

/** The reasons that are documented. */
const stopWords: Readonly<Record<string, string>> = {
  missingQuery: 'the query that it delivers or watches is gone from the dashboard (missingQuery)',
  noAccess: 'its owner no longer has access to the dashboard (noAccess)',
  orphanedFilterConfigKeys: 'filterConfig names filters that the dashboard no longer has (orphanedFilterConfigKeys)',
};
