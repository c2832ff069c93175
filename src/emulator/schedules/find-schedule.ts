// Finds the schedule that a path names, if the caller may see and change it: a member may change its own schedules, the
// organization may change all.

import { Rejection } from '../pipeline/answer.ts';
import type { Call } from '../pipeline/exchange.ts';
import { isUuid, sameId } from '../pipeline/fields.ts';
import { readQuery } from '../pipeline/read-query.ts';
import type { EmulatorData, StoredSchedule } from '../store/store.ts';

/** For operations without query parameters. */
export function openSchedule(call: Call): StoredSchedule {
  readQuery(call.query, []);
  return findSchedule(call, call.caller.kind === 'personal' ? call.caller.memberId : null);
}

/** `member` is the member whose access counts; null for the organization. */
export function findSchedule(call: Call, member: string | null): StoredSchedule {
  const id = call.params.scheduleId ?? '';
  if (!isUuid(id)) throw new Rejection(400, 'scheduleId: Invalid uuid');
  const { schedules } = call.store.data;
  const asked = schedules.find((known) => known.id === id) ?? schedules.find((known) => sameId(known.id, id));
  const schedule = asked !== undefined && isThereYet(asked, call) ? asked : undefined;
  if (schedule === undefined) throw new Rejection(404, `Scheduled task with id ${id} does not exist`);
  if (member !== null && schedule.ownerId !== member) {
    throw new Rejection(403, 'Permission denied: must be schedule owner or have manage permission');
  }
  call.runs.catchUp([schedule]);
  return schedule;
}

/** With eventual consistency a new schedule becomes visible only after a while. */
export function isThereYet(schedule: StoredSchedule, { store, quirks }: Call): boolean {
  return Date.parse(schedule.createdAt) + (quirks.eventualConsistencyMs ?? 0) <= store.now();
}

/** The owner's id; the organization's id if no member owns the schedule. */
export function ownerOf({ ownerId }: StoredSchedule, data: EmulatorData): { id: string; name: string } {
  if (ownerId === null) return { id: data.organization.id, name: 'Organization' };
  return { id: ownerId, name: data.members.find(({ id }) => id === ownerId)?.name ?? '' };
}
