// Alerts: a condition needs the query it watches, and the other way round. Some schedules have no test delivery.

import { Rejection } from '../pipeline/answer.ts';
import type { ScheduleBody } from './body.ts';

export function checkCondition(body: ScheduleBody): void {
  if ((body.conditionType === undefined) !== (body.conditionQueryMapKey === undefined)) {
    throw new Rejection(400, 'Alert conditions require a condition type and a condition query map key');
  }
  if (body.testNow !== true) return;
  if (body.conditionType === 'RESULTS_CHANGED') {
    throw new Rejection(400, 'Test delivery not supported for condition type RESULTS_CHANGED');
  }
  if (body.destinationType === 's3') {
    throw new Rejection(400, 'Test delivery not supported for destination type s3');
  }
}
