// PUT .../transfer-ownership: gives the schedule to another member, who must be able to view its dashboard.

import { canView } from '../documents/can-view.ts';
import { requireMember } from '../pipeline/acting-member.ts';
import { type Answer, Rejection } from '../pipeline/answer.ts';
import type { Call } from '../pipeline/exchange.ts';
import { aUuid, checkFields } from '../pipeline/fields.ts';
import { findDocument } from '../store/store.ts';
import { openSchedule } from './find-schedule.ts';
import { storedBody } from './stored-body.ts';

export function transferOwnership(call: Call): Answer {
  const { store } = call;
  const schedule = openSchedule(call);
  checkFields(call.body, { userId: { check: aUuid, required: true } });
  const member = requireMember(store, (call.body as { userId: string }).userId);
  if (member === schedule.ownerId) throw new Rejection(400, 'userId: The user owns the schedule already');
  const document = findDocument(store, storedBody(schedule).identifier);
  if (document === undefined || !canView(member, document)) {
    throw new Rejection(400, 'userId: The user cannot view the associated dashboard');
  }
  schedule.ownerId = member;
  schedule.updatedAt = new Date(store.now()).toISOString();
  store.save();
  return { status: 200, body: { success: true } };
}
