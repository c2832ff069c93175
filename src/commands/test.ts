// `almanac test ADDRESS`: one delivery of a schedule, now, after a confirmation that says to whom.

import { noBaseUrl } from '../engine/connect.ts';
import { deliverNow, scheduleToTest } from '../engine/test-delivery.ts';
import { Failure } from '../model/failure.ts';
import { renderDelivery } from '../render/delivery-text.ts';
import { safeText } from '../render/terminal-text.ts';
import { lookConnection } from './look-connection.ts';
import type { GlobalOptions } from './options.ts';
import { pageOf } from './page.ts';
import { progressReporter } from './progress.ts';
import { openSession } from './session.ts';
import type { World } from './world.ts';

export interface TestOptions extends GlobalOptions {
  readonly autoApprove?: boolean;
}

export async function test(world: World, options: TestOptions, address: string): Promise<number> {
  const { loaded } = await openSession(world, options);
  const schedule = scheduleToTest(loaded, world.environment, address);
  if (!options.autoApprove && world.ask === undefined) throw needsApproval();
  const { config } = loaded;
  if (config?.api.baseUrl === undefined) throw noBaseUrl();
  const reporter = progressReporter(world, options);
  const connection = lookConnection(world, config, reporter);
  const api = await connection.open();
  try {
    if (!options.quiet || !options.autoApprove) {
      world.stderr.write(renderDelivery(pageOf(world.stderr, world, options), address, schedule.attributes));
    }
    if (!options.autoApprove) await confirm(world, config.api.baseUrl);
    await deliverNow(api, schedule, { signal: world.signal });
  } finally {
    reporter.end();
    await connection.close();
  }
  world.stdout.write(`Omni was asked to deliver ${safeText(address)} once, now. The state is as it was.\n`);
  return 0;
}

function needsApproval(): Failure {
  return new Failure('usage', 'There is no terminal to ask on, so nothing was sent.', {
    hint: 'Use --auto-approve where the recipients may get it.',
  });
}

/** Only `yes` is a yes. */
async function confirm(world: World, baseUrl: string): Promise<void> {
  const answer = await world.ask?.(`\nSend it now, from ${safeText(baseUrl)}? Only yes is accepted: `);
  if (world.signal.aborted) throw new Failure('interrupted', 'Interrupted; nothing was sent.');
  if (answer?.trim() !== 'yes') throw new Failure('refused', 'It was not confirmed; nothing was sent.');
}
