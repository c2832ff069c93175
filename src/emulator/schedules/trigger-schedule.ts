// POST .../trigger: one delivery now, in addition to the scheduled ones. The answer does not wait for its end.

import { type Answer, Rejection } from '../pipeline/answer.ts';
import type { Call } from '../pipeline/exchange.ts';
import { openSchedule } from './find-schedule.ts';
import { recordDelivery } from './record-delivery.ts';
import { storedBody } from './stored-body.ts';

const mostPersonal = 50;

export function triggerSchedule(call: Call): Answer {
  const { store, runs } = call;
  const schedule = openSchedule(call);
  const body = storedBody(schedule);
  if (schedule.systemDisabled !== undefined) throw new Rejection(409, 'Schedule is system disabled');
  if (schedule.disabledAt !== undefined) throw new Rejection(409, 'Schedule is paused');
  if (body.fanOut === true && (body.recipients?.length ?? 0) > mostPersonal) {
    throw new Rejection(409, `A personalized delivery to more than ${mostPersonal} recipients cannot be triggered`);
  }
  if (runs.isRunning(schedule)) throw new Rejection(409, 'Schedule is already running');
  runs.begin(schedule);
  recordDelivery(store, body, schedule.ownerId);
  return { status: 200, body: { success: true } };
}
