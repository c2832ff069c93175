// PUT .../transfer-ownership: another member owns the schedule from now on, one who can view its dashboard.

import { requireMember } from '../acting-member.ts';
import { type Answer, Rejection } from '../answer.ts';
import { canView } from '../can-view.ts';
import type { Call } from '../exchange.ts';
import { aUuid, checkFields } from '../fields.ts';
import { findDocument } from '../store.ts';
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
