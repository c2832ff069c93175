// Whom something goes to in Omni, which of them nobody has named: no state, no open change, no look and no plan; and whom of
// those that were named Omni has lost. A receiver is never secret, and a group is known by its id.

import { withUserGroups } from '../model/fields/attributes.ts';
import { type Attributes, deliveryOf } from '../model/fields/delivery.ts';
import { type Receiver, receiverKey, shownNames } from '../model/fields/receiver.ts';
import { openByAddress } from '../model/plan/open-change.ts';
import { trackedAt } from '../model/plan/state.ts';
import { groupsIn, groupWords, type RecordedGroup } from '../model/plan/user-groups.ts';
import type { RemoteRecipients } from '../model/service/remote.ts';
import type { Address, Kind } from '../model/values/address.ts';
import { command } from '../model/values/command.ts';
import { domainOf, insideTest } from '../model/values/domains.ts';
import { nameSome } from '../model/values/words.ts';
import { Failure } from '../model/workspace/failure.ts';
import type { Step } from '../plan/plan.ts';
import type { Proposal } from '../plan/proposal.ts';

/** One of those whom Omni names in an answer. */
export interface Answered {
  readonly receiver: Receiver;
  /** What people call it by: of a group its name. */
  readonly called: string;
  /** The same in full: `Board (a group of 12 people)`. */
  readonly words: string;
}

export function answeredBy(recipients: RemoteRecipients): readonly Answered[] {
  const { type, emails, slackIds, slackRecipientType, groups = [], settings } = recipients;
  const userGroups = groups.map(({ id, name }) => id ?? name);
  const attributes = {
    ...settings,
    destinationType: type,
    recipients: emails ?? slackIds,
    slackRecipientType,
    userGroups,
  };
  return answeredAs('schedule', attributes).map((answered) => {
    const { kind, compared } = answered.receiver;
    const group =
      kind === 'group' ? groups.find(({ id, name }) => (id?.toLowerCase() ?? name) === compared) : undefined;
    if (group === undefined) return answered;
    return { ...answered, called: group.name, words: groupWords(group.name, { people: group.emails.length }) };
  });
}

/** Of an answer in the form of a declaration. */
export function answeredAs(kind: Kind, attributes: Attributes): readonly Answered[] {
  return deliveryOf(kind, attributes).to.map((receiver) => {
    const { shown } = receiver;
    return { receiver, called: shown, words: shownNames(receiver)[0] ?? shown };
  });
}

/** What names receivers. */
interface Naming {
  readonly kind: Kind;
  readonly attributes: readonly Attributes[];
  readonly groups: readonly RecordedGroup[];
}

export function strangersIn(answered: readonly Answered[], { kind, attributes, groups }: Naming): readonly Answered[] {
  const known = groupsIn(() => groups);
  const named = new Set(attributes.flatMap((each) => deliveryOf(kind, each, known).to.map(receiverKey)));
  const ids = new Set(groups.map(({ id }) => id));
  return answered.filter(({ receiver }) => {
    const isKnownGroup = receiver.kind === 'group' && ids.has(receiver.compared);
    return !isKnownGroup && !named.has(receiverKey(receiver));
  });
}

export interface Compared {
  /** Those whom nobody has named, and to whom the change would go. */
  readonly unnamed: readonly string[];
  /** Addresses that nobody has named, which the PUT takes off, and whatever a sink replaces. */
  readonly takenOff: readonly string[];
  /** Those outside, or perhaps outside, whom Omni lost and the change would reach again. */
  readonly lost: readonly string[];
  /** Those inside. */
  readonly sentAgain: readonly string[];
}

export function compareReceivers(
  step: Step,
  answered: readonly Answered[],
  targets: readonly RecordedGroup[],
  { inputs: { state, config } }: Proposal,
): Compared {
  const { change, before = {}, after = {}, groups, calls } = step;
  const { address, kind, previousAddress = address } = change;
  const recorded = trackedAt(state, previousAddress)?.attributes ?? {};
  // The groups of an open change are those of the step, which takes off what is not declared.
  const open = openByAddress(state).get(previousAddress);
  const sent = open === undefined ? [] : [withUserGroups(open.attributes ?? {}, [])];
  const known = [...(groups?.recorded ?? []), ...targets];
  const named = { kind, attributes: [recorded, before, after, ...sent], groups: known };
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
  const lacking = open !== undefined || isSunk ? [] : lackingIn(answered, step, known);
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
export function notShown(
  { change: { address } }: Step,
  { unnamed, lost }: Compared,
  isAll: boolean,
): Failure | undefined {
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

/** What to do about strangers, in words. */
export function keepOrUndo(address: Address): string {
  return `To keep what Omni has, run \`${command('drift', '--deep', '--write', '--target', address)}\` in a branch; to undo it, run \`${command('apply', '--refresh=deep', '--target', address)}\`.`;
}
