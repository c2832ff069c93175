// PUT /v1/schedules/{scheduleId}: the flat form of a create, under the same rules. An omitted field is reset to its
// default, including a password; or it is kept, as another of the vendor's pages says (`put: 'merge'`). Neither pauses
// nor resumes.

import { type Answer, Rejection } from '../pipeline/answer.ts';
import type { Call } from '../pipeline/exchange.ts';
import { anObject } from '../pipeline/fields.ts';
import { readScheduleBody, type ScheduleBody } from '../schedule-rules/body.ts';
import { checkSchedule } from '../schedule-rules/check-schedule.ts';
import { belongsToDestination } from '../schedule-rules/destination.ts';
import { belongsToFormat } from '../schedule-rules/format.ts';
import type { StoredSchedule } from '../store/store.ts';
import { openSchedule } from './find-schedule.ts';
import { storedBody, toStoredFields } from './stored-body.ts';

export function updateSchedule(call: Call): Answer {
  const { store, quirks } = call;
  const schedule = openSchedule(call);
  const sent = readSent(call.body);
  const merges = quirks.put === 'merge';
  const body = readScheduleBody(merges ? { ...keptFields(schedule, sent), ...sent } : sent);
  if (quirks.fixedDestination === true) refuseMove(schedule, body);
  checkSchedule(body, store);
  const keepsPassword = merges && schedule.hasPassword && body.destinationType === 'sftp';
  schedule.hasPassword = body.passwordUnencrypted !== undefined || keepsPassword;
  schedule.fields = toStoredFields(body);
  schedule.updatedAt = new Date(store.now()).toISOString();
  store.save();
  return { status: 200, body: { success: true, scheduledTaskId: schedule.id } };
}

function readSent(body: unknown): Readonly<Record<string, unknown>> {
  const message = anObject(body);
  if (message !== undefined) throw new Rejection(400, message);
  const sent = body as Readonly<Record<string, unknown>>;
  if (Object.hasOwn(sent, 'testNow')) throw new Rejection(400, "Unrecognized key(s) in object: 'testNow'");
  return sent;
}

/** Removes the fields of the previous format and destination. */
function keptFields(schedule: StoredSchedule, sent: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { format, destinationType } = { ...storedBody(schedule), ...(sent as Partial<ScheduleBody>) };
  const kept = Object.entries(schedule.fields).filter(
    ([name]) => belongsToFormat(name, format) && belongsToDestination(name, destinationType),
  );
  return Object.fromEntries(kept);
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
