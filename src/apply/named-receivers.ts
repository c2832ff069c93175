// Whom something goes to in Omni, and which of them no state has named. A receiver is never secret, and a group is known by its
// id.

import { type Attributes, deliveryOf } from '../model/fields/delivery.ts';
import { type Receiver, receiverKey, shownNames } from '../model/fields/receiver.ts';
import { groupsIn, groupWords, type RecordedGroup } from '../model/plan/user-groups.ts';
import type { RemoteRecipients } from '../model/service/remote.ts';
import type { Kind } from '../model/values/address.ts';

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
