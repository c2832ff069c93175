// `almanac trigger ADDRESS...`: asks Omni to deliver schedules once, now, after a confirmation that says to whom.

import { Failure } from '../../model/workspace/failure.ts';
import { openSession, openState } from '../base/session.ts';
import type { World } from '../base/world.ts';
import type { TriggerOptions } from './command.ts';
import { deliverNow } from './deliver-now.ts';

export async function trigger(world: World, options: TriggerOptions, addresses: readonly string[]): Promise<number> {
  if (addresses.length === 0 && options.select === undefined)
    throw new Failure('usage', 'Nothing says what to deliver; nothing was sent.', {
      hint: 'Name schedules, such as schedules.weekly-sales, or select them: --select tag:NAME.',
    });
  const session = await openSession(world, options);
  const store = await openState(world, options, session, 'changes');
  const isDone = await deliverNow(world, options, { loaded: session.loaded, store, addresses, select: options.select });
  return isDone ? 0 : 1;
}
