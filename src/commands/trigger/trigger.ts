// `almanac trigger ADDRESS...`: asks Omni to deliver schedules once, now, after a confirmation that says to whom.

import { isDelivered, triggerDocument } from '../../model/deliveries/trigger-document.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { renderJson } from '../../render/text/render-json.ts';
import { renderTriggered } from '../../render/trigger/trigger-text.ts';
import { pageOf } from '../base/page.ts';
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
  const results = await deliverNow(world, options, { session, store, addresses, select: options.select });
  if (options.format === 'json') world.stdout.data(renderJson(triggerDocument(results)));
  else world.stdout.write(renderTriggered(pageOf(world.stdout, world, options), results));
  return results.every(isDelivered) ? 0 : 1;
}
