// Whom the changes of an apply really reach. After the confirmation and before the first change, Omni is asked who receives each
// schedule that is updated, unless a look of this run has shown it. Whoever the state, an open change, a look or this plan names
// may receive it. Where Omni has somebody else, or would reach somebody outside again whom it lost, the change is left: nothing
// that reaches anybody is sent. What only takes away is sent all the same, and a sink takes the place of everybody.
//
// A group is known by its id. Before an id is sent it must be called in Omni what it is declared as, or what the state has heard
// that it is called: whoever may write the state could have given a name the id of other people. A group that was deleted and made
// again has another id: the state keeps the old one as gone, and the next plan shows the other group.

import { withUserGroups } from '../model/fields/attributes.ts';
import { type Attributes, deliveryOf } from '../model/fields/delivery.ts';
import { type Receiver, receiverKey } from '../model/fields/receiver.ts';
import type { Received } from '../model/plan/observation.ts';
import { openChanges } from '../model/plan/open-change.ts';
import { trackedAt } from '../model/plan/state.ts';
import { groupsIn, isGroupId, type RecordedGroup } from '../model/plan/user-groups.ts';
import type { Principal, RemoteRecipients } from '../model/service/remote.ts';
import { domainOf, insideTest } from '../model/values/domains.ts';
import { nameSome } from '../model/values/words.ts';
import { Failure, refuseAll } from '../model/workspace/failure.ts';
import { goneGroup, groupsFound } from '../observe/observed-groups.ts';
import { inParallel, refusesOne, retryWhileNew } from '../observe/sending.ts';
import type { CallOptions } from '../omni/api.ts';
import { reaches } from '../plan/calls.ts';
import { type Step, sendsGroups } from '../plan/plan.ts';
import type { Proposal } from '../plan/proposal.ts';
import type { ApplyPorts } from './apply-request.ts';
import type { Left } from './judge-claims.ts';
import { type Answered, answeredBy, keepOrUndo, strangersIn } from './named-receivers.ts';
import { dashboardNow, type GroupTargets } from './resolve-groups.ts';

/** Who receives it in Omni otherwise than the plan assumed, where the change sets it right. In words. */
export interface Corrected {
  readonly takenOff?: readonly string[] | undefined;
  readonly sentAgain?: readonly string[] | undefined;
}

/** What was learned of a step before anything was sent. */
export interface Met {
  /** The declared groups with their ids. */
  readonly targets: readonly RecordedGroup[];
  /** Whom it goes to; undefined where it was not asked, such as for what is made. */
  readonly received?: Received | undefined;
  readonly corrected?: Corrected;
  /** Why nothing of it may reach anybody. */
  readonly left?: Failure;
  /** What nobody has seen of those who receive it, where nothing reaches them. */
  readonly unseen?: string | undefined;
  /** The groups that are gone, whose names others have now. */
  readonly gone?: readonly RecordedGroup[];
  /** How many requests that took, repeats included. */
  readonly requests: number;
}

interface Meeting {
  readonly proposal: Proposal;
  readonly groups: GroupTargets;
  readonly left: Left;
  /** Whether all of the plan is applied or nothing. */
  readonly isWhole: boolean;
}

/** Throws Failure blocked where nothing is to be sent unless all is, and what the service throws. */
export async function meetReceivers(meeting: Meeting, ports: ApplyPorts): Promise<ReadonlyMap<Step, Met>> {
  const { proposal, left, isWhole } = meeting;
  const asked = proposal.steps.filter(
    (step) => step.change.blocked === undefined && !left.has(step) && (step.readsReceivers || sendsGroups(step)),
  );
  const met = new Map<Step, Met>();
  await inParallel(
    asked,
    ports.service.concurrency,
    async (step) => void met.set(step, await meet(step, meeting, ports)),
  );
  const refused = [...met.values()].flatMap((each) => each.left ?? []);
  if (isWhole) refuseAll(refused.map((each) => each.with({ hint: [each.hint, 'Nothing was sent.'].join(' ').trim() })));
  return met;
}

async function meet(step: Step, meeting: Meeting, ports: ApplyPorts): Promise<Met> {
  let requests = 0;
  const { service } = ports;
  const onRequest: CallOptions['onRequest'] = (method) => {
    requests += 1;
    service.call.onRequest?.(method);
  };
  const call = { ...service.call, onRequest };
  try {
    const met = await judged(step, meeting, { ...ports, service: { ...service, call } });
    return { ...met, requests };
  } catch (error) {
    if (!refusesOne(error)) throw error;
    return { targets: meeting.groups.get(step.change.address) ?? [], left: error, requests };
  }
}

async function judged(step: Step, meeting: Meeting, ports: ApplyPorts): Promise<Omit<Met, 'requests'>> {
  const { proposal, groups } = meeting;
  const recipients = step.readsReceivers ? await recipientsOf(step, proposal, ports) : undefined;
  const { internalDomains } = proposal.inputs.config.safety;
  const received = recipients && {
    groups: groupsFound(recipients, internalDomains),
    emails: recipients.emails ?? [],
  };
  const now = received ?? step.received;
  const targets = groups.get(step.change.address) ?? [];
  const { left: leftByName, gone } = await judgeNames(step, targets, now, ports);
  if (recipients === undefined) return { targets, received: now, left: leftByName, gone };
  const answered = answeredBy(recipients);
  const differing = compared(step, answered, targets, proposal);
  const { unnamed, takenOff, sentAgain } = differing;
  const unseen = notShown(step, differing, unnamed.length === answered.length);
  const isReached = step.calls.some(reaches);
  return {
    targets,
    received: now,
    left: leftByName ?? (isReached ? unseen : undefined),
    unseen: isReached ? undefined : unseen?.message,
    gone,
    corrected: { takenOff: someOf(takenOff), sentAgain: someOf(sentAgain) },
  };
}

function someOf<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}

/** Throws what the service throws. */
async function recipientsOf(
  { change: { address, previousAddress = address, id } }: Step,
  { inputs: { state } }: Proposal,
  { service, clock }: ApplyPorts,
): Promise<RemoteRecipients> {
  if (id === undefined) throw new Error(`${address} has no id`);
  const api = await service.api();
  const { createdAt } = trackedAt(state, previousAddress) ?? {};
  const age = { clock, createdAt, signal: service.call.signal };
  return retryWhileNew(age, () => api.getRecipients(id, service.call));
}

// Who is named.

interface Compared {
  /** Those whom nobody has named, and to whom the change would go. */
  readonly unnamed: readonly string[];
  /** Addresses that nobody has named, which the PUT takes off, and whatever a sink replaces. */
  readonly takenOff: readonly string[];
  /** Those outside, or perhaps outside, whom Omni lost and the change would reach again. */
  readonly lost: readonly string[];
  /** Those inside. */
  readonly sentAgain: readonly string[];
}

function compared(
  step: Step,
  answered: readonly Answered[],
  targets: readonly RecordedGroup[],
  { inputs: { state, config } }: Proposal,
): Compared {
  const { change, before = {}, after = {}, groups, calls } = step;
  const { address, kind, previousAddress = address } = change;
  const recorded = trackedAt(state, previousAddress)?.attributes ?? {};
  // The groups of an open change are those of the step, which takes off what is not declared.
  const open = openChanges(state)
    .filter((each) => each.address === previousAddress)
    .map(({ attributes = {} }) => withUserGroups(attributes, []));
  const known = [...(groups?.recorded ?? []), ...targets];
  const named = { kind, attributes: [recorded, before, after, ...open], groups: known };
  const leaves = ({ receiver, called }: Answered) =>
    receiver.kind === 'group' && groups?.leaving.includes(called) === true;
  const strangers = strangersIn(answered, named).filter((each) => !leaves(each));
  const puts = calls.some(({ send }) => send === 'put');
  const isSunk = groups?.sunk === true;
  // What was sent another way, and goes by e-mail now, may be somebody else's.
  const isMailed = deliveryOf(kind, before).way === 'email';
  const isReplaced = ({ receiver: { kind: of } }: Answered) =>
    (puts && ((of === 'email' && isMailed) || isSunk)) || (of === 'group' && isSunk);
  // An open change may have sent to those who lack, or have taken them off itself.
  const lacking = open.length > 0 || isSunk ? [] : lackingIn(answered, step, known);
  const { internalDomains } = config.safety;
  const isInside = insideTest(internalDomains);
  const comesInside = ({ kind: of, shown }: Receiver) =>
    of === 'slack' || (of === 'email' && internalDomains.length > 0 && isInside(domainOf(shown) ?? shown));
  return {
    unnamed: strangers.filter((each) => !isReplaced(each)).map(({ called }) => called),
    takenOff: strangers.filter(isReplaced).map(({ called }) => called),
    lost: lacking.filter((each) => !comesInside(each)).map(({ shown }) => shown),
    sentAgain: lacking.filter(comesInside).map(({ shown }) => shown),
  };
}

/** Those who were applied and are to stay, whom Omni does not name, and to whom the change would go again. */
function lackingIn(
  answered: readonly Answered[],
  { before = {}, after = {}, calls, change }: Step,
  groups: readonly RecordedGroup[],
): readonly Receiver[] {
  const known = groupsIn(() => groups);
  const to = (attributes: Attributes) => deliveryOf(change.kind, attributes, known).to;
  const there = new Set(answered.map(({ receiver }) => receiverKey(receiver)));
  const applied = new Set(to(before).map(receiverKey));
  const puts = calls.some(({ send }) => send === 'put');
  const adds = calls.some(({ send }) => send === 'add' || send === 'settle');
  // Where it goes to one place alone, another one there says enough.
  const isSent = (of: Receiver['kind']) => (of === 'group' ? adds : puts && (of === 'email' || of === 'slack'));
  return to(after).filter(
    (receiver) => isSent(receiver.kind) && applied.has(receiverKey(receiver)) && !there.has(receiverKey(receiver)),
  );
}

/** `isAll`: it goes to nobody else. */
function notShown({ change: { address } }: Step, { unnamed, lost }: Compared, isAll: boolean): Failure | undefined {
  const goes = isAll ? 'goes' : 'also goes';
  const words = [
    unnamed.length > 0 && `In Omni ${address} ${goes} to ${nameSome(unnamed)}, which no plan has shown.`,
    lost.length > 0 &&
      `In Omni ${address} does not go to ${nameSome(lost)} any more, and the change would send it there again, which no plan has shown.`,
  ].filter((each) => each !== false);
  if (words.length === 0) return undefined;
  return new Failure('blocked', words.join(' '), {
    addresses: [address],
    hint: keepOrUndo(address),
  });
}

// What the ids of groups mean now.

async function judgeNames(
  step: Step,
  targets: readonly RecordedGroup[],
  received: Received | undefined,
  { service }: ApplyPorts,
): Promise<Pick<Met, 'left' | 'gone'>> {
  if (!sendsGroups(step) || !step.calls.some(reaches)) return {};
  const { recorded } = step.groups;
  const isRecorded = ({ id, text }: RecordedGroup) => !isGroupId(text) && recorded.some((group) => group.id === id);
  const asked = targets.filter(isRecorded);
  const seen = step.received;
  const namesBy = (groups: readonly Pick<Principal, 'id' | 'name'>[]) =>
    new Map(groups.map(({ id, name }) => [id.toLowerCase(), name]));
  const onSchedule = namesBy((received?.groups ?? []).map(({ id, text, name = text }) => ({ id, name })));
  const isOn = asked.every(({ id }) => onSchedule.has(id));
  const dashboard = dashboardNow(step);
  const access = isOn ? [] : (seen?.access ?? (await (await service.api()).groupsWithAccess(dashboard, service.call)));
  const names = new Map([...namesBy(access), ...onSchedule]);
  const gone = asked.filter(({ id, text }) => !names.has(id) && access.some(({ name }) => name === text));
  const [first] = asked.flatMap((group) => whyNotSent(group, names.get(group.id), { step, access, dashboard }) ?? []);
  return { left: first, gone: gone.length === 0 ? undefined : gone.map(goneGroup) };
}

interface Around {
  readonly step: Step;
  readonly access: readonly Principal[];
  readonly dashboard: string;
}

/** `now`: what Omni calls it. */
function whyNotSent(
  { text, id, name }: RecordedGroup,
  now: string | undefined,
  { step: { change, received }, access, dashboard }: Around,
): Failure | undefined {
  const { address } = change;
  const refused = (message: string, hint: string) => new Failure('blocked', message, { addresses: [address], hint });
  const look = `\`almanac plan --refresh=deep --target ${address}\``;
  if (now !== undefined) {
    // A look of this run says what it is called.
    const isShown = now === text || now === name || received !== undefined;
    return isShown
      ? undefined
      : refused(
          `The user group ${text} of ${address} (${id}) is called ${now} in Omni, and no plan has shown that.`,
          `${look} shows it, and \`almanac apply --refresh=deep --target ${address}\` sends to it.`,
        );
  }
  const others = access.filter((each) => each.name === text).map((each) => each.id);
  return others.length > 0
    ? refused(
        `The user group ${text} of ${address} (${id}) is gone from Omni, and another group has its name (${others.join(', ')}).`,
        'The next plan shows the other group as added, and its apply sends to it. To send to neither, remove the name from the declaration.',
      )
    : refused(
        `The user group ${text} of ${address} (${id}) does not receive it in Omni, and has no access to the dashboard ${dashboard}.`,
        'If it is right, write its id instead of its name; if it is gone, remove it from the declaration.',
      );
}
