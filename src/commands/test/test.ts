// `almanac test ADDRESS`: one delivery of a schedule, now, after a confirmation that names the recipients.

import { checkSecrets } from '../../apply/check-secrets.ts';
import { createForOwner } from '../../apply/send-call.ts';
import { refuseUnlessThroughSink } from '../../apply/through-sink.ts';
import type { Loaded } from '../../declare/load/load.ts';
import { deliveryOf } from '../../model/fields/delivery.ts';
import { plainNames } from '../../model/fields/receiver.ts';
import { type Kind, kindAt } from '../../model/values/address.ts';
import { command } from '../../model/values/command.ts';
import { Secret } from '../../model/values/secret.ts';
import { countOf } from '../../model/values/words.ts';
import { Failure, refuseAll } from '../../model/workspace/failure.ts';
import type { DeclaredObject, Resource } from '../../model/workspace/resource.ts';
import { ownerRefusals } from '../../observe/owners/check-owners.ts';
import { noBaseUrl, type Service } from '../../observe/service.ts';
import { endedAmong } from '../../plan/ended-lines.ts';
import { choiceAmong, resolveOne, type Unfit } from '../../plan/select.ts';
import { type Doc, fewOf, firstFew, indented, strong, type Words } from '../../report/doc.ts';
import { printText } from '../../report/print-text.ts';
import type { Page } from '../../report/text/theme.ts';
import { readState } from '../../state/current-state.ts';
import { noTerminal, requireConfirmed } from '../base/confirm.ts';
import { progressReporter } from '../base/progress.ts';
import { stateForKeys } from '../base/read-applied.ts';
import type { Run, Session } from '../base/run.ts';
import { isCi } from '../base/world.ts';
import type { TestOptions } from './test-command.ts';

const withoutTerminal = 'Use --auto-approve if the recipients may receive it.';

export async function test(run: Run, options: TestOptions, word: string): Promise<number> {
  const session = await run.declared('nothing was sent');
  const { loaded } = session;
  const schedule = await scheduleToTest(run, session, word);
  const { address } = schedule;
  await refuseOutsideSink(run, session, schedule);
  if (!options.autoApprove && run.asker() === undefined) throw noTerminal('nothing was sent', withoutTerminal);
  refuseEnded(schedule, loaded);
  const { config } = loaded;
  if (config.api.baseUrl === undefined) throw noBaseUrl();
  const { baseUrl } = config.api;
  await run.asking({ loaded, reporter: progressReporter(run, session.shown) }, async (service) => {
    // A service that cannot be reached, or a wrong owner, is reported before the question.
    await service.api();
    await checkOwner(service, schedule);
    if (!options.quiet || !options.autoApprove) {
      run.stderr.write(renderDelivery(run.page(run.stderr), address, schedule.attributes));
    }
    if (!options.autoApprove)
      await requireConfirmed(run, `\nSend it now, from ${baseUrl}?`, {
        what: 'The delivery was',
        nothing: 'nothing was sent',
      });
    await sendDelivery(service, schedule);
  });
  run.say(`Omni was asked to deliver ${address} once, now. The state did not change.`);
  return 0;
}

/** The state is read only in an environment with sinks. */
async function refuseOutsideSink(run: Run, session: Session, schedule: Resource): Promise<void> {
  const deliver = session.loaded.config?.deliver;
  if (deliver === undefined) return;
  const { state } = await readState(await run.store(session));
  refuseUnlessThroughSink(schedule, state, deliver);
}

/** Refuses recipients whose permission has ended. */
function refuseEnded({ kind, address, attributes }: Resource, loaded: Loaded): void {
  const delivery = deliveryOf(kind, attributes);
  const [ended] = endedAmong([{ address, delivery, what: `\`${address}\`` }], loaded);
  if (ended === undefined) return;
  const { message, hint = '' } = ended.finding;
  throw new Failure('blocked', message, { addresses: [address], hint: `${hint} Nothing was sent.`.trim() });
}

const notDelivered: Unfit = { why: 'is not a schedule, and only schedules are delivered' };

/** The reason why a resource of the kind has no test delivery; undefined if it has one. */
const whyNoTest: Readonly<Record<Kind, Unfit | undefined>> = {
  dashboard: notDelivered,
  schedule: undefined,
  routine: {
    why: 'is a routine, and the service has no test delivery of a routine',
    hint: `${command('trigger')} runs it now and delivers to all of its recipients. Nothing was sent.`,
  },
  aiJob: notDelivered,
};

/** The schedule to deliver. Throws Failure usage, refused, missing-secret. */
async function scheduleToTest(run: Run, session: Session, word: string): Promise<Resource> {
  const { loaded } = session;
  const tested = new Map(
    loaded.desired.resources.flatMap((each) => (whyNoTest[each.kind] === undefined ? [[each.address, each]] : [])),
  );
  const choice = choiceAmong(tested.keys(), {
    ...{ loaded, state: await stateForKeys(run, session, [word]), onlyWhole: isCi(run.environment) },
    nothing: 'is not declared',
    whyNot: (address) => whyNoTest[kindAt(address)] ?? { why: 'is not declared' },
  });
  const address = resolveOne(word, choice);
  const found = tested.get(address) as Resource;
  const unsupported = whyUnsupported(found);
  if (unsupported !== undefined) throw new Failure('refused', unsupported, { hint: 'Nothing was sent.' });
  checkSecrets(loaded, run.environment, [address]);
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

/** Throws Failure blocked if the declared owner cannot own it, and as the api throws. */
async function checkOwner(service: Service, { kind, address, attributes }: Resource): Promise<void> {
  const { owner } = attributes;
  const change = { kind, address, reason: 'requested' } as const;
  refuseAll(await ownerRefusals([{ change, calls: ['post'], after: { owner } }], service));
}

/** Sends the request that creates the schedule, with testNow. Throws as the api throws. Never sent twice. */
async function sendDelivery(service: Service, { attributes }: Resource): Promise<void> {
  const api = await service.api();
  try {
    await createForOwner({ ...attributes, testNow: true }, api, service.call);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'api-answer-lost') throw error;
    const hint = 'Ask a recipient, or look at the deliveries in Omni, before you send it again.';
    throw error.with({ hint });
  }
}

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
  const [to, ...targets] = targetOf(attributes, text, page);
  const head = [strong(address), ' will be delivered once, now:'];
  return printText([head, indented(2, ...rows, to), indented(4, ...targets)], page);
}

/** How, and to whom. */
function targetOf(attributes: DeclaredObject, text: (name: string) => string, page: Page): readonly [Words, ...Doc] {
  const { way, to, isFannedOut } = deliveryOf('schedule', attributes);
  const groups = to.filter(({ kind }) => kind === 'group').flatMap(plainNames);
  // A secret is refused among the recipients.
  const notGroups = to.filter(({ kind }) => kind !== 'group').flatMap(plainNames);
  switch (way) {
    case 'email': {
      const each = isFannedOut ? ', a message to each' : '';
      const groupsLeftOut = groups.length > 0 ? [['A test delivery goes to no user group: ', fewOf(groups, page)]] : [];
      return [
        `by e-mail to ${countOf(notGroups.length, 'recipient')}${each}:`,
        ...firstFew(notGroups, (name) => name, page),
        ...groupsLeftOut,
      ];
    }
    case 'slack':
      return [`to Slack, ${text('slackRecipientType')}:`, ...notGroups];
    case 'webhook':
      return ['to the webhook:', text('url')];
    case 'sftp':
      // Both paths, since nobody knows how Omni joins them.
      return [
        'by SFTP to:',
        ...to.map(({ shown: host, path = '' }) => `${text('username')}@${host}:${text('port')}${path} ${text('path')}`),
      ];
    default:
      return [`to ${text('destinationType')}`];
  }
}

function shown(value: DeclaredObject[string] | undefined): string {
  if (value instanceof Secret) return value.shown ?? String(value);
  return value === undefined ? '' : String(value);
}
