// For whom an operation acts: the member named by `userId`, which only the organization may set; the creator of a
// personal token; or the organization itself.

import type { Store } from '../store/store.ts';
import { Rejection } from './answer.ts';
import type { Call } from './exchange.ts';
import { isUuid, sameId } from './fields.ts';
import { readQuery } from './read-query.ts';

/** The membership id, or null for the organization. The query may contain only `userId`. */
export function readActingMember(call: Call, userId: { mustBeUuid: boolean; prefix?: string }): string | null {
  const given = readQuery(call.query, ['userId'], userId.prefix).userId;
  if (given !== undefined && userId.mustBeUuid && !isUuid(given)) {
    throw new Rejection(400, `${userId.prefix ?? ''}userId: Invalid uuid`);
  }
  if (call.caller.kind === 'personal') {
    if (given !== undefined) throw new Rejection(403, 'A personal access token cannot be used with userId');
    return call.caller.memberId;
  }
  return given === undefined ? null : requireMember(call.store, given);
}

/** The membership id as the organization writes it. */
export function requireMember(store: Store, id: string): string {
  const member = store.data.members.find((known) => sameId(known.id, id));
  if (member === undefined) throw new Rejection(404, `User with id ${id} does not exist`);
  return member.id;
}
