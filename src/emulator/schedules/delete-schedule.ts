// DELETE /v1/schedules/{scheduleId}: permanent.

import type { Answer } from '../pipeline/answer.ts';
import type { Call } from '../pipeline/exchange.ts';
import { openSchedule } from './find-schedule.ts';

export function deleteSchedule(call: Call): Answer {
  const { data, save } = call.store;
  data.schedules.splice(data.schedules.indexOf(openSchedule(call)), 1);
  save();
  return { status: 200, body: { success: true } };
}
