// POST /v1/schedules: makes a recurring schedule, or with testNow a single delivery that leaves no schedule behind.
// The same request twice makes two schedules.

import { readActingMember } from './acting-member.ts';
import { type Answer, Rejection } from './answer.ts';
import type { Call } from './exchange.ts';
import { readScheduleBody, type ScheduleBody } from './schedule-rules/body.ts';
import { checkCondition } from './schedule-rules/condition.ts';
import { checkDashboard } from './schedule-rules/dashboard.ts';
import { checkDestination } from './schedule-rules/destination.ts';
import { checkFormat } from './schedule-rules/format.ts';
import type { JsonObject, Store } from './store.ts';

const message = 'Successfully created schedule';

export function createSchedule(call: Call): Answer {
  const { store } = call;
  const ownerId = readActingMember(call, { mustBeUuid: true });
  const body = readScheduleBody(call.body);
  checkFormat(body);
  checkCondition(body);
  checkDestination(body);
  checkDashboard(body, store);
  if (body.destinationType === 'slack' && !store.data.organization.slackConnected) {
    throw new Rejection(400, 'No Slack workspace is connected to this organization');
  }
  if (body.testNow === true) {
    recordDelivery(store, body, ownerId);
    return { status: 200, body: { message } };
  }
  const id = recordSchedule(store, body, ownerId);
  const { delivererRoleArn, id: externalId } = store.data.organization;
  return { status: 200, body: { id, message, ...(body.destinationType === 's3' && { delivererRoleArn, externalId }) } };
}

function recordSchedule(store: Store, body: ScheduleBody, ownerId: string | null): string {
  const { passwordUnencrypted, testNow: _, ...fields } = body;
  // The service stores a key prefix without its leading slashes.
  if (fields.keyPrefix !== undefined) fields.keyPrefix = fields.keyPrefix.replace(/^\/+/, '');
  const id = store.newId();
  const time = new Date(store.now()).toISOString();
  store.data.schedules.push({
    id,
    ownerId,
    createdAt: time,
    updatedAt: time,
    hasPassword: passwordUnencrypted !== undefined,
    fields: fields as JsonObject,
  });
  store.save();
  return id;
}

function recordDelivery(store: Store, body: ScheduleBody, ownerId: string | null): void {
  const { identifier, name, format, destinationType } = body;
  const at = new Date(store.now()).toISOString();
  store.data.deliveries.push({ id: store.newId(), at, ownerId, identifier, name, format, destinationType });
  store.save();
}
