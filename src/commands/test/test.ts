// `almanac test ADDRESS`: one delivery of a schedule, now, after a confirmation that says to whom.

import { checkOwner, deliverNow, scheduleToTest } from '../../engine/apply/test-delivery.ts';
import { refuseWithoutEnvironment } from '../../engine/load/require-environment.ts';
import { noBaseUrl, withService } from '../../engine/service/service.ts';
import { stateForShow } from '../../engine/state/current-state.ts';
import { refuseUnlessThroughSink } from '../../engine/state/through-sink.ts';
import type { Resource } from '../../model/workspace/resource.ts';
import { renderDelivery } from '../../render/apply/delivery-text.ts';
import { safeText } from '../../render/text/terminal-text.ts';
import { noTerminal, requireConfirmed } from '../base/confirm.ts';
import { pageOf } from '../base/page.ts';
import { progressReporter } from '../base/progress.ts';
import { serviceOptions } from '../base/service-options.ts';
import { openSession, openState, type Session } from '../base/session.ts';
import type { World } from '../base/world.ts';
import type { TestOptions } from './command.ts';

const withoutTerminal = 'Use --auto-approve if the recipients may receive it.';

export async function test(world: World, options: TestOptions, address: string): Promise<number> {
  const session = await openSession(world, options);
  const { loaded } = session;
  refuseWithoutEnvironment(loaded.missingEnvironment);
  const schedule = scheduleToTest(loaded, world.environment, address);
  await refuseOutsideSink(world, options, session, schedule);
  if (!options.autoApprove && world.asker() === undefined) throw noTerminal('nothing was sent', withoutTerminal);
  const { config } = loaded;
  if (config?.api.baseUrl === undefined) throw noBaseUrl();
  const reporter = progressReporter(world, options, session.shown);
  const { baseUrl } = config.api;
  try {
    await withService(serviceOptions(world, loaded, reporter), async (service) => {
      // What cannot be reached, or belong to its owner, is reported before anybody is asked.
      await service.api();
      await checkOwner(service, schedule);
      if (!options.quiet || !options.autoApprove) {
        world.stderr.write(renderDelivery(pageOf(world.stderr, world, options), address, schedule.attributes));
      }
      if (!options.autoApprove) await confirm(world, baseUrl);
      await deliverNow(service, schedule);
    });
  } finally {
    reporter.end();
  }
  world.stdout.write(`Omni was asked to deliver ${safeText(address)} once, now. The state did not change.\n`);
  return 0;
}

/** The state is read only in an environment with sinks. */
async function refuseOutsideSink(
  world: World,
  options: TestOptions,
  session: Session,
  schedule: Resource,
): Promise<void> {
  const deliver = session.loaded.config?.deliver;
  if (deliver === undefined) return;
  const { state } = await stateForShow(await openState(world, options, session));
  refuseUnlessThroughSink(schedule, state, deliver);
}

async function confirm(world: World, baseUrl: string): Promise<void> {
  const question = `\nSend it now, from ${safeText(baseUrl)}?`;
  await requireConfirmed(world, question, { what: 'The delivery was', nothing: 'nothing was sent' });
}
