// Decides which filters an import leaves to the dashboard. One that equals the dashboard's may be the schedule's own
// all the same, so it is left out only if nobody outside could get other rows once the dashboard changes.

import { outsideTest } from '../../declare/inside/recipients-inside.ts';
import { deliveryOf } from '../../model/fields/delivery.ts';
import type { Receiver } from '../../model/fields/receiver.ts';
import type { JsonObject } from '../../model/values/json.ts';
import type { Config } from '../../model/workspace/config.ts';
import type { ReadSchedule } from '../../observe/details/join-answers.ts';
import type { ImportOptions } from './import-command.ts';

/** True if the filter with this id is left out when it equals the dashboard's. `fields` is the declared schedule. */
export type FollowsDashboard = (id: string, read: ReadSchedule, fields: JsonObject) => boolean;

export const nothingLeft: FollowsDashboard = () => false;

export function followsDashboardIn({ safety }: Config, filters: ImportOptions['filters']): FollowsDashboard {
  // Nobody knows what is outside until almanac.yaml says what is inside.
  if (filters === 'all' || safety.internalDomains.length === 0) return nothingLeft;
  const isOutside = outsideTest(safety.internalDomains);
  const staysInside = ({ kind, shown, isHidden }: Receiver) =>
    kind === 'slack' || (kind === 'email' && !isHidden && !isOutside(shown));
  const dividing = new Set(safety.rows?.filters);
  return (id, { listed, recipients }, fields) => {
    const { to } = deliveryOf('schedule', fields);
    const named = recipients.emails?.length;
    const isAll = named === undefined || listed.recipientCount === undefined || listed.recipientCount === named;
    return !dividing.has(id) && isAll && to.length > 0 && to.every(staysInside);
  };
}
