// The service's routines in memory, as an organization key sees them: each request acts for one member, and nobody else's
// routine is found. Every request that changes something is a point before its work and one after it, as for schedules.

import type { Clock } from '../../src/model/outside.ts';
import type { Created, ListedRoutine, RemoteUser } from '../../src/model/service/remote.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { Failure } from '../../src/model/workspace/failure.ts';
import type { DeclaredObject } from '../../src/model/workspace/resource.ts';
import type { ActingFor, Api, CallOptions } from '../../src/omni/api.ts';
import { madeId, refusal } from './memory-service.ts';

export interface MemoryRoutine {
  readonly id: string;
  readonly ownerId: string;
  readonly createdAt: string;
  attributes: JsonObject;
}

/** `before POST Weekly` or `after DELETE ID`, with what it concerns and what is sent; may throw. */
type Reach = (point: string, routine: MemoryRoutine | undefined, sent: JsonObject) => void;

export interface MemoryRoutines {
  readonly routines: Map<string, MemoryRoutine>;
  readonly users: readonly RemoteUser[];
  reach: Reach;
  /** What a create is answered with, given what was made. */
  answered: (made: Created) => Created;
  /** Membership ids of those who left, and of those whose requests are refused. */
  left: ReadonlySet<string>;
  refused: ReadonlySet<string>;
  listLagMs: number;
  readonly api: Api;
}

export function makeMemoryRoutines(clock: Clock, users: readonly RemoteUser[]): MemoryRoutines {
  let count = 0;
  const memberOf = ({ owner }: ActingFor) => {
    if (owner === undefined) throw new Error('a request that names no member');
    if (made.left.has(owner)) throw refusal(404);
    if (made.refused.has(owner)) throw refusal(403, 'api-unauthorized');
    return owner;
  };
  const find = (id: string, as: ActingFor) => {
    const owner = memberOf(as);
    const found = made.routines.get(id);
    if (found?.ownerId !== owner) throw refusal(404);
    return found;
  };
  const change = async <T>(verb: string, sent: JsonObject, options: CallOptions = {}, work: () => T): Promise<T> => {
    await options.beforeRequest?.();
    if (options.signal?.aborted) throw new Failure('interrupted', 'Interrupted before the request was sent.');
    options.onRequest?.('POST');
    if (options.maySend?.() === false) throw new Failure('state-lock-lost', 'The lock was lost, so it was not sent.');
    const [, id = ''] = verb.split(' ');
    made.reach(`before ${verb}`, made.routines.get(id), sent);
    const value = work();
    made.reach(`after ${verb}`, made.routines.get(id), sent);
    return value;
  };
  const made: MemoryRoutines = {
    routines: new Map(),
    users,
    reach: () => undefined,
    answered: (created) => created,
    left: new Set(),
    refused: new Set(),
    listLagMs: 0,
    api: {
      createRoutine: (attributes: DeclaredObject, options?: CallOptions) => {
        const { userId, owner: _, ...sent } = attributes as JsonObject;
        return change(`POST ${sent['name']}`, sent, options, () => {
          const ownerId = memberOf(typeof userId === 'string' ? { owner: userId } : {});
          count += 1;
          const id = madeId(count);
          made.routines.set(id, { id, ownerId, createdAt: new Date(clock.now()).toISOString(), attributes: sent });
          return made.answered({ id, outputs: {} });
        });
      },
      updateRoutine: (id: string, fields: DeclaredObject, as: ActingFor, options?: CallOptions) =>
        change(`PATCH ${id}`, fields as JsonObject, options, () => {
          const { owner: _, userId: __, ...sent } = fields as JsonObject;
          const found = find(id, as);
          found.attributes = { ...found.attributes, ...sent };
        }),
      deleteRoutine: (id: string, as: ActingFor, options?: CallOptions) =>
        change(`DELETE ${id}`, {}, options, () => {
          find(id, as);
          made.routines.delete(id);
        }),
      listRoutines: async (of: ActingFor) => {
        const owner = memberOf(of);
        return [...made.routines.values()]
          .filter((each) => each.ownerId === owner && Date.parse(each.createdAt) + made.listLagMs <= clock.now())
          .map(rowOf);
      },
      listUsers: async ({ email }: { readonly email?: string }) =>
        made.users
          .map((user) => ({ ...user, active: !made.left.has(user.id) }))
          .filter((user) => email === undefined || user.email === email.toLowerCase()),
      listSchedules: async () => [],
      listEmailOnlyUsers: async () => [],
      clockDifference: () => undefined,
      close: async () => undefined,
      // No test asks for the rest.
    } satisfies Partial<Api> as unknown as Api,
  };
  return made;
}

function rowOf({ id, attributes, createdAt }: MemoryRoutine): ListedRoutine {
  return {
    branchId: null,
    topicName: null,
    description: null,
    ...attributes,
    id,
    paused: false,
    createdAt,
    updatedAt: createdAt,
  } as unknown as ListedRoutine;
}
