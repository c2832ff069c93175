// What `almanac test` asks of a kind: whether one delivery of it can be tried out.

import type { Kind } from '../../model/values/address.ts';

interface NoTest {
  /** Follows the address. */
  readonly why: string;
  /** What to do instead; undefined where the names of schedules help. */
  readonly hint?: string;
}

const notDelivered: NoTest = { why: 'is not a schedule, and only schedules are delivered' };

/** Why a resource of the kind has no test delivery; undefined where it has one. */
export const whyNoTest: Readonly<Record<Kind, NoTest | undefined>> = {
  dashboard: notDelivered,
  schedule: undefined,
  routine: {
    why: 'is a routine, and the service has no test delivery of a routine',
    hint: 'almanac trigger runs it now and delivers to all of its recipients. Nothing was sent.',
  },
  aiJob: notDelivered,
};
