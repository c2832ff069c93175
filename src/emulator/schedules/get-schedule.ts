// GET /v1/schedules/{scheduleId}: a schedule in a form that no other operation accepts: the dashboard by its UUID,
// options in `metadata`, the destination in a list, the effective filters. Without the password.

import { readActingMember } from '../pipeline/acting-member.ts';
import type { Answer } from '../pipeline/answer.ts';
import type { Call } from '../pipeline/exchange.ts';
import type { ScheduleBody } from '../schedule-rules/body.ts';
import { belongsToFormat } from '../schedule-rules/format.ts';
import { dashboardUuid, deriveUuid } from '../store/derive-uuid.ts';
import { type EmulatedObject, findDocument, type Store, type StoredSchedule } from '../store/store.ts';
import { findSchedule, ownerOf } from './find-schedule.ts';
import { destinationSettings, emailRecipients, groupRecipients } from './recipients.ts';
import { storedBody } from './stored-body.ts';

/** Undefined if the service states no default: such an option is omitted unless it was given. */
const optionDefaults = {
  hideTitle: false,
  hideHiddenFields: false,
  enableFormatting: false,
  overrideRowLimit: false,
  maxRowLimit: undefined,
  showContentLink: true,
  showFilters: true,
  expandTablesToShowAllRows: false,
  paperFormat: undefined,
  paperOrientation: undefined,
  singleColumnLayout: false,
} satisfies Partial<Record<keyof ScheduleBody, unknown>>;

export function getSchedule(call: Call): Answer {
  const { store } = call;
  const schedule = findSchedule(call, readActingMember(call, { mustBeUuid: true }));
  const body = storedBody(schedule);
  const owner = ownerOf(schedule, store.data);
  return {
    status: 200,
    body: {
      id: schedule.id,
      name: body.name,
      organizationId: store.data.organization.id,
      entityId: dashboardUuid(body.identifier),
      ownerId: owner.id,
      owner: { name: owner.name },
      schedule: body.schedule,
      timezone: body.timezone,
      fanOut: body.fanOut ?? false,
      killJobsOnFailure: body.killJobsOnFailure ?? false,
      filterConfig: effectiveFilters(body, store),
      metadata: optionsOf(body),
      conditionType: body.conditionType ?? null,
      conditionQueryMapKey: body.conditionQueryMapKey ?? null,
      disabledAt: schedule.disabledAt ?? null,
      systemDisabledAt: schedule.systemDisabled?.at ?? null,
      systemDisabledReason: schedule.systemDisabled?.reason ?? null,
      createdAt: schedule.createdAt,
      updatedAt: schedule.updatedAt,
      destinations: [toDestination(schedule, store)],
    },
  };
}

/** The dashboard's current filters, overridden by those of the schedule. Removed filters are omitted. */
function effectiveFilters({ identifier, filterConfig = {} }: ScheduleBody, store: Store): EmulatedObject {
  const filters = Object.entries(findDocument(store, identifier)?.dashboard?.filters ?? {});
  return Object.fromEntries(
    filters.map(([id, filter]) => [id, (Object.hasOwn(filterConfig, id) ? filterConfig[id] : undefined) ?? filter]),
  );
}

function optionsOf(body: ScheduleBody): Record<string, unknown> {
  const options = Object.entries(optionDefaults)
    .filter(([name]) => belongsToFormat(name, body.format))
    .map(([name, fallback]) => [name, body[name as keyof ScheduleBody] ?? fallback]);
  return {
    ...Object.fromEntries(options),
    timezoneOverride: body.timezoneOverride ?? null,
    queryIdentifierMapKey: body.queryIdentifierMapKey,
  };
}

function toDestination(schedule: StoredSchedule, store: Store): Record<string, unknown> {
  const body = storedBody(schedule);
  return {
    id: deriveUuid('destination', schedule.id),
    format: body.format,
    lastStatus: schedule.lastRun?.status ?? null,
    lastCompletedAt: schedule.lastRun?.at ?? null,
    metadata: destinationSettings(body, store),
    recipients: emailRecipients(schedule, store).map(({ id, membershipId, email, name }) => ({
      id,
      membershipId,
      membership: { user: { email, name } },
    })),
    userGroupRecipients: groupRecipients(schedule, store).map(({ id, name }) => ({ id, name })),
  };
}
