// Transfers one schedule to a member, for an apply and for `offboard`.

import { statusOf } from '../model/workspace/failure.ts';
import type { Declared } from '../model/workspace/resource.ts';
import { isSameId } from '../observe/owners/owners.ts';
import type { Api, CallOptions } from '../omni/api.ts';

interface Transfer {
  readonly id: string;
  /** A membership id. */
  readonly to: string;
  /** The identifier of its dashboard, if known: it makes the list shorter. */
  readonly identifier: Declared | undefined;
}

/**
 * The service answers 400 if the schedule belongs to them already, and also after an answer that was lost; the list says which.
 * `send` sends the request, and may repeat it. Throws what the api throws.
 */
export async function transferTo(
  { id, to, identifier }: Transfer,
  api: Pick<Api, 'transferOwnership' | 'listSchedules' | 'getSchedule'>,
  options: CallOptions,
  send: (transfer: () => Promise<void>) => Promise<void> = (transfer) => transfer(),
): Promise<void> {
  try {
    await send(() => api.transferOwnership(id, to, options));
  } catch (error) {
    if (statusOf(error) !== 400) throw error;
    const listed = await api.listSchedules(identifier === undefined ? {} : { identifier }, options);
    // The list may lag behind.
    const { ownerId = '' } = listed.find((row) => row.id === id) ?? (await api.getSchedule(id, options));
    if (!isSameId(ownerId, to)) throw error;
  }
}
