// The schedule that a path names, if the caller may see and change it: a member those that it owns, the organization
// all of them.

import { Rejection } from '../pipeline/answer.ts';
import type { Call } from '../pipeline/exchange.ts';
import { isUuid, sameId } from '../pipeline/fields.ts';
import { readQuery } from '../pipeline/read-query.ts';
import type { EmulatorData, StoredSchedule } from '../store/store.ts';

/** For the operations that take no parameter in the query. */
export function openSchedule(call: Call): StoredSchedule {
  readQuery(call.query, []);
  return findSchedule(call, call.caller.kind === 'personal' ? call.caller.memberId : null);
}

/** `member` is whose access counts; null for the organization. */
export function findSchedule(call: Call, member: string | null): StoredSchedule {
  const id = call.params.scheduleId ?? '';
  if (!isUuid(id)) throw new Rejection(400, 'scheduleId: Invalid uuid');
  const schedule = call.store.data.schedules.find((known) => sameId(known.id, id) && isThereYet(known, call));
  if (schedule === undefined) throw new Rejection(404, `Scheduled task with id ${id} does not exist`);
  if (member !== null && schedule.ownerId !== member) {
    throw new Rejection(403, 'Permission denied: must be schedule owner or have manage permission');
  }
  return schedule;
}

/** Under eventual consistency a new schedule takes a while to be seen. */
export function isThereYet(schedule: StoredSchedule, { store, quirks }: Call): boolean {
  return Date.parse(schedule.createdAt) + (quirks.eventualConsistencyMs ?? 0) <= store.now();
}

/** Where no member owns the schedule, the organization's id stands for the owner. */
export function ownerOf({ ownerId }: StoredSchedule, data: EmulatorData): { id: string; name: string } {
  if (ownerId === null) return { id: data.organization.id, name: 'Organization' };
  return { id: ownerId, name: data.members.find(({ id }) => id === ownerId)?.name ?? '' };
}
