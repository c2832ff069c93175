// A schedule as requests write it, and as the store keeps it: without the password, and without the fields of a test.

import type { ScheduleBody } from '../schedule-rules/body.ts';
import type { EmulatedObject, StoredSchedule } from '../store/store.ts';

export function toStoredFields({ passwordUnencrypted: _, testNow: __, ...fields }: ScheduleBody): EmulatedObject {
  // The service stores a key prefix without its leading slashes.
  if (fields.keyPrefix !== undefined) fields.keyPrefix = fields.keyPrefix.replace(/^\/+/, '');
  return fields as EmulatedObject;
}

export function storedBody(schedule: StoredSchedule): ScheduleBody {
  return schedule.fields as unknown as ScheduleBody;
}
