// PUT .../pause and .../resume. Neither is repeatable, and neither changes a schedule that the service has stopped.

import { type Answer, Rejection } from '../pipeline/answer.ts';
import type { Call } from '../pipeline/exchange.ts';
import { openSchedule } from './find-schedule.ts';

export function pauseSchedule(call: Call): Answer {
  return setPaused(call, true);
}

export function resumeSchedule(call: Call): Answer {
  return setPaused(call, false);
}

function setPaused(call: Call, paused: boolean): Answer {
  const schedule = openSchedule(call);
  if (schedule.systemDisabled !== undefined) throw new Rejection(400, 'Schedule is system disabled');
  if ((schedule.disabledAt !== undefined) === paused) {
    throw new Rejection(400, `Schedule is already ${paused ? 'paused' : 'resumed'}`);
  }
  const now = new Date(call.store.now()).toISOString();
  if (paused) schedule.disabledAt = now;
  else delete schedule.disabledAt;
  schedule.updatedAt = now;
  call.store.save();
  return { status: 200, body: { success: true } };
}
