// The kinds of recipients on the page: their spelling, and how they are counted.

import type { ReceiverKind } from '../../model/fields/receiver.ts';
import { groupBy } from '../../model/values/collections.ts';
import { countOf } from '../../model/values/words.ts';
import type { PageReceiver } from './page-model.ts';

/** Replaces anybody who is not named. */
export const someone = 'somebody';

interface RecipientTraits {
  readonly written: (name: string) => string;
  readonly isPerson: (name: string) => boolean;
  /** Undefined for kinds that are neither people nor ids: these are shown unchanged. */
  readonly counted?: (same: readonly PageReceiver[]) => Pick<PageReceiver, 'recipient' | 'place'>;
}

const people = (count: number) => countOf(count, 'person', 'people');
const isSlackUser = (id: string) => /^[UW]/.test(id);
const aThing: RecipientTraits = { written: (name) => name, isPerson: () => false };

const traits = {
  email: {
    written: (name) => name,
    isPerson: () => true,
    counted: (same) => {
      const [{ place }] = same as [PageReceiver];
      // A way behind a domain is named by a whole address.
      return place.includes('@')
        ? { recipient: people(same.length), place: someone }
        : { recipient: `${people(same.length)} of ${place}`, place };
    },
  },
  slack: {
    written: (id) => `Slack ${isSlackUser(id) ? 'user' : 'channel'} ${id}`,
    isPerson: isSlackUser,
    counted: (same) => {
      const users = same.filter(({ recipient }) => isSlackUser(recipient)).length;
      const channels = same.length - users;
      const words = [...(users > 0 ? [people(users)] : []), ...(channels > 0 ? [countOf(channels, 'channel')] : [])];
      return { recipient: `${words.join(' and ')} in Slack`, place: 'Slack' };
    },
  },
  group: { ...aThing, written: (name) => `${name} (a group)` },
  webhook: aThing,
  sftp: aThing,
  s3: { ...aThing, written: (name) => `bucket ${name}` },
} as const satisfies Readonly<Record<ReceiverKind, RecipientTraits>>;

const traitsOf = (kind: ReceiverKind): RecipientTraits => traits[kind];

export function writtenName({
  kind,
  recipient,
  isCount = false,
}: Pick<PageReceiver, 'kind' | 'recipient' | 'isCount'>): string {
  return isCount ? recipient : traitsOf(kind).written(recipient);
}

export function isPerson({ kind, recipient }: Pick<PageReceiver, 'kind' | 'recipient'>): boolean {
  return traitsOf(kind).isPerson(recipient);
}

/** `3 people of acme.com`, for each list or group through which they receive. */
export function countedReceivers(receivers: readonly PageReceiver[]): readonly PageReceiver[] {
  const same = groupBy(receivers, ({ kind, place, via }) => JSON.stringify([kind, place, via]));
  return [...same.values()].flatMap((each) => {
    const [first] = each as [PageReceiver];
    const counted = traitsOf(first.kind).counted?.(each);
    return counted === undefined ? each : [{ ...first, ...counted, isCount: true }];
  });
}
