// `almanac test ADDRESS`: one delivery of a schedule, now, after a confirmation that says to whom.

import { refuseWithoutEnvironment } from '../../declare/load/load-config.ts';
import { Secret } from '../../model/values/secret.ts';
import { countOf } from '../../model/values/words.ts';
import type { DeclaredObject, Resource } from '../../model/workspace/resource.ts';
import { indented, strong } from '../../report/doc.ts';
import { printText } from '../../report/print-text.ts';
import { safeText } from '../../report/text/terminal-text.ts';
import type { Page } from '../../report/text/theme.ts';
import { noBaseUrl } from '../../service/service.ts';
import { stateForShow } from '../../state/current-state.ts';
import { refuseUnlessThroughSink } from '../../state/through-sink.ts';
import { noTerminal, requireConfirmed } from '../base/confirm.ts';
import { progressReporter } from '../base/progress.ts';
import type { Run, Session } from '../base/run.ts';
import type { TestOptions } from './command.ts';
import { checkOwner, deliverNow, scheduleToTest } from './test-delivery.ts';

const withoutTerminal = 'Use --auto-approve if the recipients may receive it.';

export async function test(run: Run, options: TestOptions, address: string): Promise<number> {
  const session = await run.load();
  const { loaded } = session;
  refuseWithoutEnvironment(loaded.missingEnvironment);
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
  run.stdout.write(`Omni was asked to deliver ${safeText(address)} once, now. The state did not change.\n`);
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
  const question = `\nSend it now, from ${safeText(baseUrl)}?`;
  await requireConfirmed(run, question, { what: 'The delivery was', nothing: 'nothing was sent' });
}

// A test delivery, for the person who confirms it: what is sent, and to whom. Secrets show the names of variables.

/** Ends with a newline. */
function renderDelivery(page: Page, address: string, attributes: DeclaredObject): string {
  const text = (name: string): string => shown(attributes[name]);
  const condition = attributes['conditionType'] !== undefined && `only if:   ${text('conditionType')}`;
  const rows = [
    `name:      ${text('name')}`,
    `dashboard: ${text('identifier')}`,
    `format:    ${text('format')}`,
    condition,
  ];
  const [to, ...targets] = targetOf(attributes, text);
  const head = [strong(address), ' will be delivered once, now:'];
  return printText([head, indented(2, ...rows, to), indented(4, ...targets)], page);
}

/** How, and to whom. */
function targetOf(attributes: DeclaredObject, text: (name: string) => string): readonly string[] {
  switch (attributes['destinationType']) {
    case 'email': {
      const people = listOf(attributes['recipients']);
      const each = attributes['fanOut'] === true ? ', a message to each' : '';
      return [`by e-mail to ${countOf(people.length, 'recipient')}${each}:`, ...people];
    }
    case 'slack':
      return [`to Slack, ${text('slackRecipientType')}:`, ...listOf(attributes['recipients'])];
    case 'webhook':
      return ['to the webhook:', text('url')];
    case 'sftp':
      return ['by SFTP to:', `${text('username')}@${text('address')}:${text('port')} ${text('path')}`];
    default:
      return [`to ${text('destinationType')}`];
  }
}

/** Slack also takes one text with commas. */
function listOf(value: DeclaredObject[string] | undefined): readonly string[] {
  if (Array.isArray(value)) return value.map(shown);
  return shown(value)
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function shown(value: DeclaredObject[string] | undefined): string {
  if (value instanceof Secret) return value.shown ?? String(value);
  return value === undefined ? '' : String(value);
}
