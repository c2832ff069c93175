// Schedules that are created, changed, paused, triggered, transferred and deleted. A member may see and change its own
// schedules, the organization all.

import { type Answer, Rejection } from './answers.ts';
import { anId, anObject, checkFields, isUuid, needed, readQuery } from './checks.ts';
import { canView } from './documents.ts';
import type { Quirks } from './faults.ts';
import { type OperationInput, readActingMember, requireMember, sameId } from './requests.ts';
import { checkSchedule, fieldsThatFit, readScheduleBody, type ScheduleBody, storedBody } from './schedule-rules.ts';
import { type EmulatedObject, type EmulatorData, findDocument, type Store, type StoredSchedule } from './store.ts';

/** For operations without query parameters. */
export function openSchedule(call: OperationInput): StoredSchedule {
  readQuery(call.query, {});
  return findSchedule(call, call.caller.kind === 'personal' ? call.caller.memberId : null);
}

/** `member` is the member whose access counts; null for the organization. */
export function findSchedule(call: OperationInput, member: string | null): StoredSchedule {
  const { id } = call;
  if (!isUuid(id)) throw new Rejection(400, 'scheduleId: Invalid uuid');
  const { schedules } = call.store.data;
  const asked = schedules.find((known) => known.id === id) ?? schedules.find((known) => sameId(known.id, id));
  const schedule = asked !== undefined && isThereYet(asked, call) ? asked : undefined;
  if (schedule === undefined) throw new Rejection(404, `Scheduled task with id ${id} does not exist`);
  if (member !== null && schedule.ownerId !== member) {
    throw new Rejection(403, 'Permission denied: must be schedule owner or have manage permission');
  }
  call.runs.schedules.catchUp([schedule]);
  return schedule;
}

/** With eventual consistency a new record becomes visible only after a while. */
export function isThereYet(made: { readonly createdAt: string }, { store, quirks }: OperationInput): boolean {
  return Date.parse(made.createdAt) + (quirks.eventualConsistencyMs ?? 0) <= store.now();
}

/** The owner's id; the organization's id if no member owns the schedule. */
export function ownerOf({ ownerId }: StoredSchedule, data: EmulatorData): { id: string; name: string } {
  if (ownerId === null) return { id: data.organization.id, name: 'Organization' };
  return { id: ownerId, name: data.members.find(({ id }) => id === ownerId)?.name ?? '' };
}

/**
 * A schedule as requests write it, and as the store keeps it: without the password, and without the fields of a test.
 */
function toStoredFields(
  { passwordUnencrypted: _, testNow: __, ...fields }: ScheduleBody,
  { storedFilters = 'as-sent' }: Quirks,
): EmulatedObject {
  // The service stores a key prefix without its leading slashes.
  if (fields.keyPrefix !== undefined) fields.keyPrefix = fields.keyPrefix.replace(/^\/+/, '');
  const stored = fields as EmulatedObject;
  const filters = Object.entries((fields.filterConfig ?? {}) as EmulatedObject).flatMap(([id, filter]) => {
    const kept = storedAs[storedFilters](filter as EmulatedObject);
    return kept === undefined ? [] : [[id, kept] as const];
  });
  return fields.filterConfig === undefined ? stored : { ...stored, filterConfig: Object.fromEntries(filters) };
}

const storedAs: Readonly<
  Record<NonNullable<Quirks['storedFilters']>, (filter: EmulatedObject) => EmulatedObject | undefined>
> = {
  'as-sent': (filter) => filter,
  dropped: () => undefined,
  respelled: ({ type: _, ...filter }) => ({ ...filter, kind: 'EQ' }),
  turned: (filter) => ({ ...filter, is_negative: filter['is_negative'] !== true }),
  'first-value': (filter) => ({ ...filter, values: [filter['values'] ?? []].flat().slice(0, 1) }),
};

/** Records a delivery instead of sending it; deliveries to webhooks are also sent. */
function recordDelivery(store: Store, body: ScheduleBody, ownerId: string | null): void {
  const { identifier, name, format, destinationType, url, filterConfig, queryIdentifierMapKey } = body;
  const at = store.time();
  const what = { identifier, name, format, destinationType, filterConfig, queryIdentifierMapKey };
  const posting = destinationType === 'webhook' && url !== undefined ? { url, attempts: [], dueAt: at } : {};
  store.data.deliveries.push({ id: store.newId(), at, ownerId, ...what, ...posting });
  store.save();
}

/**
 * POST /v1/schedules: creates a recurring schedule, or with testNow makes a single delivery and keeps no schedule.
 * Sending the same request twice creates two schedules.
 */
export function createSchedule(call: OperationInput): Answer {
  const { store } = call;
  const ownerId = readActingMember(call);
  const body = readScheduleBody(call.body);
  checkSchedule(body, call);
  const message = 'Successfully created schedule';
  if (body.testNow === true) {
    recordDelivery(store, body, ownerId);
    return { status: 200, body: { message } };
  }
  const [id, time] = [store.newId(), store.time()];
  const hasPassword = body.passwordUnencrypted !== undefined;
  const fields = toStoredFields(body, call.quirks);
  store.data.schedules.push({ id, ownerId, createdAt: time, updatedAt: time, hasPassword, fields });
  store.save();
  const { delivererRoleArn, id: externalId } = store.data.organization;
  return { status: 200, body: { id, message, ...(body.destinationType === 's3' && { delivererRoleArn, externalId }) } };
}

/** To be called after a change of the schedule. */
export function saveChanged(schedule: StoredSchedule, store: Store): void {
  schedule.updatedAt = store.time();
  store.save();
}

/**
 * PUT /v1/schedules/{scheduleId}: the flat form of a create, under the same rules. An omitted field is reset to its
 * default, including a password; or it is kept, as another of the vendor's pages says (`put: 'merge'`). User groups
 * stay, unless a fault removes them. Neither pauses nor resumes.
 */
export function updateSchedule(call: OperationInput): Answer {
  const { store, quirks } = call;
  const schedule = openSchedule(call);
  const sent = readSent(call.body);
  const merges = quirks.put === 'merge';
  const kept = merges ? fieldsThatFit(schedule.fields, { ...storedBody(schedule), ...sent }) : {};
  const body = readScheduleBody({ ...kept, ...sent });
  if (quirks.fixedDestination === true) refuseMove(schedule, body);
  checkSchedule(body, call);
  const keepsPassword = merges && schedule.hasPassword && body.destinationType === 'sftp';
  schedule.hasPassword = body.passwordUnencrypted !== undefined || keepsPassword;
  schedule.fields = toStoredFields(body, quirks);
  if (!merges) delete schedule.options;
  if (call.atWork.includes('drop-groups') || body.destinationType !== 'email') delete schedule.userGroupIds;
  saveChanged(schedule, store);
  return { status: 200, body: { success: true, scheduledTaskId: schedule.id } };
}

function readSent(body: unknown): Partial<ScheduleBody> {
  const fault = anObject(body, '');
  if (fault !== undefined) throw new Rejection(400, fault);
  const sent = body as Partial<ScheduleBody>;
  if (Object.hasOwn(sent, 'testNow')) throw new Rejection(400, "Unrecognized key(s) in object: 'testNow'");
  return sent;
}

function refuseMove(schedule: StoredSchedule, { destinationType, identifier }: ScheduleBody): void {
  const before = storedBody(schedule);
  if (destinationType !== before.destinationType) {
    throw new Rejection(400, `destinationType: Cannot be changed from ${before.destinationType}`);
  }
  if (identifier !== before.identifier) {
    throw new Rejection(404, `Document with identifier "${identifier}" not found`);
  }
}

/**
 * PUT .../pause and .../resume. Neither is repeatable, and neither changes a schedule that the service has stopped.
 */
export function setPaused(call: OperationInput, paused: boolean): Answer {
  const schedule = openSchedule(call);
  if (schedule.systemDisabled !== undefined) throw new Rejection(400, 'Schedule is system disabled');
  if ((schedule.disabledAt !== undefined) === paused) {
    throw new Rejection(400, `Schedule is already ${paused ? 'paused' : 'resumed'}`);
  }
  if (paused) schedule.disabledAt = call.store.time();
  else delete schedule.disabledAt;
  saveChanged(schedule, call.store);
  return { status: 200, body: { success: true } };
}

/** DELETE /v1/schedules/{scheduleId}: permanent. */
export function deleteSchedule(call: OperationInput): Answer {
  const { data, save } = call.store;
  data.schedules.splice(data.schedules.indexOf(openSchedule(call)), 1);
  save();
  return { status: 200, body: { success: true } };
}

const maxPersonal = 50;

/** POST .../trigger: one delivery now, in addition to the scheduled ones. The answer does not wait for its end. */
export function triggerSchedule(call: OperationInput): Answer {
  const { store, runs } = call;
  const schedule = openSchedule(call);
  const body = storedBody(schedule);
  if (schedule.systemDisabled !== undefined) throw new Rejection(409, 'Schedule is system disabled');
  if (schedule.disabledAt !== undefined) throw new Rejection(409, 'Schedule is paused');
  if (body.fanOut === true && (body.recipients?.length ?? 0) > maxPersonal) {
    throw new Rejection(409, `A personalized delivery to more than ${maxPersonal} recipients cannot be triggered`);
  }
  if (runs.schedules.isRunning(schedule)) throw new Rejection(409, 'Schedule is already running');
  runs.schedules.begin(schedule);
  recordDelivery(store, body, schedule.ownerId);
  return { status: 200, body: { success: true } };
}

/** PUT .../transfer-ownership: gives the schedule to another member, who must be able to view its dashboard. */
export function transferOwnership(call: OperationInput): Answer {
  const { store } = call;
  const schedule = openSchedule(call);
  const { userId } = checkFields(call.body, { userId: needed(anId) });
  const member = requireMember(store, userId);
  if (member === schedule.ownerId) throw new Rejection(400, 'userId: The user owns the schedule already');
  const document = findDocument(store, storedBody(schedule).identifier);
  if (document === undefined || !canView(member, document, store.data)) {
    throw new Rejection(400, 'userId: The user cannot view the associated dashboard');
  }
  schedule.ownerId = member;
  saveChanged(schedule, store);
  return { status: 200, body: { success: true } };
}
