// `almanac webhook listen`: receives the events of AI jobs until it is interrupted.

import { Failure } from '../../model/workspace/failure.ts';
import { safeText } from '../../report/text/terminal-text.ts';
import type { Run } from '../base/run.ts';
import { aborted } from '../base/until-interrupted.ts';
import { renderJsonLine, webhookEventLines } from './event-text.ts';
import { hostName, largestEvent, type OwnHosts, type ReceiveOptions, receiveEvents } from './receive-events.ts';
import { missingSecret, webhookSecret } from './verify.ts';
import type { WebhookListenOptions } from './webhook-command.ts';

export async function webhookListen(run: Run, options: WebhookListenOptions): Promise<number> {
  const { secretEnv, tolerance, port, host } = options;
  const secret = webhookSecret(run, secretEnv);
  if (secret === undefined && !options.insecure) {
    throw missingSecret(
      secretEnv,
      'Set it to the webhookSigningSecret of the jobs, name another variable with --secret-env, or accept events from anyone with --insecure.',
    );
  }
  const receiver = await run.openReceiver({
    port,
    host,
    largestBody: largestEvent,
    onRequest: receiveEvents({
      hosts: hostsOf(options),
      secret,
      tolerance,
      clock: run.clock,
      print: printerOf(run, options),
      report: (message) => warn(run, message),
      isQuiet: options.quiet === true,
    }),
  });
  run.stdout.data(renderJsonLine({ url: receiver.url }));
  if (secret === undefined) warn(run, 'Events are not verified: anyone who reaches this address can send them.');
  const { closed } = run.stdout;
  await Promise.race([aborted(run.signal), ...(closed === undefined ? [] : [aborted(closed)])]);
  await receiver.close();
  if (!closed?.aborted) return 0;
  // Otherwise events that nobody sees would be answered as accepted.
  warn(run, 'The output was closed, so no more events are accepted.');
  return 1;
}

function hostsOf({ host, publicHost: publicHosts = [] }: WebhookListenOptions): OwnHosts {
  const wrong = publicHosts.find((name) => hostName(name) === undefined);
  if (wrong === undefined) return { host, publicHosts };
  throw new Failure('usage', `--public-host must be a host name, and "${wrong}" is not one.`, {
    hint: 'Give the name without https:// and without a path, such as events.example.com.',
  });
}

function printerOf(run: Run, options: WebhookListenOptions): ReceiveOptions['print'] {
  const page = run.page();
  return (event, verified, at) => {
    if (options.format === 'json') {
      const { id, kind, jobId, status, payload } = event;
      const receivedAt = new Date(at).toISOString();
      run.stdout.data(renderJsonLine({ receivedAt, verified, id, kind, jobId, status, event: payload }));
    } else run.stdout.write(`${webhookEventLines(page, event, at, verified).join('\n')}\n`);
  };
}

function warn(run: Run, message: string): void {
  const { theme } = run.page(run.stderr);
  run.stderr.write(`${theme.warning('warning')}: ${safeText(message)}\n`);
}
