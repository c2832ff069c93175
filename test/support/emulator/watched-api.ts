// The service with a point before and after each request that changes something.

import type { Method } from '../../../src/http/exchange.ts';
import { Failure } from '../../../src/model/workspace/failure.ts';
import type { DeclaredObject } from '../../../src/model/workspace/resource.ts';
import type { Api, CallOptions } from '../../../src/omni/api.ts';

/** How a request is called, and where its options are. */
const changes = {
  updateFilters: ['PATCH filters', 1],
  createSchedule: ['POST schedule', 1],
  createAiJob: ['POST job', 1],
  updateSchedule: ['PUT schedule', 2],
  deleteSchedule: ['DELETE schedule', 1],
  pauseSchedule: ['PUT pause', 1],
  resumeSchedule: ['PUT resume', 1],
  triggerSchedule: ['POST trigger', 1],
  transferOwnership: ['PUT owner', 2],
  addRecipients: ['PUT add', 2],
  removeRecipients: ['PUT remove', 2],
  createRoutine: ['POST routine', 1],
  updateRoutine: ['PATCH routine', 3],
  deleteRoutine: ['DELETE routine', 2],
  triggerRoutine: ['POST trigger of a routine', 2],
} as const satisfies Partial<Record<keyof Api, readonly [string, number]>>;

type Changes = typeof changes;

export interface Change {
  readonly kind: Changes[keyof Changes][0];
  /** Undefined for what is new. */
  readonly id: string | undefined;
  /** The fields of a resource that were sent. */
  readonly sent: DeclaredObject | undefined;
  /** The member who is to own it. */
  readonly owner: string | undefined;
}

/** May throw, or wait. */
export type Reached = (when: 'before' | 'after', change: Change) => unknown;

/**
 * `before` is when it is the turn of the request, and directly before it is sent; or, if `isUnderWay`, when nothing holds
 * it back any more, neither an interruption nor a lock that is lost.
 */
export function watchedApi(api: Api, reach: Reached, isUnderWay = false): Api {
  const watched = Object.entries(changes).map(([name, [kind, optionsAt]]) => {
    const call = api[name as keyof Changes] as (...given: readonly unknown[]) => Promise<unknown>;
    const ask = async (...given: readonly unknown[]) => {
      const parameters = given.slice(0, optionsAt);
      const options = given[optionsAt] as CallOptions | undefined;
      const [id, owner] = parameters.filter((value) => typeof value === 'string');
      const sent = parameters.slice(0, 2).find((value) => typeof value === 'object' && !Array.isArray(value));
      const change = { kind, id, owner, sent: sent as DeclaredObject | undefined };
      const beforeRequest = async () => {
        await options?.beforeRequest?.();
        if (isUnderWay) goOut(change, options);
        await reach('before', change);
      };
      const answer = await call(...parameters, isUnderWay ? { beforeRequest } : { ...options, beforeRequest });
      await reach('after', change);
      return answer;
    };
    return [name, ask];
  });
  return { ...api, ...Object.fromEntries(watched) };
}

/** What the adapter does before a request goes out. */
function goOut({ kind }: Change, { signal, onRequest, maySend }: CallOptions = {}): void {
  if (signal?.aborted) throw new Failure('interrupted', 'Interrupted before the request was sent.');
  onRequest?.(kind.split(' ')[0] as Method);
  if (maySend?.() === false) throw new Failure('state-lock-lost', 'The lock was lost, so it was not sent.');
}
