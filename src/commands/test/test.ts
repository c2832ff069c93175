// `almanac test ADDRESS`: one delivery of a schedule, now, after a confirmation that says to whom.

import { checkSecrets } from '../../apply/refusals.ts';
import { createForOwner } from '../../apply/send-call.ts';
import { didYouMean } from '../../declare/findings/suggest.ts';
import { invalidWorkspace, type Loaded } from '../../declare/load/load.ts';
import type { Environment } from '../../declare/load/load-config.ts';
import { refuseWithoutEnvironment } from '../../declare/load/missing-environment.ts';
import { groupOf } from '../../model/values/address.ts';
import type { JsonObject } from '../../model/values/json.ts';
import { Secret } from '../../model/values/secret.ts';
import { countOf } from '../../model/values/words.ts';
import { hasErrors } from '../../model/workspace/diagnostic.ts';
import { Failure, refuseAll } from '../../model/workspace/failure.ts';
import type { DeclaredObject, Resource } from '../../model/workspace/resource.ts';
import { recipientsOf } from '../../plan/dangers/destinations.ts';
import { indented, strong } from '../../report/doc.ts';
import { printText } from '../../report/print-text.ts';
import type { Page } from '../../report/text/theme.ts';
import { ownerRefusals } from '../../service/owners/check-owners.ts';
import { noBaseUrl, type Service } from '../../service/service.ts';
import { stateForShow } from '../../state/current-state.ts';
import { refuseUnlessThroughSink } from '../../state/through-sink.ts';
import { noTerminal, requireConfirmed } from '../base/asking.ts';
import { progressReporter } from '../base/progress.ts';
import type { Run, Session } from '../base/run.ts';
import type { TestOptions } from './command.ts';

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
  // A secret is refused among the recipients.
  const people = recipientsOf(attributes as JsonObject);
  switch (attributes['destinationType']) {
    case 'email': {
      const each = attributes['fanOut'] === true ? ', a message to each' : '';
      return [`by e-mail to ${countOf(people.length, 'recipient')}${each}:`, ...people];
    }
    case 'slack':
      return [`to Slack, ${text('slackRecipientType')}:`, ...people];
    case 'webhook':
      return ['to the webhook:', text('url')];
    case 'sftp':
      return ['by SFTP to:', `${text('username')}@${text('address')}:${text('port')} ${text('path')}`];
    default:
      return [`to ${text('destinationType')}`];
  }
}

function shown(value: DeclaredObject[string] | undefined): string {
  if (value instanceof Secret) return value.shown ?? String(value);
  return value === undefined ? '' : String(value);
}

// One delivery of a declared schedule, now: the same request that creates it, with testNow. No state is read or
// written.

/** The schedule to deliver. Throws Failure invalid-workspace, usage, refused, missing-secret. */
function scheduleToTest(loaded: Loaded, environment: Environment, address: string): Resource {
  if (hasErrors(loaded.findings)) throw invalidWorkspace('The declarations have errors.', loaded.findings, loaded);
  const found = loaded.desired.resources.find((resource) => resource.address === address);
  if (found === undefined || found.kind !== 'schedule') {
    const schedules = loaded.desired.resources.filter(({ kind }) => kind === 'schedule').map((each) => each.address);
    const instance = schedules.find((each) => groupOf(each) === address);
    if (found === undefined && instance !== undefined)
      throw new Failure('usage', `${address} is a loop, and one delivery is tested at a time.`, {
        hint: `Name one of its instances, such as ${instance}.`,
      });
    const why = found === undefined ? 'is not declared' : 'is not a schedule, and only schedules are delivered';
    throw new Failure('usage', `${address} ${why}.`, {
      hint:
        didYouMean(address, schedules) ??
        didYouMean(`schedules.${address}`, schedules) ??
        'An address is a section and a key, such as schedules.weekly-sales.',
    });
  }
  const unsupported = whyUnsupported(found);
  if (unsupported !== undefined) throw new Failure('refused', unsupported, { hint: 'Nothing was sent.' });
  checkSecrets(loaded, environment, [address]);
  return found;
}

function whyUnsupported({ address, attributes }: Resource): string | undefined {
  if (attributes['destinationType'] === 's3') {
    return `${address} delivers to S3, and the service has no test delivery to S3.`;
  }
  if (attributes['conditionType'] === 'RESULTS_CHANGED') {
    return `${address} has the condition RESULTS_CHANGED, and the service has no test delivery for that: there is nothing yet to compare with.`;
  }
  return undefined;
}

/** Throws Failure blocked where the declared owner cannot own it, and what the api throws. */
async function checkOwner(service: Service, { kind, address, attributes }: Resource): Promise<void> {
  const { owner } = attributes;
  const change = { kind, address, reason: 'requested' } as const;
  refuseAll(await ownerRefusals([{ change, calls: [{ send: 'post' }], after: { owner } }], service));
}

/** Throws what the api throws. Never sent twice. */
async function deliverNow(service: Service, { attributes }: Resource): Promise<void> {
  const api = await service.api();
  try {
    await createForOwner({ ...attributes, testNow: true }, api, service.call);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'api-answer-lost') throw error;
    const hint = 'Ask a recipient, or look at the deliveries in Omni, before you send it again.';
    throw error.with({ hint });
  }
}
