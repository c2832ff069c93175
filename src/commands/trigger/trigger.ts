// `almanac trigger SELECTOR...`: asks Omni to deliver schedules once, now.

import { isDelivered, triggerDocument } from '../../apply/trigger-document.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { deliverNow, renderTriggered } from '../base/deliver-now.ts';
import type { Run } from '../base/run.ts';
import type { TriggerOptions } from './trigger-command.ts';

export async function trigger(run: Run, options: TriggerOptions, selectors: readonly string[]): Promise<number> {
  if (selectors.length === 0)
    throw new Failure('usage', 'Nothing says what to deliver; nothing was sent.', {
      hint: 'Name schedules, such as schedules.weekly-sales, or select them: tag:NAME.',
    });
  const session = await run.load();
  const store = await run.store(session, 'changes');
  const results = await deliverNow(run, options, { session, store, selectors });
  run.print(options.format, triggerDocument(results), (page) => renderTriggered(page, results));
  return results.every(isDelivered) ? 0 : 1;
}
