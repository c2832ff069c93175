// `almanac test ADDRESS`: one delivery of a schedule, now, after a confirmation that says to whom.

import { refuseUnlessThroughSink } from '../../apply/through-sink.ts';
import type { Resource } from '../../model/workspace/resource.ts';
import { noBaseUrl } from '../../observe/service.ts';
import { stateForShow } from '../../state/current-state.ts';
import { noTerminal, requireConfirmed } from '../base/confirm.ts';
import { progressReporter } from '../base/progress.ts';
import type { Run, Session } from '../base/run.ts';
import { checkOwner, deliverNow, scheduleToTest } from './deliver-test.ts';
import type { TestOptions } from './test-command.ts';
import { renderDelivery } from './test-text.ts';

const withoutTerminal = 'Use --auto-approve if the recipients may receive it.';

export async function test(run: Run, options: TestOptions, address: string): Promise<number> {
  const session = await run.declared('nothing was sent');
  const { loaded } = session;
  const schedule = scheduleToTest(loaded, run.environment, address);
  await refuseOutsideSink(run, session, schedule);
  if (!options.autoApprove && run.asker() === undefined) throw noTerminal('nothing was sent', withoutTerminal);
  const { config } = loaded;
  if (config?.api.baseUrl === undefined) throw noBaseUrl();
  const { baseUrl } = config.api;
  await run.asking({ loaded, reporter: progressReporter(run, session.shown) }, async (service) => {
    // What cannot be reached, or belong to its owner, is reported before anybody is asked.
    await service.api();
    await checkOwner(service, schedule);
    if (!options.quiet || !options.autoApprove) {
      run.stderr.write(renderDelivery(run.page(run.stderr), address, schedule.attributes));
    }
    if (!options.autoApprove) await confirm(run, baseUrl);
    await deliverNow(service, schedule);
  });
  run.say(`Omni was asked to deliver ${address} once, now. The state did not change.`);
  return 0;
}

/** The state is read only in an environment with sinks. */
async function refuseOutsideSink(run: Run, session: Session, schedule: Resource): Promise<void> {
  const deliver = session.loaded.config?.deliver;
  if (deliver === undefined) return;
  const { state } = await stateForShow(await run.store(session));
  refuseUnlessThroughSink(schedule, state, deliver);
}

async function confirm(run: Run, baseUrl: string): Promise<void> {
  const question = `\nSend it now, from ${baseUrl}?`;
  await requireConfirmed(run, question, { what: 'The delivery was', nothing: 'nothing was sent' });
}
