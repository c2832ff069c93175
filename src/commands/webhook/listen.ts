// `almanac webhook listen`: receives the events of AI jobs until it is interrupted.

import { type ListenEvent, largestEvent, receiveEvents } from '../../engine/ai-jobs/receive-events.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { renderJsonLine, webhookEventLines } from '../../render/apply/webhook-text.ts';
import { safeText } from '../../render/text/terminal-text.ts';
import { aborted } from '../base/aborted.ts';
import type { GlobalOptions } from '../base/command.ts';
import { pageOf } from '../base/page.ts';
import type { World } from '../base/world.ts';
import type { WebhookListenOptions } from './command.ts';
import { missingSecret, webhookSecret } from './webhook-secret.ts';

export async function webhookListen(world: World, options: WebhookListenOptions): Promise<number> {
  const { secretEnv, tolerance, port, host } = options;
  const secret = webhookSecret(world, secretEnv);
  if (secret === undefined && !options.insecure) {
    throw missingSecret(
      secretEnv,
      'Set it to the webhookSigningSecret of the jobs, name another variable with --secret-env, or take events from anybody with --insecure.',
    );
  }
  const forward = forwardTo(options, world);
  const receiver = await world.openReceiver({
    port,
    host,
    largestBody: largestEvent,
    onRequest: receiveEvents({ secret, tolerance, clock: world.clock, forward, emit: teller(world, options) }),
  });
  world.stdout.data(renderJsonLine({ url: receiver.url }));
  if (secret === undefined) tell(world, options, 'Nothing is checked: whoever reaches this address can send events.');
  const { closed } = world.stdout;
  await Promise.race([aborted(world.signal), ...(closed === undefined ? [] : [aborted(closed)])]);
  await receiver.close();
  if (!closed?.aborted) return 0;
  // Events that nobody sees would be answered as taken.
  tell(world, options, 'Nobody reads what is printed any more, so no more events are taken.');
  return 1;
}

function forwardTo({ forward: url, host, port }: WebhookListenOptions, { forwardRequest }: World) {
  if (url === undefined) return undefined;
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw new Failure('usage', '--forward must be an http or https URL.');
  }
  const to = new URL(url);
  if (to.port === String(port) && [host, 'localhost'].includes(to.hostname)) {
    throw new Failure('usage', `--forward leads back to the listener, at port ${port}.`, {
      hint: 'Give the address of what is to have the events, or the listener another --port.',
    });
  }
  return { url, send: forwardRequest };
}

function teller(world: World, options: WebhookListenOptions): (event: ListenEvent) => void {
  const page = pageOf(world.stdout, world, options);
  return (told) => {
    if (told.type === 'refused') tell(world, options, `Refused (${told.reason}): ${told.message}`);
    else if (told.type === 'repeated') {
      if (!options.quiet) tell(world, options, `Came again, and was not passed on: ${told.event.id ?? 'an event'}`);
    } else if (told.type === 'not-forwarded') {
      tell(world, options, `Not forwarded, so the sender was told to try again: ${told.message}`);
    } else if (options.format === 'json') {
      const { event, verified, at } = told;
      const { id, kind, jobId, status, payload } = event;
      const receivedAt = new Date(at).toISOString();
      world.stdout.data(renderJsonLine({ receivedAt, verified, id, kind, jobId, status, event: payload }));
    } else {
      world.stdout.write(`${webhookEventLines(page, told.event, told.at, told.verified).join('\n')}\n`);
    }
  };
}

function tell(world: World, options: GlobalOptions, message: string): void {
  const { theme } = pageOf(world.stderr, world, options);
  world.stderr.write(`${theme.warning('warning')}: ${safeText(message)}\n`);
}
