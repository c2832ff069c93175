// POST /v1/schedules: creates a recurring schedule, or with testNow makes a single delivery and keeps no schedule.
// Sending the same request twice creates two schedules.

import { readActingMember } from '../pipeline/acting-member.ts';
import type { Answer } from '../pipeline/answer.ts';
import type { Call } from '../pipeline/exchange.ts';
import { readScheduleBody, type ScheduleBody } from '../schedule-rules/body.ts';
import { checkSchedule } from '../schedule-rules/check-schedule.ts';
import type { Store } from '../store/store.ts';
import { recordDelivery } from './record-delivery.ts';
import { toStoredFields } from './stored-body.ts';

const message = 'Successfully created schedule';

export function createSchedule(call: Call): Answer {
  const { store } = call;
  const ownerId = readActingMember(call, { mustBeUuid: true });
  const body = readScheduleBody(call.body);
  checkSchedule(body, store);
  if (body.testNow === true) {
    recordDelivery(store, body, ownerId);
    return { status: 200, body: { message } };
  }
  const id = recordSchedule(store, body, ownerId);
  const { delivererRoleArn, id: externalId } = store.data.organization;
  return { status: 200, body: { id, message, ...(body.destinationType === 's3' && { delivererRoleArn, externalId }) } };
}

function recordSchedule(store: Store, body: ScheduleBody, ownerId: string | null): string {
  const id = store.newId();
  const time = new Date(store.now()).toISOString();
  store.data.schedules.push({
    id,
    ownerId,
    createdAt: time,
    updatedAt: time,
    hasPassword: body.passwordUnencrypted !== undefined,
    fields: toStoredFields(body),
  });
  store.save();
  return id;
}
