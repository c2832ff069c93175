// What `almanac test` asks of a kind: whether one delivery of it can be tried out.

import type { Kind } from '../../model/values/address.ts';

/** Why a resource of the kind has no test delivery, after its address; undefined where it has one. */
export const whyNoTest: Readonly<Record<Kind, string | undefined>> = {
  dashboard: 'is not a schedule, and only schedules are delivered',
  schedule: undefined,
  aiJob: 'is not a schedule, and only schedules are delivered',
};
