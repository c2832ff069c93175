// Every rule between the fields of a schedule, and between a schedule and the organization.

import { Rejection } from '../pipeline/answer.ts';
import type { Store } from '../store/store.ts';
import type { ScheduleBody } from './body.ts';
import { checkCondition } from './condition.ts';
import { checkDashboard } from './dashboard.ts';
import { checkDestination } from './destination.ts';
import { checkFormat } from './format.ts';

export function checkSchedule(body: ScheduleBody, store: Store): void {
  checkFormat(body);
  checkCondition(body);
  checkDestination(body);
  checkDashboard(body, store);
  if (body.destinationType === 'slack' && !store.data.organization.slackConnected) {
    throw new Rejection(400, 'No Slack workspace is connected to this organization');
  }
}
