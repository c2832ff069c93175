// `almanac trigger ADDRESS...`: asks Omni to deliver schedules once, now, after a confirmation that says to whom.

import { openSession, openState } from '../base/session.ts';
import type { World } from '../base/world.ts';
import type { TriggerOptions } from './command.ts';
import { deliverNow } from './deliver-now.ts';

export async function trigger(world: World, options: TriggerOptions, addresses: readonly string[]): Promise<number> {
  const session = await openSession(world, options);
  const store = await openState(world, options, session, 'changes');
  const isDone = await deliverNow(world, options, { loaded: session.loaded, store, addresses });
  return isDone ? 0 : 1;
}
